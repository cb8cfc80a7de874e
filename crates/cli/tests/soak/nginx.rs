//! nginx over TLS with Debian's own configuration: root drops its privileges, there are workers, and clients use IPv4
//! and IPv6.

use crate::common::output;

/// Configures the server in a file of its own, which Debian's nginx.conf includes.
const SERVER: &str = "
server {
    listen [::]:8443 ssl ipv6only=off;
    ssl_certificate /tmp/cert.pem;
    ssl_certificate_key /tmp/key.pem;
    location / { root /tmp/www; }
}
";

const SCRIPT: &str = r#"
mkdir www
head -c 300000 /dev/urandom > www/data
ask() { curl -sS --cacert cert.pem "$@"; }
nginx
wait_for 8443
ask https://127.0.0.1:8443/data | cmp - www/data && echo ipv4
ask https://[::1]:8443/data | cmp - www/data && echo ipv6
printf 'HEAD /data HTTP/1.0\r\n\r\n' | openssl s_client -connect 127.0.0.1:8443 -CAfile cert.pem -quiet \
    -verify_return_error -tls1_3 2>/dev/null | head -1
for i in 1 2 3 4 5 6; do ask https://localhost:8443/data -o out$i & jobs="$jobs $!"; done
wait $jobs
cat out? | wc -c
ps -C nginx -o user= | sort | uniq -c
kill $(< /run/nginx.pid)
while [ -e /run/nginx.pid ]; do sleep 0.1; done
ps -C nginx -o user=
cat /var/log/nginx/error.log
grep -c 'GET /data HTTP' /var/log/nginx/access.log
# In the foreground, as a job of the shell.
nginx -g 'daemon off;' & master=$!
wait_for 8443
kill -QUIT $master; wait $master; echo ended $?
"#;

#[test]
#[ignore = "minutes; run by `make soak`"]
fn nginx_serves_tls() {
    let dir = tempfile::tempdir().expect("a directory");
    let bind = |name: &str, guest: &str| {
        let host = dir.path().join(name);
        std::fs::create_dir(&host).expect("a directory");
        (format!("--bind={}:{guest}", host.display()), host)
    };
    // The guest's sysroot is read-only, so directories are bound where nginx writes.
    let (conf, host) = bind("conf", "/etc/nginx/conf.d");
    std::fs::write(host.join("server.conf"), SERVER).expect("a file");
    let (log, _) = bind("log", "/var/log/nginx:rw");
    let (lib, _) = bind("lib", "/var/lib/nginx:rw");
    let packages = ["diffutils", "grep", "nginx"];
    let (out, err) =
        output(&mut super::script("nginx", &packages, &[&conf, &log, &lib], SCRIPT), 0);
    let expected =
        "ipv4\nipv6\nHTTP/1.1 200 OK\r\n1800000\n      1 root\n      1 www-data\n8\nended 0\n";
    assert_eq!(out, expected, "{err}");
}
