// Through the system, the C library and signal handlers.

static void leak_length(void)
{
    write(1, out, key[0] & 15);
}
static void clean_length(void)
{
    // Written data is no finding: a program that encrypts has to write the ciphertext.
    write(1, key, 16);
}

// In a register that setjmp saves.
static void leak_setjmp(void)
{
    jmp_buf state;
    register uint64_t secret __asm__("s4") = key[0];
    __asm__ volatile("" : "+r"(secret));
    if (!setjmp(state)) {
        __asm__ volatile("li s4, 0" ::: "s4");
        longjmp(state, 1);
    }
    __asm__ volatile("beqz s4, 1f\n1:" ::"r"(secret));
}
static void clean_setjmp(void)
{
    jmp_buf state;
    register uint64_t public __asm__("s4") = other[0];
    __asm__ volatile("" : "+r"(public));
    if (!setjmp(state)) {
        register uint64_t secret __asm__("s4") = key[0];
        __asm__ volatile("" : "+r"(secret));
        longjmp(state, 1);
    }
    __asm__ volatile("beqz s4, 1f\n1:" ::"r"(public));
}

// In a register that a signal's frame holds while the handler runs.
static void handler(int signal)
{
    __asm__ volatile("li t3, 0" ::: "t3");
}
static void leak_signal(void)
{
    signal(SIGUSR1, handler);
    uint64_t secret = key[0];
    __asm__ volatile("mv t3, %0\nli a7, 172\necall\nli a1, 10\nli a7, 129\necall\nbeqz t3, 1f\n1:" ::"r"(secret)
                     : "a0", "a1", "a7", "t3", "memory");
}
static void clean_signal(void)
{
    signal(SIGUSR1, handler);
    uint64_t secret = key[0];
    __asm__ volatile(
        "mv t3, %0\nli a7, 172\necall\nli a1, 10\nli a7, 129\necall\nxor t3, t3, t3\nli t3, 1\nbeqz t3, 1f\n1:" ::"r"(
            secret)
        : "a0", "a1", "a7", "t3", "memory");
}

// In the memory of a child.
static void leak_fork(void)
{
    if (fork() == 0) {
        if (key[5])
            sink = 1;
        _exit(0);
    }
    wait(NULL);
}
static void clean_fork(void)
{
    if (fork() == 0) {
        sink = key[5];
        _exit(0);
    }
    wait(NULL);
}

// Through the system: the secret and public bytes are written one after the other, and both are read back. A branch then
// depends on one of these bytes.
static uint8_t back[2 * BYTES] __attribute__((aligned(64)));
static void decide(long public)
{
    if (back[public ? BYTES + 3 : 3] > 7)
        sink = 1;
}
static void put(int fd)
{
    write(fd, key, BYTES);
    write(fd, other, BYTES);
}
static void get(int fd)
{
    for (size_t got = 0; got < sizeof back;)
        got += read(fd, back + got, sizeof back - got);
}
static int file(void)
{
    int fd = memfd_create("file", 0);
    put(fd);
    lseek(fd, 0, SEEK_SET);
    return fd;
}
#define THROUGH(name) \
    static void leak_##name(void) \
    { \
        through_##name(); \
        decide(0); \
    } \
    static void clean_##name(void) \
    { \
        through_##name(); \
        decide(1); \
    }
static void through_pipe(void)
{
    int ends[2];
    pipe(ends);
    put(ends[1]);
    get(ends[0]);
}
THROUGH(pipe)
static void through_file(void)
{
    get(file());
}
THROUGH(file)
static void through_socket(void)
{
    int ends[2];
    socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
    put(ends[0]);
    get(ends[1]);
}
THROUGH(socket)
// At first, both messages are in the queue.
static void through_datagram(void)
{
    int ends[2];
    socketpair(AF_UNIX, SOCK_DGRAM, 0, ends);
    put(ends[0]);
    recv(ends[1], back, 8, 0);
    recv(ends[1], back + BYTES, BYTES, 0);
}
THROUGH(datagram)
static void through_moving(void)
{
    enum { AREA = 4096 };
    uint8_t *from = mmap(NULL, AREA, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    uint8_t *to = mmap(NULL, AREA, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    memcpy(from, key, BYTES);
    memcpy(from + BYTES, other, BYTES);
    memcpy(back, mremap(from, AREA, AREA, MREMAP_MAYMOVE | MREMAP_FIXED, to), sizeof back);
}
THROUGH(moving)
static void through_mapping(void)
{
    memcpy(back, mmap(NULL, sizeof back, PROT_READ, MAP_PRIVATE, file(), 0), sizeof back);
}
THROUGH(mapping)
static void through_sendfile(void)
{
    int to = memfd_create("copy", 0);
    sendfile(to, file(), NULL, sizeof back);
    lseek(to, 0, SEEK_SET);
    get(to);
}
THROUGH(sendfile)
static void through_message(void)
{
    struct {
        long type;
        uint8_t text[2 * BYTES];
    } message = { 1 };
    memcpy(message.text, key, BYTES);
    memcpy(message.text + BYTES, other, BYTES);
    int queue = msgget(IPC_PRIVATE, 0600);
    msgsnd(queue, &message, sizeof message.text, 0);
    memset(&message, 0, sizeof message);
    msgrcv(queue, &message, sizeof message.text, 1, 0);
    memcpy(back, message.text, sizeof back);
}
THROUGH(message)
static void through_sharing(void)
{
    uint8_t *shared = mmap(NULL, sizeof back, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (fork() == 0) {
        memcpy(shared, key, BYTES);
        memcpy(shared + BYTES, other, BYTES);
        _exit(0);
    }
    wait(NULL);
    memcpy(back, shared, sizeof back);
}
THROUGH(sharing)
static void *through(void *secret)
{
    memcpy(back, secret, BYTES);
    memcpy(back + BYTES, other, BYTES);
    return NULL;
}
static void through_thread(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, through, key);
    pthread_join(thread, NULL);
}
THROUGH(thread)

// In the frame of a signal, which the handler reads.
static void reader(int signal, siginfo_t *info, void *context)
{
    ucontext_t *c = context;
    memcpy(back, &c->uc_mcontext.__gregs[28], 8);
    memcpy(back + BYTES, &c->uc_mcontext.__gregs[2], 8);
}
static void through_frame(void)
{
    struct sigaction action = { .sa_sigaction = reader, .sa_flags = SA_SIGINFO };
    sigaction(SIGUSR1, &action, NULL);
    uint64_t secret = *(uint64_t *)key;
    __asm__ volatile("mv t3, %0\nli a7, 172\necall\nli a1, 10\nli a7, 129\necall\nli t3, 0" ::"r"(secret)
                     : "a0", "a1", "a7", "t3", "memory");
}
THROUGH(frame)
