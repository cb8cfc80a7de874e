// Executes an instruction one element at a time: strided and indexed accesses, unit-stride ones
// that would fault, comparisons, viota.m, vid.v, and some permutations (vrgather.v[xi] among them).
// An element takes a cycle, one more if it has an index or is compared with one of vs1, one more to
// write a comparison's bit, and the latency of memory. A fault leaves the earlier elements written.
module zvcore_velement #(
  parameter int unsigned VLEN = 256,
  parameter int unsigned W = 128,
  parameter logic [63:0] RamBase = 64'h8000_0000,
  parameter logic [63:0] RamLen = 64'h10_0000,
  localparam int unsigned PosW = $clog2(VLEN),
  localparam int unsigned AddrW = $clog2(32 * VLEN / W)
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  input  logic                valid_i,  // for a cycle; those below are held until `done_o`
  input  zvcore_v_pkg::ctrl_t ctrl_i,
  input  zvcore_v_pkg::element_e element_i,
  input  logic [4:0]          vd_i,
  input  logic [4:0]          vs2_i,
  input  logic [4:0]          vs1_i,
  input  logic [63:0]         scalar_i,  // or the base address
  input  logic [63:0]         stride_i,
  input  logic [PosW-1:0]     vstart_i,
  input  logic [PosW:0]       end_i,
  input  logic [PosW:0]       vlmax_i,
  input  logic [VLEN-1:0]     mask_i,
  output logic                done_o,
  output logic                fault_o,
  output logic [63:0]         fault_at_o,
  output logic [PosW-1:0]     index_o,   // the element that faults
  output logic [63:0]         to_x_o,

  output logic                read_o,
  output logic [AddrW-1:0]    raddr_o,
  input  logic [W-1:0]        rdata_i,
  output logic                we_o,
  output logic [AddrW-1:0]    waddr_o,
  output logic [W/8-1:0]      wstrb_o,
  output logic [W-1:0]        wdata_o,

  output logic                lsu_valid_o,
  input  logic                lsu_ready_i,
  output logic [63:0]         lsu_addr_o,
  output logic [W/8-1:0]      lsu_strb_o,
  output logic [W-1:0]        lsu_data_o,
  input  logic                lsu_done_i,
  input  logic [W-1:0]        lsu_data_i
);
  localparam int unsigned ByteW = $clog2(W / 8);
  typedef enum logic [2:0] {IDLE, INDEX, ELEMENT, MEMORY, BIT} state_e;
  state_e state_q;
  logic [PosW-1:0] k_q;
  logic [63:0] index_q, count_q;
  logic bit_q;

  // The byte address of an element in the register file.
  function automatic logic [PosW+1:0] byte_of(logic [4:0] register, logic [PosW-1:0] k,
      logic [1:0] eew);
    byte_of = {register, {PosW - 3{1'b0}}} + ((PosW + 2)'(k) << eew);
  endfunction

  function automatic logic [63:0] cut(logic [63:0] x, logic [1:0] eew);
    cut = x & ~(~64'hff << ((7'd8 << eew) - 7'd8));
  endfunction

  logic memory, compares, has_index, first_only, active, last;
  assign memory = element_i == zvcore_v_pkg::EL_STRIDE || element_i == zvcore_v_pkg::EL_INDEX;
  assign compares = element_i == zvcore_v_pkg::EL_COMPARE;
  assign has_index = element_i == zvcore_v_pkg::EL_INDEX || (compares && ctrl_i.use_vs1);
  assign first_only = element_i == zvcore_v_pkg::EL_TO_X || element_i == zvcore_v_pkg::EL_FROM_X;
  assign last = first_only || (PosW + 1)'(k_q) + 1'b1 == end_i;

  // The source element in vs2, if there is one.
  logic [63:0] from;
  logic zero, scalar;
  zvcore_vsource #(.VLEN(VLEN)) u_source (
    .element_i, .k_i(k_q), .last_i(last), .scalar_i, .vlmax_i, .from_o(from),
    .zero_o(zero), .scalar_o(scalar)
  );
  assign active = !ctrl_i.masked || mask_i[k_q];

  // Reading: the index, then the element.
  logic [1:0] read_eew;
  logic [PosW+1:0] read_byte;
  logic [63:0] read, value;
  always_comb begin
    read_eew = ctrl_i.eew;
    if (state_q == INDEX) begin
      read_eew = memory ? ctrl_i.vs2_eew : ctrl_i.vs1_eew;
      read_byte = byte_of(memory ? vs2_i : vs1_i, k_q, read_eew);
    end else if (memory) begin
      read_byte = byte_of(vd_i, k_q, read_eew);
    end else if (state_q == BIT) begin
      read_eew = 2'd0;
      read_byte = byte_of(vd_i, k_q >> 3, 2'd0);
    end else begin
      if (element_i == zvcore_v_pkg::EL_IOTA) read_eew = 2'd0;
      read_byte = byte_of(vs2_i, from[PosW-1:0], read_eew);
    end
  end
  assign read_o = state_q == INDEX || state_q == ELEMENT || state_q == BIT;
  assign raddr_o = read_byte[PosW+1-:AddrW];
  assign read = cut(64'(rdata_i >> {read_byte[ByteW-1:0], 3'b0}), read_eew);

  always_comb begin
    value = read;
    if (zero) value = '0;
    if (scalar) value = scalar_i;
    if (element_i == zvcore_v_pkg::EL_IOTA) value = count_q;
    if (element_i == zvcore_v_pkg::EL_ID) value = 64'(k_q);
    if (memory) value = lsu_data_i[63:0];
  end
  always_comb begin
    case (ctrl_i.eew)
      2'd0: to_x_o = {{56{read[7]}}, read[7:0]};
      2'd1: to_x_o = {{48{read[15]}}, read[15:0]};
      2'd2: to_x_o = {{32{read[31]}}, read[31:0]};
      default: to_x_o = read;
    endcase
  end

  logic holds, bad;
  zvcore_vcompare u_compare (
    .compare_i(ctrl_i.compare), .eew_i(ctrl_i.eew), .a_i(read),
    .b_i(cut(ctrl_i.use_vs1 ? index_q : scalar_i, ctrl_i.eew)), .holds_o(holds)
  );

  // Memory.
  logic [63:0] address, past;
  logic [W/8-1:0] bytes;
  assign address = scalar_i + (element_i == zvcore_v_pkg::EL_INDEX ? index_q : stride_i * 64'(k_q));
  assign past = address + (64'd1 << ctrl_i.eew);
  zvcore_pma #(.RamBase(RamBase), .RamLen(RamLen)) u_pma (
    .first_i(address), .last_i(past - 64'd1), .fault_o(bad), .at_o(fault_at_o)
  );
  assign bytes = ~({W / 8{1'b1}} << (4'd1 << ctrl_i.eew));
  assign lsu_valid_o = state_q == ELEMENT && memory && active && !bad;
  assign lsu_addr_o = address;
  assign lsu_strb_o = bytes;
  assign lsu_data_o = W'(read);

  // Steps.
  logic step, write;
  always_comb begin
    {step, write, fault_o} = '0;
    case (state_q)
      INDEX: step = !active;
      ELEMENT: begin
        if (memory && active) begin
          fault_o = bad;
        end else if (!compares || !active) begin
          step = 1'b1;
          write = active && element_i != zvcore_v_pkg::EL_TO_X;
        end
      end
      MEMORY: begin
        step = lsu_done_i;
        write = lsu_done_i && !ctrl_i.store;
      end
      BIT: {step, write} = '1;
      default: ;
    endcase
  end
  assign done_o = (step && last) || fault_o;
  assign index_o = k_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) state_q <= IDLE;
    else if (done_o) state_q <= IDLE;
    else if (step || (state_q == IDLE && valid_i)) state_q <= has_index ? INDEX : ELEMENT;
    else if (state_q == INDEX) state_q <= ELEMENT;
    else if (state_q == ELEMENT && compares) state_q <= BIT;
    else if (lsu_valid_o && lsu_ready_i) state_q <= MEMORY;
  end
  always_ff @(posedge clk_i) begin
    if (state_q == IDLE) k_q <= first_only ? '0 : vstart_i;
    else if (step) k_q <= k_q + 1'b1;
    if (state_q == INDEX) index_q <= read;
    bit_q <= holds;
    if (state_q == IDLE) count_q <= '0;
    else if (step && active && read[{3'b0, k_q[2:0]}]) count_q <= count_q + 64'd1;
  end

  // Writing: an element, or a byte with one bit changed.
  logic [PosW+1:0] write_byte;
  logic [7:0] place;
  logic [63:0] written;
  assign place = 8'd1 << k_q[2:0];
  assign write_byte = compares ? byte_of(vd_i, k_q >> 3, 2'd0) : byte_of(vd_i, k_q, ctrl_i.eew);
  assign we_o = write;
  assign waddr_o = write_byte[PosW+1-:AddrW];
  assign wstrb_o = (compares ? (W / 8)'(1'b1) : bytes) << write_byte[ByteW-1:0];
  assign written = compares ? {56'b0, (read[7:0] & ~place) | (place & {8{bit_q}})} : value;
  assign wdata_o = W'(written) << {write_byte[ByteW-1:0], 3'b0};

  logic unused;
  assign unused = ^{ctrl_i, from[63:PosW], lsu_data_i};
endmodule
