// Generated from the tables in isa/ by capvec-isagen: `make generate`. Do not edit.

// The expansion of a compressed instruction.
module zvcore_expand (
  input  logic [15:0] insn_i,
  output logic [31:0] insn_o,
  output logic        illegal_o  // no instruction, or one that is reserved
);
  always_comb begin
    insn_o = '0;
    illegal_o = 1'b0;
    priority casez (insn_i)
      16'b100_1_00000_00000_10: begin  // c.ebreak
        insn_o = {32'b00000000000100000000000001110011};
      end
      16'b100_0_?????_00000_10: begin  // c.jr
        insn_o = {12'b000000000000, insn_i[11:7], 15'b000000001100111};
        illegal_o = {insn_i[11:7]} == '0;
      end
      16'b100_1_?????_00000_10: begin  // c.jalr
        insn_o = {12'b000000000000, insn_i[11:7], 15'b000000011100111};
        illegal_o = {insn_i[11:7]} == '0;
      end
      16'b000_?_00000_?????_01: begin  // c.nop
        insn_o = {{7{insn_i[12]}}, insn_i[6:2], 20'b00000000000000010011};
      end
      16'b011_?_00010_?????_01: begin  // c.addi16sp
        insn_o = {{3{insn_i[12]}}, insn_i[4:3], insn_i[5], insn_i[2], insn_i[6],
            24'b000000010000000100010011};
        illegal_o = {insn_i[12], insn_i[6], insn_i[5], insn_i[4:3], insn_i[2]} == '0;
      end
      16'b100_0_11???_00???_01: begin  // c.sub
        insn_o = {9'b010000001, insn_i[4:2], 2'b01, insn_i[9:7], 5'b00001, insn_i[9:7], 7'b0110011};
      end
      16'b100_0_11???_01???_01: begin  // c.xor
        insn_o = {9'b000000001, insn_i[4:2], 2'b01, insn_i[9:7], 5'b10001, insn_i[9:7], 7'b0110011};
      end
      16'b100_0_11???_10???_01: begin  // c.or
        insn_o = {9'b000000001, insn_i[4:2], 2'b01, insn_i[9:7], 5'b11001, insn_i[9:7], 7'b0110011};
      end
      16'b100_0_11???_11???_01: begin  // c.and
        insn_o = {9'b000000001, insn_i[4:2], 2'b01, insn_i[9:7], 5'b11101, insn_i[9:7], 7'b0110011};
      end
      16'b100_1_11???_00???_01: begin  // c.subw
        insn_o = {9'b010000001, insn_i[4:2], 2'b01, insn_i[9:7], 5'b00001, insn_i[9:7], 7'b0111011};
      end
      16'b100_1_11???_01???_01: begin  // c.addw
        insn_o = {9'b000000001, insn_i[4:2], 2'b01, insn_i[9:7], 5'b00001, insn_i[9:7], 7'b0111011};
      end
      16'b100_?_00???_?????_01: begin  // c.srli
        insn_o = {6'b000000, insn_i[12], insn_i[6:2], 2'b01, insn_i[9:7], 5'b10101, insn_i[9:7],
            7'b0010011};
      end
      16'b100_?_01???_?????_01: begin  // c.srai
        insn_o = {6'b010000, insn_i[12], insn_i[6:2], 2'b01, insn_i[9:7], 5'b10101, insn_i[9:7],
            7'b0010011};
      end
      16'b100_?_10???_?????_01: begin  // c.andi
        insn_o = {{7{insn_i[12]}}, insn_i[6:2], 2'b01, insn_i[9:7], 5'b11101, insn_i[9:7],
            7'b0010011};
      end
      16'b100_0_?????_?????_10: begin  // c.mv
        insn_o = {7'b0000000, insn_i[6:2], 8'b00000000, insn_i[11:7], 7'b0110011};
        illegal_o = {insn_i[6:2]} == '0;
      end
      16'b100_1_?????_?????_10: begin  // c.add
        insn_o = {7'b0000000, insn_i[6:2], insn_i[11:7], 3'b000, insn_i[11:7], 7'b0110011};
        illegal_o = {insn_i[6:2]} == '0;
      end
      16'b000_?_?????_?????_00: begin  // c.addi4spn
        insn_o = {2'b00, insn_i[10:7], insn_i[12:11], insn_i[5], insn_i[6], 12'b000001000001,
            insn_i[4:2], 7'b0010011};
        illegal_o = {insn_i[12:11], insn_i[10:7], insn_i[6], insn_i[5]} == '0;
      end
      16'b010_?_?????_?????_00: begin  // c.lw
        insn_o = {5'b00000, insn_i[5], insn_i[12:10], insn_i[6], 4'b0001, insn_i[9:7], 5'b01001,
            insn_i[4:2], 7'b0000011};
      end
      16'b011_?_?????_?????_00: begin  // c.ld
        insn_o = {4'b0000, insn_i[6:5], insn_i[12:10], 5'b00001, insn_i[9:7], 5'b01101, insn_i[4:2],
            7'b0000011};
      end
      16'b110_?_?????_?????_00: begin  // c.sw
        insn_o = {5'b00000, insn_i[5], insn_i[12], 2'b01, insn_i[4:2], 2'b01, insn_i[9:7], 3'b010,
            insn_i[11:10], insn_i[6], 9'b000100011};
      end
      16'b111_?_?????_?????_00: begin  // c.sd
        insn_o = {4'b0000, insn_i[6:5], insn_i[12], 2'b01, insn_i[4:2], 2'b01, insn_i[9:7], 3'b011,
            insn_i[11:10], 10'b0000100011};
      end
      16'b000_?_?????_?????_01: begin  // c.addi
        insn_o = {{7{insn_i[12]}}, insn_i[6:2], insn_i[11:7], 3'b000, insn_i[11:7], 7'b0010011};
        illegal_o = {insn_i[11:7]} == '0;
        illegal_o = {insn_i[11:7]} == '0;
      end
      16'b001_?_?????_?????_01: begin  // c.addiw
        insn_o = {{7{insn_i[12]}}, insn_i[6:2], insn_i[11:7], 3'b000, insn_i[11:7], 7'b0011011};
        illegal_o = {insn_i[11:7]} == '0;
        illegal_o = {insn_i[11:7]} == '0;
      end
      16'b010_?_?????_?????_01: begin  // c.li
        insn_o = {{7{insn_i[12]}}, insn_i[6:2], 8'b00000000, insn_i[11:7], 7'b0010011};
      end
      16'b011_?_?????_?????_01: begin  // c.lui
        insn_o = {{15{insn_i[12]}}, insn_i[6:2], insn_i[11:7], 7'b0110111};
        illegal_o = {insn_i[12], insn_i[6:2]} == '0;
      end
      16'b101_?_?????_?????_01: begin  // c.j
        insn_o = {insn_i[12], insn_i[8], insn_i[10:9], insn_i[6], insn_i[7], insn_i[2], insn_i[11],
            insn_i[5:3], {9{insn_i[12]}}, 12'b000001101111};
      end
      16'b110_?_?????_?????_01: begin  // c.beqz
        insn_o = {{4{insn_i[12]}}, insn_i[6:5], insn_i[2], 7'b0000001, insn_i[9:7], 3'b000,
            insn_i[11:10], insn_i[4:3], insn_i[12], 7'b1100011};
      end
      16'b111_?_?????_?????_01: begin  // c.bnez
        insn_o = {{4{insn_i[12]}}, insn_i[6:5], insn_i[2], 7'b0000001, insn_i[9:7], 3'b001,
            insn_i[11:10], insn_i[4:3], insn_i[12], 7'b1100011};
      end
      16'b000_?_?????_?????_10: begin  // c.slli
        insn_o = {6'b000000, insn_i[12], insn_i[6:2], insn_i[11:7], 3'b001, insn_i[11:7],
            7'b0010011};
      end
      16'b010_?_?????_?????_10: begin  // c.lwsp
        insn_o = {4'b0000, insn_i[3:2], insn_i[12], insn_i[6:4], 10'b0000010010, insn_i[11:7],
            7'b0000011};
        illegal_o = {insn_i[11:7]} == '0;
      end
      16'b011_?_?????_?????_10: begin  // c.ldsp
        insn_o = {3'b000, insn_i[4:2], insn_i[12], insn_i[6:5], 11'b00000010011, insn_i[11:7],
            7'b0000011};
        illegal_o = {insn_i[11:7]} == '0;
      end
      16'b110_?_?????_?????_10: begin  // c.swsp
        insn_o = {4'b0000, insn_i[8:7], insn_i[12], insn_i[6:2], 8'b00010010, insn_i[11:9],
            9'b000100011};
      end
      16'b111_?_?????_?????_10: begin  // c.sdsp
        insn_o = {3'b000, insn_i[9:7], insn_i[12], insn_i[6:2], 8'b00010011, insn_i[11:10],
            10'b0000100011};
      end
      default: illegal_o = 1'b1;
    endcase
  end
endmodule
