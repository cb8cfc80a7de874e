// Sum of N operands, each one 64-bit word or two 32-bit words.
module zvku_sum #(
  parameter int unsigned N = 2,
  parameter bit Upper = 1'b1  // if 0, only the lower 32 bits are computed
) (
  input  logic            sew64_i,
  input  logic [64*N-1:0] x_i,
  output logic [63:0]     sum_o
);
  localparam int unsigned CarryW = $clog2(N);
  logic [31+CarryW:0] low;
  always_comb begin
    low = '0;
    for (int unsigned i = 0; i < N; i++) low = low + {{CarryW{1'b0}}, x_i[64*i+:32]};
  end
  assign sum_o[31:0] = low[31:0];

  logic unused;
  if (Upper) begin : gen_upper
    logic [31:0] high;
    always_comb begin
      high = {{32-CarryW{1'b0}}, low[31+CarryW:32] & {CarryW{sew64_i}}};
      for (int unsigned i = 0; i < N; i++) high = high + x_i[64*i+32+:32];
    end
    assign sum_o[63:32] = high;
    assign unused = 1'b0;
  end else begin : gen_no_upper
    assign sum_o[63:32] = '0;
    assign unused = ^{x_i, low[31+CarryW:32], sew64_i};
  end
endmodule
