struct nodeN {
    struct nodeN *left, *right;
    long key;
    int height;
    char name[24];
};

static int heightN(const struct nodeN *n)
{
    return n ? n->height : 0;
}

static struct nodeN *rotateN(struct nodeN *n)
{
    struct nodeN *r = n->right;
    n->right = r->left;
    r->left = n;
    n->height = (heightN(n->left) > heightN(n->right) ? heightN(n->left) : heightN(n->right)) + 1;
    r->height = (heightN(r->left) > heightN(r->right) ? heightN(r->left) : heightN(r->right)) + 1;
    return r;
}

struct nodeN *insertN(struct nodeN *n, long key)
{
    if (!n) {
        n = calloc(1, sizeof *n);
        n->key = key;
        n->height = 1;
        snprintf(n->name, sizeof n->name, "%ld", key);
        return n;
    }
    if (key < n->key)
        n->left = insertN(n->left, key);
    else
        n->right = insertN(n->right, key);
    return heightN(n->right) > heightN(n->left) + 1 ? rotateN(n) : n;
}

double mixN(const double *in, double *out, unsigned count, const uint32_t *order)
{
    double sum = 0;
    for (unsigned i = 0; i < count; i++) {
        uint32_t x = order[i] * 2654435761u;
        x = x << 7 | x >> 25;
        switch (x & 7) {
        case 0:
            sum += in[i] * 1.5;
            break;
        case 3:
            sum -= in[x % count] / (i + 1);
            break;
        case 5:
            memcpy(out + i, in + i / 2, sizeof *out);
            break;
        default:
            out[i] = sum + in[i];
        }
    }
    return sum;
}

unsigned scanN(const char *text, struct nodeN **root)
{
    unsigned words = 0;
    for (const char *p = text; *p; p++) {
        long value = 0;
        while (*p >= '0' && *p <= '9')
            value = value * 10 + (*p++ - '0');
        if (value > 1000 && strchr(",;:", *p))
            *root = insertN(*root, value), words++;
        if (!*p)
            break;
    }
    return words;
}
