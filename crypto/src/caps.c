/* Capabilities: creates tokens from a capability string or by asking the system. */
#define CV_CAPS_NAMES
#include "internal.h"

/* The extensions that the library's own C code is compiled for, which the hart therefore has. */
#ifdef __riscv_mul
# define BASE CV_CAP_M
#else
# define BASE 0
#endif

#if defined(__linux__) && defined(__riscv) && __riscv_xlen == 64 && !defined(CV_FREESTANDING)
/* As in linux/arch/riscv: libc may be older than the call. */
static long hwprobe(void *pairs, long count)
{
    register long a0 __asm__("a0") = (long)pairs;
    register long a1 __asm__("a1") = count;
    register long a2 __asm__("a2") = 0;
    register long a3 __asm__("a3") = 0;
    register long a4 __asm__("a4") = 0;
    register long a7 __asm__("a7") = 258;
    __asm__ volatile("ecall" : "+r"(a0) : "r"(a1), "r"(a2), "r"(a3), "r"(a4), "r"(a7) : "memory");
    return a0;
}

cv_token cv_token_detect(void)
{
    /* RISCV_HWPROBE_KEY_IMA_EXT_0 and RISCV_HWPROBE_KEY_MISALIGNED_VECTOR_PERF for all harts; the kernel replaces a key
     * that it does not know by -1. */
    struct {
        int64_t key;
        uint64_t value;
    } pairs[2] = { { 4, 0 }, { 10, 0 } };
    cv_token token = { BASE };
    if (hwprobe(pairs, 2) != 0 || pairs[0].key != 4)
        return token;
    for (size_t i = 0; i < sizeof cv_cap_hwprobe / sizeof *cv_cap_hwprobe; i++)
        if (pairs[0].value >> cv_cap_hwprobe[i].bit & 1)
            token.caps |= cv_cap_hwprobe[i].caps;
    /* RISCV_HWPROBE_MISALIGNED_VECTOR_UNSUPPORTED: kernels load word elements from unaligned addresses. */
    if (pairs[1].key == 10 && pairs[1].value == 4)
        token.caps &= ~CV_CAP_V;
    return token;
}
#else
cv_token cv_token_detect(void)
{
    cv_token token = { BASE };
    return token;
}
#endif

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
}

/* Adds the capabilities that the `len` characters of `word` name. */
static int take_word(const char *word, size_t len, uint64_t *caps)
{
    for (size_t i = 0; i < sizeof cv_cap_word / sizeof *cv_cap_word; i++) {
        const char *name = cv_cap_word[i].name;
        size_t n = 0;
        while (n < len && n < sizeof cv_cap_word[i].name && name[n] && name[n] == lower(word[n]))
            n++;
        if (n == len && (n == sizeof cv_cap_word[i].name || name[n] == 0)) {
            *caps |= cv_cap_word[i].caps;
            return CV_OK;
        }
    }
    return CV_ERR_CAPS;
}

/* `rv64gcv`: every letter is an extension; of the extensions in g, the library knows only m. */
static int take_letters(const char *word, size_t len, uint64_t *caps)
{
    for (size_t i = 4; i < len; i++)
        if (take_word(lower(word[i]) == 'g' ? "m" : word + i, 1, caps) != CV_OK)
            return CV_ERR_CAPS;
    return CV_OK;
}

static int is_base(const char *word, size_t len)
{
    return len >= 4 && lower(word[0]) == 'r' && lower(word[1]) == 'v'
        && ((word[2] == '6' && word[3] == '4') || (word[2] == '3' && word[3] == '2'));
}

int cv_token_parse(cv_token *token, const char *text)
{
    /* An empty string selects portable C; otherwise the hart also has what the library is compiled for. */
    uint64_t caps = *text ? BASE : 0;
    const char *word = text;
    while (*word) {
        size_t len = 0;
        while (word[len] && word[len] != '_')
            len++;
        int base = word == text && is_base(word, len);
        if ((base ? take_letters : take_word)(word, len, &caps) != CV_OK)
            return CV_ERR_CAPS;
        word += len;
        if (*word == '_' && *++word == 0)
            return CV_ERR_CAPS;
    }
    token->caps = caps;
    return CV_OK;
}

size_t cv_token_names(cv_token token, char *text, size_t room)
{
    size_t len = 0;
    uint64_t caps = token.caps;
    const char *separator = "";
    for (size_t i = 0; i < sizeof cv_cap_name / sizeof *cv_cap_name; i++) {
        if (!(caps >> i & 1))
            continue;
        for (const char *part = separator; *part; part++, len++)
            if (len + 1 < room)
                text[len] = *part;
        for (size_t n = 0; n < sizeof cv_cap_name[i] && cv_cap_name[i][n]; n++, len++)
            if (len + 1 < room)
                text[len] = cv_cap_name[i][n];
        separator = "_";
    }
    if (room)
        text[len < room ? len : room - 1] = 0;
    return len;
}
