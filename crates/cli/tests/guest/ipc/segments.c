/* Shared memory segments. */
#include <sys/mman.h>
#include <sys/shm.h>

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
    /* A child inherits both attachments; execve drops them. */
    EXPECT(status_of(start(adds, id)) == 4 && *shared == 41 && attached(id) == 2);
    pid_t child = fork();
    if (child == 0)
        execl("/proc/self/exe", "ipc", "nothing", NULL);
    EXPECT(status_of(child) == 7 && attached(id) == 2);
    EXPECT(shmdt(again) == 0 && attached(id) == 1);
    FAILS(shmdt(again), EINVAL);
    FAILS(shmdt((char *)shared + page), EINVAL);
    FAILS(shmdt((char *)shared + 1), EINVAL);
    /* Attaching at a given address. */
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
    /* Removed while attached: it has no key any more, but exists until the last process detaches. */
    EXPECT(shmctl(id, IPC_RMID, 0) == 0 && shmctl(id, IPC_STAT, &ds) == 0);
    EXPECT(ds.shm_perm.__key == 0 && (ds.shm_perm.mode & 01000) && *shared == 41);
    FAILS(shmget(KEY, 1, 0), ENOENT);
    EXPECT((again = shmat(id, 0, 0)) != (void *)-1 && *again == 41 && shmdt(again) == 0);
    EXPECT(lines_of("/proc/sysvipc/shm") >= 2);
    EXPECT(shmdt(shared) == 0);
    FAILS(shmctl(id, IPC_STAT, &ds), EINVAL);
    FAILS(shmctl(id, 77, &ds), EINVAL);
}
