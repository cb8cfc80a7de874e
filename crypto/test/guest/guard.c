/* Checks that the kernels selected by CAPVEC_CAPS neither read nor write outside of their arguments, and that they
 * compute what portable C does: every argument in memory ends directly before, or begins directly after, an
 * inaccessible page. Prints `guard`, then ` NAME:BLOCKS` for each failure, then ` checked:CALLS`. Before that, the test
 * must detect deliberate violations. */
#include "guard.h"

#define ROOM GUARD_ROOM
#define ARGUMENTS GUARD_ARGUMENTS

/* Memory of each argument between its pages, its previous and its expected contents. */
static uint8_t *memory[ARGUMENTS];
static uint8_t before[ARGUMENTS][ROOM] __attribute__((aligned(16))),
    expected[ARGUMENTS][ROOM] __attribute__((aligned(16)));
static unsigned long checked;
static uint64_t random_state = 1;

static uint8_t random_byte(void)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (uint8_t)(random_state >> 56);
}

int guard_begin(void)
{
    return guard_map(memory);
}

static size_t size_of(const struct argument *a, size_t blocks)
{
    return a->role == IN || a->role == OUT ? a->size * blocks : a->role == VALUE || a->role == BLOCKS ? 0 : a->size;
}

static const struct kernel *called;
static const unsigned long *passed;

static void call(void)
{
    const unsigned long *v = passed;
    ((void (*)(unsigned long, unsigned long, unsigned long, unsigned long, unsigned long, unsigned long, unsigned long,
               unsigned long))called->function)(v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7]);
}

/* Sets up one call: `real` has the arguments between pages, `model` those of portable C. If `in_place`, output and
 * input are the same. */
static void set_up(const struct kernel *k, size_t blocks, int at_end, int in_place, unsigned long real[ARGUMENTS],
                   unsigned long model[ARGUMENTS], uint8_t *at[ARGUMENTS])
{
    for (size_t i = 0; i < k->count; i++) {
        const struct argument *a = &k->arguments[i];
        size_t len = size_of(a, blocks);
        if (a->role == VALUE || a->role == BLOCKS) {
            real[i] = model[i] = a->role == BLOCKS ? blocks : a->value;
            continue;
        }
        at[i] = at_end ? memory[i] + ROOM - len : memory[i];
        for (size_t b = 0; b < len; b++)
            before[i][b] = a->init ? ((const uint8_t *)a->init)[b] : random_byte();
        if (a->model)
            memcpy(expected[i], a->model, len);
        else
            memcpy(expected[i], before[i], len);
        memcpy(at[i], before[i], len);
        real[i] = (unsigned long)at[i], model[i] = (unsigned long)expected[i];
    }
    for (size_t i = 0; i < k->count; i++)
        if (k->arguments[i].role == OUT && in_place)
            real[i] = real[i + 1], model[i] = model[i + 1];
}

/* Whether a kernel's memory equals that of portable C, and what it only reads is unchanged. */
static int same(const struct kernel *k, size_t blocks, int in_place, uint8_t *const at[ARGUMENTS])
{
    for (size_t i = 0; i < k->count; i++) {
        const struct argument *a = &k->arguments[i];
        size_t len = size_of(a, blocks);
        int written = a->role == OUT || a->role == CHANGED || (in_place && i > 0 && k->arguments[i - 1].role == OUT);
        const uint8_t *wanted = written ? expected[i] : before[i];
        if (len && (a->same ? !a->same(at[i], wanted) : memcmp(at[i], wanted, len) != 0))
            return 0;
    }
    return 1;
}

static int check_once(const struct kernel *k, size_t blocks, int at_end, int in_place)
{
    unsigned long real[ARGUMENTS] = { 0 }, model[ARGUMENTS] = { 0 };
    uint8_t *at[ARGUMENTS] = { 0 };
    set_up(k, blocks, at_end, in_place, real, model, at);
    struct kernel portable = *k;
    portable.function = k->model;
    checked++;
    called = k, passed = real;
    if (!guard_survives(call))
        return 0;
    called = &portable, passed = model;
    call();
    return same(k, blocks, in_place, at);
}

static int check_quietly(const struct kernel *k, size_t *wrong)
{
    static const size_t lengths[] = { 1, 2, 3, 5, 8, 9, 16, 17, 24, 33, 64, 65, 129, 257 };
    int both = 0;
    for (size_t i = 0; i < k->count; i++)
        both |= k->arguments[i].role == OUT;
    for (size_t n = 0; n < sizeof lengths / sizeof *lengths && lengths[n] <= k->max; n++)
        for (int at_end = 0; at_end < 2; at_end++)
            for (int in_place = 0; in_place <= both; in_place++)
                if (!check_once(k, *wrong = lengths[n], at_end, in_place))
                    return 0;
    return 1;
}

void guard_check(const struct kernel *k)
{
    size_t wrong;
    /* Where execution is slow, comparing C with itself would not be worthwhile. */
    if (GUARD_KERNELS_ALONE && k->function == k->model)
        return;
    if (!check_quietly(k, &wrong)) {
        guard_print(" ");
        guard_print(k->family);
        guard_print(k->name);
        guard_print(":");
        guard_print_number(wrong);
    }
}

/* Kernels that break one rule each. */
static int rule;

static void rule_breaker(uint8_t *out, const uint8_t *in, size_t blocks)
{
    volatile uint8_t byte;
    memmove(out, in, 16 * blocks);
    switch (rule) {
    case 0:
        byte = in[16 * blocks];
        break;
    case 1:
        byte = in[-1];
        break;
    case 2:
        ((volatile uint8_t *)out)[16 * blocks] = 0;
        break;
    case 3:
        ((volatile uint8_t *)out)[-1] = 0;
        break;
    case 4:
        out[5] ^= 1;
        break;
    case 5:
        *(uint8_t *)in ^= 1;
        break;
    }
    (void)byte;
}

static void rule_keeper(uint8_t *out, const uint8_t *in, size_t blocks)
{
    memmove(out, in, 16 * blocks);
}

int guard_finds_all(void)
{
    const struct kernel keeper = {
        "", "keeper", (void *)rule_keeper, (void *)rule_keeper, 64, 3, { { OUT, 16 }, { IN, 16 }, { BLOCKS } }
    };
    struct kernel breaker = keeper;
    size_t wrong;
    breaker.function = (void *)rule_breaker;
    for (rule = 0; rule < 6; rule++) {
        if (check_quietly(&breaker, &wrong)) {
            guard_print("guard blind to rule ");
            guard_print_number((unsigned long)rule);
            guard_print("\n");
            return 0;
        }
    }
    return check_quietly(&keeper, &wrong);
}

unsigned long guard_checked(void)
{
    return checked;
}
