// Carry-less product of two N-bit polynomials, N a power of two, by Karatsuba down to 4 bits.
module zvku_karatsuba #(
  parameter int unsigned N = 64
) (
  input  logic [N-1:0]   a_i,
  input  logic [N-1:0]   b_i,
  output logic [2*N-2:0] p_o
);
  if (N <= 4) begin : gen_school
    always_comb begin
      p_o = '0;
      for (int unsigned i = 0; i < N; i++) p_o[i+:N] = p_o[i+:N] ^ (a_i & {N{b_i[i]}});
    end
  end else begin : gen_split
    localparam int unsigned H = N / 2;
    logic [2*H-2:0] low, high, sums;
    zvku_karatsuba #(.N(H)) u_low (.a_i(a_i[H-1:0]), .b_i(b_i[H-1:0]), .p_o(low));
    zvku_karatsuba #(.N(H)) u_high (.a_i(a_i[N-1:H]), .b_i(b_i[N-1:H]), .p_o(high));
    zvku_karatsuba #(.N(H)) u_sums (
      .a_i(a_i[N-1:H] ^ a_i[H-1:0]), .b_i(b_i[N-1:H] ^ b_i[H-1:0]), .p_o(sums)
    );
    // low + (sums + low + high) x^H + high x^N; the sum of the inner halves of low and high is
    // computed once.
    logic [H-2:0] inner;
    assign inner = low[2*H-2:H] ^ high[H-2:0];
    assign p_o[H-1:0] = low[H-1:0];
    assign p_o[2*H-2:H] = inner ^ sums[H-2:0] ^ low[H-2:0];
    assign p_o[2*H-1] = sums[H-1] ^ low[H-1] ^ high[H-1];
    assign p_o[3*H-2:2*H] = inner ^ sums[2*H-2:H] ^ high[2*H-2:H];
    assign p_o[4*H-2:3*H-1] = high[2*H-2:H-1];
  end
endmodule
