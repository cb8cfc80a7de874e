// C functions that run a Verilator model of any design. The design's ports.h has its ports; DLEN is the model's.
#include "ports.h"

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
    delete static_cast<Instance *>(instance);
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

}  // extern "C"
