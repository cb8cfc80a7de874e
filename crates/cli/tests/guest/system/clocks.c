/* Clocks and timers. */
#include <signal.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static void clocks(void)
{
    struct timespec a, b;
    clock_gettime(CLOCK_MONOTONIC, &a);
    usleep(20000);
    clock_gettime(CLOCK_MONOTONIC, &b);
    long passed = (b.tv_sec - a.tv_sec) * 1000000000 + b.tv_nsec - a.tv_nsec;
    EXPECT(passed >= 20000000 && passed < 21000000);
    timer_t timer;
    struct sigevent how = { .sigev_signo = SIGRTMIN + 2, .sigev_value.sival_int = 5 };
    how.sigev_notify = SIGEV_SIGNAL;
    on(SIGRTMIN + 2, 0);
    EXPECT(timer_create(CLOCK_MONOTONIC, &how, &timer) == 0);
    struct itimerspec spec = { { 0, 3000000 }, { 0, 3000000 } };
    EXPECT(timer_settime(timer, 0, &spec, 0) == 0);
    while (handled < 3)
        pause();
    EXPECT(last.si_code == SI_TIMER && last.si_value.sival_int == 5 && timer_delete(timer) == 0);
    on(SIGPROF, 0);
    struct itimerval busy = { .it_value = { 0, 2000 } };
    clock_t start = clock();
    setitimer(ITIMER_PROF, &busy, 0);
    while (!handled)
        ;
    EXPECT(clock() - start >= 2000 && clock() - start < 2200);
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    EXPECT(usage.ru_utime.tv_sec * 1000000 + usage.ru_utime.tv_usec >= 2000);
    EXPECT(time(0) >= 1767225600);
    reset_signals();
}
