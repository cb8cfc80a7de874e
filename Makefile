# `make help` lists the targets. Each does its own set-up.

CARGO ?= cargo
CAPVEC = target/release/capvec

.PHONY: help build demo tables test fmt lint generate check-generated bench bench-sim differential differential-regressions sensitivity clean

help:
	@echo 'make build     target/release/capvec'
	@echo 'make demo      the ten-row capability table of stock OpenSSL on the core karu64, and out/demo/report.html'
	@echo 'make tables    docs/tables.md: every symmetric and public-key algorithm (minutes)'
	@echo 'make diagrams  the SVG files of docs/ from their .dot files (graphviz)'
	@echo 'make test      all tests except the long ones, drift of generated files; make test-cli and make test-others run the two halves, once built'
	@echo 'make test-long   the tests that take minutes each, except those of make soak, rtl-test, rtl-mutants and pqc-digests'
	@echo 'make fmt       format Rust, and C with clang-format 19'
	@echo 'make lint      formatting, clippy and rustdoc, without warnings; make fmt-check, make clippy and make doc run one part each'
	@echo 'make taint     precision of the rules of taint; whether wrong rules are noticed'
	@echo 'make generate, make check-generated   write or check the files that are generated from isa/'
	@echo 'make vectors   write the generated files of vectors/'
	@echo 'make walkthrough   follow "Add an instruction" of CONTRIBUTING.md in a copy, and compile it'
	@echo 'make kat       check all known answers of stock OpenSSL, on every path of its dispatch'
	@echo 'make kat-pqc [SHARE=1/8]   all known answers of the post-quantum algorithms of libcapvec, on every set and draft, at four VLENs'
	@echo 'make pqc-digests [SETS=ML-DSA-87,…] [RUNS=…]   digests over 10,000 runs of ML-KEM and ML-DSA, 100 of SLH-DSA, of RustCrypto too'
	@echo 'make ct [CASES=…] [CAPS=…] [VLEN=…]   check that libcapvec is constant-time: every case, capability set and VLEN'
	@echo 'make ct-bare   the same without an operating system: RV32 with every set of its kernels, RV64 with vectors (minutes)'
	@echo 'make mbedtls   the self-test of Mbed TLS with libcapvec, in the simulator'
	@echo 'make bench     speed of the simulator itself'
	@echo 'make bench-sim   speed of the translating engine compared with QEMU, on stock OpenSSL and 22 other programs (half an hour)'
	@echo 'make differential SECONDS=60 [SEED=…] [SAVE=DIR]   random programs, compared with qemu-riscv64'
	@echo 'make differential-spike SPIKE=… [BATCHES=14]   random programs, compared with riscv-isa-sim'
	@echo 'make differential-regressions   the kept programs, compared with qemu-riscv64'
	@echo 'make sensitivity   whether differential testing finds faults made on purpose'
	@echo 'make soak [SOAK=nginx]   servers and other large programs in the simulator, a build of OpenSSL (minutes; fetches them)'
	@echo 'make fuzz TARGET=program SECONDS=60 [TIMEOUT=20]   libFuzzer (nightly compiler, cargo-fuzz)'
	@echo 'make miri, make asan   undefined behaviour and memory errors (nightly compiler)'
	@echo 'make rtl-test  the vector crypto unit, in every width, and the core in RTL, compared with the simulator (minutes)'
	@echo 'make rtl-formal   proofs about the unit, by SAT (yosys)'
	@echo 'make rtl-mutants [MUTANTS=300] [CAPVEC_RTL_FILES=zvku]   whether the tests find faults made on purpose in the RTL (ten minutes)'
	@echo 'make rtl-area [PARAMETERS="DLEN=256 …"]   the area of the unit and the core in gates, by module and by extension (yosys; 40 minutes of processor time)'
	@echo 'make aarch64   capvec as on an AArch64 host, under QEMU: figures equal to those here, and tests (minutes; gcc-aarch64-linux-gnu)'
	@echo 'make macos [TARGETS=…]    whether the command and the wheel link for macOS (zig; docs/hosts.md)'
	@echo 'make deny      licences, sources and advisories of the dependencies (cargo-deny)'
	@echo 'make wheels [TARGETS=…]   dist/: the Python package with the command, for pip (docs/python.md)'
	@echo 'make dist [TARGETS=…]     dist/: static binaries for x86-64 and AArch64 Linux, checksums, SBOM (docs/install.md)'
	@echo 'make deb       dist/: the Debian package (cargo-deb)'
	@echo 'make try-packages   whether the static binary and the Debian package run where nothing else is installed (mmdebstrap)'
	@echo 'make docs      out/site: the pages as a site, with the reference of the command line and of Python'
	@echo 'make clean     remove target/, out/ and dist/'

build:
	$(CARGO) build --release --locked -p capvec

# Does not resume an interrupted demo: another build may have begun it.
demo: build
	rm -rf out/demo/runs
	$(CAPVEC) bench --core karu64 --speed --mix --out out/demo
	@echo
	@$(CAPVEC) report out/demo -o out/demo/report.html --title 'Stock OpenSSL on the core karu64'

# Takes minutes.
tables: build
	docs/tables.sh

# Draws only the files that have changed, since versions of graphviz differ slightly.
.PHONY: diagrams
diagrams: $(patsubst %.dot,%.svg,$(wildcard docs/*.dot))

docs/%.svg: docs/%.dot
	dot -Tsvg -o $@ $<

# Builds the tests, then runs the programs that were built with them: `cargo build -p` and `cargo run -p` enable fewer features
# of the dependencies, so they would build most crates again. The sysroots are fetched once; after that, no network is needed.
# The tests of the command line take as long as all others, so both run at the same time: towards its end, a test program
# leaves processors idle.
test:
	$(CARGO) test --locked --workspace --no-run
	target/debug/capvec bench --setup-only
	target/debug/capvec bench --target qemu:aarch64 --setup-only
	+$(MAKE) --jobs 2 --keep-going --no-print-directory test-cli test-others
	target/debug/capvec-differential --seed 1 --batches 9 --share 16
	target/debug/capvec-differential --replay $(REGRESSIONS)

.PHONY: test-cli test-others
test-cli:
	$(CARGO) test --locked --workspace --no-fail-fast --test cli

# The patterns match every name but "c" and those that begin with "cl". A test of crates/isa fails if a test program other than "cli"
# has such a name.
test-others:
	$(CARGO) test --locked --workspace --no-fail-fast --lib --bins --test '[!c]*' --test 'c[!l]*'
	$(CARGO) test --locked --workspace --doc

# Runs every test that is ignored because it takes long, except servers (make soak), the RTL (make rtl-test, make rtl-mutants),
# digests over thousands of keys (make pqc-digests), and the one that checks a file of signatures, which is not in the repository
# (vectors/README.md).
.PHONY: test-long
test-long:
	$(CARGO) test --locked --workspace --no-fail-fast --lib --bins --tests -- --ignored --skip soak:: --skip hart:: --skip lockstep:: \
	    --skip mutants:: --skip accumulated::long_digests --skip acvp::all_signatures

# SOAK=nginx runs only that program.
.PHONY: soak
SOAK ?=
soak:
	$(CARGO) test --release --locked -p capvec --test cli -- --ignored --test-threads=1 soak::$(SOAK)

# The rules of taint: how precise they are, and whether wrong ones are noticed.
.PHONY: taint
taint:
	$(CARGO) test --locked -p capvec-taint --test all -- --include-ignored --nocapture --test-threads=1

# C is formatted if clang-format 19 is installed (Debian: apt install clang-format-19; PyPI: clang-format==19.1.7).
CLANG_FORMAT ?= $(shell command -v clang-format-19 || command -v clang-format)
C_FILES = git ls-files '*.c' '*.h'

.PHONY: fmt-check
fmt fmt-check: CHECK = $(filter fmt-check,$@)
fmt fmt-check:
	$(CARGO) fmt --all $(if $(CHECK),--check)
	@case "$$($(CLANG_FORMAT) --version 2>&1)" in \
	  *'version 19.'*) files=$$($(C_FILES)) && $(CLANG_FORMAT) $(if $(CHECK),--dry-run -Werror,-i) $$files ;; \
	  *) echo 'C was not $(if $(CHECK),checked,formatted): there is no clang-format 19 (set CLANG_FORMAT)' ;; \
	esac

lint: fmt-check clippy doc

.PHONY: clippy doc
clippy:
	$(CARGO) clippy --locked --workspace --all-targets -- -D warnings

doc:
	RUSTDOCFLAGS='-D warnings' $(CARGO) doc --locked --workspace --no-deps --document-private-items

generate:
	$(CARGO) run --locked -q -p capvec-isagen

# `cargo test` checks this, too.
check-generated:
	$(CARGO) run --locked -q -p capvec-isagen -- --check

# Follows "Add an instruction" of CONTRIBUTING.md in a copy of the repository, and compiles the result.
.PHONY: walkthrough
walkthrough:
	$(CARGO) test --locked -q -p capvec-isagen -- --ignored

# `cargo test` fails if the generated vectors are not current.
.PHONY: vectors kat
vectors:
	$(CARGO) run --locked -q -p capvec-vectorgen

kat: build
	$(CAPVEC) kat

# Capability sets and VLENs of the known answers of post-quantum algorithms. Each pair runs by itself, so that progress is seen and
# SHARE=I/N can take every N-th of them, from the I-th on.
.PHONY: kat-pqc
SHARE ?= 1/1
VECTOR_SETS = v v_zbb_zvbb full full_zvknhk0p1 full_zvknhk0p2 full_zvkk0p2024 full_xcapvecmulq0p1
PQC_RUNS = scalar@128 zbb@128 $(foreach set,$(VECTOR_SETS),$(addprefix $(set)@,128 256 512 1024))
kat-pqc: build
	@n=0; for run in $(PQC_RUNS); do \
	    n=$$((n + 1)); [ $$(((n - 1) % $(lastword $(subst /, ,$(SHARE))))) = $$(($(firstword $(subst /, ,$(SHARE))) - 1)) ] || continue; \
	    echo "$$n of $(words $(PQC_RUNS)): $${run%@*}, VLEN $${run#*@}"; \
	    $(CAPVEC) kat --quiet --subject capvec --algorithms pqc --caps $${run%@*} --vlen $${run#*@} > target/kat-pqc.txt \
	        || { cat target/kat-pqc.txt; exit 1; }; \
	    grep 'vectors failed' target/kat-pqc.txt; \
	done

# Compares libcapvec on the host with RustCrypto; takes minutes for each parameter set of ML-DSA.
.PHONY: pqc-digests
pqc-digests:
	$(if $(SETS),CAPVEC_SETS=$(SETS)) $(if $(RUNS),CAPVEC_RUNS=$(RUNS)) $(CARGO) test --locked -p capvec-cryptotest --test all -- \
	    --ignored --nocapture accumulated::

.PHONY: ct
ct: CASES ?= symmetric,pqc
ct: CAPS ?= scalar,dispatch,zbb,v,full,full_zvknhk0p2
ct: VLEN ?= 128,256,512
ct: build
	$(CAPVEC) ct --cases $(CASES) --subject capvec --caps $(CAPS) --vlen $(VLEN)

# Needs a compiler for bare RISC-V (Debian: gcc-riscv64-linux-gnu). `make test` runs a short part of it.
.PHONY: ct-bare
ct-bare:
	$(CARGO) test --locked -p capvec --test cli -- --ignored ct_bare::

# Runs the self-test with vector kernels and with portable C.
.PHONY: mbedtls
mbedtls: build
	$(CAPVEC) build mbedtls --program crypto/test/ccm_steps --output out/mbedtls
	$(CAPVEC) run --isa rv64gcv_zvkng --bind out/mbedtls:/mbedtls -- /mbedtls/selftest
	$(CAPVEC) run --isa rv64gc --bind out/mbedtls:/mbedtls -- /mbedtls/selftest
	$(CAPVEC) run --isa rv64gcv_zvkng --bind out/mbedtls:/mbedtls -- /mbedtls/ccm_steps

# Runs random programs in the simulator and under Debian's qemu-riscv64, which is fetched once; prints the seed, the number of
# comparisons, and the differences. SAVE=DIR saves differences as tests.
SECONDS ?= 60
differential:
	$(CARGO) run --release --locked -p capvec-differential -- --seconds $(SECONDS) $(if $(SEED),--seed $(SEED)) $(if $(SAVE),--save $(SAVE))

# Checks that simulator and QEMU still give the results that the regressions state. `cargo test` checks the simulator alone.
REGRESSIONS = crates/differential/regressions/*.toml
differential-regressions:
	$(CARGO) run --locked -q -p capvec-differential -- --replay $(REGRESSIONS)

# Compares commit logs of bare-metal programs with those of riscv-isa-sim's `spike`, which must be installed.
SPIKE ?= spike
BATCHES ?= 14
.PHONY: differential-spike
differential-spike:
	$(CARGO) run --release --locked -p capvec-differential -- --spike $(SPIKE) --batches $(BATCHES) $(if $(SEED),--seed $(SEED))

# Compares the unit and the core in rtl/ with the simulator: every width, each extension alone and switched off, and
# lint. `cargo test` checks one width, and runs directed programs at DLEN 64.
.PHONY: rtl-test rtl-area rtl-mutants rtl-formal
rtl-test: rtl-formal
	$(CARGO) test --locked -p capvec-rtl --lib
	$(CARGO) test --locked -p capvec-rtl --test all -- --include-ignored --nocapture hart:: lockstep:: zkr::

# Makes the RTL wrong in one place at a time, in the unit or the core: do the core's random programs find the fault?
# CAPVEC_RTL_FILES=zvku changes only files whose names begin with zvku: the unit.
rtl-mutants:
	CAPVEC_RTL_MUTANTS=$(or $(MUTANTS),300) $(CARGO) test --locked -p capvec-rtl --test all mutants::faults_are_found -- --ignored --nocapture

rtl-formal:
	rtl/formal/prove.sh

rtl-area: PARAMETERS ?= VLEN=256 DLEN=128
rtl-area:
	rtl/area.sh --all $(PARAMETERS)

.PHONY: aarch64 macos
aarch64: build
	docs/hosts.sh

macos:
	packages/macos.sh

# Makes the simulator wrong in one instruction and one way at a time: does the differential test find the fault?
sensitivity:
	$(CARGO) run --release --locked -p capvec-differential --features sabotage -- \
		--sabotage --batches $(BATCHES) $(if $(SEED),--seed $(SEED))

# Compares processor times, as medians of alternating runs. QEMU is Debian's, fetched as a sysroot.
bench-sim: build
	$(CARGO) run --release --locked -q -p capvec-speed

bench: build
	$(CARGO) bench --locked -p capvec-sim
	$(CAPVEC) bench --setup-only
	@echo 'the ten-row table:'
	@bash -c 'time $(CAPVEC) bench -q >/dev/null'
	@echo 'all known answers with one capability set:'
	@bash -c 'time $(CAPVEC) kat -q --caps scalar >/dev/null'

# libFuzzer leaves failing inputs in fuzz/artifacts, and new inputs for the corpus in fuzz/found. An input that takes longer than TIMEOUT
# seconds is a failure; one of SLH-DSA takes up to 15 seconds, more if other programs run, too.
TARGET ?= program
TIMEOUT ?= $(if $(filter crypto_slhdsa,$(TARGET)),600,20)
.PHONY: fuzz miri asan deny
fuzz:
	mkdir -p fuzz/found/$(TARGET)
	cd fuzz && $(CARGO) +nightly fuzz run -O $(TARGET) found/$(TARGET) corpus/$(TARGET) -- \
	    -max_total_time=$(SECONDS) -timeout=$(TIMEOUT) -rss_limit_mb=4096

# Only tests without foreign code and mappings, which Miri does not support.
miri:
	$(CARGO) +nightly miri test --locked -p capvec-isa --lib

# clang instruments libcapvec's C with the same sanitizer, and with UndefinedBehaviorSanitizer.
asan:
	RUSTFLAGS=-Zsanitizer=address $(CARGO) +nightly test --locked --target x86_64-unknown-linux-gnu \
	    --target-dir target/asan -p capvec-sim -p capvec-linux -p capvec-bare -p capvec-cryptotest --lib --tests

deny:
	$(CARGO) deny --locked --offline check licenses bans sources
	$(CARGO) deny --locked check advisories || \
	    { echo 'make deny: licences, bans and sources are in order; there are advisories, or they could not be fetched'; exit 1; }

# TARGETS="x86_64-unknown-linux-gnu aarch64-unknown-linux-gnu" if both standard libraries of Rust are installed.
.PHONY: wheels
wheels:
	python/wheels.sh

# Static binaries; TARGETS=x86_64-unknown-linux-musl builds only that one.
.PHONY: dist deb try-packages
dist:
	packages/dist.sh

deb:
	packages/deb.sh

try-packages: build
	packages/try.sh static dist/capvec-*-$(shell uname -m)-unknown-linux-musl.tar.gz
	packages/try.sh deb dist/capvec_*.deb

# Links and anchors that lead nowhere are errors.
.PHONY: docs
docs: build
	docs/site/build.sh

clean:
	$(CARGO) clean
	rm -rf out dist
