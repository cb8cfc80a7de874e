// Types that the unit's modules share.
package zvku_pkg;
  // Which datapath executes an instruction.
  typedef enum logic [2:0] {
    UNIT_BITS = 3'd0,  // Zvbb, Zvkb
    UNIT_MUL  = 3'd1,  // Zvbc, Zvkg
    UNIT_AES  = 3'd2,
    UNIT_SM4  = 3'd3,
    UNIT_SHA2 = 3'd4,
    UNIT_SM3  = 3'd5,
    UNIT_KECCAK = 3'd6,
    UNIT_MODULAR = 3'd7  // vmulq
  } unit_e;

  // Operations of the datapaths; each datapath has its own.
  typedef enum logic [3:0] {
    BITS_ANDN = 4'd0,
    BITS_ROL  = 4'd1,
    BITS_ROR  = 4'd2,
    BITS_SLL  = 4'd3,
    BITS_BREV = 4'd4,
    BITS_BREV8 = 4'd5,
    BITS_REV8 = 4'd6,
    BITS_CLZ  = 4'd7,
    BITS_CTZ  = 4'd8,
    BITS_CPOP = 4'd9
  } bits_e;

  // Flags of the datapaths in `ctrl_t.fn`.
  parameter int unsigned MUL_HIGH = 0;  // high half of the product
  parameter int unsigned MUL_GHASH = 1;  // product in GF(2^128)
  parameter int unsigned MUL_ADD = 2;  // after the addition of vs1
  parameter int unsigned AES_DEC = 0;
  parameter int unsigned AES_MIDDLE = 1;  // with MixColumns
  parameter int unsigned AES_ZERO = 2;  // only AddRoundKey
  parameter int unsigned AES_KEY = 3;  // key schedule; with AES_DEC, of 256-bit keys
  parameter int unsigned SM4_KEY = 0;
  parameter int unsigned SHA2_SCHEDULE = 0;
  parameter int unsigned SHA2_HIGH = 1;
  parameter int unsigned SM3_EXPAND = 0;
  parameter int unsigned KECCAK_SHORT = 0;  // 12 rounds
  parameter int unsigned ALL_DEC = 0;  // all rounds of AES
  parameter int unsigned ALL_256 = 1;  // with a key of 256 bits
  parameter int unsigned ALL_KEY = 2;  // the result is the last round key
  parameter int unsigned ALL_BEFORE = 3;  // or the one before it
  parameter int unsigned MODULAR_ADD = 0;  // vmacq: after the product, vd is added

  // A decoded instruction.
  typedef struct packed {
    unit_e      unit;
    logic [3:0] fn;
    logic       groups;    // works on element groups, not on elements
    logic       wide;      // the group has 256 bits, not 128
    logic       scalar;    // .vs: element group 0 of vs2 for all groups
    logic       scalar1;   // .vs of vs1, likewise
    logic       all;       // all rounds of AES: apart from `unit`
    logic       widening;  // destination elements of twice SEW
    logic       use_vs1;
    logic       use_rs1;   // the second operand is an x register
    logic       use_imm;   // the second operand is an immediate
    logic       unmasked;
    logic [1:0] sew;       // 8 << sew bits
    logic [1:0] eew;       // the destination's
    logic [5:0] imm;
  } ctrl_t;
endpackage
