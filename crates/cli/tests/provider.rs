//! libcapvec as a provider of stock OpenSSL, as a user builds it.

use crate::common::{capvec, guest, output};
use std::sync::OnceLock;

const WITH: &str =
    "-provider-path /provider -provider capvec -provider default -propquery ?provider=capvec";

/// Runs `script` in a guest that has the provider; returns what it prints. `$WITH` has the options that select the provider.
fn run(script: &str) -> String {
    static BUILT: OnceLock<()> = OnceLock::new();
    let dir = concat!(env!("CARGO_TARGET_TMPDIR"), "/provider");
    BUILT.get_or_init(|| {
        capvec().args(["build", "provider", "--output", dir]).assert().success();
    });
    let bind = format!("{dir}:/provider");
    let options = ["--net", "loopback", "--isa", "rv64gcv_zvkng_zvksg", "--bind", &bind];
    let with = format!("WITH={WITH}");
    let options: Vec<&str> = options.into_iter().chain(["--env", &with]).collect();
    output(&mut guest(&options, &["bash", "-c", &format!("set -e; cd /tmp; {script}")]), 0).0
}

/// OpenSSL's programs print the same with the provider.
#[test]
fn openssls_programs_use_the_provider() {
    let key = "00112233445566778899aabbccddeeff";
    let script = format!(
        "head -c 5000 /usr/bin/openssl > in
        for c in aes-128-cbc sm4-ctr aes-256-cfb chacha20; do
            k={key}; [ $c = aes-256-cfb ] || [ $c = chacha20 ] && k={key}{key}
            openssl enc -$c -K $k -iv {key} -in in -out a
            openssl enc $WITH -$c -K $k -iv {key} -in in -out b
            busybox cmp a b && openssl enc -d $WITH -$c -K $k -iv {key} -in a | busybox cmp - in && echo $c
        done
        for d in sha1 sha512 sha3-256 sm3; do
            [ \"$(openssl dgst -$d -r in)\" = \"$(openssl dgst $WITH -$d -r in)\" ] && echo $d
        done
        for m in '-digest SHA256 -macopt hexkey:{key} HMAC' '-digest MD5 -macopt hexkey:{key} HMAC' \\
            '-cipher AES-128-CBC -macopt hexkey:{key} CMAC' '-macopt hexkey:{key} KMAC128'; do
            [ \"$(openssl mac $m < in)\" = \"$(openssl mac $WITH $m < in)\" ] && echo \"$m\" | wc -w
        done
        export OPENSSL_CONF=/provider/openssl.cnf OPENSSL_MODULES=/provider
        openssl list -providers | busybox grep -c libcapvec
        openssl speed $WITH -seconds 1 -bytes 1024 -evp aes-128-xts 2>/dev/null | tail -1 | cut -d ' ' -f 1"
    );
    assert_eq!(
        run(&script),
        "aes-128-cbc\nsm4-ctr\naes-256-cfb\nchacha20\nsha1\nsha512\nsha3-256\nsm3\n5\n5\n5\n3\n1\nAES-128-XTS\n"
    );
}

/// TLS 1.3 and 1.2, with the provider on one side, on the other, and on both.
#[test]
fn tls_works_with_the_provider_on_either_side() {
    let script = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout k -out c -subj /CN=a 2>/dev/null
        talk() {
            openssl s_server $1 -ciphersuites TLS_AES_128_GCM_SHA256:TLS_CHACHA20_POLY1305_SHA256:TLS_AES_128_CCM_SHA256 \
                -accept 127.0.0.1:0 -key k -cert c -rev -naccept 5 > log 2>&1 &
            until port=$(busybox sed -n 's/^ACCEPT 127.0.0.1:\\([0-9]*\\)$/\\1/p' log) && [ -n \"$port\" ]; do sleep 0.1; done
            for suite in '-tls1_3 -ciphersuites TLS_AES_128_GCM_SHA256' '-tls1_3 -ciphersuites TLS_CHACHA20_POLY1305_SHA256' \\
                '-tls1_3 -ciphersuites TLS_AES_128_CCM_SHA256' '-tls1_2 -cipher ECDHE-ECDSA-AES256-GCM-SHA384' \\
                '-tls1_2 -cipher ECDHE-ECDSA-AES128-SHA256 -no_etm'; do
                (echo hello; sleep 1) | openssl s_client $2 -connect 127.0.0.1:$port $suite -quiet -no_ign_eof 2>/dev/null
            done
            wait
        }
        talk \"$WITH\" \"$WITH\"; talk '' \"$WITH\"; talk \"$WITH\" ''";
    assert_eq!(run(script), "olleh\n".repeat(15));
}

/// Keys from one seed are the same files, and TLS 1.3 agrees on ML-KEM and its hybrids with the provider on either side.
#[test]
fn mlkem_works_with_the_provider_on_either_side() {
    let script = "seed=$(printf '%02x' $(seq 1 64))
        for n in 512 768 1024; do
            openssl genpkey -algorithm ML-KEM-$n -pkeyopt hexseed:$seed -out a
            openssl genpkey $WITH -algorithm ML-KEM-$n -pkeyopt hexseed:$seed -out b
            busybox cmp a b; openssl pkey $WITH -in a -pubout -out p
            openssl pkeyutl -encap $WITH -pubin -inkey p -out t -secret s; openssl pkeyutl -decap -inkey a -in t -secret u
            busybox cmp s u; openssl pkeyutl -encap -pubin -inkey p -out t -secret s
            openssl pkeyutl -decap $WITH -inkey a -in t -secret u; busybox cmp s u && echo $n
        done
        openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout k -out c -subj /CN=a 2>/dev/null
        talk() {
            rm -f log
            openssl s_server $1 -groups $3 -accept 127.0.0.1:0 -key k -cert c -rev > log 2>&1 &
            until port=$(busybox sed -n 's/^ACCEPT 127.0.0.1:\\([0-9]*\\)$/\\1/p' log) && [ -n \"$port\" ]; do sleep 0.1; done
            for group in $(echo $3 | busybox tr : ' '); do
                printf 'hello\\nCLOSE\\n' | openssl s_client $2 -connect 127.0.0.1:$port -tls1_3 -groups $group -quiet \
                    -ign_eof 2>/dev/null | busybox grep olleh
            done
            kill $!; wait || true
        }
        all=X25519MLKEM768:SecP256r1MLKEM768:SecP384r1MLKEM1024:MLKEM512:MLKEM768:MLKEM1024
        talk \"$WITH\" \"$WITH\" $all; talk '' \"$WITH\" X25519MLKEM768; talk \"$WITH\" '' X25519MLKEM768";
    assert_eq!(run(script), format!("512\n768\n1024\n{}", "olleh\n".repeat(8)));
}

/// Keys from one seed are the same files; each implementation verifies the other's signatures and certificates; and TLS 1.3
/// authenticates both sides by ML-DSA, with the provider on either side.
#[test]
fn mldsa_works_with_the_provider_on_either_side() {
    signatures(&[], &["65"]);
}

/// The same for the other sets of ML-DSA, and for one set of SLH-DSA, which TLS does not use.
#[test]
#[ignore = "minutes: make test-long"]
fn every_mldsa_and_slhdsa_work_with_the_provider() {
    signatures(&["SLH-DSA-SHA2-128f"], &["44", "87"]);
}

fn signatures(slhdsa: &[&str], mldsa: &[&str]) {
    let (slh, ml) = (slhdsa.join(" "), mldsa.join(" "));
    let script = "echo hello > m
        check() {
            openssl genpkey -algorithm $1 -pkeyopt hexseed:$2 -out a
            openssl genpkey $WITH -algorithm $1 -pkeyopt hexseed:$2 -out b
            busybox cmp a b; openssl pkey $WITH -in a -pubout -out p; openssl pkey -in b -pubout -out q; busybox cmp p q
            openssl pkeyutl $WITH -sign -rawin -in m -inkey a -out s
            openssl pkeyutl -verify -rawin -in m -pubin -inkey p -sigfile s
            openssl pkeyutl -sign -rawin -in m -inkey b -out s
            openssl pkeyutl $WITH -verify -rawin -in m -pubin -inkey p -sigfile s
            openssl req $WITH -x509 -key a -out c -subj /CN=a; openssl verify -CAfile c c
            openssl req -x509 -key a -out c -subj /CN=a; openssl verify $WITH -CAfile c c
        }
        for set in $SLHDSA; do check $set $(printf '%02x' $(seq 1 48)); done
        talk() {
            rm -f log
            openssl s_server $1 -accept 127.0.0.1:0 -key a -cert c -CAfile c -Verify 1 -rev -naccept 1 > log 2>&1 &
            until port=$(busybox sed -n 's/^ACCEPT 127.0.0.1:\\([0-9]*\\)$/\\1/p' log) && [ -n \"$port\" ]; do sleep 0.1; done
            printf 'hello\\nCLOSE\\n' | openssl s_client $2 -connect 127.0.0.1:$port -tls1_3 -key a -cert c -CAfile c \\
                -verify_return_error -brief -ign_eof 2>&1 | busybox grep -E '^(Signature type|olleh)'
            wait
        }
        for n in $MLDSA; do
            check ML-DSA-$n $(printf '%02x' $(seq 1 32))
            talk \"$WITH\" \"$WITH\"; talk '' \"$WITH\"; talk \"$WITH\" ''
        done";
    let checked =
        "Signature Verified Successfully\nSignature Verified Successfully\nc: OK\nc: OK\n";
    let talked = |set: &str| {
        format!("{checked}{}", format!("Signature type: mldsa{set}\nolleh\n").repeat(3))
    };
    let wanted =
        checked.repeat(slhdsa.len()) + &mldsa.iter().map(|n| talked(n)).collect::<String>();
    assert_eq!(run(&format!("SLHDSA='{slh}'; MLDSA='{ml}'; {script}")), wanted);
}
