// zvcore_vhazard and zvcore_vorder with zvcore_vfetch: whatever instructions come, each beat reads
// what the beats before it in program order have written.
//
// One word of the register file is watched: `watch_i` chooses it at reset, so that what is proved
// holds for each word. Its value in program order is compared with what beats read. An instruction
// has one beat or two, in zvku or in a unit of the core, and writes the same value with both: when
// a beat is taken, as the core's own units do, or later, as zvku and loads do. Results of other
// words may arrive in any cycle.
module scoreboard (
  input logic       clk_i,
  input logic       rst_ni,
  input logic [4:0] watch_i,     // at reset
  // The next instruction: where it goes, which sources it needs (vd, vs2, vs1 from the lowest;
  // those of the core's units are the last two), its words, whether it has two beats, whether in
  // zvku the second beat's sources are the word before the first beat's instead of the word after
  // (as for .vs at DLEN 64), whether it uses the mask, and what it writes.
  input logic       offer_i,
  input logic       to_zvku_i,
  input logic [2:0] need_i,
  input logic [14:0] words_i,
  input logic       two_i,
  input logic       back_i,
  input logic       masked_i,
  input logic [1:0] writes_i,    // of the core's units: nothing (a store), at once, later (a load)
  input logic [1:0] value_i,
  // zvku takes a beat if it is there; memory grants an access; the register file grants these
  // reads; results arrive.
  input logic       ready_i,
  input logic       memory_i,
  input logic [4:0] grants_i,
  input logic       res_we_i,
  input logic [4:0] res_word_i,
  input logic       load_we_i,
  input logic [4:0] load_word_i
);
  localparam int unsigned VLEN = 128;  // a word to a register
  localparam int unsigned W = 128;
  localparam int unsigned DataW = 2;
  localparam logic [1:0] Store = 2'd0;
  localparam logic [1:0] Own = 2'd1;

  logic [4:0] watch_q;

  // The instruction in zvku, and the one in a unit of the core: its words, the last ones, and what
  // it must read from the watched word.
  logic [1:0] busy_q, two_q, masked_q;
  logic back_q;
  logic [2:0] z_need_q;
  logic [1:0] o_need_q, writes_q;
  logic [14:0] z_words_q, o_words_q, z_next, z_first, z_end, o_end;
  logic [DataW-1:0] z_value_q, o_value_q, z_sees_q, o_sees_q;
  for (genvar i = 0; i < 3; i++) begin : gen_end
    assign z_next[5*i+:5] = i != 0 && back_q ? z_words_q[5*i+:5] - 5'(two_q[0])
        : z_words_q[5*i+:5] + 5'(two_q[0]);
    assign z_first[5*i+:5] = i != 0 && back_q ? z_next[5*i+:5] : z_words_q[5*i+:5];
    assign z_end[5*i+:5] = i != 0 && back_q ? z_words_q[5*i+:5] : z_next[5*i+:5];
    assign o_end[5*i+:5] = o_words_q[5*i+:5] + 5'(two_q[1]);
  end

  // The watched word: what is stored, its value after all instructions, and a write that has not
  // arrived.
  logic [DataW-1:0] stored_q, program_q, late_q;
  logic late_valid_q, late_load_q, arrives, res_we, load_we;
  assign res_we = res_we_i && (res_word_i != watch_q || (late_valid_q && !late_load_q));
  assign load_we = load_we_i && (load_word_i != watch_q || (late_valid_q && late_load_q));
  assign arrives = (res_we && res_word_i == watch_q) || (load_we && load_word_i == watch_q);

  // As in zvcore_vexec and zvcore_vcrypto.
  logic z_take, o_take, z_other, o_other, mask_waits, z_arrived, o_arrived, idle;
  logic [2:0] z_order, z_req;
  logic [1:0] o_order, o_req, target_waits;
  logic [4:0] waits, gnt;
  logic [3*DataW-1:0] z_operands;
  logic [2*DataW-1:0] o_operands;
  logic [5*DataW-1:0] file;
  logic start, start_zvku, start_own;
  assign start_zvku = offer_i && to_zvku_i && (!busy_q[0] || (z_take && !two_q[0]));
  assign start_own = offer_i && !to_zvku_i && (!busy_q[1] || (o_take && !two_q[1]));
  assign start = start_zvku || start_own;
  for (genvar i = 0; i < 5; i++) begin : gen_read
    assign file[DataW*i+:DataW] = arrives ? late_q : stored_q;
  end
  zvcore_vorder #(.VLEN(VLEN), .W(W)) u_order (
    .clk_i, .rst_ni, .start_i(start), .start_zvku_i(start_zvku), .zvku_busy_i(busy_q[0]),
    .zvku_masked_i(masked_q[0]), .zvku_use_i(z_need_q), .zvku_word_i(z_words_q),
    .zvku_first_i(z_first[14:5]), .zvku_end_i(z_end), .zvku_source_o(z_order),
    .zvku_other_o(z_other), .own_busy_i(busy_q[1]), .own_masked_i(masked_q[1]),
    .own_writes_i(writes_q != Store), .own_target_i(o_words_q[4:0]), .own_target_end_i(o_end[4:0]),
    .own_use_i(o_need_q), .own_word_i(o_words_q[14:5]), .own_first_i(o_words_q[14:5]),
    .own_end_i(o_end[14:5]), .own_source_o(o_order), .own_other_o(o_other)
  );
  zvcore_vhazard #(.VLEN(VLEN), .W(W)) u_hazard (
    .clk_i, .rst_ni, .set_i({o_take && writes_q[1], z_take}),
    .addr_i({o_words_q[4:0], z_words_q[4:0]}), .res_we_i(res_we), .res_addr_i(res_word_i),
    .load_we_i(load_we), .load_addr_i(load_word_i), .sources_i({o_words_q[14:5], z_words_q}),
    .source_o(waits), .target_o(target_waits), .mask_o(mask_waits), .idle_o(idle)
  );
  assign gnt = {o_req, z_req} & ~waits & ~{o_order, z_order} & grants_i;
  zvcore_vfetch #(.W(DataW), .N(3)) u_z_fetch (
    .clk_i, .rst_ni, .need_i(z_need_q & {3{busy_q[0] && ready_i}}), .take_i(z_take),
    .ready_o(z_arrived), .data_o(z_operands), .req_o(z_req), .gnt_i(gnt[2:0]),
    .data_i(file[3*DataW-1:0])
  );
  zvcore_vfetch #(.W(DataW), .N(2)) u_o_fetch (
    .clk_i, .rst_ni, .need_i(o_need_q & {2{busy_q[1]}}), .take_i(o_take), .ready_o(o_arrived),
    .data_o(o_operands), .req_o(o_req), .gnt_i(gnt[4:3]), .data_i(file[5*DataW-1:3*DataW])
  );
  assign z_take = busy_q[0] && ready_i && z_arrived && !z_other && !target_waits[0]
      && !(masked_q[0] && mask_waits);
  assign o_take = busy_q[1] && o_arrived && !(masked_q[1] && mask_waits) && !o_other
      && !(target_waits[1] && writes_q != Store) && (writes_q == Own ? !load_we : memory_i);

  // Whether a new instruction writes the watched word, and whether these beats do.
  logic will_write, z_writes, o_writes;
  logic [1:0] new_writes;
  assign new_writes = writes_i == 2'd2 ? 2'd3 : writes_i;
  assign will_write = (words_i[4:0] == watch_q || (two_i && words_i[4:0] + 5'd1 == watch_q))
      && (to_zvku_i || writes_i != Store);
  assign z_writes = z_take && z_words_q[4:0] == watch_q;
  assign o_writes = o_take && writes_q != Store && o_words_q[4:0] == watch_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) watch_q <= watch_i;
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {busy_q, late_valid_q, late_load_q} <= '0;
      {stored_q, program_q, late_q} <= '0;
    end else begin
      if (z_take) begin
        {busy_q[0], two_q[0]} <= {two_q[0], 1'b0};
        z_words_q <= z_next;
      end
      if (o_take) begin
        {busy_q[1], two_q[1]} <= {two_q[1], 1'b0};
        o_words_q <= o_end;
      end
      if (arrives) begin
        stored_q <= late_q;
        late_valid_q <= 1'b0;
      end
      if (z_writes) begin
        z_sees_q <= z_value_q;
        {late_valid_q, late_load_q, late_q} <= {2'b10, z_value_q};
      end
      if (o_writes) begin
        o_sees_q <= o_value_q;
        if (writes_q == Own) stored_q <= o_value_q;
        else {late_valid_q, late_load_q, late_q} <= {2'b11, o_value_q};
      end
      if (start) begin
        if (will_write) program_q <= value_i;
      end
      if (start_zvku) begin
        {busy_q[0], two_q[0], back_q, masked_q[0]} <= {1'b1, two_i, back_i, masked_i};
        {z_need_q, z_words_q, z_value_q, z_sees_q} <= {need_i, words_i, value_i, program_q};
      end
      if (start_own) begin
        {busy_q[1], two_q[1], masked_q[1], writes_q} <= {1'b1, two_i, masked_i, new_writes};
        {o_need_q, o_words_q, o_value_q, o_sees_q} <= {need_i[2:1], words_i, value_i, program_q};
      end
    end
  end
  // An operand of two words must not wrap around between v31 and v0: no group of registers does.
  always_comb begin
    for (int unsigned i = 0; i < 3; i++) begin
      assume (words_i[5*i+:5] != 5'd31 || !two_i);
      assume (words_i[5*i+:5] != 5'd0 || !two_i || !back_i);
    end
  end
  for (genvar i = 0; i < 3; i++) begin : gen_zvku
    always_comb begin
      if (rst_ni && z_take && z_need_q[i] && z_words_q[5*i+:5] == watch_q) begin
        assert (z_operands[DataW*i+:DataW] == z_sees_q);
      end
    end
  end
  for (genvar i = 0; i < 2; i++) begin : gen_own
    always_comb begin
      if (rst_ni && o_take && o_need_q[i] && o_words_q[5*(i+1)+:5] == watch_q) begin
        assert (o_operands[DataW*i+:DataW] == o_sees_q);
      end
    end
  end
  always_comb begin
    // v0, as mask, is read where it is stored; no write overtakes another; if nothing is in flight,
    // every write has arrived.
    if (rst_ni && z_take && masked_q[0] && watch_q == 5'd0) assert (stored_q == z_sees_q);
    if (rst_ni && o_take && masked_q[1] && watch_q == 5'd0) assert (stored_q == o_sees_q);
    if (rst_ni && (z_writes || o_writes)) assert (!late_valid_q || arrives);
    if (rst_ni && z_writes) assert (!o_writes);
    if (rst_ni && idle && busy_q == '0) assert (!late_valid_q && stored_q == program_q);
  end
endmodule
