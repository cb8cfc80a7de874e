// What functions leave behind. The C compiler itself leaves secrets in registers, so these are assembler.
#define LEAVES(name, code) \
    __attribute__((noinline, naked)) void name(const uint8_t *secret) \
    { \
        __asm__(code "\nret"); \
    }
LEAVES(leaves_register, "ld t3, 0(a0)")
LEAVES(wipes_register, "ld t3, 0(a0)\nli t3, 0")
LEAVES(leaves_vector, V "vsetivli zero, 8, e8, m1, ta, ma\nvle8.v v8, (a0)" POP)
LEAVES(wipes_vector,
       V "vsetivli zero, 8, e8, m1, ta, ma\nvle8.v v8, (a0)\nvsetivli zero, 8, e8, m1, tu, ma\nvmv.v.i v8, 0" POP)
LEAVES(leaves_stack, "addi sp, sp, -64\nld t3, 0(a0)\nsd t3, 16(sp)\nli t3, 0\naddi sp, sp, 64")
LEAVES(wipes_stack, "addi sp, sp, -64\nld t3, 0(a0)\nsd t3, 16(sp)\nli t3, 0\nsd t3, 16(sp)\naddi sp, sp, 64")
static void to_block(uint8_t *block, const uint8_t *secret, long wiped)
{
    __asm__ volatile("ld t3, 0(%1)\nsd t3, 32(%0)\nli t3, 0" ::"r"(block), "r"(secret) : "t3", "memory");
    if (wiped)
        memset(block, 0, 64);
    free(block);
}
static void *stored(void)
{
    void *block;
    return posix_memalign(&block, 64, 64) ? NULL : block;
}
#define HEAP(place, allocate) \
    void leaves_##place(const uint8_t *secret) \
    { \
        to_block(allocate, secret, 0); \
    } \
    void wipes_##place(const uint8_t *secret) \
    { \
        to_block(allocate, secret, 1); \
    }
HEAP(heap, malloc(64))
HEAP(aligned, aligned_alloc(64, 64))
HEAP(stored, stored())
static const struct {
    const char *name;
    void (*function)(const uint8_t *secret);
} leftovers[] = {
#define LEFT(name) { #name, name }
    LEFT(leaves_register), LEFT(wipes_register), LEFT(leaves_vector), LEFT(wipes_vector),
    LEFT(leaves_stack),    LEFT(wipes_stack),    LEFT(leaves_heap),   LEFT(wipes_heap),
    LEFT(leaves_aligned),  LEFT(wipes_aligned),  LEFT(leaves_stored), LEFT(wipes_stored),
};
