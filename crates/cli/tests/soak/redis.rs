//! redis: the server, its client and its benchmark.

use crate::common::output;

const SCRIPT: &str = r#"
redis-server --port 6379 --dir /tmp --daemonize yes --save '' --appendonly yes --pidfile /tmp/redis.pid \
    --logfile /tmp/redis.log
wait_for 6379
redis-cli set key value
redis-cli --pipe < <(for i in {1..500}; do echo "RPUSH list $i"; done) | tail -1
redis-cli lrange list 0 2
redis-cli eval 'return redis.sha1hex(ARGV[1])' 0 abc
redis-benchmark -q -n 500 -c 10 -t set,get,lpush --csv | cut -d, -f1
redis-cli shutdown nosave
while kill -0 $(< redis.pid) 2>/dev/null; do sleep 0.1; done 2>/dev/null
grep -c . appendonlydir/*.incr.aof > /dev/null && echo kept
"#;

#[test]
#[ignore = "minutes; run by `make soak`"]
fn redis_serves() {
    let packages = ["grep", "redis-server", "redis-tools"];
    let (out, err) = output(&mut super::script("redis", &packages, &[], SCRIPT), 0);
    let expected = "OK\nerrors: 0, replies: 500\n1\n2\n3\na9993e364706816aba3e25717850c26c9cd0d89d\n\
                    \"test\"\n\"SET\"\n\"GET\"\n\"LPUSH\"\nkept\n";
    assert_eq!(out, expected, "{err}");
}
