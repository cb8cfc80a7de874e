// A program to debug: threads, signals, a watched variable, vectors, a child process and another program.
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile long watched, handled, both;
static volatile unsigned char in[32], out[32];

// Not inlined, so that breakpoints can be set by name.
__attribute__((noinline)) long leaf(long n)
{
    watched += n;
    return watched;
}

__attribute__((noinline)) long loop(long n)
{
    long sum = 0;
    for (long i = 0; i < n; i++) {
        sum += i ^ sum << 1;
    }
    return sum;
}

static void handler(int signal)
{
    handled += signal;
}

__attribute__((noinline)) void *worker(void *n)
{
    for (int i = 0; i < 100; i++) {
        __atomic_fetch_add(&both, (long)n, __ATOMIC_RELAXED);
    }
    loop(10000);
    return n;
}

__attribute__((noinline)) void after_vector(void)
{
    __asm__ volatile("" ::: "memory");
}

static void vector(void)
{
    for (int i = 0; i < 32; i++) {
        in[i] = (unsigned char)(i + 1);
    }
    __asm__ volatile(".option push\n.option arch, +v\n"
                     "vsetivli zero, 4, e32, m1, ta, ma\n"
                     "vle32.v v8, (%0)\n"
                     "vadd.vi v9, v8, 1\n"
                     "vse32.v v9, (%1)\n"
                     ".option pop" ::"r"(in),
                     "r"(out)
                     : "memory");
    after_vector();
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "end") == 0) {
        return 7;
    }
    vector();
    leaf(3);
    leaf(4);
    signal(SIGUSR1, handler);
    raise(SIGUSR1);
    pthread_t threads[2];
    for (long i = 0; i < 2; i++) {
        pthread_create(&threads[i], NULL, worker, (void *)(i + 1));
    }
    for (int i = 0; i < 2; i++) {
        pthread_join(threads[i], NULL);
    }
    pid_t child = fork();
    if (child == 0) {
        leaf(5);
        _exit(3);
    }
    int status = 0;
    waitpid(child, &status, 0);
    printf("%ld %ld %ld %d %ld\n", watched, handled, both, WEXITSTATUS(status), loop(3000000));
    fflush(stdout);
    execl(argv[0], argv[0], "end", NULL);
    return 1;
}
