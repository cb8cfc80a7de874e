// The CSR `seed` with its entropy source: raw bits of a noise source come in, are tested
// continuously, and conditioned to words of 16 bits.
//
// After reset, and after an alarm, a start-up test (SP 800-90B section 4.3, item 4) tests 1024 raw
// bits, which are then dropped. An alarm during it is fatal. An alarm later starts it again, and
// what has been collected is dropped.
module zkr #(
  // Cutoffs for raw bits with at least half a bit of min-entropy each: false alarms once in 2^20
  // tests (docs/rtl.md).
  parameter int unsigned RepeatCutoff = 41,
  parameter int unsigned ProportionCutoff = 793,
  parameter int unsigned RawBits = 128  // to a word
) (
  input  logic        clk_i,
  input  logic        rst_ni,

  input  logic        raw_valid_i,
  input  logic        raw_i,

  input  logic        alarm_i,  // from outside, or injected; fatal only in the start-up test
  input  logic        fatal_i,

  // An access to the CSR. It is legal if the instruction writes (as `csrrw` and `csrrwi` do) and
  // the mode may access it.
  input  logic        access_i,
  input  logic        write_i,    // the instruction writes
  input  logic        machine_i,
  input  logic        allowed_i,  // mseccfg.USEED in U mode, mseccfg.SSEED in S mode
  output logic        illegal_o,
  output logic [31:0] seed_o      // valid with `access_i`; a legal access takes the entropy
);
  zkr_pkg::opst_e state_q, state_d;
  logic [15:0] word_q, word_d;
  logic alarm, repeated, biased, tested, word_valid, take, drop, running;

  assign illegal_o = access_i && (!write_i || !(machine_i || allowed_i));
  assign take = access_i && !illegal_o && state_q == zkr_pkg::ES16;
  assign running = raw_valid_i && state_q != zkr_pkg::DEAD;
  assign alarm = alarm_i || repeated || biased;
  // Everything that was collected before or during a self-test is dropped.
  assign drop = state_d != zkr_pkg::WAIT && state_d != zkr_pkg::ES16;

  zkr_health #(.RepeatCutoff(RepeatCutoff), .ProportionCutoff(ProportionCutoff)) u_health (
    .clk_i, .rst_ni, .restart_i(alarm), .valid_i(running), .raw_i, .repeated_o(repeated),
    .biased_o(biased), .tested_o(tested)
  );
  zkr_condition #(.RawBits(RawBits)) u_condition (
    .clk_i, .rst_ni, .drop_i(drop), .valid_i(running && state_q == zkr_pkg::WAIT), .raw_i,
    .valid_o(word_valid), .word_o(word_d)
  );

  always_comb begin
    state_d = state_q;
    case (state_q)
      zkr_pkg::BIST: if (tested) state_d = zkr_pkg::WAIT;
      zkr_pkg::WAIT: if (word_valid) state_d = zkr_pkg::ES16;
      zkr_pkg::ES16: if (take) state_d = zkr_pkg::WAIT;
      default: ;
    endcase
    if (alarm) state_d = state_q == zkr_pkg::BIST ? zkr_pkg::DEAD : zkr_pkg::BIST;
    if (fatal_i || state_q == zkr_pkg::DEAD) state_d = zkr_pkg::DEAD;
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= zkr_pkg::BIST;
      word_q <= '0;
    end else begin
      state_q <= state_d;
      // A word is kept until it is read, and no longer.
      if (state_d != zkr_pkg::ES16) word_q <= '0;
      else if (word_valid) word_q <= word_d;
    end
  end

  // The entropy is 0 unless the status is ES16, bits 29 to 16 always.
  assign seed_o = {state_q, 14'b0, word_q};
endmodule
