// Programs that leak a secret, each with a twin that computes the same, or something like it, in constant time.
// Run as `ct NAME leak` or `ct NAME clean`; `ct NAME` runs what flags mark. The secret is marked like for ctgrind, by Valgrind's client requests.
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/wait.h>
#include <unistd.h>

// RISC-V sequence and numbers of valgrind.h and memcheck.h (Valgrind 3.25).
static long request(unsigned long what, const void *at, unsigned long bytes)
{
    volatile unsigned long words[6] = { what, (unsigned long)at, bytes };
    register long result __asm__("a3") = 0;
    register volatile unsigned long *pointer __asm__("a4") = words;
    __asm__ volatile(".option push\n.option norvc\n"
                     "srli zero, zero, 3\nsrli zero, zero, 13\nsrli zero, zero, 51\nsrli zero, zero, 61\n"
                     "or a0, a0, a0\n.option pop"
                     : "+r"(result)
                     : "r"(pointer)
                     : "memory");
    return result;
}
#define RUNNING 0x1001
#define UNDEFINED 0x4d430001
#define DEFINED 0x4d430002

#define BYTES 64
uint8_t key[BYTES] __attribute__((aligned(64)));
uint8_t other[BYTES] __attribute__((aligned(64)));
uint8_t table[256];
uint8_t out[4096] __attribute__((aligned(64)));
volatile uint64_t sink;

// An early exit, as in memcmp.
static void leak_compare(void)
{
    for (int i = 0; i < 16; i++)
        if (key[i] != other[i]) {
            sink = 1;
            return;
        }
}
static void clean_compare(void)
{
    uint8_t differences = 0;
    for (int i = 0; i < 16; i++)
        differences |= key[i] ^ other[i];
    sink = differences;
}

// A substitution by a table, as in AES with T-tables.
static void leak_table(void)
{
    sink = table[key[0]];
}
static void clean_table(void)
{
    uint64_t found = 0;
    for (uint64_t i = 0; i < 256; i++) {
        uint64_t same = (i ^ key[0]) - 1;
        found |= table[i] & -(same >> 63);
    }
    sink = found;
}

// Square and multiply.
static void leak_power(void)
{
    uint64_t power = 1;
    for (int i = 7; i >= 0; i--) {
        power *= power;
        if (key[0] >> i & 1)
            power *= 5;
    }
    sink = power;
}
static void clean_power(void)
{
    uint64_t power = 1;
    for (int i = 7; i >= 0; i--) {
        uint64_t bit = key[0] >> i & 1;
        power *= power;
        power = power * 5 & -bit | power & (bit - 1);
    }
    sink = power;
}

static void leak_division(void)
{
    sink = 1000000 / (key[0] + 1ul);
}
static void clean_division(void)
{
    sink = 1000000 * (key[0] + 1ul);
}

#define SCALAR ".option push\n.option arch, +zbc\n"
static void leak_clmulr(void)
{
    uint64_t x = key[0];
    __asm__(SCALAR "clmulr %0, %0, %0\n.option pop" : "+r"(x));
    sink = x;
}
static void clean_clmulr(void)
{
    uint64_t x = key[0];
    __asm__(SCALAR "clmul %0, %0, %0\n.option pop" : "+r"(x));
    sink = x;
}

static void one(void)
{
    sink = 1;
}
static void two(void)
{
    sink = 2;
}
static void leak_jump(void)
{
    void (*functions[])(void) = { one, two };
    uint64_t bit = key[0] & 1;
    uint64_t target = (uint64_t)functions[0] & (bit - 1) | (uint64_t)functions[1] & -bit;
    ((void (*)(void))target)();
}
static void clean_jump(void)
{
    one();
    two();
    sink = key[0] & 1;
}

// Through memcpy.
static void leak_copy(void)
{
    uint8_t copy[BYTES];
    memcpy(copy, key, BYTES);
    if (copy[3] > 7)
        sink = 1;
}
static void clean_copy(void)
{
    uint8_t copy[BYTES];
    memcpy(copy, key, BYTES);
    memcpy(copy, other, BYTES);
    if (copy[3] > 7)
        sink = 1;
}

static void leak_length(void)
{
    write(1, out, key[0] & 15);
}
static void clean_length(void)
{
    // What is written is no finding: who encrypts wants the ciphertext to leave.
    write(1, key, 16);
}

// A rounding mode.
static void leak_rounding(void)
{
    __asm__ volatile("fsrm %0" ::"r"(key[0] & 3ul));
    __asm__ volatile("fsrm zero");
}
static void clean_rounding(void)
{
    __asm__ volatile("fsrm %0" ::"r"(other[0] & 3ul));
    sink = key[0] & 3ul;
}

static void leak_float(void)
{
    double x;
    uint64_t bits = key[0];
    __asm__("fcvt.d.lu %0, %1" : "=f"(x) : "r"(bits));
    sink = x > 0;
}
static void clean_float(void)
{
    sink = (double)other[0] > 0;
    sink = key[0];
}

// In a register that setjmp saves.
static void leak_setjmp(void)
{
    jmp_buf state;
    register uint64_t secret __asm__("s4") = key[0];
    __asm__ volatile("" : "+r"(secret));
    if (!setjmp(state)) {
        __asm__ volatile("li s4, 0" ::: "s4");
        longjmp(state, 1);
    }
    __asm__ volatile("beqz s4, 1f\n1:" ::"r"(secret));
}
static void clean_setjmp(void)
{
    jmp_buf state;
    register uint64_t public __asm__("s4") = other[0];
    __asm__ volatile("" : "+r"(public));
    if (!setjmp(state)) {
        register uint64_t secret __asm__("s4") = key[0];
        __asm__ volatile("" : "+r"(secret));
        longjmp(state, 1);
    }
    __asm__ volatile("beqz s4, 1f\n1:" ::"r"(public));
}

// In a register that a signal's frame holds while the handler runs.
static void handler(int signal)
{
    __asm__ volatile("li t3, 0" ::: "t3");
}
static void leak_signal(void)
{
    signal(SIGUSR1, handler);
    uint64_t secret = key[0];
    __asm__ volatile("mv t3, %0\nli a7, 172\necall\nli a1, 10\nli a7, 129\necall\nbeqz t3, 1f\n1:" ::"r"(secret)
                     : "a0", "a1", "a7", "t3", "memory");
}
static void clean_signal(void)
{
    signal(SIGUSR1, handler);
    uint64_t secret = key[0];
    __asm__ volatile(
        "mv t3, %0\nli a7, 172\necall\nli a1, 10\nli a7, 129\necall\nxor t3, t3, t3\nli t3, 1\nbeqz t3, 1f\n1:" ::"r"(
            secret)
        : "a0", "a1", "a7", "t3", "memory");
}

// In the memory of a child.
static void leak_fork(void)
{
    if (fork() == 0) {
        if (key[5])
            sink = 1;
        _exit(0);
    }
    wait(NULL);
}
static void clean_fork(void)
{
    if (fork() == 0) {
        sink = key[5];
        _exit(0);
    }
    wait(NULL);
}

#define V ".option push\n.option arch, +v, +zvkned\n"
#define POP "\n.option pop"
#define LOAD "vsetivli zero, 16, e8, m1, ta, ma\nvle8.v v1, (%0)\nvle8.v v2, (%1)\n"
#define ASM(text) __asm__ volatile(V LOAD text POP ::"r"(key), "r"(other), "r"(out) : "memory", "t0", "t1")

static void leak_vl(void)
{
    ASM("vmv.x.s t0, v1\nvsetvli t1, t0, e8, m1, ta, ma\nvse8.v v2, (%2)");
}
static void clean_vl(void)
{
    ASM("vmv.x.s t0, v2\nvsetvli t1, t0, e8, m1, ta, ma\nvse8.v v1, (%2)");
}
static void leak_compress(void)
{
    ASM("vmsltu.vv v3, v1, v2\nvcompress.vm v4, v2, v3\nvse8.v v4, (%2)");
}
static void clean_compress(void)
{
    ASM("vmsltu.vv v0, v1, v2\nvmerge.vvm v4, v1, v2, v0\nvse8.v v4, (%2)");
}
static void leak_stride(void)
{
    ASM("vmv.x.s t0, v1\nandi t0, t0, 15\nvlse8.v v4, (%1), t0");
}
static void clean_stride(void)
{
    ASM("li t0, 2\nvlse8.v v4, (%0), t0\nvxor.vv v4, v4, v1\nvse8.v v4, (%2)");
}
static void leak_gather(void)
{
    ASM("vrgather.vv v4, v2, v1");
}
static void clean_gather(void)
{
    ASM("vrgather.vv v4, v1, v2\nvse8.v v4, (%2)");
}
static void leak_indexed(void)
{
    ASM("vluxei8.v v4, (%2), v1");
}
static void clean_indexed(void)
{
    ASM("vluxei8.v v4, (%2), v2\nvxor.vv v4, v4, v1");
}
static void leak_masked(void)
{
    ASM("vmsltu.vv v0, v1, v2\nvadd.vv v4, v1, v2, v0.t");
}
static void clean_masked(void)
{
    ASM("vmsltu.vv v0, v1, v2\nvadd.vv v4, v1, v2\nvmerge.vvm v4, v2, v4, v0");
}
static void leak_store_mask(void)
{
    ASM("vmsltu.vv v0, v1, v2\nvse8.v v2, (%2), v0.t");
}
static void clean_store_mask(void)
{
    ASM("vmsltu.vv v0, v2, v2\nvse8.v v1, (%2), v0.t");
}
static void leak_reduction(void)
{
    ASM("vredsum.vs v4, v1, v2");
}
static void clean_reduction(void)
{
    ASM("vadd.vv v4, v1, v2");
}
// In elements beyond vl.
static void leak_tail(void)
{
    ASM("vsetivli zero, 1, e8, m1, tu, mu\nvmv.v.i v1, 0\nvsetivli zero, 16, e8, m1, ta, ma\n"
        "vslidedown.vi v3, v1, 5\nvmv.x.s t0, v3\nbeqz t0, 1f\n1:");
}
static void clean_tail(void)
{
    ASM("vmv.v.i v1, 0\nvslidedown.vi v3, v1, 5\nvmv.x.s t0, v3\nbeqz t0, 1f\n1:");
}
// Rounds of AES taint columns: the first column of the state meets one column of the key after a last round.
static void leak_aes(void)
{
    ASM("vsetivli zero, 4, e32, m1, ta, ma\nvaesef.vv v2, v1\nvmv.x.s t0, v2\nbeqz t0, 1f\n1:");
}
static void clean_aes(void)
{
    ASM("vsetivli zero, 1, e32, m1, tu, ma\nvmv.v.i v1, 0\nvsetivli zero, 4, e32, m1, ta, ma\nvaesef.vv v2, v1\n"
        "vmv.x.s t0, v2\nbeqz t0, 1f\n1:");
}

static const struct {
    const char *name;
    void (*leak)(void), (*clean)(void);
} cases[] = {
#define CASE(name) { #name, leak_##name, clean_##name }
    CASE(compare), CASE(table),      CASE(power),     CASE(division), CASE(clmulr), CASE(jump),
    CASE(copy),    CASE(length),     CASE(rounding),  CASE(float),    CASE(setjmp), CASE(signal),
    CASE(fork),    CASE(vl),         CASE(compress),  CASE(stride),   CASE(gather), CASE(indexed),
    CASE(masked),  CASE(store_mask), CASE(reduction), CASE(tail),     CASE(aes),
};

// For secrets that flags mark.
uint8_t fixed[16] = { 1, 2, 3 };

void uses(const uint8_t *secret)
{
    if (secret[2])
        sink = 1;
}

static int flags(const char *name)
{
    uint8_t bytes[8] = { 0 };
    if (!strcmp(name, "symbol"))
        uses(fixed);
    if (!strcmp(name, "argument"))
        uses(bytes);
    if (!strcmp(name, "random") && getrandom(bytes, 8, 0) == 8)
        uses(bytes);
    if (!strcmp(name, "file") && read(open("/built/ct", O_RDONLY), bytes, 8) == 8)
        uses(bytes);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc == 2)
        return flags(argv[1]);
    if (argc != 3 || request(RUNNING, 0, 0) != 1)
        return 2;
    for (int i = 0; i < BYTES; i++) {
        key[i] = 7 * i + 3;
        other[i] = i;
    }
    for (unsigned i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        if (strcmp(argv[1], cases[i].name))
            continue;
        request(UNDEFINED, key, BYTES);
        if (!strcmp(argv[2], "leak"))
            cases[i].leak();
        else
            cases[i].clean();
        request(DEFINED, key, BYTES);
        return 0;
    }
    return 2;
}
