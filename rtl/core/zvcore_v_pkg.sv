// Types of the vector unit.
package zvcore_v_pkg;
  typedef enum logic [3:0] {
    ALU_MOVE, ALU_ADD, ALU_SUB, ALU_RSUB, ALU_MINU, ALU_MIN, ALU_MAXU, ALU_MAX, ALU_AND, ALU_OR,
    ALU_XOR, ALU_SLL,
    ALU_SRL, ALU_SRA, ALU_MERGE, ALU_COPY
  } alu_e;

  // The unit that executes an instruction.
  typedef enum logic [2:0] {
    BY_ZVKU,    // the crypto unit, which decodes it itself
    BY_VSET,
    BY_BEAT,    // the arithmetic unit, beat by beat
    BY_LINE,    // unit-stride loads and stores, beat by beat
    BY_ELEMENT  // one element at a time
  } by_e;

  // Operations that are executed element by element, unless a comment says otherwise.
  typedef enum logic [3:0] {
    EL_UP,      // vslideup, executed beat by beat
    EL_DOWN,    // vslidedown, likewise
    EL_UP1,     // vslide1up
    EL_DOWN1,   // vslide1down
    EL_GATHER,  // vrgather.vv, vrgatherei16.vv, executed by zvcore_vgather
    EL_SPLAT,   // vrgather.vx, vrgather.vi
    EL_TO_X,    // vmv.x.s
    EL_FROM_X,  // vmv.s.x
    EL_ID,      // vid.v
    EL_IOTA,    // viota.m
    EL_COMPARE,
    EL_STRIDE,  // strided load or store
    EL_INDEX    // indexed load or store
  } element_e;

  // An instruction, decoded. Widths are 8 << n bits; emul is log2 of EMUL, signed.
  typedef struct packed {
    by_e               by;
    alu_e              alu;
    element_e          element;
    logic              slide;
    logic              store;
    logic              memory;
    logic              masked;
    logic              use_vs2;
    logic              use_vs1;
    logic              any_vtype;   // vill does not matter
    logic              whole;       // whole registers: vl does not matter
    logic              mask_data;   // vlm.v, vsm.v: ceil(vl / 8) bytes
    logic              apart;       // vd must not overlap vs2 or vs1
    logic              to_mask;     // vd is a mask
    logic              from_mask;   // vs2 is a mask
    logic [2:0]        compare;     // = != <u < <=u <= >u >
    logic              reserved;    // segment loads and stores, which the core lacks
    logic [1:0]        eew;         // of vd or vs3
    logic signed [4:0] emul;
    logic [1:0]        vs2_eew;
    logic signed [4:0] vs2_emul;
    logic [1:0]        vs1_eew;
    logic signed [4:0] vs1_emul;
  } ctrl_t;

  // An instruction whose beats are being taken. It has retired.
  typedef struct packed {
    by_e         by;
    ctrl_t       ctrl;
    logic [4:0]  vd;
    logic [4:0]  vs2;
    logic [4:0]  vs1;
    logic        use_scalar;
    logic [63:0] scalar;    // or the base address
    logic [1:0]  zvku_eew;  // of vd
    logic [10:0] source;    // bytes of vs2's group, for slides
    logic [10:0] end_byte;  // the byte after the body
    logic [7:0]  tag;       // its number, for the trace
  } issued_t;
endpackage
