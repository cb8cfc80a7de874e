// zvcore_vhazard with zvcore_vfetch: whatever beats come, each reads what the beats before it in program order have written.
//
// One word of the register file is watched; which one is free. Its value in program order is compared with what beats read. A
// beat writes when it is taken, as those of the core's own units, or later, as those of zvku and of loads. Results of other words
// arrive whenever they like.
module scoreboard (
  input logic       clk_i,
  input logic       rst_ni,
  input logic [4:0] watch_i,     // at reset
  // The next beat: which sources it needs (vd, vs2, vs1 from the lowest), its words, whether it uses the mask, and what it writes.
  input logic       offer_i,
  input logic [2:0] need_i,
  input logic [14:0] words_i,
  input logic       masked_i,
  input logic [1:0] writes_i,    // nothing (a store), at once, later by zvku, later by a load
  input logic [1:0] value_i,
  // The register file grants these reads; and results of zvku and of loads arrive.
  input logic [2:0] grants_i,
  input logic       res_we_i,
  input logic [4:0] res_word_i,
  input logic       load_we_i,
  input logic [4:0] load_word_i
);
  localparam int unsigned VLEN = 128;  // a word to a register
  localparam int unsigned W = 128;
  localparam int unsigned DataW = 2;

  logic [4:0] watch_q;
  logic beat_q, masked_q;
  logic [2:0] need_q;
  logic [14:0] words_q;
  logic [1:0] writes_q;
  logic [DataW-1:0] value_q;

  // The watched word: what is stored, its value in program order, and a write that has not arrived.
  logic [DataW-1:0] stored_q, program_q, late_q;
  logic late_valid_q, late_load_q, arrives, take, load_we;
  logic [2:0] waits, req, gnt;
  logic target_waits, mask_waits, arrived, idle;
  logic [3*DataW-1:0] file, operands;
  // What arrives for the watched word is the write that is awaited.
  logic res_we;
  assign res_we = res_we_i && (res_word_i != watch_q || (late_valid_q && !late_load_q));
  assign load_we = load_we_i && (load_word_i != watch_q || (late_valid_q && late_load_q));
  assign arrives = (res_we && res_word_i == watch_q) || (load_we && load_word_i == watch_q);

  zvcore_vhazard #(.VLEN(VLEN), .W(W)) u_hazard (
    .clk_i, .rst_ni, .set_i(take && writes_q[1]), .addr_i(words_q[4:0]), .res_we_i(res_we), .res_addr_i(res_word_i),
    .load_we_i(load_we), .load_addr_i(load_word_i), .sources_i(words_q), .source_o(waits), .target_o(target_waits),
    .mask_o(mask_waits), .idle_o(idle)
  );
  assign gnt = req & ~waits & grants_i;
  for (genvar i = 0; i < 3; i++) begin : g_read
    assign file[DataW*i+:DataW] = arrives ? late_q : stored_q;
  end
  zvcore_vfetch #(.W(DataW)) u_fetch (
    .clk_i, .rst_ni, .need_i(need_q & {3{beat_q}}), .take_i(take), .ready_o(arrived), .data_o(operands), .req_o(req), .gnt_i(gnt),
    .data_i(file)
  );
  // As in zvcore_vexec.
  logic ready, writes_watched;
  assign ready = arrived && !(masked_q && mask_waits) && (!target_waits || writes_q == 2'd0);
  assign take = beat_q && ready && !(writes_q == 2'd1 && load_we);
  assign writes_watched = take && writes_q != 2'd0 && words_q[4:0] == watch_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) watch_q <= watch_i;
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {beat_q, late_valid_q, late_load_q} <= '0;
      {stored_q, program_q, late_q} <= '0;
    end else begin
      if (take || !beat_q) {beat_q, need_q, words_q, masked_q, writes_q, value_q} <=
          {offer_i, need_i, words_i, masked_i, writes_i, value_i};
      if (arrives) begin
        stored_q <= late_q;
        late_valid_q <= 1'b0;
      end
      if (writes_watched) begin
        program_q <= value_q;
        if (writes_q[1]) {late_valid_q, late_load_q, late_q} <= {1'b1, writes_q[0], value_q};
        else stored_q <= value_q;
      end
    end
  end
  for (genvar i = 0; i < 3; i++) begin : g_assert
    always_comb begin
      if (rst_ni && take && need_q[i] && words_q[5*i+:5] == watch_q) assert (operands[DataW*i+:DataW] == program_q);
    end
  end
  always_comb begin
    // v0, as mask, is read where it is stored; no write overtakes another; idle means that nothing is awaited.
    if (rst_ni && take && masked_q && watch_q == 5'd0) assert (stored_q == program_q);
    if (rst_ni && writes_watched) assert (!late_valid_q || arrives);
    if (rst_ni && idle) assert (!late_valid_q);
  end
endmodule
