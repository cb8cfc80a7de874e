/* A library, or with PROGRAM the program that uses it: `ct` marks variables of both. */
unsigned char data[8]
#ifndef PROGRAM
    __attribute__((visibility("hidden")))
#endif
    = { 1, 2, 3 };
#ifndef PROGRAM

unsigned char library_data[8] = { 1, 2, 3 }, library_zeros[8];
static int same_name(const unsigned char *p)
{
    if (p[2] == 7)
        __asm__ volatile("nop");
    return 6;
}
int use_data(void)
{
    return same_name(library_data);
}
int use_zeros(void)
{
    return same_name(library_zeros);
}
int use_hidden(void)
{
    return same_name(data);
}

#else
# define _GNU_SOURCE
# include <fcntl.h>
# include <string.h>
# include <sys/mman.h>
# include <sys/sendfile.h>
# include <sys/wait.h>
# include <unistd.h>

int use_data(void), use_zeros(void), use_hidden(void);
__asm__(".data\nlabel: .quad 5\n.text");
extern volatile unsigned long label __attribute__((visibility("hidden")));
__thread unsigned char own[8];

static int same_name(const unsigned char *p)
{
    if (p[2] == 7)
        __asm__ volatile("nop");
    return 6;
}

/* The key comes through the kernel alone: file, copy, then memory. */
static int copied(void)
{
    int key = open("key", O_RDONLY), copy = memfd_create("copy", 0);
    if (sendfile(copy, key, 0, sizeof data) != sizeof data)
        return 1;
    return pread(copy, data, sizeof data, 0) != sizeof data || same_name(data) != 6;
}

/* Nothing has this name when it is read. */
static int deleted(void)
{
    int key = open("/tmp/key", O_RDWR | O_CREAT, 0600);
    if (write(key, "12345678", 8) != 8 || lseek(key, 0, SEEK_SET) != 0)
        return 1;
    return unlink("/tmp/key") || read(key, data, sizeof data) != sizeof data || same_name(data) != 6;
}

/* Control falls into `lower` within a run of instructions without a jump. */
int upper(const unsigned char *p);
__asm__(".globl upper, lower\n.type lower, @function\n"
        "upper: li a1, 3\nli a2, 4\n"
        "lower: lbu a0, 2(a0)\nadd a1, a1, a2\nbeqz a0, 1f\nnop\n1: li a0, 6\nret");

/* The hart decides which function this is: the address of `chosen` is not that of its code. */
static int the_choice(const unsigned char *p)
{
    return same_name(p);
}
static int (*choose(void))(const unsigned char *)
{
    return the_choice;
}
int chosen(const unsigned char *p) __attribute__((ifunc("choose")));

static int chosen_in_child(void)
{
    int status = 1;
    if (fork() == 0)
        _exit(chosen(data) != 6);
    wait(&status);
    return status;
}

/* Two different branches on a secret, one after the other at the same address. */
void equal(const unsigned char *p), unequal(const unsigned char *p);
__asm__(".option push\n.option norvc\n"
        "equal: lbu a0, 0(a0)\nbeqz a0, 1f\n1: ret\n"
        "unequal: lbu a0, 0(a0)\nbnez a0, 1f\n1: ret\n.option pop");
static int rewritten(void)
{
    void (*all[])(const unsigned char *) = { equal, unequal };
    void *code = mmap(0, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    for (int k = 0; k < 2; k++) {
        memcpy(code, (void *)all[k], 12);
        __builtin___clear_cache((char *)code, (char *)code + 12);
        ((void (*)(const unsigned char *))code)(data);
    }
    return 0;
}

/* A public number in the page of a secret: what boxes it in its register is public, too. */
static volatile float scale = 3;
static int public_float(void)
{
    return scale * 2 < 2;
}

/* Base and mask are secret. */
static void masked_address(void)
{
    __asm__ volatile(".option push\n.option arch, +v\n"
                     "vsetivli zero, 1, e8, m1, ta, ma\nvmv.v.x v0, %0\nvle8.v v8, (%1), v0.t\n.option pop"
                     :
                     : "r"(data[0]), "r"(data + (data[1] & 7))
                     : "memory");
}

/* What was secret is overwritten before the child looks at it. */
static int forked(void)
{
    int status = 1;
    memset(data, 0, sizeof data);
    if (fork() == 0)
        _exit(same_name(data) != 6);
    wait(&status);
    return status;
}

int main(int argc, char **argv)
{
    const char *which = argc > 1 ? argv[1] : "";
    int (*all[])(void) = { use_data, use_zeros, use_hidden, forked };
    const char *names[] = { "data", "zeros", "hidden", "forked" };
    for (unsigned k = 0; k < sizeof all / sizeof *all; k++)
        if (strcmp(which, names[k]) == 0)
            return all[k]() == 1;
    if (strcmp(which, "copied") == 0)
        return copied();
    if (strcmp(which, "deleted") == 0)
        return deleted();
    if (strcmp(which, "fallen") == 0)
        return upper(data) != 6;
    if (strcmp(which, "chosen") == 0)
        return chosen(data) != 6;
    if (strcmp(which, "chosen-in-child") == 0)
        return chosen_in_child();
    if (strcmp(which, "public-float") == 0)
        return public_float();
    if (strcmp(which, "masked-address") == 0)
        masked_address();
    if (strcmp(which, "rewritten") == 0)
        return rewritten();
    if (strcmp(which, "label") == 0)
        return label == 7;
    if (strcmp(which, "read") == 0)
        return read(open(argv[2], O_RDONLY), data, sizeof data) != sizeof data || same_name(data) != 6;
    if (strcmp(which, "zero-extend") == 0) {
        unsigned long half;
        __asm__ volatile(".option push\n.option arch, +zbb\nzext.h %0, %1\n.option pop" : "=r"(half) : "r"(data[0]));
    }
    if (strcmp(which, "minimum") == 0) {
        unsigned long smaller;
        __asm__ volatile(".option push\n.option arch, +zbb\nmin %0, %1, zero\n.option pop"
                         : "=r"(smaller)
                         : "r"(data[0]));
    }
    return argc > 9 && same_name(data) == 5 + own[0];
}
#endif
