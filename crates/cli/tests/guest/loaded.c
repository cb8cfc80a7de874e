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
# include <fcntl.h>
# include <string.h>
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
    if (strcmp(which, "label") == 0)
        return label == 7;
    if (strcmp(which, "read") == 0)
        return read(open(argv[2], O_RDONLY), data, sizeof data) != sizeof data || same_name(data) != 6;
    if (strcmp(which, "minimum") == 0) {
        unsigned long smaller;
        __asm__ volatile(".option push\n.option arch, +zbb\nmin %0, %1, zero\n.option pop"
                         : "=r"(smaller)
                         : "r"(data[0]));
    }
    return argc > 9 && same_name(data) == 5 + own[0];
}
#endif
