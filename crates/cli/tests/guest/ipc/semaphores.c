/* Sets of semaphores. */
#include <sys/sem.h>
#include <time.h>

union semun {
    int val;
    struct semid_ds *buf;
    unsigned short *array;
    struct seminfo *info;
};

static int operate(int id, int number, int change, int flags)
{
    struct sembuf op = { number, change, flags };
    return semop(id, &op, 1);
}

static int value(int id, int number)
{
    return semctl(id, number, GETVAL);
}

static int takes_two(int id)
{
    return operate(id, 0, -2, 0) == 0;
}

static int waits_for_zero(int id)
{
    return operate(id, 1, 0, 0) == 0;
}

static int takes_and_leaves(int id)
{
    return operate(id, 0, -1, SEM_UNDO) == 0 && value(id, 0) == 2;
}

static int loses_set(int id)
{
    return operate(id, 0, -100, 0) == -1 && errno == EIDRM;
}

static void semaphores(void)
{
    struct semid_ds ds;
    unsigned short values[3] = { 1, 2, 3 };
    FAILS(semget(IPC_PRIVATE, 0, 0600), EINVAL);
    FAILS(semget(IPC_PRIVATE, 32001, 0600), EINVAL);
    int id = semget(KEY, 3, IPC_CREAT | 0600);
    EXPECT(id >= 0 && semget(KEY, 0, 0) == id);
    FAILS(semget(KEY, 4, 0), EINVAL);
    EXPECT(value(id, 0) == 0 && semctl(id, 0, SETALL, values) == 0 && value(id, 2) == 3);
    values[0] = 40000;
    FAILS(semctl(id, 0, SETALL, values), ERANGE);
    FAILS(semctl(id, 0, SETVAL, -1), ERANGE);
    FAILS(semctl(id, 3, GETVAL), EINVAL);
    EXPECT(semctl(id, 0, GETALL, values) == 0 && values[0] == 1 && values[1] == 2);
    EXPECT(semctl(id, 0, IPC_STAT, (union semun){ .buf = &ds }) == 0 && ds.sem_nsems == 3 && ds.sem_otime == 0);
    /* Either all operations are done or none. */
    struct sembuf both[2] = { { 0, -1, 0 }, { 1, -3, IPC_NOWAIT } };
    FAILS(semop(id, both, 2), EAGAIN);
    EXPECT(value(id, 0) == 1);
    both[1].sem_op = -2;
    EXPECT(semop(id, both, 2) == 0 && value(id, 0) == 0 && value(id, 1) == 0);
    EXPECT(semctl(id, 1, GETPID) == getpid());
    struct sembuf twice[2] = { { 2, -3, 0 }, { 2, 0, IPC_NOWAIT } };
    EXPECT(semop(id, twice, 2) == 0 && value(id, 2) == 0);
    FAILS(operate(id, 3, 1, 0), EFBIG);
    FAILS(semop(id, both, 0), EINVAL);
    FAILS(semop(id, both, 501), E2BIG);
    FAILS(operate(id, 2, 32767, 0) == 0 ? operate(id, 2, 1, 0) : 0, ERANGE);
    FAILS(operate(id, 0, -1, IPC_NOWAIT), EAGAIN);
    struct timespec ms = { 0, 1000000 }, bad = { 0, -1 };
    FAILS(semtimedop(id, both, 1, &ms), EAGAIN);
    FAILS(semtimedop(id, both, 1, &bad), EINVAL);
    alarm_soon();
    FAILS(operate(id, 0, -1, 0), EINTR);
    /* Waiting processes, and their number. */
    EXPECT(semctl(id, 1, SETVAL, 1) == 0);
    pid_t child = start(takes_two, id), third = start(waits_for_zero, id);
    usleep(20000);
    EXPECT(semctl(id, 0, GETNCNT) == 1 && semctl(id, 0, GETZCNT) == 0 && semctl(id, 1, GETZCNT) == 1);
    EXPECT(operate(id, 0, 1, 0) == 0);
    usleep(20000);
    EXPECT(waitpid(child, 0, WNOHANG) == 0 && value(id, 0) == 1);
    EXPECT(operate(id, 0, 4, 0) == 0 && status_of(child) == 1 && value(id, 0) == 3);
    EXPECT(semctl(id, 1, SETVAL, 0) == 0 && status_of(third) == 1);
    /* Adjustments when a process ends. */
    child = start(takes_and_leaves, id);
    EXPECT(status_of(child) == 1 && value(id, 0) == 3 && semctl(id, 0, GETPID) == child);
    child = fork();
    if (child == 0) {
        EXPECT(operate(id, 0, 1, SEM_UNDO) == 0 && operate(id, 0, -1, SEM_UNDO) == 0);
        EXPECT(operate(id, 0, -3, SEM_UNDO) == 0);
        pid_t grandchild = start(takes_two, id);
        usleep(20000);
        EXPECT(semctl(id, 0, SETVAL, 7) == 0 && status_of(grandchild) == 1);
        execl("/proc/self/exe", "ipc", "nothing", NULL);
    }
    EXPECT(status_of(child) == 7 && value(id, 0) == 5);
    struct seminfo info;
    EXPECT(semctl(0, 0, IPC_INFO, (union semun){ .info = &info }) >= 0 && info.semvmx == 32767);
    EXPECT(lines_of("/proc/sysvipc/sem") >= 2);
    child = start(loses_set, id);
    usleep(20000);
    EXPECT(semctl(id, 0, IPC_RMID) == 0 && status_of(child) == 1);
    FAILS(operate(id, 0, 1, 0), EINVAL);
}
