// The continuous tests of SP 800-90B section 4.4 on raw bits, and the length of the start-up test,
// which is these tests on the first 1024 bits.
module zkr_health #(
  parameter int unsigned RepeatCutoff = 41,
  parameter int unsigned ProportionCutoff = 793
) (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic restart_i,
  input  logic valid_i,
  input  logic raw_i,
  output logic repeated_o,  // alarms
  output logic biased_o,
  output logic tested_o     // the start-up test ends with this bit
);
  localparam int unsigned Window = 1024;
  localparam int unsigned CountW = $clog2(Window + 1);

  // Repetition count test: the last bit, and how often it has come in succession.
  logic last_q;
  logic [CountW-1:0] run_q, run_d;
  assign run_d = run_q != '0 && raw_i == last_q ? run_q + 1'b1 : CountW'(1);
  assign repeated_o = valid_i && run_d >= CountW'(RepeatCutoff);

  // Adaptive proportion test: the first bit of a window, and how often it has come in the window.
  logic first_q, first_d;
  logic [CountW-1:0] seen_q, same_q, same_d;
  assign first_d = seen_q == '0 ? raw_i : first_q;
  assign same_d = (seen_q == '0 ? '0 : same_q) + CountW'(raw_i == first_d);
  assign biased_o = valid_i && same_d >= CountW'(ProportionCutoff);
  assign tested_o = valid_i && seen_q == CountW'(Window - 1);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {last_q, first_q} <= '0;
      {run_q, seen_q, same_q} <= '0;
    end else if (restart_i) begin
      {run_q, seen_q, same_q} <= '0;
    end else if (valid_i) begin
      last_q <= raw_i;
      first_q <= first_d;
      run_q <= run_d;
      same_q <= same_d;
      seen_q <= tested_o ? '0 : seen_q + 1'b1;
    end
  end
endmodule
