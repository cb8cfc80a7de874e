//! Node.js: a TLS server on all addresses.

use crate::common::output;

const SCRIPT: &str = r#"
node /scripts/server.js & server=$!
wait_for 8444
curl -sS --cacert cert.pem https://127.0.0.1:8444/one
curl -sS --cacert cert.pem https://[::1]:8444/two
kill $server; wait $server; echo ended $?
"#;

#[test]
#[ignore = "minutes; run by `make soak`"]
fn node_serves_tls() {
    let (out, err) = output(&mut super::script("node", &["nodejs"], &[], SCRIPT), 0);
    let expected = "GET /one from ::ffff:127.0.0.1\nGET /two from ::1\nclosed\nended 0\n";
    assert_eq!(out, expected, "{err}");
}
