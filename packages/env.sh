# Read by the scripts that make packages: tools, and settings that make what is built independent of the time and the place of the build.
tools=target/python-tools
if ! cmp -s python/requirements-build.txt $tools/requirements-build.txt; then
    python3 -m venv --clear $tools
    $tools/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r python/requirements-build.txt
    cp python/requirements-build.txt $tools/
fi
PATH=$PWD/$tools/bin:$PATH
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
RUSTFLAGS="${RUSTFLAGS:-} --remap-path-prefix=$PWD=capvec --remap-path-prefix=${CARGO_HOME:-$HOME/.cargo}=cargo"
# The same for the C code of dependencies.
CFLAGS="${CFLAGS:-} -ffile-prefix-map=$PWD=capvec -ffile-prefix-map=${CARGO_HOME:-$HOME/.cargo}=cargo"
# Where `capvec rtl` looks for its sources.
CAPVEC_BUILT_FROM=/usr/share/capvec
export PATH SOURCE_DATE_EPOCH RUSTFLAGS CFLAGS CAPVEC_BUILT_FROM
export CARGO_PROFILE_RELEASE_DEBUG=false CARGO_PROFILE_RELEASE_STRIP=true
