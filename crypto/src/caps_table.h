/* Generated from the tables in isa/ by capvec-isagen: `make generate`. Do not edit.
 *
 * Capabilities, the names of extensions that include them, and what riscv_hwprobe(2) calls them. */
#ifndef CV_CAPS_TABLE_H
#define CV_CAPS_TABLE_H

#define CV_CAP_ZBA (UINT64_C(1) << 0)
#define CV_CAP_ZBB (UINT64_C(1) << 1)
#define CV_CAP_ZBC (UINT64_C(1) << 2)
#define CV_CAP_ZBS (UINT64_C(1) << 3)
#define CV_CAP_ZBKB (UINT64_C(1) << 4)
#define CV_CAP_ZBKC (UINT64_C(1) << 5)
#define CV_CAP_ZBKX (UINT64_C(1) << 6)
#define CV_CAP_ZKND (UINT64_C(1) << 7)
#define CV_CAP_ZKNE (UINT64_C(1) << 8)
#define CV_CAP_ZKNH (UINT64_C(1) << 9)
#define CV_CAP_ZKSED (UINT64_C(1) << 10)
#define CV_CAP_ZKSH (UINT64_C(1) << 11)
#define CV_CAP_ZKR (UINT64_C(1) << 12)
#define CV_CAP_ZKT (UINT64_C(1) << 13)
#define CV_CAP_V (UINT64_C(1) << 14)
#define CV_CAP_ZVBB (UINT64_C(1) << 15)
#define CV_CAP_ZVBC (UINT64_C(1) << 16)
#define CV_CAP_ZVKB (UINT64_C(1) << 17)
#define CV_CAP_ZVKG (UINT64_C(1) << 18)
#define CV_CAP_ZVKNED (UINT64_C(1) << 19)
#define CV_CAP_ZVKNHA (UINT64_C(1) << 20)
#define CV_CAP_ZVKNHB (UINT64_C(1) << 21)
#define CV_CAP_ZVKSED (UINT64_C(1) << 22)
#define CV_CAP_ZVKSH (UINT64_C(1) << 23)
#define CV_CAP_M (UINT64_C(1) << 24)
#define CV_CAP_ZVKNHK0P1 (UINT64_C(1) << 25)
#define CV_CAP_ZVKNHK0P2 (UINT64_C(1) << 26)
#define CV_CAP_ZVKK0P2024 (UINT64_C(1) << 27)
#define CV_CAP_ZVKGS0P7 (UINT64_C(1) << 28)
#define CV_CAP_ZVBC32E0P7 (UINT64_C(1) << 29)
#define CV_CAP_XCAPVECMULQ0P1 (UINT64_C(1) << 30)

#ifdef CV_CAPS_NAMES
static const char cv_cap_name[][16] = {
    "zba",
    "zbb",
    "zbc",
    "zbs",
    "zbkb",
    "zbkc",
    "zbkx",
    "zknd",
    "zkne",
    "zknh",
    "zksed",
    "zksh",
    "zkr",
    "zkt",
    "v",
    "zvbb",
    "zvbc",
    "zvkb",
    "zvkg",
    "zvkned",
    "zvknha",
    "zvknhb",
    "zvksed",
    "zvksh",
    "m",
    "zvknhk0p1",
    "zvknhk0p2",
    "zvkk0p2024",
    "zvkgs0p7",
    "zvbc32e0p7",
    "xcapvecmulq0p1",
};

/* Extensions that a capability string may name, with all that they imply. */
static const struct {
    char name[16];
    uint64_t caps;
} cv_cap_word[] = {
    { "i", 0x0 },
    { "m", 0x1000000 },
    { "a", 0x0 },
    { "f", 0x0 },
    { "d", 0x0 },
    { "c", 0x0 },
    { "b", 0xb },
    { "v", 0x4000 },
    { "zicbom", 0x0 },
    { "zicbop", 0x0 },
    { "zicboz", 0x0 },
    { "zicntr", 0x0 },
    { "zicond", 0x0 },
    { "zicsr", 0x0 },
    { "zifencei", 0x0 },
    { "zihintntl", 0x0 },
    { "zihintpause", 0x0 },
    { "zihpm", 0x0 },
    { "zimop", 0x0 },
    { "zmmul", 0x0 },
    { "zaamo", 0x0 },
    { "zalrsc", 0x0 },
    { "zawrs", 0x0 },
    { "zfa", 0x0 },
    { "zfhmin", 0x0 },
    { "zcb", 0x0 },
    { "zcmop", 0x0 },
    { "zba", 0x1 },
    { "zbb", 0x2 },
    { "zbc", 0x4 },
    { "zbkb", 0x10 },
    { "zbkc", 0x20 },
    { "zbkx", 0x40 },
    { "zbs", 0x8 },
    { "zk", 0x33f0 },
    { "zkn", 0x3f0 },
    { "zknd", 0x80 },
    { "zkne", 0x100 },
    { "zknh", 0x200 },
    { "zkr", 0x1000 },
    { "zks", 0xc70 },
    { "zksed", 0x400 },
    { "zksh", 0x800 },
    { "zkt", 0x2000 },
    { "zve32f", 0x0 },
    { "zve32x", 0x0 },
    { "zve64d", 0x0 },
    { "zve64f", 0x0 },
    { "zve64x", 0x0 },
    { "zvfhmin", 0x0 },
    { "zvbb", 0x28000 },
    { "zvbc", 0x10000 },
    { "zvbc32e0p7", 0x20000000 },
    { "zvkb", 0x20000 },
    { "zvkg", 0x40000 },
    { "zvkgs0p7", 0x10040000 },
    { "zvkk0p2024", 0x8000000 },
    { "zvkn", 0x3a0000 },
    { "zvknc", 0x3b0000 },
    { "zvkned", 0x80000 },
    { "zvkng", 0x3e0000 },
    { "zvknha", 0x100000 },
    { "zvknhb", 0x300000 },
    { "zvknhk0p1", 0x2000000 },
    { "zvknhk0p2", 0x4000000 },
    { "zvks", 0xc20000 },
    { "zvksc", 0xc30000 },
    { "zvksed", 0x400000 },
    { "zvksg", 0xc60000 },
    { "zvksh", 0x800000 },
    { "zvkt", 0x0 },
    { "zvl32b", 0x0 },
    { "zvl64b", 0x0 },
    { "zvl128b", 0x0 },
    { "zvl256b", 0x0 },
    { "zvl512b", 0x0 },
    { "zvl1024b", 0x0 },
    { "zvl2048b", 0x0 },
    { "zvl4096b", 0x0 },
    { "zvl8192b", 0x0 },
    { "zvl16384b", 0x0 },
    { "zvl32768b", 0x0 },
    { "zvl65536b", 0x0 },
    { "xcapvecmulq0p1", 0x40000000 },
};

/* Bits of RISCV_HWPROBE_KEY_IMA_EXT_0. */
static const struct {
    uint8_t bit;
    uint64_t caps;
} cv_cap_hwprobe[] = {
    { 2, 0x4000 },
    { 3, 0x1 },
    { 4, 0x2 },
    { 5, 0x8 },
    { 7, 0x4 },
    { 8, 0x10 },
    { 9, 0x20 },
    { 10, 0x40 },
    { 11, 0x80 },
    { 12, 0x100 },
    { 13, 0x200 },
    { 14, 0x400 },
    { 15, 0x800 },
    { 16, 0x2000 },
    { 17, 0x28000 },
    { 18, 0x10000 },
    { 19, 0x20000 },
    { 20, 0x40000 },
    { 21, 0x80000 },
    { 22, 0x100000 },
    { 23, 0x300000 },
    { 24, 0x400000 },
    { 25, 0x800000 },
};
#endif

#endif
