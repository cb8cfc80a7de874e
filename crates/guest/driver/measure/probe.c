/* What the kernel and the library report about the hart, in one line of fields separated by tabs:
 *
 *   probe hwcap=HEX hwprobe=KEY:HEX,... isa=TEXT mmu=TEXT uarch=TEXT library=TEXT
 *
 * A field is empty if nothing reports it. On targets other than the simulator there are also arch, hwcap2, counter,
 * model name and file. */
#include "driver.h"
#ifdef CAPVEC_TIMED
# include "counter_timed.h"
#endif
#include <openssl/crypto.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <unistd.h>

/* As in linux/arch/riscv: the compiler's headers may be older than the call. */
#define SYS_RISCV_HWPROBE 258
/* The keys from MVENDORID, 0, to ZICBOP_BLOCK_SIZE, 15; a kernel replaces a key that it does not know by -1. */
#define KEYS 16

#ifdef __riscv
static void print_hwprobe(void)
{
    struct {
        int64_t key;
        uint64_t value;
    } pairs[KEYS];
    const char *separator = "";
    for (int i = 0; i < KEYS; i++) {
        pairs[i].key = i;
        pairs[i].value = 0;
    }
    fputs("\thwprobe=", stdout);
    if (syscall(SYS_RISCV_HWPROBE, pairs, (long)KEYS, 0L, NULL, 0L) != 0)
        return;
    for (int i = 0; i < KEYS; i++)
        if (pairs[i].key >= 0) {
            printf("%s%d:%llx", separator, i, (unsigned long long)pairs[i].value);
            separator = ",";
        }
}
#else
static void print_hwprobe(void)
{
    fputs("\thwprobe=", stdout);
}
#endif

#ifdef CAPVEC_TIMED
# if defined(__riscv)
#  define ARCHITECTURE "riscv64"
# elif defined(__aarch64__)
#  define ARCHITECTURE "aarch64"
# else
#  define ARCHITECTURE "x86_64"
# endif

/* The library's file; empty if the library is linked into this program. */
static void print_library_file(void)
{
    static char line[4096];
    FILE *file = fopen("/proc/self/maps", "r");
    fputs("\tfile=", stdout);
    while (file && fgets(line, sizeof line, file)) {
        const char *path = strchr(line, '/');
        if (path && strstr(path, "libcrypto")) {
            line[strcspn(line, "\n")] = 0;
            fputs(path, stdout);
            break;
        }
    }
    if (file)
        fclose(file);
}
#endif

/* The value of the first line "NAME : VALUE" of /proc/cpuinfo. */
static void print_cpuinfo(const char *name)
{
    static char line[8192];
    size_t length = strlen(name);
    FILE *file = fopen("/proc/cpuinfo", "r");
    printf("\t%s=", name);
    while (file && fgets(line, sizeof line, file)) {
        const char *colon = strchr(line, ':');
        if (strncmp(line, name, length) == 0 && strchr(" \t:", line[length]) && colon) {
            line[strcspn(line, "\n")] = 0;
            fputs(colon + 1 + (colon[1] == ' '), stdout);
            break;
        }
    }
    if (file)
        fclose(file);
}

void do_probe(void)
{
    const char *library = OPENSSL_info(OPENSSL_INFO_CPU_SETTINGS);
    printf("probe hwcap=%lx", getauxval(AT_HWCAP));
    print_hwprobe();
    print_cpuinfo("isa");
    print_cpuinfo("mmu");
    print_cpuinfo("uarch");
#ifdef CAPVEC_TIMED
    printf("\tarch=%s\thwcap2=%lx\tcounter=%s", ARCHITECTURE, getauxval(AT_HWCAP2), counter_name());
    print_cpuinfo("model name");
    print_library_file();
#endif
    printf("\tlibrary=%s\n", library ? library : "");
}
