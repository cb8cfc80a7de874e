//! nginx over TLS: a root that gives up its rights, workers, and clients of both families.

use crate::common::output;

const CONF: &str = "
user nobody nogroup;
worker_processes 2;
pid /tmp/nginx.pid;
error_log /tmp/error.log;
events { worker_connections 64; }
http {
    access_log off;
    client_body_temp_path /tmp/b; proxy_temp_path /tmp/p; fastcgi_temp_path /tmp/f;
    uwsgi_temp_path /tmp/u; scgi_temp_path /tmp/s;
    server {
        listen [::]:8443 ssl ipv6only=off;
        ssl_certificate /tmp/cert.pem;
        ssl_certificate_key /tmp/key.pem;
        location / { root /tmp/www; }
    }
}";

const SCRIPT: &str = r#"
mkdir www && echo "$CONF" > nginx.conf
head -c 300000 /dev/urandom > www/data
ask() { curl -sS --cacert cert.pem "$@"; }
nginx -c /tmp/nginx.conf
wait_for 8443
ask https://127.0.0.1:8443/data | cmp - www/data && echo ipv4
ask https://[::1]:8443/data | cmp - www/data && echo ipv6
printf 'HEAD /data HTTP/1.0\r\n\r\n' | openssl s_client -connect 127.0.0.1:8443 -CAfile cert.pem -quiet \
    -verify_return_error -tls1_3 2>/dev/null | head -1
for i in 1 2 3 4 5 6; do ask https://localhost:8443/data -o out$i & jobs="$jobs $!"; done
wait $jobs
cat out? | wc -c
ps -C nginx -o user= | sort | uniq -c
kill $(< nginx.pid)
while [ -e nginx.pid ]; do sleep 0.1; done
ps -C nginx -o user=
cat error.log
# In the foreground, as a job of the shell.
nginx -c /tmp/nginx.conf -g 'daemon off;' & master=$!
wait_for 8443
kill -QUIT $master; wait $master; echo ended $?
"#;

#[test]
#[ignore = "minutes; run by `make soak`"]
fn nginx_serves_tls() {
    let env = format!("--env=CONF={CONF}");
    let (out, err) =
        output(&mut crate::script("nginx", &["diffutils", "nginx"], &[&env], SCRIPT), 0);
    let expected =
        "ipv4\nipv6\nHTTP/1.1 200 OK\r\n1800000\n      2 nobody\n      1 root\nended 0\n";
    assert_eq!(out, expected, "{err}");
}
