// The output register, and the second beat of a group of two until it enters that register.
module zvku_result #(
  parameter int unsigned W = 128,
  parameter int unsigned TagW = 8,
  localparam int unsigned WideW = W < 256 ? 256 : W
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             en_i,
  input  logic             valid_i,
  input  logic             second_i,
  input  logic [WideW-1:0] result_i,
  input  logic [TagW-1:0]  tag_i,
  output logic             valid_o,
  output logic [W-1:0]     data_o,
  output logic [TagW-1:0]  tag_o
);
  logic valid_q;
  logic [W-1:0] data, data_q;
  logic [TagW-1:0] tag_q;

  if (W < 256) begin : gen_second
    logic [W-1:0] second_q;
    assign data = second_i ? second_q : result_i[W-1:0];
    always_ff @(posedge clk_i) begin
      if (en_i) second_q <= valid_i && !second_i ? result_i[WideW-1:WideW-W] : '0;
    end
  end else begin : gen_one
    assign data = result_i;
    logic unused;
    assign unused = second_i;
  end

  // Zeros if there is no result.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) valid_q <= 1'b0;
    else if (en_i) valid_q <= valid_i;
  end
  always_ff @(posedge clk_i) begin
    if (en_i) begin
      data_q <= valid_i ? data : '0;
      tag_q <= tag_i;
    end
  end

  assign valid_o = valid_q;
  assign data_o = data_q;
  assign tag_o = tag_q;
endmodule
