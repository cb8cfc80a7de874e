// Population count of each element, or its count of trailing zeros (SEW for zero).
module zvku_count (
  input  logic [1:0]  eew_i,
  input  logic        zeros_i,
  input  logic [63:0] a_i,
  output logic [63:0] y_o
);
  // Whether this bit or a less significant one of the element is 1: within bytes, then across them.
  logic [63:0] seen;
  logic [7:0] any, below;
  for (genvar i = 0; i < 8; i++) begin : gen_byte
    assign any[i] = |a_i[8*i+:8];
    for (genvar k = 0; k < 8; k++) begin : gen_bit
      assign seen[8*i+k] = below[i] || (|a_i[8*i+:k+1]);
    end
    always_comb begin
      unique case (eew_i)
        2'd0: below[i] = 1'b0;
        2'd1: below[i] = |(any & 8'((1 << i) - (1 << (i / 2 * 2))));
        2'd2: below[i] = |(any & 8'((1 << i) - (1 << (i / 4 * 4))));
        default: below[i] = |(any & 8'((1 << i) - 1));
      endcase
    end
  end

  logic [63:0] ones;
  assign ones = zeros_i ? ~seen : a_i;

  // Sums of one, two, four and eight bytes.
  logic [31:0] sum8;
  logic [19:0] sum16;
  logic [11:0] sum32;
  logic [6:0] sum64;
  for (genvar i = 0; i < 8; i++) begin : gen_sum8
    assign sum8[4*i+:4] = {3'b0, ones[8*i]} + {3'b0, ones[8*i+1]} + {3'b0, ones[8*i+2]}
        + {3'b0, ones[8*i+3]}
        + {3'b0, ones[8*i+4]} + {3'b0, ones[8*i+5]} + {3'b0, ones[8*i+6]} + {3'b0, ones[8*i+7]};
  end
  for (genvar i = 0; i < 4; i++) begin : gen_sum16
    assign sum16[5*i+:5] = {1'b0, sum8[8*i+:4]} + {1'b0, sum8[8*i+4+:4]};
  end
  for (genvar i = 0; i < 2; i++) begin : gen_sum32
    assign sum32[6*i+:6] = {1'b0, sum16[10*i+:5]} + {1'b0, sum16[10*i+5+:5]};
  end
  assign sum64 = {1'b0, sum32[5:0]} + {1'b0, sum32[11:6]};

  always_comb begin
    y_o = '0;
    unique case (eew_i)
      2'd0: for (int unsigned i = 0; i < 8; i++) y_o[8*i+:4] = sum8[4*i+:4];
      2'd1: for (int unsigned i = 0; i < 4; i++) y_o[16*i+:5] = sum16[5*i+:5];
      2'd2: for (int unsigned i = 0; i < 2; i++) y_o[32*i+:6] = sum32[6*i+:6];
      default: y_o[6:0] = sum64;
    endcase
  end
endmodule
