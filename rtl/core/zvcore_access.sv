// A scalar load or store: the bytes that it writes, whether it faults, and the value that was
// loaded.
module zvcore_access #(
  parameter int unsigned W = 128,
  parameter logic [63:0] RamBase = 64'h8000_0000,
  parameter logic [63:0] RamLen = 64'h10_0000
) (
  input  logic [1:0]     size_i,  // 1 << size bytes
  input  logic           sign_i,  // extends the sign
  input  logic [63:0]    addr_i,
  input  logic [W-1:0]   data_i,  // the bytes from `addr_i` on
  output logic [W/8-1:0] strb_o,  // from `addr_i` on
  output logic [63:0]    loaded_o,
  output logic           fault_o,
  output logic [63:0]    fault_at_o
);
  logic [63:0] last;
  assign last = addr_i + (64'd1 << size_i) - 64'd1;
  assign strb_o = ~({W / 8{1'b1}} << (4'd1 << size_i));
  always_comb begin
    case (size_i)
      2'd0: loaded_o = {{56{sign_i && data_i[7]}}, data_i[7:0]};
      2'd1: loaded_o = {{48{sign_i && data_i[15]}}, data_i[15:0]};
      2'd2: loaded_o = {{32{sign_i && data_i[31]}}, data_i[31:0]};
      default: loaded_o = data_i[63:0];
    endcase
  end
  zvcore_pma #(.RamBase(RamBase), .RamLen(RamLen)) u_pma (
    .first_i(addr_i), .last_i(last), .fault_o, .at_o(fault_at_o)
  );

  logic unused;
  assign unused = ^data_i;
endmodule
