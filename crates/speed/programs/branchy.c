/* Branches that depend on data, as in CoreMark's kinds of work: a list that is sorted and searched, a state machine
   that reads numbers, and a checksum bit by bit. Prints a sum, so that the compiler cannot remove any work. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct node {
    struct node *next;
    uint32_t key;
};

static uint32_t seed = 1;

static uint32_t number(void)
{
    seed = seed * 1664525 + 1013904223;
    return seed >> 8;
}

static struct node *merge(struct node *a, struct node *b)
{
    struct node head = { 0, 0 }, *last = &head;
    while (a && b) {
        struct node **less = a->key <= b->key ? &a : &b;
        last->next = *less;
        last = *less;
        *less = (*less)->next;
    }
    last->next = a ? a : b;
    return head.next;
}

static struct node *sort(struct node *list)
{
    if (!list || !list->next)
        return list;
    struct node *slow = list, *fast = list->next;
    while (fast && fast->next) {
        slow = slow->next;
        fast = fast->next->next;
    }
    struct node *rest = slow->next;
    slow->next = 0;
    return merge(sort(list), sort(rest));
}

enum state { START, SIGN, INTEGER, FRACTION, EXPONENT, WRONG };

static enum state step(enum state s, char c)
{
    int digit = c >= '0' && c <= '9';
    switch (s) {
    case START:
        return digit ? INTEGER : c == '-' || c == '+' ? SIGN : c == '.' ? FRACTION : WRONG;
    case SIGN:
        return digit ? INTEGER : c == '.' ? FRACTION : WRONG;
    case INTEGER:
        return digit ? INTEGER : c == '.' ? FRACTION : c == 'e' ? EXPONENT : WRONG;
    case FRACTION:
        return digit ? FRACTION : c == 'e' ? EXPONENT : WRONG;
    case EXPONENT:
        return digit ? EXPONENT : WRONG;
    default:
        return WRONG;
    }
}

static uint32_t states(void)
{
    static const char letters[] = "0123456789-+.e,,";
    uint32_t seen[6] = { 0 }, sum = 0;
    enum state s = START;
    for (int i = 0; i < 4096; i++) {
        char c = letters[number() & 15];
        if (c == ',') {
            seen[s]++;
            s = START;
        } else {
            s = step(s, c);
        }
    }
    for (int i = 0; i < 6; i++)
        sum = sum * 31 + seen[i];
    return sum;
}

static uint32_t checksum(uint32_t crc, uint32_t word)
{
    for (int i = 0; i < 32; i++) {
        uint32_t bit = (crc ^ word) & 1;
        crc >>= 1;
        if (bit)
            crc ^= 0xedb88320;
        word >>= 1;
    }
    return crc;
}

int main(int argc, char **argv)
{
    enum { NODES = 512 };
    static struct node nodes[NODES];
    uint32_t sum = 0;
    long rounds = argc > 1 ? atol(argv[1]) : 1;
    for (long round = 0; round < rounds; round++) {
        struct node *list = 0;
        for (int i = 0; i < NODES; i++) {
            nodes[i] = (struct node){ list, number() & 0xffff };
            list = &nodes[i];
        }
        list = sort(list);
        for (struct node *n = list; n; n = n->next)
            if (n->key % 3 == 0)
                sum = checksum(sum, n->key);
        sum = checksum(sum, states());
    }
    printf("%08x\n", sum);
    return 0;
}
