// Control and status registers of user and machine mode, traps, and the counters (Privileged ISA
// manual, "Machine-Level ISA").
//
// There is no supervisor mode, no interrupt source and no event counter: their fields and registers
// read 0, except that mie keeps its bits of machine mode. mstatus.VS is only Off or Dirty, which
// the manual allows.
module zvcore_csr #(
  parameter int unsigned VLEN = 256
) (
  input  logic         clk_i,
  input  logic         rst_ni,

  // Raw bits and alarms of the noise source of `seed` (zkr).
  input  logic         raw_valid_i,
  input  logic         raw_i,
  input  logic         alarm_i,
  input  logic         fatal_i,

  // An access: the value read and whether it is allowed; the write happens with `retire_i`. With
  // `valid_i`, it is executed.
  input  logic         valid_i,
  input  logic         access_i,
  input  logic         write_i,
  input  logic [1:0]   kind_i,  // 1 write, 2 set, 3 clear
  input  logic [11:0]  csr_i,
  input  logic [63:0]  operand_i,
  output logic [63:0]  data_o,
  output logic         illegal_o,

  input  logic         retire_i,
  input  logic         mret_i,
  input  logic         trap_i,
  input  zvcore_pkg::cause_e cause_i,
  input  logic [63:0]  tval_i,
  input  logic [63:0]  pc_i,
  output logic         machine_o,  // the mode
  output logic [63:0]  vector_o,   // address of the trap handler
  output logic [63:0]  epc_o,

  input  logic [63:0]  time_i,
  // Signals of the vector unit.
  input  logic [63:0]  vtype_i,
  input  logic [$clog2(VLEN):0] vl_i,
  input  logic         vstart_we_i,  // by a vector instruction
  input  logic [$clog2(VLEN)-1:0] vstart_i,
  output logic [$clog2(VLEN)-1:0] vstart_o,
  output logic         vector_on_o
);
  localparam logic [63:0] Misa = 64'h8000_0000_0010_1104;  // RV64IMC and user mode

  logic machine_q, mie_q, mpie_q, mprv_q, tw_q, mpp_q, vs_q;
  logic [63:0] tvec_q, epc_q, cause_q, tval_q, scratch_q, mcycle_q, minstret_q;
  logic [2:0] ie_q, counteren_q;
  logic useed_q;  // of mseccfg; SSEED is 0 without supervisor mode
  logic [2:0] vcsr_q;  // vxrm, vxsat
  logic [$clog2(VLEN)-1:0] vstart_q;
  logic [63:0] status, value;
  assign status = {vs_q, 29'b0, 2'd2, 10'b0, tw_q, 3'b0, mprv_q, 4'b0, {2{mpp_q}}, {2{vs_q}}, 1'b0,
      mpie_q, 3'b0,
      mie_q, 3'b0};

  // An access to `seed` retires in its cycle if it is legal.
  logic is_seed, seed_illegal;
  logic [31:0] seed;
  assign is_seed = csr_i == 12'h015;
  zkr u_zkr (
    .clk_i, .rst_ni, .raw_valid_i, .raw_i, .alarm_i, .fatal_i,
    .access_i(valid_i && access_i && is_seed), .write_i, .machine_i(machine_q), .allowed_i(useed_q),
    .illegal_o(seed_illegal), .seed_o(seed)
  );

  // Reading, and which registers exist.
  logic exists, counter_on;
  assign counter_on = machine_q || counteren_q[csr_i[1:0]];
  always_comb begin
    data_o = '0;
    exists = 1'b1;
    casez (csr_i)
      12'h008: data_o = 64'(vstart_q);
      12'h009: data_o = {63'b0, vcsr_q[0]};
      12'h00a: data_o = {62'b0, vcsr_q[2:1]};
      12'h00f: data_o = {61'b0, vcsr_q};
      12'h015: data_o = {32'b0, seed};
      12'hc20: data_o = 64'(vl_i);
      12'hc21: data_o = vtype_i;
      12'hc22: data_o = 64'(VLEN) >> 3;
      12'hc00: data_o = mcycle_q;
      12'hc01: data_o = time_i;
      12'hc02: data_o = minstret_q;
      12'h300: data_o = status;
      12'h301: data_o = Misa;
      12'h304: data_o = {52'b0, ie_q[2], 3'b0, ie_q[1], 3'b0, ie_q[0], 3'b0};
      12'h305: data_o = tvec_q;
      12'h306: data_o = {61'b0, counteren_q};
      12'h340: data_o = scratch_q;
      12'h341: data_o = epc_q;
      12'h342: data_o = cause_q;
      12'h343: data_o = tval_q;
      12'h344, 12'h30a: ;  // mip, menvcfg
      12'h747: data_o = {55'b0, useed_q, 8'b0};  // mseccfg
      12'h7a0, 12'h7a1, 12'h7a2, 12'h7a3: ;  // no triggers
      12'hf11, 12'hf12, 12'hf13, 12'hf14, 12'hf15: ;  // mvendorid to mconfigptr: all 0
      // mcountinhibit, mhpmevent3 to 31.
      12'b0011_001?_????: exists = csr_i[4:0] == '0 || csr_i[4:0] >= 5'd3;
      12'b1011_000?_????: begin  // mcycle, minstret, mhpmcounter3 to 31
        exists = csr_i[4:0] != 5'd1;
        if (csr_i[4:0] == 5'd0) data_o = mcycle_q;
        if (csr_i[4:0] == 5'd2) data_o = minstret_q;
      end
      default: exists = 1'b0;
    endcase
  end
  logic is_vector, is_counter;
  assign is_vector = csr_i[11:4] == 8'h00 || csr_i[11:4] == 8'hc2;
  assign is_counter = csr_i[11:4] == 8'hc0;
  assign illegal_o = access_i
      && (!exists || (csr_i[9:8] != '0 && !machine_q) || (write_i && csr_i[11:10] == 2'b11)
      || (is_vector && !vs_q) || (is_counter && !counter_on)) || seed_illegal;

  // Writing.
  logic we;
  always_comb begin
    case (kind_i)
      2'd2: value = data_o | operand_i;
      2'd3: value = data_o & ~operand_i;
      default: value = operand_i;
    endcase
  end
  assign we = retire_i && access_i && write_i;
  assign vstart_o = vstart_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      machine_q <= 1'b1;
      {mie_q, mpie_q, mprv_q, tw_q, mpp_q, vs_q} <= '0;
      {ie_q, counteren_q, useed_q, vcsr_q, vstart_q} <= '0;
      {tvec_q, epc_q, cause_q, tval_q, scratch_q, mcycle_q, minstret_q} <= '0;
    end else begin
      mcycle_q <= mcycle_q + 64'd1;
      if (retire_i) minstret_q <= minstret_q + 64'd1;
      if (vstart_we_i) vstart_q <= vstart_i;
      if (trap_i) begin
        {mpie_q, mie_q, mpp_q, machine_q} <= {mie_q, 1'b0, machine_q, 1'b1};
        epc_q <= pc_i;
        cause_q <= 64'(cause_i);
        tval_q <= tval_i;
      end else if (retire_i && mret_i) begin
        {mie_q, mpie_q, mpp_q, machine_q} <= {mpie_q, 1'b1, 1'b0, mpp_q};
        if (!mpp_q) mprv_q <= 1'b0;
      end else if (we) begin
        case (csr_i)
          12'h008: vstart_q <= value[$clog2(VLEN)-1:0];
          12'h009: vcsr_q[0] <= value[0];
          12'h00a: vcsr_q[2:1] <= value[1:0];
          12'h00f: vcsr_q <= value[2:0];
          12'h300: begin
            {tw_q, mprv_q, mpie_q, mie_q} <= {value[21], value[17], value[7], value[3]};
            if (value[12] == value[11]) mpp_q <= value[11];
            vs_q <= value[10:9] != '0;
          end
          12'h304: ie_q <= {value[11], value[7], value[3]};
          12'h305: tvec_q <= {value[63:2], 1'b0, value[0]};
          12'h306: counteren_q <= value[2:0];
          12'h340: scratch_q <= value;
          12'h341: epc_q <= {value[63:1], 1'b0};
          12'h342: cause_q <= value;
          12'h343: tval_q <= value;
          12'h747: useed_q <= value[8];
          12'hb00: mcycle_q <= value;
          12'hb02: minstret_q <= value;
          default: ;
        endcase
      end
    end
  end

  assign machine_o = machine_q;
  assign vector_o = {tvec_q[63:2], 2'b0};
  assign epc_o = epc_q;
  assign vector_on_o = vs_q;
endmodule
