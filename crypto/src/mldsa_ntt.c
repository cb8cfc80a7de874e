/* ML-DSA: the number-theoretic transform (FIPS 204, 7.5), two layers at a time. */
#include "mldsa.h"

const uint64_t cv_mldsa_zetas[256] = {
    UINT64_C(0x00000200801c0602), UINT64_C(0x92e0bb0900ca2087), UINT64_C(0x73078efdb04e1826),
    UINT64_C(0x72e78afcf0260fa4), UINT64_C(0x9e33e1bc073e5788), UINT64_C(0xa7e8dee7e83c3f40),
    UINT64_C(0x9fe85ed7e53b9f1e), UINT64_C(0x9e3461dc0e3fd7da), UINT64_C(0xed9ec1d537ca4823),
    UINT64_C(0x6c36b6d547e44e84), UINT64_C(0x51efdb52f5069bbd), UINT64_C(0x41100b80c01904c1),
    UINT64_C(0x7301c58b5f4cbc71), UINT64_C(0xe14ae4f6a7e00ab3), UINT64_C(0x110765b75f0c5457),
    UINT64_C(0xdab23ad951dec50e), UINT64_C(0x990b69a853417fba), UINT64_C(0x83e25f901f48b1ee),
    UINT64_C(0x515bfa5bdf030905), UINT64_C(0xccd848786d8a71c2), UINT64_C(0x9456626fef36edde),
    UINT64_C(0xf2bd155fddccb372), UINT64_C(0x14ab06985006d115), UINT64_C(0xd730cc84bf96dc38),
    UINT64_C(0x9d659229bf4b7f62), UINT64_C(0x345e05188a185502), UINT64_C(0x4af67b08d53f3e26),
    UINT64_C(0x2c9f03679be028d3), UINT64_C(0xec5e8fcb35add50a), UINT64_C(0x927c0bddff681e09),
    UINT64_C(0x5602adff7a82a1b4), UINT64_C(0x45c31a3b088dad5b), UINT64_C(0x6e09d59952a977b9),
    UINT64_C(0x613a89e002ecfb39), UINT64_C(0x53b76b335e01198b), UINT64_C(0x9271813b6bd87f49),
    UINT64_C(0xa0f8fafccd3d55bb), UINT64_C(0x40314fd39244ea16), UINT64_C(0x712c382bb27c47ad),
    UINT64_C(0x236e6151779b43e2), UINT64_C(0x0c0a4a7a8a0d8e50), UINT64_C(0x1c5ef183a305ba29),
    UINT64_C(0x2176b56a6d307744), UINT64_C(0x94e3a1bea8669c57), UINT64_C(0x3f49fc006c2307ea),
    UINT64_C(0x853af5b2f6d24ea7), UINT64_C(0x6308a96447bf273b), UINT64_C(0x41dc9aa2ef869bc8),
    UINT64_C(0x68524dc2cc178048), UINT64_C(0x35be5529cdc91ead), UINT64_C(0xe706c1e26b1700eb),
    UINT64_C(0x92cf30a68b41834b), UINT64_C(0x72c29bc16b2345fc), UINT64_C(0xc4ddc9e8be9bd579),
    UINT64_C(0xcb8ceba3cf1c7f82), UINT64_C(0x87560c74710357f4), UINT64_C(0xa77e9c5818cd8330),
    UINT64_C(0x6184a466103b42b1), UINT64_C(0x1102b08a1d263554), UINT64_C(0x763a67ad768e48a6),
    UINT64_C(0x591dfacc7728311e), UINT64_C(0x38a103cfb1e4d9d3), UINT64_C(0x6635e2ac3f4a7a20),
    UINT64_C(0x38c510d2aa88fceb), UINT64_C(0x5ddf591a87efc6e2), UINT64_C(0x2707337ed14d55b3),
    UINT64_C(0xaf7e3e308fa788c3), UINT64_C(0x75ab47e6a318f8f9), UINT64_C(0x7fca89a2d3a1a2c2),
    UINT64_C(0x9d8d36126a2e66c6), UINT64_C(0xa0a5ea39427c2c87), UINT64_C(0xf7a0d044cf935b38),
    UINT64_C(0x4ca4908ad9954fa1), UINT64_C(0x3df4288e3b3db2f7), UINT64_C(0x3b300f8d8341b567),
    UINT64_C(0x8b708309e17248d0), UINT64_C(0x55e0ad7f9e8ca3ec), UINT64_C(0xa4da6d519f8d4011),
    UINT64_C(0xde1b6f1f9106025f), UINT64_C(0x7f04d03603e08c1c), UINT64_C(0x2eadaf0e683bf22d),
    UINT64_C(0x0ebe617ae1f5879e), UINT64_C(0x231839c8419cd6b3), UINT64_C(0xa582b16152f1f9d9),
    UINT64_C(0xeeb8e85ca5589cdd), UINT64_C(0x052efbb48f2c61fb), UINT64_C(0x4b38a592f371b687),
    UINT64_C(0x9a24abf6b45527e2), UINT64_C(0x80b9fd7deb7fe423), UINT64_C(0x95705eecda78c47d),
    UINT64_C(0x3cb8f9c4ff4c4914), UINT64_C(0x9e551608d809f0cd), UINT64_C(0x350a3422f454cf4c),
    UINT64_C(0x0730ea2c2935f52b), UINT64_C(0x9cb75a9d3898ebca), UINT64_C(0x6389939dd44dd7ce),
    UINT64_C(0xb135e41699de4a5f), UINT64_C(0x369df5100817e5ea), UINT64_C(0xb6f55be90f8c10e6),
    UINT64_C(0xbb1fba785ea2b7f1), UINT64_C(0x6a5f5300015a5693), UINT64_C(0x80390941de651589),
    UINT64_C(0xd849b2bc1ba17025), UINT64_C(0xb7d858a678ecee4a), UINT64_C(0xd7bf94358e3b23ad),
    UINT64_C(0x4b306181ffbceb3c), UINT64_C(0x5cbdc6b8327f2f67), UINT64_C(0x12f9963f9cbaaf73),
    UINT64_C(0x772e0a9448fd16b4), UINT64_C(0xda875820f98e2196), UINT64_C(0x5960475f17370f96),
    UINT64_C(0x671317f7d7c601d1), UINT64_C(0x296f9b9405ca4a88), UINT64_C(0xab3537f79374ee15),
    UINT64_C(0x51f7893e6085a4a9), UINT64_C(0xab1d8009c771c8e4), UINT64_C(0x9612636cb666c044),
    UINT64_C(0x46a6b51ffa946525), UINT64_C(0xec0b4cfb283015b6), UINT64_C(0xf1f9486e28f96207),
    UINT64_C(0x0aa7c1db27461b39), UINT64_C(0xf5fc2f1fcf95a5cb), UINT64_C(0x1ee3e6bbe72c5347),
    UINT64_C(0xb815b7fdd405059a), UINT64_C(0x8b59d15da3c63647), UINT64_C(0xc547b86389719553),
    UINT64_C(0xbbac7fa89124f81c), UINT64_C(0x354a4827754d0457), UINT64_C(0x000db56d3fe51ec8),
    UINT64_C(0xc4e0c0a66818b95f), UINT64_C(0xaec2272c46c35849), UINT64_C(0xd386be0874a1175d),
    UINT64_C(0x5144c08d99e55e24), UINT64_C(0xc99e6205448d18be), UINT64_C(0xfe317460b5448fba),
    UINT64_C(0x54b21bdd932d101e), UINT64_C(0x241d4d0b0827f3ed), UINT64_C(0x02a9fa794a5da4d5),
    UINT64_C(0x1374db0fda407068), UINT64_C(0x86dec4a36b518d8d), UINT64_C(0x8721b75f94765e6f),
    UINT64_C(0xb9d9dd038d294337), UINT64_C(0x9ba784a9db6d87ac), UINT64_C(0x8e74fa219e73599a),
    UINT64_C(0xff2681a21b839cb1), UINT64_C(0x192061e638ca6628), UINT64_C(0x1ed55f1a1bc8bdf8),
    UINT64_C(0xb50840a61904f50c), UINT64_C(0xc388107d0f22ce96), UINT64_C(0x30c75d75ceb8c294),
    UINT64_C(0x872028fbfeadb370), UINT64_C(0x8d287903f009fa9f), UINT64_C(0xcc85dfdeebfb40f9),
    UINT64_C(0x97d0e509a09e1444), UINT64_C(0x51d07f7c3e108ba7), UINT64_C(0x8cde507a61f7891f),
    UINT64_C(0x9386a6829357d0ce), UINT64_C(0x136d4329eff5a98b), UINT64_C(0xf8597a6de8854581),
    UINT64_C(0xb4fe9e3d92280ee0), UINT64_C(0x8157a6e70a74cf1f), UINT64_C(0xc9da1ef408c44901),
    UINT64_C(0x42fd12beb587e48f), UINT64_C(0xcb3defe57d7f94eb), UINT64_C(0x48eead1969000d32),
    UINT64_C(0x91ab9fc499e6f089), UINT64_C(0xf7cca3393506cf4a), UINT64_C(0x9ed866dc0633d4e9),
    UINT64_C(0x7278011b56d37e32), UINT64_C(0x4623ce675237bf4c), UINT64_C(0x25e045c5b0e0acca),
    UINT64_C(0x8abe928f26a48ad6), UINT64_C(0x619e9ee47be12f55), UINT64_C(0x50bc767c261c8ed8),
    UINT64_C(0x264fefaf4bf39e50), UINT64_C(0xff9ee5ba30c0bbce), UINT64_C(0x5b967ae78ced6c42),
    UINT64_C(0x04552b4226330876), UINT64_C(0xfd45a76f508542b0), UINT64_C(0x4cc4246f939c07db),
    UINT64_C(0xd69c8f76a48a3545), UINT64_C(0x12bb9ac13918c3bf), UINT64_C(0xd7f994b53a251ed4),
    UINT64_C(0xbc3b4959dfe54592), UINT64_C(0xf1fc9741d7474e25), UINT64_C(0xc549bee525cba89f),
    UINT64_C(0x7b6ae1c19aa32595), UINT64_C(0x95eff2d0d44f7234), UINT64_C(0x3e4a621bf2385632),
    UINT64_C(0xc693193928179395), UINT64_C(0xe6fd2d7d64fe44c8), UINT64_C(0xbd703291c40bdf70),
    UINT64_C(0xce6926acd8e8e087), UINT64_C(0x404f9f673a8fd581), UINT64_C(0xb777da87b2377e7c),
    UINT64_C(0xc1df5a52d600da8b), UINT64_C(0x11e87bfb2dd37e84), UINT64_C(0xdbf7441917bdbd40),
    UINT64_C(0x1020e218444ce2b1), UINT64_C(0xac322731680ba018), UINT64_C(0xd2e1c6cbef6e43b3),
    UINT64_C(0x3ce9b5f3a97e784c), UINT64_C(0x4c1a8007ccf32d32), UINT64_C(0xd5714ea8c7949396),
    UINT64_C(0x0f840ee4b10e7a3d), UINT64_C(0xdbb693ed8e3bb3d1), UINT64_C(0xe9dbef281226396b),
    UINT64_C(0xc7f5c1e08c9f66c1), UINT64_C(0xa353b9a7c27d4fcf), UINT64_C(0xf5a982754a4da8d6),
    UINT64_C(0x50e3ac494afa2bf6), UINT64_C(0x5bf0a370faf7dc02), UINT64_C(0xb02f22683bca2211),
    UINT64_C(0x7eb9976866eae9ed), UINT64_C(0x16e5cb4505aae0ad), UINT64_C(0x851d8c58db1e15d0),
    UINT64_C(0x7998d3419ec12d0e), UINT64_C(0x4e7a03e404f97654), UINT64_C(0xcea655f8316067b8),
    UINT64_C(0x34a3e28f5c11e5c2), UINT64_C(0x32df035b18bf79ad), UINT64_C(0x3df38866327bd290),
    UINT64_C(0x238b7e988f269888), UINT64_C(0x9913d3c2c90abd1e), UINT64_C(0x7a06dec3a32b438b),
    UINT64_C(0xffa31ac76ba55a80), UINT64_C(0xd6225eeb761fb101), UINT64_C(0x5c43e240083d8f54),
    UINT64_C(0x66bf5b09439ad42e), UINT64_C(0x0690640be2307459), UINT64_C(0x10a8ea193478ebd3),
    UINT64_C(0xe8770bf20e6bb6d1), UINT64_C(0x5edde2baf2f747ed), UINT64_C(0xde4bb33034a6c94a),
    UINT64_C(0x0f85c351c8eb9754), UINT64_C(0xef15d9983a5b6665), UINT64_C(0x1a467167cd107483),
    UINT64_C(0x68ca79ccde43f742), UINT64_C(0x0448ba25f809b67e), UINT64_C(0xd1bf20248ae26f87),
    UINT64_C(0xbd40589ba63856ca), UINT64_C(0x5f6c3e50bbb24b1c), UINT64_C(0x480acc22f324833b),
    UINT64_C(0xbd01c2f6ba289cb3), UINT64_C(0xa3ead36d059a8c98), UINT64_C(0xcb8e47fae2289461),
    UINT64_C(0x596223d63144a4c7), UINT64_C(0xf400fa5693b03ee9), UINT64_C(0xf6be75afef10643b),
    UINT64_C(0x6bdeb0d477bc4623), UINT64_C(0x8696fcb1fe863d93), UINT64_C(0x8cb8e920d663572a),
    UINT64_C(0x3a0aaa367849a579), UINT64_C(0xe81da1982ac7818b), UINT64_C(0x20362949e626f5f2),
    UINT64_C(0xe9a816323c62b435),
};

/* Coefficients grow by less than q per layer: from below q to below 9 q, which is below 2^27. */
static inline void butterfly(uint32_t *a, uint32_t *b, uint64_t w)
{
    uint32_t t = cv_mldsa_times(*b, w);
    *b = *a + Q - t;
    *a += t;
}

/* x modulo q for any x: times 1. */
static inline uint32_t reduce(uint32_t x)
{
    return cv_mldsa_times(x, UINT64_C(0x200801c0602));
}

/* The layers of `blocks` and of twice as many blocks. */
static inline void forward(uint32_t f[N], size_t blocks, int last)
{
    size_t step = N / 4 / blocks;
    const uint64_t *w = cv_mldsa_zetas + blocks, *w2 = cv_mldsa_zetas + 2 * blocks;
    for (size_t b = 0; b < blocks; b++, f += 4 * step) {
        uint64_t wide = w[b], low = w2[2 * b], high = w2[2 * b + 1];
        for (uint32_t *p = f; p < f + step; p++) {
            uint32_t x0 = p[0], x1 = p[step], x2 = p[2 * step], x3 = p[3 * step];
            butterfly(&x0, &x2, wide);
            butterfly(&x1, &x3, wide);
            butterfly(&x0, &x1, low);
            butterfly(&x2, &x3, high);
            if (last)
                x0 = reduce(x0), x1 = reduce(x1), x2 = reduce(x2), x3 = reduce(x3);
            p[0] = x0, p[step] = x1, p[2 * step] = x2, p[3 * step] = x3;
        }
    }
}

void cv_portable_mldsa_ntt(uint32_t f[N])
{
    forward(f, 1, 0);
    forward(f, 4, 0);
    forward(f, 16, 0);
    forward(f, 64, 1);
}

/* For inputs of at most `bound`, a multiple of q, the sum is at most twice that; the product is below q. At most 128 q
 * enters, so nothing exceeds 256 q, which is below 2^31. */
static inline void inverse_butterfly(uint32_t *a, uint32_t *b, uint64_t w, uint32_t bound)
{
    uint32_t t = *b + bound - *a;
    *a += *b;
    *b = cv_mldsa_times(t, w);
}

/* The layers of 2 `blocks` and of `blocks` blocks, for coefficients of at most `bound`. */
static inline void backward(uint32_t f[N], size_t blocks, uint32_t bound)
{
    size_t step = N / 4 / blocks;
    const uint64_t *w = cv_mldsa_zetas + 2 * blocks - 1, *w2 = cv_mldsa_zetas + 4 * blocks - 1;
    for (size_t b = 0; b < blocks; b++, f += 4 * step) {
        uint64_t wide = *(w - b), low = *(w2 - 2 * b), high = *(w2 - 2 * b - 1);
        for (uint32_t *p = f; p < f + step; p++) {
            uint32_t x0 = p[0], x1 = p[step], x2 = p[2 * step], x3 = p[3 * step];
            inverse_butterfly(&x0, &x1, low, bound);
            inverse_butterfly(&x2, &x3, high, bound);
            inverse_butterfly(&x0, &x2, wide, 2 * bound);
            inverse_butterfly(&x1, &x3, wide, 2 * bound);
            p[0] = x0, p[step] = x1, p[2 * step] = x2, p[3 * step] = x3;
        }
    }
}

/* The last two layers include the division by 256: 8347681 = 1 / 256. */
void cv_portable_mldsa_inverse(uint32_t f[N])
{
    const uint64_t scale = UINT64_C(0xff00000200801c07);       /* ceil(2^64 8347681 / q) */
    const uint64_t scaled_zeta = UINT64_C(0xfe92e0bb0900ca21); /* ceil(2^64 (1753^128 8347681 mod q) / q) */
    backward(f, 64, Q);
    backward(f, 16, 4 * Q);
    backward(f, 4, 16 * Q);
    for (size_t i = 0; i < N / 4; i++) {
        uint32_t x0 = f[i], x1 = f[i + 64], x2 = f[i + 128], x3 = f[i + 192];
        inverse_butterfly(&x0, &x1, cv_mldsa_zetas[3], 64 * Q);
        inverse_butterfly(&x2, &x3, cv_mldsa_zetas[2], 64 * Q);
        f[i] = cv_mldsa_times(x0 + x2, scale);
        f[i + 64] = cv_mldsa_times(x1 + x3, scale);
        f[i + 128] = cv_mldsa_times(x2 + 128 * Q - x0, scaled_zeta);
        f[i + 192] = cv_mldsa_times(x3 + 128 * Q - x1, scaled_zeta);
    }
}

/* At most 8 products of reduced factors, or of factors below 2^27, are below 2^57. */
void cv_portable_mldsa_multiply(uint32_t h[N], const uint32_t *f, const uint32_t *g, size_t n)
{
    for (size_t i = 0; i < N; i++) {
        uint64_t sum = 0;
        for (size_t j = i; j < N * n; j += N)
            sum += (uint64_t)f[j] * g[j];
        h[i] = cv_mldsa_reduce(sum);
    }
}
