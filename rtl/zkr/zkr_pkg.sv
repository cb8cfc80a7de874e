// Types of the entropy source (Cryptography Extensions Volume I, "Entropy Source").
package zkr_pkg;
  // OPST, the status in bits 31 and 30 of the CSR `seed`.
  typedef enum logic [1:0] {
    BIST = 2'b00,  // self-test: after reset, and after an alarm
    WAIT = 2'b01,  // no entropy yet
    ES16 = 2'b10,  // 16 bits of entropy, which a read takes
    DEAD = 2'b11   // failed for good
  } opst_e;
endpackage
