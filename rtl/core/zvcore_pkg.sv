// Types and constants that the core's modules share (Privileged ISA manual, "CSR Listing", table of
// mcause).
package zvcore_pkg;
  typedef enum logic [3:0] {
    CAUSE_FETCH   = 4'd1,
    CAUSE_ILLEGAL = 4'd2,
    CAUSE_BREAK   = 4'd3,
    CAUSE_LOAD    = 4'd5,
    CAUSE_STORE   = 4'd7,
    CAUSE_ECALL_U = 4'd8,
    CAUSE_ECALL_M = 4'd11
  } cause_e;

  // A decoded scalar instruction, except its op.
  typedef struct packed {
    logic       load;
    logic       store;
    logic [1:0] size;       // 1 << size bytes
    logic       sign;
    logic       mul;
    logic       div;
    logic       csr;
    logic       csr_write;  // it also writes
    logic       csr_imm;
    logic       jump;
    logic       branch;
    logic       rd;
  } ctrl_t;
endpackage
