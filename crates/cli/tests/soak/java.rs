//! OpenJDK: a TLS server on all addresses.

use crate::common::output;

const SCRIPT: &str = r#"
openssl pkcs12 -export -in cert.pem -inkey key.pem -passout pass:changeit -out store.p12
/usr/lib/jvm/java-21-openjdk-riscv64/bin/java -Xmx256m /scripts/Server.java & server=$!
wait_for 8445
curl -sS --cacert cert.pem https://127.0.0.1:8445/one
curl -sS --cacert cert.pem https://[::1]:8445/two
kill $server; wait $server; echo ended $?
"#;

#[test]
#[ignore = "minutes; run by `make soak`"]
fn java_serves_tls() {
    let packages = ["openjdk-21-jdk-headless"];
    let (out, err) = output(&mut super::script("java", &packages, &[], SCRIPT), 0);
    assert_eq!(out, "GET /one\nGET /two\nended 143\n", "{err}");
}
