// Programs that leak a secret, each with a twin that computes the same, or something like it, in constant time.
// Run as `ct NAME leak` or `ct NAME clean`; `ct NAME` runs what flags mark. The secret is marked like for ctgrind, by Valgrind's client requests.
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/random.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <ucontext.h>
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

// Through the system: the secret and public bytes are written one after the other, and one of them decides when both have
// come back.
static uint8_t back[2 * BYTES] __attribute__((aligned(64)));
static void decide(long public)
{
    if (back[public ? BYTES + 3 : 3] > 7)
        sink = 1;
}
static void put(int fd)
{
    write(fd, key, BYTES);
    write(fd, other, BYTES);
}
static void get(int fd)
{
    for (size_t got = 0; got < sizeof back;)
        got += read(fd, back + got, sizeof back - got);
}
static int file(void)
{
    int fd = memfd_create("file", 0);
    put(fd);
    lseek(fd, 0, SEEK_SET);
    return fd;
}
#define THROUGH(name) \
    static void leak_##name(void) \
    { \
        through_##name(); \
        decide(0); \
    } \
    static void clean_##name(void) \
    { \
        through_##name(); \
        decide(1); \
    }
static void through_pipe(void)
{
    int ends[2];
    pipe(ends);
    put(ends[1]);
    get(ends[0]);
}
THROUGH(pipe)
static void through_file(void)
{
    get(file());
}
THROUGH(file)
static void through_socket(void)
{
    int ends[2];
    socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
    put(ends[0]);
    get(ends[1]);
}
THROUGH(socket)
// The second message first waits behind the first.
static void through_datagram(void)
{
    int ends[2];
    socketpair(AF_UNIX, SOCK_DGRAM, 0, ends);
    put(ends[0]);
    recv(ends[1], back, 8, 0);
    recv(ends[1], back + BYTES, BYTES, 0);
}
THROUGH(datagram)
static void through_mapping(void)
{
    memcpy(back, mmap(NULL, sizeof back, PROT_READ, MAP_PRIVATE, file(), 0), sizeof back);
}
THROUGH(mapping)
static void through_sendfile(void)
{
    int to = memfd_create("copy", 0);
    sendfile(to, file(), NULL, sizeof back);
    lseek(to, 0, SEEK_SET);
    get(to);
}
THROUGH(sendfile)
static void through_message(void)
{
    struct {
        long type;
        uint8_t text[2 * BYTES];
    } message = { 1 };
    memcpy(message.text, key, BYTES);
    memcpy(message.text + BYTES, other, BYTES);
    int queue = msgget(IPC_PRIVATE, 0600);
    msgsnd(queue, &message, sizeof message.text, 0);
    memset(&message, 0, sizeof message);
    msgrcv(queue, &message, sizeof message.text, 1, 0);
    memcpy(back, message.text, sizeof back);
}
THROUGH(message)
static void through_sharing(void)
{
    uint8_t *shared = mmap(NULL, sizeof back, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (fork() == 0) {
        memcpy(shared, key, BYTES);
        memcpy(shared + BYTES, other, BYTES);
        _exit(0);
    }
    wait(NULL);
    memcpy(back, shared, sizeof back);
}
THROUGH(sharing)
static void *through(void *secret)
{
    memcpy(back, secret, BYTES);
    memcpy(back + BYTES, other, BYTES);
    return NULL;
}
static void through_thread(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, through, key);
    pthread_join(thread, NULL);
}
THROUGH(thread)

// In the frame of a signal handler, which it reads.
static void reader(int signal, siginfo_t *info, void *context)
{
    ucontext_t *c = context;
    memcpy(back, &c->uc_mcontext.__gregs[28], 8);
    memcpy(back + BYTES, &c->uc_mcontext.__gregs[2], 8);
}
static void through_frame(void)
{
    struct sigaction action = { .sa_sigaction = reader, .sa_flags = SA_SIGINFO };
    sigaction(SIGUSR1, &action, NULL);
    uint64_t secret = *(uint64_t *)key;
    __asm__ volatile("mv t3, %0\nli a7, 172\necall\nli a1, 10\nli a7, 129\necall\nli t3, 0" ::"r"(secret)
                     : "a0", "a1", "a7", "t3", "memory");
}
THROUGH(frame)

// In flags that are data.
static void leak_flags(void)
{
    __asm__ volatile("fsflags %0\nfrflags t0\nbeqz t0, 1f\n1:" ::"r"(key[0] & 31ul) : "t0");
}
static void clean_flags(void)
{
    __asm__ volatile("fsflags %0\nfsflags zero\nfrflags t0\nbeqz t0, 1f\n1:" ::"r"(key[0] & 31ul) : "t0");
}
static void leak_fcsr(void)
{
    __asm__ volatile("fsflags %0\nfrcsr t0\nandi t0, t0, 4\nbeqz t0, 1f\n1:" ::"r"(key[0] & 31ul) : "t0");
}
static void clean_fcsr(void)
{
    __asm__ volatile("fsflags %0\nfrcsr t0\nandi t0, t0, 0xe0\nbeqz t0, 1f\n1:" ::"r"(key[0] & 31ul) : "t0");
}

static void leak_remainder(void)
{
    // The compiler would replace a constant.
    volatile uint64_t divisor = 17;
    sink = (key[0] + 1000ul) % divisor;
}
static void clean_remainder(void)
{
    // Barrett: the quotient is the upper half of a product.
    uint64_t x = key[0] + 1000ul;
    sink = x - 17 * (uint64_t)(((unsigned __int128)x * 0xf0f0f0f0f0f0f0f1) >> 68);
}
static void leak_store(void)
{
    out[key[0]] = 1;
}
static void clean_store(void)
{
    for (int i = 0; i < 256; i++)
        out[i] = ((uint64_t)(i ^ key[0]) - 1) >> 63;
}
static void leak_atomic(void)
{
    __atomic_fetch_add((uint32_t *)out + key[0], 1, __ATOMIC_RELAXED);
}
static void clean_atomic(void)
{
    __atomic_fetch_add((uint32_t *)out, key[0], __ATOMIC_RELAXED);
}
// A jump table.
static void leak_table_jump(void)
{
    static void (*const functions[])(void) = { one, two, one, two };
    functions[key[0] & 3]();
}
static void clean_table_jump(void)
{
    static void (*const functions[])(void) = { one, two, one, two };
    for (int i = 0; i < 4; i++)
        functions[i]();
    sink = key[0] & 3;
}
static void leak_loop(void)
{
    for (uint64_t i = 0; i < (key[0] & 15ul); i++)
        sink = i;
}
static void clean_loop(void)
{
    for (uint64_t i = 0; i < 16; i++)
        sink = i & -(uint64_t)(i < (key[0] & 15ul));
}
static void leak_string(void)
{
    sink = strlen((char *)key);
}
static void clean_string(void)
{
    uint64_t length = 0, on = 1;
    for (int i = 0; i < BYTES; i++) {
        on &= (key[i] - 1ul) >> 63 ^ 1;
        length += on;
    }
    sink = length;
}
static void leak_memcmp(void)
{
    sink = memcmp(key, other, BYTES);
}
static void clean_memcmp(void)
{
    sink = memcmp(other, out, BYTES) + key[0];
}
// Outside Zkt, which lists of Zbb only what Zbkb has.
static void leak_minimum(void)
{
    uint64_t x = key[0];
    __asm__(".option push\n.option arch, +zbb\nminu %0, %0, %1\n.option pop" : "+r"(x) : "r"(100ul));
    sink = x;
}
static void clean_minimum(void)
{
    uint64_t x = key[0], less = -(uint64_t)(x < 100);
    sink = (x & less) | (100 & ~less);
}
// A borrow.
static void leak_borrow(void)
{
    if (*(uint64_t *)key - *(uint64_t *)other > *(uint64_t *)key)
        sink = 1;
}
static void clean_borrow(void)
{
    sink = *(uint64_t *)key - *(uint64_t *)other > *(uint64_t *)key;
}

#define V ".option push\n.option arch, +v, +zvkned, +zvknhb\n"
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

static void leak_vtype(void)
{
    ASM("vmv.x.s t0, v1\nandi t0, t0, 8\nvsetvl t1, zero, t0");
}
static void clean_vtype(void)
{
    ASM("vmv.x.s t0, v2\nandi t0, t0, 8\nvsetvl t1, zero, t0");
}
static void leak_vstart(void)
{
    ASM("vmv.x.s t0, v1\nandi t0, t0, 7\ncsrw vstart, t0\nvadd.vv v3, v2, v2");
}
static void clean_vstart(void)
{
    ASM("vmv.x.s t0, v2\nandi t0, t0, 7\ncsrw vstart, t0\nvadd.vv v3, v1, v2");
}
static void leak_saturation(void)
{
    ASM("vmv.x.s t0, v1\ncsrw vxsat, t0\ncsrr t1, vxsat\nbeqz t1, 1f\n1:");
}
static void clean_saturation(void)
{
    ASM("vmv.x.s t0, v1\ncsrw vxsat, t0\ncsrwi vxsat, 0\ncsrr t1, vxsat\nbeqz t1, 1f\n1:");
}
static void leak_first(void)
{
    ASM("vmsltu.vv v3, v1, v2\nvfirst.m t0, v3");
}
static void clean_first(void)
{
    ASM("vmsltu.vv v3, v2, v2\nvfirst.m t0, v3");
}
static void leak_count(void)
{
    ASM("vmsltu.vv v3, v1, v2\nvcpop.m t0, v3");
}
static void clean_count(void)
{
    // The mask is complete, whatever the secret is.
    ASM("vmsltu.vv v3, v1, v2\nvmxnor.mm v3, v2, v2\nvcpop.m t0, v3");
}
static void leak_slide(void)
{
    ASM("vmv.x.s t0, v1\nandi t0, t0, 3\nvslidedown.vx v3, v2, t0");
}
static void clean_slide(void)
{
    ASM("vmv.x.s t0, v2\nandi t0, t0, 3\nvslidedown.vx v3, v1, t0");
}
static void leak_quotients(void)
{
    ASM("vdivu.vv v3, v2, v1");
}
static void clean_quotients(void)
{
    ASM("vmulhu.vv v3, v2, v1");
}
static void leak_scatter(void)
{
    ASM("vsuxei8.v v2, (%2), v1");
}
static void clean_scatter(void)
{
    ASM("vsuxei8.v v1, (%2), v2");
}
static void leak_stride_store(void)
{
    ASM("vmv.x.s t0, v1\nandi t0, t0, 15\nvsse8.v v2, (%2), t0");
}
static void clean_stride_store(void)
{
    ASM("li t0, 3\nvsse8.v v1, (%2), t0");
}
static void leak_average(void)
{
    ASM("vaaddu.vv v3, v1, v2");
}
static void clean_average(void)
{
    ASM("vwaddu.vv v4, v1, v2\nvnsrl.wi v3, v4, 1");
}
// In elements that a mask leaves alone.
static void leak_inactive(void)
{
    ASM("vsetivli zero, 16, e8, m1, tu, mu\nvmv.v.i v0, 2\nvadd.vv v1, v2, v2, v0.t\nvmv.x.s t0, v1\nbeqz t0, 1f\n1:");
}
static void clean_inactive(void)
{
    ASM("vsetivli zero, 16, e8, m1, tu, mu\nvmv.v.i v0, 1\nvadd.vv v1, v2, v2, v0.t\nvmv.x.s t0, v1\nbeqz t0, 1f\n1:");
}
// Of the next four words of SHA-256's message schedule, only the last two depend on the fourth of the first four.
#define SCHEDULE \
    "vsetivli zero, 4, e32, m1, ta, ma\nvslidedown.vi v5, v1, 3\nvmv.v.v v3, v2\nvslideup.vi v3, v5, 3\n" \
    "vid.v v4\nvadd.vv v6, v2, v4\nvsha2ms.vv v3, v6, v4\n"
static void leak_schedule(void)
{
    ASM(SCHEDULE "vslidedown.vi v5, v3, 2\nvmv.x.s t0, v5\nbeqz t0, 1f\n1:");
}
static void clean_schedule(void)
{
    ASM(SCHEDULE "vmv.x.s t0, v3\nbeqz t0, 1f\n1:");
}

static const struct {
    const char *name;
    void (*leak)(void), (*clean)(void);
} cases[] = {
#define CASE(name) { #name, leak_##name, clean_##name }
    CASE(compare),  CASE(table),      CASE(power),      CASE(division), CASE(clmulr),       CASE(jump),
    CASE(copy),     CASE(length),     CASE(rounding),   CASE(float),    CASE(setjmp),       CASE(signal),
    CASE(fork),     CASE(vl),         CASE(compress),   CASE(stride),   CASE(gather),       CASE(indexed),
    CASE(masked),   CASE(store_mask), CASE(reduction),  CASE(tail),     CASE(aes),          CASE(pipe),
    CASE(file),     CASE(socket),     CASE(datagram),   CASE(mapping),  CASE(sendfile),     CASE(message),
    CASE(sharing),  CASE(thread),     CASE(frame),      CASE(flags),    CASE(fcsr),         CASE(remainder),
    CASE(store),    CASE(atomic),     CASE(table_jump), CASE(loop),     CASE(string),       CASE(memcmp),
    CASE(minimum),  CASE(borrow),     CASE(vtype),      CASE(vstart),   CASE(saturation),   CASE(first),
    CASE(count),    CASE(slide),      CASE(quotients),  CASE(scatter),  CASE(stride_store), CASE(average),
    CASE(inactive), CASE(schedule),
};

// For secrets that flags mark.
uint8_t fixed[16] = { 1, 2, 3 };

void uses(const uint8_t *secret)
{
    if (secret[2])
        sink = 1;
}

// A comparison in constant time, whose result is public.
__attribute__((noinline)) int differs(const uint8_t *secret)
{
    uint8_t differences = 0;
    for (int i = 0; i < 16; i++)
        differences |= secret[i] ^ other[i];
    return differences;
}

// What functions leave behind. The C compiler itself leaves secrets in registers, so these are assembler.
#define LEAVES(name, code) \
    __attribute__((noinline, naked)) void name(const uint8_t *secret) \
    { \
        __asm__(code "\nret"); \
    }
LEAVES(leaves_register, "ld t3, 0(a0)")
LEAVES(wipes_register, "ld t3, 0(a0)\nli t3, 0")
LEAVES(leaves_vector, V "vsetivli zero, 8, e8, m1, ta, ma\nvle8.v v8, (a0)" POP)
LEAVES(wipes_vector,
       V "vsetivli zero, 8, e8, m1, ta, ma\nvle8.v v8, (a0)\nvsetivli zero, 8, e8, m1, tu, ma\nvmv.v.i v8, 0" POP)
LEAVES(leaves_stack, "addi sp, sp, -64\nld t3, 0(a0)\nsd t3, 16(sp)\nli t3, 0\naddi sp, sp, 64")
LEAVES(wipes_stack, "addi sp, sp, -64\nld t3, 0(a0)\nsd t3, 16(sp)\nli t3, 0\nsd t3, 16(sp)\naddi sp, sp, 64")
static void to_heap(const uint8_t *secret, long wiped)
{
    uint8_t *block = malloc(64);
    __asm__ volatile("ld t3, 0(%1)\nsd t3, 32(%0)\nli t3, 0" ::"r"(block), "r"(secret) : "t3", "memory");
    if (wiped)
        memset(block, 0, 64);
    free(block);
}
void leaves_heap(const uint8_t *secret)
{
    to_heap(secret, 0);
}
void wipes_heap(const uint8_t *secret)
{
    to_heap(secret, 1);
}
static const struct {
    const char *name;
    void (*function)(const uint8_t *secret);
} leftovers[] = {
#define LEFT(name) { #name, name }
    LEFT(leaves_register), LEFT(wipes_register), LEFT(leaves_vector), LEFT(wipes_vector),
    LEFT(leaves_stack),    LEFT(wipes_stack),    LEFT(leaves_heap),   LEFT(wipes_heap),
};

static int flags(const char *name)
{
    for (unsigned i = 0; i < sizeof(leftovers) / sizeof(*leftovers); i++)
        if (!strcmp(name, leftovers[i].name))
            leftovers[i].function(fixed);
    if (!strcmp(name, "result") && differs(fixed))
        sink = 1;
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
