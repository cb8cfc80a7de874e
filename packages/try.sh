#!/usr/bin/env bash
# Checks that a package of dist/ runs where nothing else is installed.
set -euo pipefail
case ${1-} in
    '' | -h | --help)
        cat <<'TEXT'
Usage: packages/try.sh static|deb FILE [REFERENCE]
       [BASE=IMAGE] packages/try.sh container DIST [REFERENCE]

static  Unpacks the archive of a static binary into an otherwise empty root, which has only /proc, /tmp and /home.
deb     Installs the Debian package in a new root of Debian 12 (mmdebstrap).
container  Builds the image of packages/Containerfile from the directory DIST (buildah), and runs it without a network. BASE replaces
        Debian's image, for machines that reach no registry.

There, `capvec self check` must pass and `capvec bench` print what REFERENCE (default: target/release/capvec) prints here. For
static and deb, the sysroots of the store are copied, and what else bench needs is built there. Needs user namespaces; deb and
container need root, too.
TEXT
        exit ;;
esac
kind=$1
file=$(realpath "$2")
reference=$(realpath "${3:-target/release/capvec}")
bench=(bench -q --format csv)
"$reference" bench -q --setup-only

# Compares what `inside`, a function of the kind, prints with what the reference prints.
compare() {
    inside self check
    inside "${bench[@]}" >"$1.there"
    "$reference" "${bench[@]}" >"$1.here"
    cmp "$1.here" "$1.there"
    echo "$kind: $(($(wc -l <"$1.there") - 1)) rows, identical byte for byte"
    rm "$1.here" "$1.there"
}

if [ "$kind" = container ]; then
    image=localhost/capvec-try
    buildah build ${BASE:+--build-arg "BASE=$BASE"} -t "$image" -f "$(dirname "$0")/Containerfile" "$file"
    container=$(buildah from "$image")
    trap 'buildah rm "$container" >/dev/null; buildah rmi "$image" >/dev/null' EXIT
    inside() { unshare --net buildah run "$container" -- capvec "$@"; }
    compare "$(mktemp -u)"
    exit
fi

root=$(mktemp -d)
# Files of root inside the namespace belong to another user outside.
trap 'unshare --user --map-root-user --map-auto rm -rf "$root" 2>/dev/null || rm -rf "$root"' EXIT
chmod 755 "$root"
case $kind in
    static)
        mkdir -p "$root"/{proc,tmp,home}
        tar -C "$root" --strip-components=1 -xzf "$file"
        program=/capvec
        ;;
    deb)
        mmdebstrap --variant=apt --include="ca-certificates" --customize-hook="copy-in $file /tmp" \
            --customize-hook="chroot \"\$1\" apt-get install -y /tmp/$(basename "$file")" bookworm "$root" >/dev/null
        mkdir -p "$root/home"
        program=/usr/bin/capvec
        ;;
    *) echo "try.sh: $kind: neither static, deb nor container" >&2; exit 2 ;;
esac
store=${CAPVEC_HOME:-${XDG_DATA_HOME:-$HOME/.local/share}/capvec}
mkdir -p "$root/home/store/sysroots"
cp -a "$store"/sysroots/trixie-riscv64{,-build} "$root/home/store/sysroots/"

# Runs the program in the root, with an environment of its own.
inside() {
    env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/home CAPVEC_HOME=/home/store LC_ALL=C.UTF-8 \
        unshare --user --map-root-user --mount --pid --fork --kill-child \
        /bin/sh -c 'mount -t proc proc "$0/proc" && exec chroot "$0" "$@"' "$root" "$program" "$@"
}
compare "$root"
