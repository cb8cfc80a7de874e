/* Message queues. */
#include <sys/msg.h>

struct message {
    long kind;
    char text[64];
};

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
    /* A receiver waits for its type, and a sender waits for room. */
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
