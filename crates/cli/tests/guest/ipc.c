/* Checks of System V IPC (sysvipc(7)) through the C library. An expectation that does not hold is printed with its
 * line. Runs on any Linux, where the numbers of objects do not matter. */
#define _GNU_SOURCE
#include "expect.h"
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

union semun {
    int val;
    struct semid_ds *buf;
    unsigned short *array;
    struct seminfo *info;
};

struct message {
    long kind;
    char text[64];
};

enum { KEY = 0x6361 };

static void nothing(int signal)
{
    (void)signal;
}

/* Waits do not go on after a handler, whatever SA_RESTART says (signal(7)). */
static void alarm_soon(void)
{
    struct sigaction a = { .sa_handler = nothing, .sa_flags = SA_RESTART };
    struct itimerval soon = { .it_value = { 0, 5000 } };
    sigaction(SIGALRM, &a, 0);
    setitimer(ITIMER_REAL, &soon, 0);
}

static int status_of(pid_t child)
{
    int status;
    EXPECT(waitpid(child, &status, 0) == child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* Runs a function in a child; its exit status. */
static pid_t start(int (*f)(int), int id)
{
    pid_t child = fork();
    if (child == 0)
        _exit(f(id));
    return child;
}

static int lines_of(const char *path)
{
    FILE *f = fopen(path, "r");
    int c, n = 0;
    EXPECT(f != 0);
    while (f && (c = getc(f)) != EOF)
        n += c == '\n';
    if (f)
        fclose(f);
    return n;
}

static int receives_five(int id)
{
    struct message m;
    return msgrcv(id, &m, sizeof m.text, 5, 0) == 4 && m.kind == 5 && memcmp(m.text, "five", 4) == 0;
}

static int loses_queue(int id)
{
    struct message m;
    return msgrcv(id, &m, sizeof m.text, 9, 0) == -1 && errno == EIDRM;
}

static int sends(int id)
{
    struct message m = { 3, "" };
    return msgsnd(id, &m, 64, 0) == 0;
}

static void messages(void)
{
    struct message m = { 1, "one" };
    struct msqid_ds ds;
    FAILS(msgget(KEY, 0600), ENOENT);
    int id = msgget(KEY, IPC_CREAT | IPC_EXCL | 0640);
    EXPECT(id >= 0 && msgget(KEY, 0) == id && msgget(KEY, IPC_CREAT) == id);
    FAILS(msgget(KEY, IPC_CREAT | IPC_EXCL), EEXIST);
    int other = msgget(IPC_PRIVATE, 0600);
    EXPECT(other >= 0 && other != id && msgctl(other, IPC_RMID, 0) == 0);
    FAILS(msgctl(other, IPC_STAT, &ds), EINVAL);
    EXPECT(msgsnd(id, &m, 3, 0) == 0);
    m = (struct message){ 2, "two" };
    EXPECT(msgsnd(id, &m, 3, 0) == 0 && msgsnd(id, &m, 0, 0) == 0);
    EXPECT(msgctl(id, IPC_STAT, &ds) == 0 && ds.msg_qnum == 3 && ds.__msg_cbytes == 6);
    EXPECT(ds.msg_perm.__key == KEY && (ds.msg_perm.mode & 0777) == 0640);
    EXPECT(ds.msg_lspid == getpid() && ds.msg_lrpid == 0 && ds.msg_stime != 0 && ds.msg_rtime == 0);
    FAILS(msgrcv(id, &m, 1, 0, 0), E2BIG);
    memset(&m, 0, sizeof m);
    EXPECT(msgrcv(id, &m, 1, -2, MSG_NOERROR) == 1 && m.kind == 1 && m.text[0] == 'o' && m.text[1] == 0);
    EXPECT(msgrcv(id, &m, 64, 1, MSG_EXCEPT) == 3 && m.kind == 2);
    FAILS(msgrcv(id, &m, 64, 1, IPC_NOWAIT), ENOMSG);
    EXPECT(msgrcv(id, &m, 64, 0, MSG_COPY | IPC_NOWAIT) == 0 && m.kind == 2);
    EXPECT(msgrcv(id, &m, 64, 0, 0) == 0 && m.kind == 2);
    FAILS(msgrcv(id, &m, 64, 0, MSG_COPY), EINVAL);
    m.kind = 0;
    FAILS(msgsnd(id, &m, 1, 0), EINVAL);
    m.kind = 1;
    FAILS(msgsnd(id, &m, 8193, 0), EINVAL);
    FAILS(msgsnd(id, &m, -1, 0), EINVAL);
    FAILS(msgsnd(id, (void *)8, 1, 0), EFAULT);
    FAILS(msgrcv(-1, &m, 1, 0, 0), EINVAL);
    alarm_soon();
    FAILS(msgrcv(id, &m, 64, 0, 0), EINTR);
    /* A receiver waits for its type; a sender for room. */
    pid_t child = start(receives_five, id);
    usleep(20000);
    m = (struct message){ 4, "four" };
    EXPECT(msgsnd(id, &m, 4, 0) == 0);
    m = (struct message){ 5, "five" };
    EXPECT(msgsnd(id, &m, 4, 0) == 0 && status_of(child) == 1);
    ds.msg_qbytes = 64;
    EXPECT(msgctl(id, IPC_SET, &ds) == 0);
    FAILS(msgsnd(id, &m, 61, IPC_NOWAIT), EAGAIN);
    child = start(sends, id);
    usleep(20000);
    EXPECT(msgrcv(id, &m, 64, 0, 0) == 4 && status_of(child) == 1);
    EXPECT(msgctl(id, IPC_STAT, &ds) == 0 && ds.msg_qnum == 1 && ds.msg_lspid == child);
    EXPECT(lines_of("/proc/sysvipc/msg") >= 2);
    struct msginfo info;
    EXPECT(msgctl(0, IPC_INFO, (struct msqid_ds *)&info) >= 0 && info.msgmax == 8192 && info.msgmnb == 16384);
    child = start(loses_queue, id);
    usleep(20000);
    EXPECT(msgctl(id, IPC_RMID, 0) == 0 && status_of(child) == 1);
    FAILS(msgsnd(id, &m, 1, 0), EINVAL);
}

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
    /* All operations or none. */
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
    /* Waiting, and how many do. */
    EXPECT(semctl(id, 1, SETVAL, 1) == 0);
    pid_t child = start(takes_two, id), third = start(waits_for_zero, id);
    usleep(20000);
    EXPECT(semctl(id, 0, GETNCNT) == 1 && semctl(id, 0, GETZCNT) == 0 && semctl(id, 1, GETZCNT) == 1);
    EXPECT(operate(id, 0, 1, 0) == 0);
    usleep(20000);
    EXPECT(waitpid(child, 0, WNOHANG) == 0 && value(id, 0) == 1);
    EXPECT(operate(id, 0, 4, 0) == 0 && status_of(child) == 1 && value(id, 0) == 3);
    EXPECT(semctl(id, 1, SETVAL, 0) == 0 && status_of(third) == 1);
    /* What a process has not given back when it ends. */
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

static int *shared;

static int adds(int id)
{
    (void)id;
    ++*shared;
    struct shmid_ds ds;
    return shmctl(id, IPC_STAT, &ds) == 0 ? (int)ds.shm_nattch : 99;
}

static int attached(int id)
{
    struct shmid_ds ds;
    return shmctl(id, IPC_STAT, &ds) == 0 ? (int)ds.shm_nattch : -1;
}

static void segments(void)
{
    struct shmid_ds ds;
    long page = sysconf(_SC_PAGESIZE);
    FAILS(shmget(IPC_PRIVATE, 0, 0600), EINVAL);
    FAILS(shmget(KEY, 100, 0600), ENOENT);
    int id = shmget(KEY, page + 1, IPC_CREAT | IPC_EXCL | 0600);
    EXPECT(id >= 0 && shmget(KEY, 1, 0) == id && attached(id) == 0);
    FAILS(shmget(KEY, page + 2, 0), EINVAL);
    shared = shmat(id, 0, 0);
    EXPECT(shared != (void *)-1 && *shared == 0 && (unsigned long)shared % page == 0);
    *shared = 40;
    int *again = shmat(id, 0, SHM_RDONLY);
    EXPECT(again != shared && *again == 40 && attached(id) == 2);
    EXPECT(mprotect(again, page, PROT_READ) == 0);
    EXPECT(shmctl(id, IPC_STAT, &ds) == 0 && ds.shm_segsz == (size_t)page + 1);
    EXPECT(ds.shm_cpid == getpid() && ds.shm_lpid == getpid() && ds.shm_atime != 0 && ds.shm_dtime == 0);
    /* A child has both attachments; what executes another program has none. */
    EXPECT(status_of(start(adds, id)) == 4 && *shared == 41 && attached(id) == 2);
    pid_t child = fork();
    if (child == 0)
        execl("/proc/self/exe", "ipc", "nothing", NULL);
    EXPECT(status_of(child) == 7 && attached(id) == 2);
    EXPECT(shmdt(again) == 0 && attached(id) == 1);
    FAILS(shmdt(again), EINVAL);
    FAILS(shmdt((char *)shared + page), EINVAL);
    FAILS(shmdt((char *)shared + 1), EINVAL);
    /* At an address. */
    char *room = mmap(0, 4 * page, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    FAILS(shmat(id, room, 0), EINVAL);
    FAILS(shmat(id, room + 1, SHM_REMAP), EINVAL);
    FAILS(shmat(id, 0, SHM_REMAP), EINVAL);
    EXPECT(shmat(id, room + 5, SHM_RND | SHM_REMAP) == room && *(int *)room == 41);
    EXPECT(munmap(room, page) == 0 && attached(id) == 2 && shmdt(room) == 0 && attached(id) == 1);
    EXPECT(shmat(id, room, 0) == room && shmdt(room) == 0);
    FAILS(shmat(id + 1, 0, 0), EINVAL);
    EXPECT(shmctl(id, SHM_LOCK, 0) == 0 && shmctl(id, IPC_STAT, &ds) == 0 && ds.shm_perm.mode == (0600 | 02000));
    EXPECT(shmctl(id, SHM_UNLOCK, 0) == 0);
    /* Removed while attached: without a name, but there until the last lets go. */
    EXPECT(shmctl(id, IPC_RMID, 0) == 0 && shmctl(id, IPC_STAT, &ds) == 0);
    EXPECT(ds.shm_perm.__key == 0 && (ds.shm_perm.mode & 01000) && *shared == 41);
    FAILS(shmget(KEY, 1, 0), ENOENT);
    EXPECT((again = shmat(id, 0, 0)) != (void *)-1 && *again == 41 && shmdt(again) == 0);
    EXPECT(lines_of("/proc/sysvipc/shm") >= 2);
    EXPECT(shmdt(shared) == 0);
    FAILS(shmctl(id, IPC_STAT, &ds), EINVAL);
    FAILS(shmctl(id, 77, &ds), EINVAL);
}

int main(int argc, char **argv)
{
    (void)argv;
    if (argc == 2)
        return 7;
    messages();
    semaphores();
    segments();
    printf("%d failures\n", failures);
    return failures != 0;
}
