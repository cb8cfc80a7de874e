// Goes through the ways in which control passes between functions. The functions in assembly retire known numbers of
// instructions.
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

// 11 instructions.
void leaf(void);
// 2 instructions, then leaf's.
void tail(void);
// 3 instructions, and 2 of millicode, which it calls through t0.
void through_t0(void);
// 6 instructions, 3 of them in a separate part.
void split(void);
asm(".text\n"
    ".option norvc\n"
    ".macro function name\n"
    ".globl \\name\n.type \\name, @function\n\\name:\n"
    ".endm\n"
    "function leaf\n.rept 10\n nop\n .endr\n ret\n.size leaf, .-leaf\n"
    "function tail\n nop\n j leaf\n.size tail, .-tail\n"
    "function millicode\n nop\n jr t0\n.size millicode, .-millicode\n"
    "function through_t0\n mv t2, ra\n jal t0, millicode\n jr t2\n.size through_t0, .-through_t0\n"
    "function split\n nop\n j split.cold\n 1: ret\n.size split, .-split\n"
    "function split.cold\n nop\n nop\n j 1b\n.size split.cold, .-split.cold\n"
    ".option rvc\n");

#define FUNCTION __attribute__((noinline, noclone))
static jmp_buf out;
static volatile int caught;

FUNCTION void deepest(void)
{
    leaf();
    longjmp(out, 1);
}
FUNCTION void deep(void)
{
    deepest();
}
FUNCTION void after_longjmp(void)
{
    leaf();
}
FUNCTION void catches(void)
{
    if (setjmp(out) == 0) {
        deep();
    }
    after_longjmp();
}
FUNCTION void recursive(int n)
{
    leaf();
    if (n > 0) {
        recursive(n - 1);
    }
}
FUNCTION void handler(int signal)
{
    leaf();
    caught = signal;
}
FUNCTION void after_handler(void)
{
    leaf();
}
FUNCTION void signals(void)
{
    signal(SIGUSR1, handler);
    raise(SIGUSR1);
    after_handler();
}
FUNCTION void *worker(void *unused)
{
    for (int i = 0; i < 1000; i++) {
        leaf();
    }
    return unused;
}
FUNCTION void in_child(void)
{
    leaf();
}

int main(int argc, char **argv)
{
    if (argc > 1) {
        tail();
        return 0;
    }
    for (int i = 0; i < 5000; i++) {
        tail();
        through_t0();
        split();
    }
    catches();
    recursive(9);
    signals();
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) {
        pthread_create(&threads[i], 0, worker, 0);
    }
    for (int i = 0; i < 2; i++) {
        pthread_join(threads[i], 0);
    }
    pid_t child = fork();
    if (child == 0) {
        in_child();
        execl(argv[0], argv[0], "again", (char *)0);
        _exit(1);
    }
    int status;
    waitpid(child, &status, 0);
    return status != 0 || caught != SIGUSR1;
}
