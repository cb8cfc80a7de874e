//! PostgreSQL: creates a cluster, runs the server as its own user, and loads it with clients.

use crate::common::{capvec, guest, output};

const SYSROOT: &str = "capvec-soak-postgresql";
const PACKAGES: [&str; 5] = ["bash", "coreutils", "grep", "postgresql-17", "util-linux"];

/// PostgreSQL refuses to run as root, so the script changes to the user that the package creates.
const SCRIPT: &str = r#"
mkdir /tmp/db; chown postgres:postgres /tmp/db
exec setpriv --reuid=postgres --regid=postgres --init-groups bash -ec '
export PATH=/usr/lib/postgresql/17/bin:$PATH PGDATA=/tmp/db PGHOST=/tmp PGUSER=postgres LC_ALL=C
initdb -U postgres --no-sync -A trust
pg_ctl -w -l /tmp/log -o "-c listen_addresses= -c unix_socket_directories=/tmp" start
psql -Atc "create table t as select i, md5(i::text) m from generate_series(1, 1000) i"
psql -Atc "select count(*), min(m), max(m) from t"
pgbench -q -i -s 1 postgres
pgbench -c 4 -t 50 -n postgres
psql -Atc "select count(*), sum(delta) = (select sum(abalance) from pgbench_accounts) from pgbench_history"
ipcs -m
pg_ctl -w stop
tail -1 /tmp/log
ipcs -m | { grep -c postgres || true; }'
"#;

#[test]
#[ignore = "minutes; run by `make soak`"]
fn postgresql_serves_several_clients() {
    let add = ["sysroot", "add", "--name", SYSROOT, "--suite", "trixie", "--arch", "riscv64"];
    capvec().args(add).args(PACKAGES).assert().success();
    let options = ["--sysroot", SYSROOT, "--memory", "2G"];
    let (out, err) = output(&mut guest(&options, &["bash", "-ec", SCRIPT]), 0);
    let has = |text: &str| assert!(out.contains(text), "{text:?} is missing in\n{out}\n{err}");
    // The smallest and the largest MD5 digest of the decimal numbers from 1 to 1000, according to md5sum(1).
    has("\n1000|00411460f7c92d2124a67ea0f4cb5f85|ffeabd223de0d4eacb9a3e6e53e5448d\n");
    has("\nnumber of transactions actually processed: 200/200\n");
    has("\n200|t\n");
    // Its System V shared memory segment exists while it runs, and not afterwards.
    has(" postgres   600        56 ");
    has("database system is shut down\n");
    assert!(out.ends_with("\n0\n"), "{out}\n{err}");
}
