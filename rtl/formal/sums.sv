// zvku_sum against addition modulo 2^64 or, twice, modulo 2^32.
module sums (
  input logic         sew64_i,
  input logic [255:0] x_i
);
  logic [63:0] two, three, four, a, b, c, d;
  assign {d, c, b, a} = x_i;
  zvku_sum #(.N(2)) u_two (.sew64_i, .x_i(x_i[127:0]), .sum_o(two));
  zvku_sum #(.N(3)) u_three (.sew64_i, .x_i(x_i[191:0]), .sum_o(three));
  zvku_sum #(.N(4)) u_four (.sew64_i, .x_i, .sum_o(four));

  function automatic logic [63:0] plus(logic wide, logic [63:0] x, logic [63:0] y);
    plus = wide ? x + y : {x[63:32] + y[63:32], x[31:0] + y[31:0]};
  endfunction
  always_comb begin
    assert (two == plus(sew64_i, a, b));
    assert (three == plus(sew64_i, plus(sew64_i, a, b), c));
    assert (four == plus(sew64_i, plus(sew64_i, plus(sew64_i, a, b), c), d));
  end
endmodule
