// C functions that run a Verilator model of any design. The design's ports.h has its ports; DLEN is the model's.
#include "ports.h"

#ifdef REGISTERS
#include <algorithm>
#include <string>

#include "verilated_syms.h"
#endif

namespace {

struct Instance {
    VerilatedContext context;
    Vmodel model{&context};
};

Vmodel &model_of(void *instance) {
    return static_cast<Instance *>(instance)->model;
}

// With CLOCKED, the inputs of a cycle are sampled at the edge at which it begins; otherwise, outputs follow from them at once.
#ifdef CLOCKED
constexpr bool kClocked = true;
#else
constexpr bool kClocked = false;
#endif

// The rising edge. The falling one, which nothing waits for, is evaluated with the next inputs: each evaluation costs time.
void tick(Vmodel &m) {
    m.clk_i = 1;
    m.eval();
    m.clk_i = 0;
}

}  // namespace

extern "C" {

// An instance after reset, in the first cycle.
void *model_new() {
    auto *instance = new Instance;
    Vmodel &m = instance->model;
    m.rst_ni = 0;
    m.eval();
    tick(m);
    if (kClocked) {
        // The first edge samples the reset input; the second one resets the design.
        m.eval();
        tick(m);
    }
    m.rst_ni = 1;
    m.eval();
    return instance;
}

void model_free(void *instance) {
#ifdef REGISTERS
    // Kept: with Verilator 5.006, a model whose registers have names waits for a lock for ever when it is deleted.
    static_cast<void>(instance);
#else
    delete static_cast<Instance *>(instance);
#endif
}

// Applies inputs and returns the outputs of the same cycle.
void model_eval(void *instance, const inputs *in, outputs *out) {
    Vmodel &m = model_of(instance);
    apply(m, *in);
    m.eval();
    if (kClocked)
        tick(m);
    sample(m, *out);
}

// The end of the cycle, with the inputs that were applied last.
void model_clock(void *instance) {
    if (!kClocked)
        tick(model_of(instance));
}

#ifdef REGISTERS
// Every register: its name, '=' and its bytes in hexadecimal on a line of its own. Writes the first `size` characters to `to`, and returns
// how many there are.
size_t model_registers(void *instance, char *to, size_t size) {
    std::string text;
    for (const auto &[scope_name, scope] : *static_cast<Instance *>(instance)->context.scopeNameMap()) {
        if (scope->varsp() == nullptr)
            continue;
        for (const auto &[name, variable] : *scope->varsp()) {
            text += std::string(scope_name) + '.' + name + '=';
            const auto *bytes = static_cast<const uint8_t *>(variable.datap());
            for (size_t n = variable.totalSize(); n-- > 0;) {
                text += "0123456789abcdef"[bytes[n] >> 4];
                text += "0123456789abcdef"[bytes[n] & 15];
            }
            text += '\n';
        }
    }
    std::copy_n(text.begin(), std::min(size, text.size()), to);
    return text.size();
}
#endif

}  // extern "C"
