/* Pages, faults and a console of Linux, for guard.c. */
#include "guard.h"
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>

#define PAGE 4096

static sigjmp_buf back;

static void on_fault(int number)
{
    siglongjmp(back, number);
}

int guard_map(uint8_t *memory[GUARD_ARGUMENTS])
{
    struct sigaction action = { .sa_handler = on_fault };
    sigaction(SIGSEGV, &action, NULL);
    sigaction(SIGBUS, &action, NULL);
    for (size_t i = 0; i < GUARD_ARGUMENTS; i++) {
        uint8_t *all = mmap(NULL, GUARD_ROOM + 2 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (all == MAP_FAILED || mprotect(all + PAGE, GUARD_ROOM, PROT_READ | PROT_WRITE) != 0)
            return 0;
        memory[i] = all + PAGE;
    }
    return 1;
}

int guard_survives(void (*call)(void))
{
    if (sigsetjmp(back, 1) != 0)
        return 0;
    call();
    return 1;
}

int guard_use_kernels(void)
{
    return cv_init_environment() == CV_OK;
}

void guard_print(const char *text)
{
    fputs(text, stdout);
}

void guard_print_number(unsigned long number)
{
    printf("%lu", number);
}
