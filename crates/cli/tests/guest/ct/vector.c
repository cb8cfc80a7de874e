// In vector code.

#define V ".option push\n.option arch, +v, +zvkned, +zvknhb\n"
#define POP "\n.option pop"
#define LOAD "vsetivli zero, 16, e8, m1, ta, ma\nvle8.v v1, (%0)\nvle8.v v2, (%1)\n"
#define ASM(text) __asm__ volatile(V LOAD text POP ::"r"(key), "r"(other), "r"(out) : "memory", "t0", "t1")

static void leak_vl(void)
{
    ASM("vmv.x.s t0, v1\nvsetvli t1, t0, e8, m1, ta, ma\nvse8.v v2, (%2)");
}
static void clean_vl(void)
{
    ASM("vmv.x.s t0, v2\nvsetvli t1, t0, e8, m1, ta, ma\nvse8.v v1, (%2)");
}
static void leak_compress(void)
{
    ASM("vmsltu.vv v3, v1, v2\nvcompress.vm v4, v2, v3\nvse8.v v4, (%2)");
}
static void clean_compress(void)
{
    ASM("vmsltu.vv v0, v1, v2\nvmerge.vvm v4, v1, v2, v0\nvse8.v v4, (%2)");
}
static void leak_stride(void)
{
    ASM("vmv.x.s t0, v1\nandi t0, t0, 15\nvlse8.v v4, (%1), t0");
}
static void clean_stride(void)
{
    ASM("li t0, 2\nvlse8.v v4, (%0), t0\nvxor.vv v4, v4, v1\nvse8.v v4, (%2)");
}
static void leak_gather(void)
{
    ASM("vrgather.vv v4, v2, v1");
}
static void clean_gather(void)
{
    ASM("vrgather.vv v4, v1, v2\nvse8.v v4, (%2)");
}
static void leak_indexed(void)
{
    ASM("vluxei8.v v4, (%2), v1");
}
static void clean_indexed(void)
{
    ASM("vluxei8.v v4, (%2), v2\nvxor.vv v4, v4, v1");
}
static void leak_masked(void)
{
    ASM("vmsltu.vv v0, v1, v2\nvadd.vv v4, v1, v2, v0.t");
}
static void clean_masked(void)
{
    ASM("vmsltu.vv v0, v1, v2\nvadd.vv v4, v1, v2\nvmerge.vvm v4, v2, v4, v0");
}
static void leak_store_mask(void)
{
    ASM("vmsltu.vv v0, v1, v2\nvse8.v v2, (%2), v0.t");
}
static void clean_store_mask(void)
{
    ASM("vmsltu.vv v0, v2, v2\nvse8.v v1, (%2), v0.t");
}
static void leak_reduction(void)
{
    ASM("vredsum.vs v4, v1, v2");
}
static void clean_reduction(void)
{
    ASM("vadd.vv v4, v1, v2");
}
// In elements beyond vl.
static void leak_tail(void)
{
    ASM("vsetivli zero, 1, e8, m1, tu, mu\nvmv.v.i v1, 0\nvsetivli zero, 16, e8, m1, ta, ma\n"
        "vslidedown.vi v3, v1, 5\nvmv.x.s t0, v3\nbeqz t0, 1f\n1:");
}
static void clean_tail(void)
{
    ASM("vmv.v.i v1, 0\nvslidedown.vi v3, v1, 5\nvmv.x.s t0, v3\nbeqz t0, 1f\n1:");
}
// Rounds of AES taint by columns: after a last round, the first column of the state depends on only one column of the key.
static void leak_aes(void)
{
    ASM("vsetivli zero, 4, e32, m1, ta, ma\nvaesef.vv v2, v1\nvmv.x.s t0, v2\nbeqz t0, 1f\n1:");
}
static void clean_aes(void)
{
    ASM("vsetivli zero, 1, e32, m1, tu, ma\nvmv.v.i v1, 0\nvsetivli zero, 4, e32, m1, ta, ma\nvaesef.vv v2, v1\n"
        "vmv.x.s t0, v2\nbeqz t0, 1f\n1:");
}

static void leak_vtype(void)
{
    ASM("vmv.x.s t0, v1\nandi t0, t0, 8\nvsetvl t1, zero, t0");
}
static void clean_vtype(void)
{
    ASM("vmv.x.s t0, v2\nandi t0, t0, 8\nvsetvl t1, zero, t0");
}
static void leak_vstart(void)
{
    ASM("vmv.x.s t0, v1\nandi t0, t0, 7\ncsrw vstart, t0\nvadd.vv v3, v2, v2");
}
static void clean_vstart(void)
{
    ASM("vmv.x.s t0, v2\nandi t0, t0, 7\ncsrw vstart, t0\nvadd.vv v3, v1, v2");
}
static void leak_saturation(void)
{
    ASM("vmv.x.s t0, v1\ncsrw vxsat, t0\ncsrr t1, vxsat\nbeqz t1, 1f\n1:");
}
static void clean_saturation(void)
{
    ASM("vmv.x.s t0, v1\ncsrw vxsat, t0\ncsrwi vxsat, 0\ncsrr t1, vxsat\nbeqz t1, 1f\n1:");
}
static void leak_first(void)
{
    ASM("vmsltu.vv v3, v1, v2\nvfirst.m t0, v3");
}
static void clean_first(void)
{
    ASM("vmsltu.vv v3, v2, v2\nvfirst.m t0, v3");
}
static void leak_count(void)
{
    ASM("vmsltu.vv v3, v1, v2\nvcpop.m t0, v3");
}
static void clean_count(void)
{
    // The mask is complete and the other numbers are 0, whatever the secret is.
    ASM("vmsltu.vv v3, v1, v2\nvmxnor.mm v3, v3, v3\nvcpop.m t0, v3\n"
        "vmv.x.s t0, v1\nxor t0, t0, t0\nvsub.vv v3, v1, v1\nvmv.x.s t1, v3\nbne t0, t1, 1f\n1:");
}
static void leak_slide(void)
{
    ASM("vmv.x.s t0, v1\nandi t0, t0, 3\nvslidedown.vx v3, v2, t0");
}
static void clean_slide(void)
{
    ASM("vmv.x.s t0, v2\nandi t0, t0, 3\nvslidedown.vx v3, v1, t0");
}
static void leak_quotients(void)
{
    ASM("vdivu.vv v3, v2, v1");
}
static void clean_quotients(void)
{
    ASM("vmulhu.vv v3, v2, v1");
}
static void leak_scatter(void)
{
    ASM("vsuxei8.v v2, (%2), v1");
}
static void clean_scatter(void)
{
    ASM("vsuxei8.v v1, (%2), v2");
}
static void leak_stride_store(void)
{
    ASM("vmv.x.s t0, v1\nandi t0, t0, 15\nvsse8.v v2, (%2), t0");
}
static void clean_stride_store(void)
{
    ASM("li t0, 3\nvsse8.v v1, (%2), t0");
}
static void leak_average(void)
{
    ASM("vaaddu.vv v3, v1, v2");
}
static void clean_average(void)
{
    ASM("vwaddu.vv v4, v1, v2\nvnsrl.wi v3, v4, 1");
}
// In elements that a mask leaves alone.
static void leak_inactive(void)
{
    ASM("vsetivli zero, 16, e8, m1, tu, mu\nvmv.v.i v0, 2\nvadd.vv v1, v2, v2, v0.t\nvmv.x.s t0, v1\nbeqz t0, 1f\n1:");
}
static void clean_inactive(void)
{
    ASM("vsetivli zero, 16, e8, m1, tu, mu\nvmv.v.i v0, 1\nvadd.vv v1, v2, v2, v0.t\nvmv.x.s t0, v1\nbeqz t0, 1f\n1:");
}
// Masks and sources of reductions beyond vl are not used.
static void leak_beyond(void)
{
    ASM("vmv1r.v v3, v1\nvsetivli zero, 1, e8, m1, tu, mu\nvmv.v.i v3, 0\nvsetivli zero, 9, e8, m1, ta, ma\nvcpop.m t0, v3");
}
static void clean_beyond(void)
{
    ASM("vmv1r.v v3, v1\nvmv1r.v v0, v1\nvsetivli zero, 1, e8, m1, tu, mu\nvmv.v.i v3, 0\nvmv.v.i v0, 0\nvredsum.vs v4, v3, v3\n"
        "vsetivli zero, 8, e8, m1, ta, ma\nvcpop.m t0, v3\nvfirst.m t0, v3\nvadd.vv v4, v2, v2, v0.t\nvcompress.vm v4, v2, v3\n"
        "vse8.v v2, (%2), v0.t");
}
// Of the next four words of SHA-256's message schedule, only the last two depend on the fourth of the first four.
#define SCHEDULE \
    "vsetivli zero, 4, e32, m1, ta, ma\nvslidedown.vi v5, v1, 3\nvmv.v.v v3, v2\nvslideup.vi v3, v5, 3\n" \
    "vid.v v4\nvadd.vv v6, v2, v4\nvsha2ms.vv v3, v6, v4\n"
static void leak_schedule(void)
{
    ASM(SCHEDULE "vslidedown.vi v5, v3, 2\nvmv.x.s t0, v5\nbeqz t0, 1f\n1:");
}
static void clean_schedule(void)
{
    ASM(SCHEDULE "vmv.x.s t0, v3\nbeqz t0, 1f\n1:");
}
