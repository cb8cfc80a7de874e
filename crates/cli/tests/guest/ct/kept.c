// Through what the system keeps: files that are mapped, signals, names. Through requests, and in code.

// Through files that are mapped as shared memory.
static uint8_t *shared(int fd)
{
    ftruncate(fd, sizeof back);
    return mmap(NULL, sizeof back, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
}
static void fill(uint8_t *to)
{
    memcpy(to, key, BYTES);
    memcpy(to + BYTES, other, BYTES);
}
static void through_shared_file(void)
{
    memcpy(back, shared(file()), sizeof back);
}
THROUGH(shared_file)
static void through_written_file(void)
{
    int fd = memfd_create("file", 0);
    uint8_t *memory = shared(fd);
    put(fd);
    memcpy(back, memory, sizeof back);
}
THROUGH(written_file)
static void through_stored_file(void)
{
    int fd = memfd_create("file", 0);
    fill(shared(fd));
    get(fd);
}
THROUGH(stored_file)
static void through_unmapped_file(void)
{
    int fd = memfd_create("file", 0);
    uint8_t *memory = shared(fd);
    fill(memory);
    munmap(memory, sizeof back);
    get(fd);
}
THROUGH(unmapped_file)
// The clean twin's bytes are cut off before they are read.
static void cut(off_t size)
{
    int fd = file();
    ftruncate(fd, size);
    ftruncate(fd, sizeof back);
    get(fd);
    decide(0);
}
static void leak_cut(void)
{
    cut(4);
}
static void clean_cut(void)
{
    cut(3);
}
static void emptied(int flag)
{
    put(open("/tmp/ct.file", O_RDWR | O_CREAT, 0600));
    int fd = open("/tmp/ct.file", O_RDWR | flag);
    ftruncate(fd, sizeof back);
    get(fd);
    unlink("/tmp/ct.file");
    decide(0);
}
static void leak_emptied(void)
{
    emptied(0);
}
static void clean_emptied(void)
{
    emptied(O_TRUNC);
}
static void leak_cut_memory(void)
{
    int fd = file();
    uint8_t *memory = shared(fd);
    ftruncate(fd, BYTES);
    memcpy(back, memory, BYTES);
    decide(0);
}
static void clean_cut_memory(void)
{
    int fd = file();
    uint8_t *memory = shared(fd);
    ftruncate(fd, 0);
    ftruncate(fd, sizeof back);
    memcpy(back, memory, sizeof back);
    decide(0);
}

// Through the value of a signal.
static void queue(int signal)
{
    union sigval value = { .sival_ptr = *(void **)key };
    sigqueue(getpid(), signal, value);
    memcpy(back + BYTES, other, 8);
}
static void keeper(int signal, siginfo_t *info, void *context)
{
    memcpy(back, &info->si_value, 8);
}
static void through_value(void)
{
    struct sigaction action = { .sa_sigaction = keeper, .sa_flags = SA_SIGINFO };
    sigaction(SIGUSR1, &action, NULL);
    queue(SIGUSR1);
}
THROUGH(value)
static sigset_t blocked(void)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigprocmask(SIG_BLOCK, &set, NULL);
    return set;
}
static void through_waiting(void)
{
    sigset_t set = blocked();
    siginfo_t info;
    queue(SIGUSR1);
    sigwaitinfo(&set, &info);
    memcpy(back, &info.si_value, 8);
}
THROUGH(waiting)
static void through_signalfd(void)
{
    sigset_t set = blocked();
    struct signalfd_siginfo info;
    queue(SIGUSR1);
    read(signalfd(-1, &set, 0), &info, sizeof info);
    memcpy(back, &info.ssi_ptr, 8);
}
THROUGH(signalfd)

// Through the name of a thread, and the target of a symbolic link.
static void through_name(void)
{
    char name[16] = { 0 };
    memcpy(name, key, 8);
    prctl(PR_SET_NAME, name);
    memset(name, 0, sizeof name);
    prctl(PR_GET_NAME, name);
    memcpy(back, name, 8);
    memcpy(back + BYTES, other, 8);
}
THROUGH(name)
static void through_link(void)
{
    char target[9] = { 0 };
    memcpy(target, key, 8);
    symlink(target, "/tmp/ct.link");
    readlink("/tmp/ct.link", (char *)back, 8);
    unlink("/tmp/ct.link");
    memcpy(back + BYTES, other, 8);
}
THROUGH(link)

// Through memcheck's requests about single bits.
static void through_bits(void)
{
    uint8_t bits[2 * BYTES];
    fill(back);
    __asm__ volatile("" ::: "memory");
    memset(back, 9, sizeof back);
    bits_of(GET_VBITS, key, bits, BYTES);
    bits_of(GET_VBITS, other, bits + BYTES, BYTES);
    bits_of(SET_VBITS, back, bits, sizeof bits);
}
THROUGH(bits)
// The fourth bit decides, and the lowest does not.
static void set_bit(uint8_t bits)
{
    back[3] = 9;
    bits_of(SET_VBITS, back + 3, &bits, 1);
    decide(0);
}
static void leak_bit(void)
{
    set_bit(8);
}
static void clean_bit(void)
{
    set_bit(1);
}

// In an instruction.
static void execute(uint32_t instruction, long argument)
{
    enum { RET = 0x00008067 };
    uint32_t *code = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    code[0] = instruction;
    code[1] = RET;
    __builtin___clear_cache((char *)code, (char *)(code + 2));
    sink = ((long (*)(long))code)(argument);
}
static void leak_code(void)
{
    // addi a0, a0, secret
    execute(0x00050513 | (uint32_t)key[0] << 20, 1);
}
static void clean_code(void)
{
    execute(0x00050513 | (uint32_t)other[3] << 20, key[0]);
}
