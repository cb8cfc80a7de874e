// In integer and floating-point code.

// An early exit, as in memcmp.
static void leak_compare(void)
{
    for (int i = 0; i < 16; i++)
        if (key[i] != other[i]) {
            sink = 1;
            return;
        }
}
static void clean_compare(void)
{
    uint8_t differences = 0;
    for (int i = 0; i < 16; i++)
        differences |= key[i] ^ other[i];
    sink = differences;
}

// A substitution by a table, as in AES with T-tables.
static void leak_table(void)
{
    sink = table[key[0]];
}
static void clean_table(void)
{
    uint64_t found = 0;
    for (uint64_t i = 0; i < 256; i++) {
        uint64_t same = (i ^ key[0]) - 1;
        found |= table[i] & -(same >> 63);
    }
    sink = found;
}

// Square and multiply.
static void leak_power(void)
{
    uint64_t power = 1;
    for (int i = 7; i >= 0; i--) {
        power *= power;
        if (key[0] >> i & 1)
            power *= 5;
    }
    sink = power;
}
static void clean_power(void)
{
    uint64_t power = 1;
    for (int i = 7; i >= 0; i--) {
        uint64_t bit = key[0] >> i & 1;
        power *= power;
        power = power * 5 & -bit | power & (bit - 1);
    }
    sink = power;
}

static void leak_division(void)
{
    sink = 1000000 / (key[0] + 1ul);
}
static void clean_division(void)
{
    sink = 1000000 * (key[0] + 1ul);
}

#define SCALAR ".option push\n.option arch, +zbc\n"
static void leak_clmulr(void)
{
    uint64_t x = key[0];
    __asm__(SCALAR "clmulr %0, %0, %0\n.option pop" : "+r"(x));
    sink = x;
}
static void clean_clmulr(void)
{
    uint64_t x = key[0];
    __asm__(SCALAR "clmul %0, %0, %0\n.option pop" : "+r"(x));
    sink = x;
}

static void one(void)
{
    sink = 1;
}
static void two(void)
{
    sink = 2;
}
static void leak_jump(void)
{
    void (*functions[])(void) = { one, two };
    uint64_t bit = key[0] & 1;
    uint64_t target = (uint64_t)functions[0] & (bit - 1) | (uint64_t)functions[1] & -bit;
    ((void (*)(void))target)();
}
static void clean_jump(void)
{
    one();
    two();
    sink = key[0] & 1;
}

// Through memcpy.
static void leak_copy(void)
{
    uint8_t copy[BYTES];
    memcpy(copy, key, BYTES);
    if (copy[3] > 7)
        sink = 1;
}
static void clean_copy(void)
{
    uint8_t copy[BYTES];
    memcpy(copy, key, BYTES);
    memcpy(copy, other, BYTES);
    if (copy[3] > 7)
        sink = 1;
}

// A rounding mode.
static void leak_rounding(void)
{
    __asm__ volatile("fsrm %0" ::"r"(key[0] & 3ul));
    __asm__ volatile("fsrm zero");
}
static void clean_rounding(void)
{
    __asm__ volatile("fsrm %0" ::"r"(other[0] & 3ul));
    sink = key[0] & 3ul;
}

static void leak_float(void)
{
    double x;
    uint64_t bits = key[0];
    __asm__("fcvt.d.lu %0, %1" : "=f"(x) : "r"(bits));
    sink = x > 0;
}
static void clean_float(void)
{
    sink = (double)other[0] > 0;
    sink = key[0];
}

// In the floating-point exception flags, which a program can set to any value.
static void leak_flags(void)
{
    __asm__ volatile("fsflags %0\nfrflags t0\nbeqz t0, 1f\n1:" ::"r"(key[0] & 31ul) : "t0");
}
static void clean_flags(void)
{
    __asm__ volatile("fsflags %0\nfsflags zero\nfrflags t0\nbeqz t0, 1f\n1:" ::"r"(key[0] & 31ul) : "t0");
}
static void leak_fcsr(void)
{
    __asm__ volatile("fsflags %0\nfrcsr t0\nandi t0, t0, 4\nbeqz t0, 1f\n1:" ::"r"(key[0] & 31ul) : "t0");
}
static void clean_fcsr(void)
{
    __asm__ volatile("fsflags %0\nfrcsr t0\nandi t0, t0, 0xe0\nbeqz t0, 1f\n1:" ::"r"(key[0] & 31ul) : "t0");
}

static void leak_remainder(void)
{
    // The compiler would replace a constant.
    volatile uint64_t divisor = 17;
    sink = (key[0] + 1000ul) % divisor;
}
static void clean_remainder(void)
{
    // Barrett: the quotient is the upper half of a product.
    uint64_t x = key[0] + 1000ul;
    sink = x - 17 * (uint64_t)(((unsigned __int128)x * 0xf0f0f0f0f0f0f0f1) >> 68);
}
static void leak_store(void)
{
    out[key[0]] = 1;
}
static void clean_store(void)
{
    for (int i = 0; i < 256; i++)
        out[i] = ((uint64_t)(i ^ key[0]) - 1) >> 63;
}
static void leak_atomic(void)
{
    __atomic_fetch_add((uint32_t *)out + key[0], 1, __ATOMIC_RELAXED);
}
static void clean_atomic(void)
{
    __atomic_fetch_add((uint32_t *)out, key[0], __ATOMIC_RELAXED);
}
// A jump table.
static void leak_table_jump(void)
{
    static void (*const functions[])(void) = { one, two, one, two };
    functions[key[0] & 3]();
}
static void clean_table_jump(void)
{
    static void (*const functions[])(void) = { one, two, one, two };
    for (int i = 0; i < 4; i++)
        functions[i]();
    sink = key[0] & 3;
}
static void leak_loop(void)
{
    for (uint64_t i = 0; i < (key[0] & 15ul); i++)
        sink = i;
}
static void clean_loop(void)
{
    for (uint64_t i = 0; i < 16; i++)
        sink = i & -(uint64_t)(i < (key[0] & 15ul));
}
static void leak_string(void)
{
    sink = strlen((char *)key);
}
static void clean_string(void)
{
    uint64_t length = 0, on = 1;
    for (int i = 0; i < BYTES; i++) {
        on &= (key[i] - 1ul) >> 63 ^ 1;
        length += on;
    }
    sink = length;
}
static void leak_memcmp(void)
{
    sink = memcmp(key, other, BYTES);
}
static void clean_memcmp(void)
{
    sink = memcmp(other, out, BYTES) + key[0];
}
// Outside Zkt, which lists only those instructions of Zbb that Zbkb has, too.
static void leak_minimum(void)
{
    uint64_t x = key[0];
    __asm__(".option push\n.option arch, +zbb\nminu %0, %0, %1\n.option pop" : "+r"(x) : "r"(100ul));
    sink = x;
}
static void clean_minimum(void)
{
    uint64_t x = key[0], less = -(uint64_t)(x < 100);
    sink = (x & less) | (100 & ~less);
}
// A borrow.
static void leak_borrow(void)
{
    if (*(uint64_t *)key - *(uint64_t *)other > *(uint64_t *)key)
        sink = 1;
}
static void clean_borrow(void)
{
    sink = *(uint64_t *)key - *(uint64_t *)other > *(uint64_t *)key;
}
