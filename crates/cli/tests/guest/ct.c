// Programs that leak a secret, each with a twin that computes the same, or something like it, in constant time.
// Run as `ct NAME leak` or `ct NAME clean`; `ct NAME` runs what flags mark. The secret is marked as for ctgrind, by Valgrind's client requests.
//
// One translation unit: the guest's own compiler compiles it in the simulator, where each unit takes time.
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/sendfile.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

// RISC-V sequence and numbers of valgrind.h and memcheck.h (Valgrind 3.25).
static long request_of(volatile unsigned long *words)
{
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
static long request(unsigned long what, const void *at, unsigned long bytes)
{
    volatile unsigned long words[6] = { what, (unsigned long)at, bytes };
    return request_of(words);
}
// Reads or sets which bits of memory are secret.
static void bits_of(unsigned long what, const void *at, const void *bits, unsigned long bytes)
{
    volatile unsigned long words[6] = { what, (unsigned long)at, (unsigned long)bits, bytes };
    if (request_of(words) != 1)
        abort();
}
#define RUNNING 0x1001
#define UNDEFINED 0x4d430001
#define DEFINED 0x4d430002
#define GET_VBITS 0x4d430008
#define SET_VBITS 0x4d430009

#define BYTES 64
uint8_t key[BYTES] __attribute__((aligned(64)));
uint8_t other[BYTES] __attribute__((aligned(64)));
uint8_t table[256];
uint8_t out[4096] __attribute__((aligned(64)));
volatile uint64_t sink;

#include "ct/scalar.c"
#include "ct/system.c"
#include "ct/calls.c"
#include "ct/kept.c"
#include "ct/vector.c"

static const struct {
    const char *name;
    void (*leak)(void), (*clean)(void);
} cases[] = {
#define CASE(name) { #name, leak_##name, clean_##name }
    CASE(compare),     CASE(table),
    CASE(power),       CASE(division),
    CASE(clmulr),      CASE(jump),
    CASE(copy),        CASE(length),
    CASE(rounding),    CASE(float),
    CASE(setjmp),      CASE(signal),
    CASE(fork),        CASE(vl),
    CASE(compress),    CASE(stride),
    CASE(gather),      CASE(indexed),
    CASE(masked),      CASE(store_mask),
    CASE(reduction),   CASE(tail),
    CASE(aes),         CASE(pipe),
    CASE(file),        CASE(socket),
    CASE(datagram),    CASE(mapping),
    CASE(moving),      CASE(sendfile),
    CASE(message),     CASE(sharing),
    CASE(thread),      CASE(frame),
    CASE(flags),       CASE(fcsr),
    CASE(remainder),   CASE(store),
    CASE(atomic),      CASE(table_jump),
    CASE(loop),        CASE(string),
    CASE(memcmp),      CASE(minimum),
    CASE(borrow),      CASE(vtype),
    CASE(vstart),      CASE(saturation),
    CASE(first),       CASE(count),
    CASE(slide),       CASE(quotients),
    CASE(scatter),     CASE(stride_store),
    CASE(average),     CASE(inactive),
    CASE(beyond),      CASE(schedule),
    CASE(sleep),       CASE(clock),
    CASE(poll),        CASE(futex),
    CASE(word),        CASE(path),
    CASE(vector),      CASE(message_length),
    CASE(address),     CASE(option),
    CASE(arguments),   CASE(environment),
    CASE(queue),       CASE(exit),
    CASE(ignored),     CASE(padding),
    CASE(counter),     CASE(emptied),
    CASE(shared_file), CASE(written_file),
    CASE(stored_file), CASE(unmapped_file),
    CASE(cut),         CASE(cut_memory),
    CASE(value),       CASE(waiting),
    CASE(signalfd),    CASE(name),
    CASE(link),        CASE(bits),
    CASE(bit),         CASE(code),
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

#include "ct/leftovers.c"

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
    if (!strcmp(name, "mapped"))
        uses(mmap(NULL, 8, PROT_READ, MAP_SHARED, open("/built/ct", O_RDONLY), 0));
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
