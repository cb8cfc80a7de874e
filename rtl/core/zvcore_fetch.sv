// Fetches ahead sequentially, 64 bits at a time, and outputs the instruction at the pc.
//
// At most three words are buffered, including those requested. A redirection requests its target in
// the same cycle, so it costs one cycle if memory answers in the next. Words requested before it
// are dropped when they arrive.
module zvcore_fetch (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic [63:0] boot_i,

  output logic        valid_o,
  output logic [63:0] pc_o,
  output logic [31:0] insn_o,
  output logic        compressed_o,
  input  logic        take_i,      // the instruction is finished
  input  logic        redirect_i,  // with `take_i`: the next one is not sequential
  input  logic [63:0] target_i,

  output logic        imem_req_o,
  input  logic        imem_gnt_i,
  output logic [63:0] imem_addr_o,
  input  logic        imem_rvalid_i,
  input  logic [63:0] imem_rdata_i
);
  localparam int unsigned Depth = 3;

  logic started_q;
  logic [63:0] pc_q, next_q, next;
  logic [Depth*64-1:0] words_q, words_d;
  logic [1:0] count_q, count_d, flight_q, flight_d, drop_q, drop_d;

  // The instruction at the pc, from the first two words.
  logic [79:0] window;
  assign window = 80'(words_q[127:0] >> {pc_q[2:1], 4'b0});
  assign compressed_o = window[1:0] != 2'b11;
  assign insn_o = compressed_o ? {16'b0, window[15:0]} : window[31:0];
  assign valid_o = count_q > (!compressed_o && pc_q[2:1] == 2'd3 ? 2'd1 : 2'd0);
  assign pc_o = pc_q;

  logic [63:0] after;
  logic leaves;  // the first word is used up
  assign after = pc_q + (compressed_o ? 64'd2 : 64'd4);
  assign leaves = take_i && after[3] != pc_q[3];

  logic arrives, dropped, granted;
  assign dropped = imem_rvalid_i && drop_q != '0;
  assign arrives = imem_rvalid_i && drop_q == '0 && !redirect_i;
  assign next = redirect_i ? {target_i[63:3], 3'b0} : next_q;
  assign imem_req_o = started_q
      && (redirect_i ? flight_q < 2'd3 : {1'b0, count_q} + {1'b0, flight_q} < 3'(Depth));
  assign imem_addr_o = next;
  assign granted = imem_req_o && imem_gnt_i;

  always_comb begin
    words_d = words_q;
    count_d = count_q;
    if (leaves) begin
      words_d = {64'b0, words_q[Depth*64-1:64]};
      count_d = count_q - 2'd1;
    end
    if (arrives) begin
      for (int unsigned i = 0; i < Depth; i++) begin
        if (count_d == 2'(i)) words_d[64*i+:64] = imem_rdata_i;
      end
      count_d = count_d + 2'd1;
    end
    if (redirect_i) count_d = '0;
    flight_d = flight_q + 2'(granted) - 2'(imem_rvalid_i);
    drop_d = drop_q - 2'(dropped);
    if (redirect_i) drop_d = flight_q - 2'(imem_rvalid_i);
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      started_q <= 1'b0;
      count_q <= '0;
      flight_q <= '0;
      drop_q <= '0;
    end else begin
      started_q <= 1'b1;
      count_q <= count_d;
      flight_q <= flight_d;
      drop_q <= drop_d;
    end
  end
  always_ff @(posedge clk_i) begin
    words_q <= words_d;
    if (!started_q) begin
      pc_q <= boot_i;
      next_q <= {boot_i[63:3], 3'b0};
    end else begin
      if (redirect_i) pc_q <= target_i;
      else if (take_i) pc_q <= after;
      next_q <= granted ? next + 64'd8 : next;
    end
  end

  logic unused;
  assign unused = ^{window[79:32], after[63:4], after[2:0], 1'b0};
endmodule
