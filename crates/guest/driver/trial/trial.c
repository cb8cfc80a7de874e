/* Tries instructions, and reports what kernel and C library each show of the processor.
 *
 *   shown    -> shown hwcap=LIBC:KERNEL hwcap2=LIBC:KERNEL hwprobe=KEY:LIBC:KERNEL,... flags=TEXT release=TEXT, separated by tabs
 *   try CODE -> try yes | try SIGNAL | try cannot
 *
 * LIBC is the result of getauxval and __riscv_hwprobe, KERNEL that of /proc/self/auxv and the system call; hexadecimal,
 * empty if it does not exist. CODE is a function in machine code, in hexadecimal: it is called in a child process,
 * which a signal ends if the processor does not execute it. `cannot`: no memory can be made executable here. */
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#define LONGEST 4096
/* Exit status of a child that could not try. */
#define CANNOT 77
/* Seconds until a child that does not return is killed. */
#define PATIENCE 5

/* As in linux/arch/riscv: the compiler's headers may be older than the call. */
#define SYS_RISCV_HWPROBE 258
#define KEYS 16

struct pair {
    int64_t key;
    uint64_t value;
};

/* Since glibc 2.40. */
extern int __riscv_hwprobe(struct pair *, size_t, size_t, unsigned long *, unsigned) __attribute__((weak));

/* The kernel's own vector; 0 if it cannot be read. */
static int kernel_auxv(unsigned long wanted, unsigned long *value)
{
    unsigned long entry[2];
    int fd = open("/proc/self/auxv", O_RDONLY), found = 0;
    if (fd < 0)
        return 0;
    while (!found && read(fd, entry, sizeof entry) == sizeof entry) {
        found = entry[0] == wanted;
        *value = entry[1];
    }
    close(fd);
    return found;
}

static void show_auxv(const char *name, unsigned long key)
{
    unsigned long value;
    printf("%s=%lx:", name, getauxval(key));
    if (kernel_auxv(key, &value))
        printf("%lx", value);
}

#ifdef __riscv
static void show_hwprobe(void)
{
    struct pair libc[KEYS], kernel[KEYS];
    const char *separator = "";
    int by_libc, by_kernel;
    for (int i = 0; i < KEYS; i++) {
        libc[i].key = kernel[i].key = i;
        libc[i].value = kernel[i].value = 0;
    }
    by_libc = __riscv_hwprobe && __riscv_hwprobe(libc, KEYS, 0, NULL, 0) == 0;
    by_kernel = syscall(SYS_RISCV_HWPROBE, kernel, (long)KEYS, 0L, NULL, 0L) == 0;
    for (int i = 0; i < KEYS; i++) {
        int of_libc = by_libc && libc[i].key >= 0, of_kernel = by_kernel && kernel[i].key >= 0;
        if (!of_libc && !of_kernel)
            continue;
        printf("%s%d:", separator, i);
        if (of_libc)
            printf("%llx", (unsigned long long)libc[i].value);
        putchar(':');
        if (of_kernel)
            printf("%llx", (unsigned long long)kernel[i].value);
        separator = ",";
    }
}
#else
static void show_hwprobe(void)
{
}
#endif

/* The line of /proc/cpuinfo that lists features: x86, Arm, RISC-V. */
static void show_flags(void)
{
    static const char *const names[] = { "flags", "Features", "isa" };
    static char line[1 << 14];
    FILE *file = fopen("/proc/cpuinfo", "r");
    while (file && fgets(line, sizeof line, file)) {
        const char *colon = strchr(line, ':');
        for (size_t i = 0; colon && i < sizeof names / sizeof *names; i++) {
            size_t length = strlen(names[i]);
            if (strncmp(line, names[i], length) == 0 && strchr(" \t:", line[length])) {
                line[strcspn(line, "\n")] = 0;
                fputs(colon + 1 + (colon[1] == ' '), stdout);
                fclose(file);
                return;
            }
        }
    }
    if (file)
        fclose(file);
}

static void show(void)
{
    struct utsname system;
    show_auxv("shown hwcap", AT_HWCAP);
    show_auxv("\thwcap2", AT_HWCAP2);
    fputs("\thwprobe=", stdout);
    show_hwprobe();
    fputs("\tflags=", stdout);
    show_flags();
    if (uname(&system) == 0)
        printf("\trelease=%s", system.release);
    putchar('\n');
}

static int decode(const char *hex, unsigned char *out)
{
    int length = 0;
    unsigned byte;
    while (length < LONGEST && sscanf(hex + 2 * length, "%2x", &byte) == 1)
        out[length++] = (unsigned char)byte;
    return length;
}

/* Never returns. */
static void call(const unsigned char *code, int length)
{
    void *memory = mmap(NULL, LONGEST, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    void (*function)(void);
    struct rlimit no_core = { 0, 0 };
    if (memory == MAP_FAILED)
        _exit(CANNOT);
    setrlimit(RLIMIT_CORE, &no_core);
    memcpy(memory, code, (size_t)length);
    if (mprotect(memory, LONGEST, PROT_READ | PROT_EXEC) != 0)
        _exit(CANNOT);
    __builtin___clear_cache((char *)memory, (char *)memory + length);
    memcpy(&function, &memory, sizeof function);
    alarm(PATIENCE);
    function();
    _exit(0);
}

static void try(const char *hex)
{
    static unsigned char code[LONGEST];
    int length = decode(hex, code), status = 0;
    pid_t child;
    fflush(stdout);
    child = length > 0 ? fork() : -1;
    if (child == 0)
        call(code, length);
    if (child < 0 || waitpid(child, &status, 0) != child || (WIFEXITED(status) && WEXITSTATUS(status) != 0))
        puts("try cannot");
    else if (WIFSIGNALED(status))
        printf("try %d\n", WTERMSIG(status));
    else
        puts("try yes");
}

int main(void)
{
    static char line[2 * LONGEST + 16];
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = 0;
        if (strncmp(line, "try ", 4) == 0)
            try(line + 4);
        else if (strcmp(line, "shown") == 0)
            show();
        else
            puts("error unknown line");
    }
    return fflush(stdout) != 0;
}
