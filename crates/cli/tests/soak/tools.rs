//! Tools that drop privileges or query the machine.

use crate::common::output;

const SCRIPT: &str = r#"
setpriv --reuid=nobody --regid=nogroup --clear-groups bash -c 'id -u; : > /root/x; kill -0 $PPID' 2>/dev/null
echo $?
su -s /bin/sh www-data -c 'id -un; id -gn'
runuser -u nobody -- id -un
ip -brief addr
ip route show table local
ip link set lo down; echo $?
wg show; echo $?
lscpu | grep -c 'CPU(s):'
nproc
openssl s_server -port 4433 -key key.pem -cert cert.pem -www -quiet & server=$!
wait_for 4433
curl -sSo /dev/null -w '%{http_code} %{ssl_verify_result}\n' --cacert cert.pem https://127.0.0.1:4433
kill $server
"#;

#[test]
#[ignore = "minutes; run by `make soak`"]
fn tools_query_the_machine_and_drop_privileges() {
    let packages = ["grep", "iproute2", "util-linux", "wireguard-tools"];
    let (out, err) = output(&mut super::script("tools", &packages, &[], SCRIPT), 0);
    let expected = "65534\n1\nwww-data\nwww-data\nnobody\n\
        lo               UNKNOWN        127.0.0.1/8 ::1/128 \n\
        local 127.0.0.0/8 dev lo proto kernel scope host src 127.0.0.1 \n\
        local 127.0.0.1 dev lo proto kernel scope host src 127.0.0.1 \n\
        broadcast 127.255.255.255 dev lo proto kernel scope link src 127.0.0.1 \n\
        2\n0\n1\n1\n200 0\n";
    assert_eq!(out, expected, "{err}");
}
