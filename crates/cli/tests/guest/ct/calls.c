// System calls that act on a secret: on an argument, or on what it points to. The secret goes there through a register.
static long secret(void)
{
    return key[0] & 1;
}
static long public(void)
{
    sink = secret();
    return other[1] & 1;
}
#define CALL(name) \
    static void leak_##name(void) \
    { \
        call_##name(secret()); \
    } \
    static void clean_##name(void) \
    { \
        call_##name(public()); \
    }
static void call_sleep(long part)
{
    struct timespec time = { 0, part };
    nanosleep(&time, NULL);
}
CALL(sleep)
static void call_clock(long part)
{
    struct timespec time = { 0, part };
    clock_nanosleep(CLOCK_MONOTONIC, 0, &time, NULL);
}
CALL(clock)
static void call_poll(long part)
{
    struct timespec time = { 0, part };
    ppoll(NULL, 0, &time, NULL);
}
CALL(poll)
static void call_futex(long part)
{
    static uint32_t word;
    struct timespec time = { 0, 1 + part };
    syscall(SYS_futex, &word, 0, 0, &time, NULL, 0);
}
CALL(futex)
static void call_word(long part)
{
    static uint32_t word;
    word = part;
    syscall(SYS_futex, &word, 0, 2, NULL, NULL, 0);
}
CALL(word)
static void call_path(long part)
{
    char path[] = "/nowhere/a";
    path[9] += part;
    close(open(path, O_RDONLY));
}
CALL(path)
// The lengths of a vector, whose contents may be secret.
static void call_vector(long part)
{
    struct iovec vector[] = { { key, 8 }, { other, 8 + part } };
    writev(1, vector, 2);
}
CALL(vector)
static void call_message_length(long part)
{
    int ends[2];
    socketpair(AF_UNIX, SOCK_DGRAM, 0, ends);
    struct iovec vector = { key, 8 + part };
    struct msghdr message = { .msg_iov = &vector, .msg_iovlen = 1 };
    sendmsg(ends[0], &message, 0);
}
CALL(message_length)
static void call_address(long part)
{
    struct sockaddr_un address = { AF_UNIX, { 0, 'c', 't' + part } };
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    bind(fd, (void *)&address, sizeof address.sun_family + 3);
    close(fd);
}
CALL(address)
static void call_option(long part)
{
    int ends[2], value = part;
    socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
    setsockopt(ends[0], SOL_SOCKET, SO_PASSCRED, &value, sizeof value);
}
CALL(option)
// The program replaces the one that had the secret.
static void call_arguments(long part)
{
    char secret[] = "a";
    secret[0] += part;
    if (fork() == 0) {
        char *arguments[] = { "true", secret, NULL }, *environment[] = { NULL };
        execve("/bin/true", arguments, environment);
        _exit(1);
    }
    wait(NULL);
}
CALL(arguments)
static void call_environment(long part)
{
    char secret[] = "A=a";
    secret[2] += part;
    char *arguments[] = { "nowhere", NULL }, *environment[] = { secret, NULL };
    execve("/nowhere", arguments, environment);
}
CALL(environment)
static void call_queue(long part)
{
    msgget(part + 1, 0);
}
CALL(queue)
static void call_exit(long part)
{
    if (fork() == 0)
        _exit(part);
    wait(NULL);
}
CALL(exit)
static void call_counter(long part)
{
    uint64_t value = 1 + part;
    write(eventfd(0, 0), &value, sizeof value);
}
CALL(counter)

// On registers and bytes without a meaning, nothing acts.
static void leak_ignored(void)
{
    fcntl(1, F_SETFD, secret());
}
static void clean_ignored(void)
{
    syscall(SYS_fcntl, 1, F_GETFD, secret());
}
static void connect_to(const char *path, long part)
{
    struct sockaddr_un address = { AF_UNIX };
    strcpy(address.sun_path, path);
    address.sun_path[8] = part;
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    connect(fd, (void *)&address, sizeof address);
    close(fd);
}
static void leak_padding(void)
{
    connect_to("/nowhere", secret() + 'a');
}
static void clean_padding(void)
{
    connect_to("/nobody", secret() + 'a');
}
