/* Checks of the network through the C library: the loopback interface, and sockets of both families on it. A failed
 * expectation is printed with its line. Runs on any Linux; the argument "any" allows interfaces other than loopback. */
#define _GNU_SOURCE
#include "expect.h"
#include <arpa/inet.h>
#include <ifaddrs.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

static void interfaces(int only)
{
    char name[IF_NAMESIZE];
    EXPECT(if_nametoindex("lo") == 1 && !strcmp(if_indextoname(1, name), "lo"));
    EXPECT(if_nametoindex("none") == 0 && errno == ENODEV);
    struct if_nameindex *all = if_nameindex();
    EXPECT(all && all[0].if_index == 1 && !strcmp(all[0].if_name, "lo"));
    EXPECT(!only || (all && all[1].if_index == 0));
    if_freenameindex(all);
    struct ifaddrs *list;
    int v4 = 0, v6 = 0, link = 0;
    EXPECT(getifaddrs(&list) == 0);
    for (struct ifaddrs *i = list; i; i = i->ifa_next) {
        if (strcmp(i->ifa_name, "lo"))
            continue;
        EXPECT(i->ifa_flags & IFF_LOOPBACK && i->ifa_flags & IFF_UP);
        int family = i->ifa_addr->sa_family;
        link += family == AF_PACKET;
        if (family == AF_INET) {
            struct sockaddr_in *a = (void *)i->ifa_addr, *mask = (void *)i->ifa_netmask;
            v4 += a->sin_addr.s_addr == htonl(INADDR_LOOPBACK) && mask->sin_addr.s_addr == htonl(0xff000000);
        } else if (family == AF_INET6) {
            v6 += IN6_IS_ADDR_LOOPBACK(&((struct sockaddr_in6 *)i->ifa_addr)->sin6_addr);
        }
    }
    freeifaddrs(list);
    EXPECT(link == 1 && v4 == 1 && v6 <= 1);
    struct ifreq r = { .ifr_name = "lo" };
    int s = socket(AF_UNIX, SOCK_DGRAM, 0);
    EXPECT(ioctl(s, SIOCGIFFLAGS, &r) == 0 && r.ifr_flags & IFF_LOOPBACK);
    EXPECT(ioctl(s, SIOCGIFMTU, &r) == 0 && r.ifr_mtu == 65536);
    close(s);
}

static void netlink(void)
{
    int s = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
    struct sockaddr_nl a = { .nl_family = AF_NETLINK }, from;
    socklen_t len = sizeof a;
    EXPECT(s >= 0 && bind(s, (void *)&a, sizeof a) == 0);
    EXPECT(getsockname(s, (void *)&a, &len) == 0 && len == sizeof a && a.nl_pid != 0);
    struct {
        struct nlmsghdr h;
        struct ifinfomsg i;
    } ask = { { sizeof ask, RTM_GETLINK, NLM_F_REQUEST, 5, 0 }, { .ifi_index = 1 } };
    char buf[4096];
    EXPECT(send(s, &ask, sizeof ask, 0) == sizeof ask);
    /* The length of the message, which stays in the queue. */
    ssize_t whole = recv(s, buf, 0, MSG_PEEK | MSG_TRUNC);
    struct iovec v = { buf, sizeof buf };
    struct msghdr m = { &from, sizeof from, &v, 1, 0, 0, 0 };
    EXPECT(recvmsg(s, &m, 0) == whole && m.msg_namelen == sizeof from && from.nl_pid == 0);
    struct nlmsghdr *h = (void *)buf;
    EXPECT(h->nlmsg_type == RTM_NEWLINK && h->nlmsg_seq == 5 && h->nlmsg_pid == a.nl_pid);
    ask.h.nlmsg_type = RTM_DELLINK;
    struct sockaddr_nl kernel = { .nl_family = AF_NETLINK };
    /* As a user without the permission. */
    setuid(1);
    EXPECT(sendto(s, &ask, sizeof ask, 0, (void *)&kernel, sizeof kernel) == sizeof ask);
    EXPECT(recv(s, buf, sizeof buf, 0) > 0 && h->nlmsg_type == NLMSG_ERROR);
    EXPECT(((struct nlmsgerr *)NLMSG_DATA(h))->error == -EPERM);
    FAILS(recv(s, buf, sizeof buf, MSG_DONTWAIT), EAGAIN);
    close(s);
    FAILS(socket(AF_NETLINK, SOCK_STREAM, 0), ESOCKTNOSUPPORT);
}

static struct sockaddr_in v4(int port)
{
    return (struct sockaddr_in){ AF_INET, htons(port), { htonl(INADDR_LOOPBACK) } };
}

static int port_of(int s)
{
    struct sockaddr_in6 a;
    socklen_t len = sizeof a;
    EXPECT(getsockname(s, (void *)&a, &len) == 0 && len == sizeof a);
    EXPECT(IN6_IS_ADDR_UNSPECIFIED(&a.sin6_addr));
    return ntohs(a.sin6_port);
}

/* A server on all IPv6 addresses that waits with epoll, and an IPv4 client. */
static void both_families(void)
{
    int n = 0, status;
    socklen_t len = sizeof n;
    int l = socket(AF_INET6, SOCK_STREAM, 0);
    struct sockaddr_in6 any = { .sin6_family = AF_INET6 }, peer;
    EXPECT(getsockopt(l, IPPROTO_IPV6, IPV6_V6ONLY, &n, &len) == 0 && n == 0);
    EXPECT(bind(l, (void *)&any, sizeof any) == 0 && listen(l, 4) == 0);
    FAILS(setsockopt(l, IPPROTO_IPV6, IPV6_V6ONLY, &n, sizeof n), EINVAL);
    int port = port_of(l);
    struct sockaddr_in a = v4(port);
    int other = socket(AF_INET, SOCK_STREAM, 0);
    FAILS(bind(other, (void *)&a, sizeof a), EADDRINUSE);
    fflush(stdout);
    if (fork() == 0) {
        char byte;
        failures = 0;
        EXPECT(connect(other, (void *)&a, sizeof a) == 0);
        EXPECT(write(other, "x", 1) == 1 && read(other, &byte, 1) == 1 && byte == 'x');
        EXPECT(write(other, "y", 1) == 1 && read(other, &byte, 1) == 1 && byte == 'y');
        fflush(stdout);
        _exit(failures);
    }
    int e = epoll_create1(0);
    struct epoll_event in = { EPOLLIN, { .fd = l } }, got;
    EXPECT(epoll_ctl(e, EPOLL_CTL_ADD, l, &in) == 0 && epoll_wait(e, &got, 1, -1) == 1);
    len = sizeof peer;
    int c = accept4(l, (void *)&peer, &len, SOCK_NONBLOCK);
    EXPECT(c >= 0 && len == sizeof peer && IN6_IS_ADDR_V4MAPPED(&peer.sin6_addr));
    EXPECT(peer.sin6_addr.s6_addr[15] == 1);
    in = (struct epoll_event){ EPOLLIN | EPOLLRDHUP | EPOLLET, { .fd = c } };
    EXPECT(epoll_ctl(e, EPOLL_CTL_ADD, c, &in) == 0);
    char buf[9];
    for (int echoed = 0; echoed < 2;) {
        EXPECT(epoll_wait(e, &got, 1, -1) == 1 && got.data.fd == c);
        ssize_t len;
        /* A read that fills the buffer may leave more data. */
        while ((len = read(c, buf, 1)) > 0) {
            EXPECT(write(c, buf, len) == len);
            echoed += len;
        }
        EXPECT(len == 0 || errno == EAGAIN);
    }
    EXPECT(wait(&status) > 0 && status == 0);
    close(c), close(l), close(e), close(other);
}

/* An IPv4 address in the format of the tables. */
static void text_of(char out[32], int s, int (*name)(int, struct sockaddr *, socklen_t *))
{
    struct sockaddr_in a = { 0 };
    socklen_t len = sizeof a;
    name(s, (void *)&a, &len);
    snprintf(out, 32, "%08X:%04X", a.sin_addr.s_addr, ntohs(a.sin_port));
}

/* The state that a table shows for a socket, whose addresses and user must agree; 0 if the socket is not listed. */
static unsigned listed(const char *table, int s)
{
    struct stat st;
    char path[32], link[64] = "", name[64], line[512], local[32], remote[32], own[2][32];
    unsigned state, uid, found = 0;
    unsigned long ino;
    EXPECT(fstat(s, &st) == 0);
    snprintf(path, sizeof path, "/proc/self/fd/%d", s);
    snprintf(name, sizeof name, "socket:[%lu]", (unsigned long)st.st_ino);
    EXPECT(readlink(path, link, sizeof link - 1) > 0 && !strcmp(link, name));
    text_of(own[0], s, getsockname), text_of(own[1], s, getpeername);
    FILE *f = fopen(table, "r");
    EXPECT(f && fgets(line, sizeof line, f) && strstr(line, "  sl  local_address rem_address   st tx_queue"));
    while (f && fgets(line, sizeof line, f)) {
        EXPECT(sscanf(line, " %*d: %31s %31s %X %*X:%*X %*X:%*X %*X %u %*d %lu", local, remote, &state, &uid, &ino)
               == 5);
        if (ino != st.st_ino)
            continue;
        EXPECT(!found && uid == getuid() && !strcmp(local, own[0]) && !strcmp(remote, own[1]));
        found = state;
    }
    if (f)
        fclose(f);
    return found;
}

/* /proc/net lists a TCP socket that listens or is connected, and a UDP socket that is bound, until it is closed. */
static void tables(void)
{
    enum { ESTABLISHED = 1, FIN_WAIT1 = 4, FIN_WAIT2 = 5, CLOSE = 7, CLOSE_WAIT = 8, LISTEN = 10 };
    const char *tcp = "/proc/net/tcp", *udp = "/proc/net/udp";
    struct sockaddr_in a = v4(0);
    socklen_t len = sizeof a;
    int l = socket(AF_INET, SOCK_STREAM, 0), c = socket(AF_INET, SOCK_STREAM, 0), u = socket(AF_INET, SOCK_DGRAM, 0);
    EXPECT(listed(tcp, l) == 0 && listed(udp, u) == 0);
    EXPECT(bind(l, (void *)&a, sizeof a) == 0 && bind(u, (void *)&a, sizeof a) == 0);
    EXPECT(listed(udp, u) == CLOSE && listed(tcp, u) == 0);
    EXPECT(listen(l, 4) == 0 && getsockname(l, (void *)&a, &len) == 0 && listed(tcp, l) == LISTEN);
    EXPECT(connect(c, (void *)&a, sizeof a) == 0 && connect(u, (void *)&a, sizeof a) == 0);
    EXPECT(listed(tcp, c) == ESTABLISHED && listed(udp, u) == ESTABLISHED);
    int t = accept(l, NULL, NULL);
    EXPECT(listed(tcp, t) == ESTABLISHED && shutdown(t, SHUT_WR) == 0);
    char byte;
    EXPECT(read(c, &byte, 1) == 0 && listed(tcp, c) == CLOSE_WAIT);
    unsigned state = listed(tcp, t);
    EXPECT(state == FIN_WAIT1 || state == FIN_WAIT2);
    close(t), close(c), close(u), close(l);
    /* The line of a listening Unix socket: flags, type, state, inode and path. */
    struct sockaddr_un n = { AF_UNIX, "\0capvec-tables" };
    struct stat st;
    char line[256], end[64];
    int found = 0;
    l = socket(AF_UNIX, SOCK_STREAM, 0);
    EXPECT(bind(l, (void *)&n, 2 + 14) == 0 && listen(l, 1) == 0 && fstat(l, &st) == 0);
    snprintf(end, sizeof end, " 00000000 00010000 0001 01 %5lu @capvec-tables\n", (unsigned long)st.st_ino);
    FILE *f = fopen("/proc/net/unix", "r");
    while (f && fgets(line, sizeof line, f))
        found += strstr(line, end) != NULL;
    EXPECT(f && fclose(f) == 0 && found == 1);
    close(l);
}

/* recvmsg and sendmsg obey their flags without an address, too: a call does not wait, and a lost peer is no signal. */
static void message_flags(void)
{
    struct sockaddr_in a = v4(0);
    socklen_t len = sizeof a;
    char c = 1;
    struct iovec v = { &c, 1 };
    struct msghdr m = { .msg_iov = &v, .msg_iovlen = 1 };
    int l = socket(AF_INET, SOCK_STREAM, 0), one = socket(AF_INET, SOCK_STREAM, 0);
    EXPECT(bind(l, (void *)&a, sizeof a) == 0 && listen(l, 1) == 0);
    EXPECT(getsockname(l, (void *)&a, &len) == 0 && connect(one, (void *)&a, sizeof a) == 0);
    int other = accept(l, 0, 0);
    FAILS(recvmsg(other, &m, MSG_DONTWAIT), EAGAIN);
    EXPECT(sendmsg(one, &m, MSG_NOSIGNAL) == 1 && recvmsg(other, &m, 0) == 1);
    close(one);
    /* The first one may still be taken, and is answered by a reset. */
    int n = 0;
    while (n++ < 1000 && sendmsg(other, &m, MSG_NOSIGNAL) == 1)
        usleep(1000);
    EXPECT(n < 1000 && (errno == EPIPE || errno == ECONNRESET));
    close(other);
    close(l);
}

int main(int argc, char **argv)
{
    interfaces(argc == 1);
    int s = socket(AF_INET6, SOCK_STREAM, 0);
    if (s >= 0)
        both_families();
    message_flags();
    close(s);
    tables();
    netlink();
    printf("%d failures\n", failures);
    return failures != 0;
}
