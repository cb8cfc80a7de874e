// Generated from the tables in isa/ by capvec-isagen: `make generate`. Do not edit.

// The instruction that a word encodes, its class, its immediate, and its operands.
module zvcore_op_table (
  input  logic [31:0] insn_i,
  output zvcore_op_pkg::op_e    op_o,
  output zvcore_op_pkg::class_e class_o,
  output zvcore_op_pkg::imm_e   imm_o,
  output logic has_rd_o,  // writes an x register
  output logic has_vs2_o,
  output logic has_vs1_o
);
  always_comb begin
    op_o = zvcore_op_pkg::NONE;
    class_o = zvcore_op_pkg::NO_CLASS;
    imm_o = zvcore_op_pkg::NO_IMM;
    {has_rd_o, has_vs2_o, has_vs1_o} = '0;
    unique casez (insn_i)
      32'b??????_?_?????_?????_???_?????_0110111: begin  // lui
        op_o = zvcore_op_pkg::LUI;
        class_o = zvcore_op_pkg::CLASS_ALU;
        imm_o = zvcore_op_pkg::IMM_U;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b100;
      end
      32'b??????_?_?????_?????_???_?????_0010111: begin  // auipc
        op_o = zvcore_op_pkg::AUIPC;
        class_o = zvcore_op_pkg::CLASS_ALU;
        imm_o = zvcore_op_pkg::IMM_U;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b100;
      end
      32'b??????_?_?????_?????_???_?????_1101111: begin  // jal
        op_o = zvcore_op_pkg::JAL;
        class_o = zvcore_op_pkg::CLASS_JUMP;
        imm_o = zvcore_op_pkg::IMM_J;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b100;
      end
      32'b??????_?_?????_?????_000_?????_1100111: begin  // jalr
        op_o = zvcore_op_pkg::JALR;
        class_o = zvcore_op_pkg::CLASS_JUMP;
        imm_o = zvcore_op_pkg::IMM_I;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b100;
      end
      32'b??????_?_?????_?????_000_?????_1100011: begin  // beq
        op_o = zvcore_op_pkg::BEQ;
        class_o = zvcore_op_pkg::CLASS_BRANCH;
        imm_o = zvcore_op_pkg::IMM_B;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b000;
      end
      32'b??????_?_?????_?????_001_?????_1100011: begin  // bne
        op_o = zvcore_op_pkg::BNE;
        class_o = zvcore_op_pkg::CLASS_BRANCH;
        imm_o = zvcore_op_pkg::IMM_B;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b000;
      end
      32'b??????_?_?????_?????_100_?????_1100011: begin  // blt
        op_o = zvcore_op_pkg::BLT;
        class_o = zvcore_op_pkg::CLASS_BRANCH;
        imm_o = zvcore_op_pkg::IMM_B;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b000;
      end
      32'b??????_?_?????_?????_101_?????_1100011: begin  // bge
        op_o = zvcore_op_pkg::BGE;
        class_o = zvcore_op_pkg::CLASS_BRANCH;
        imm_o = zvcore_op_pkg::IMM_B;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b000;
      end
      32'b??????_?_?????_?????_110_?????_1100011: begin  // bltu
        op_o = zvcore_op_pkg::BLTU;
        class_o = zvcore_op_pkg::CLASS_BRANCH;
        imm_o = zvcore_op_pkg::IMM_B;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b000;
      end
      32'b??????_?_?????_?????_111_?????_1100011: begin  // bgeu
        op_o = zvcore_op_pkg::BGEU;
        class_o = zvcore_op_pkg::CLASS_BRANCH;
        imm_o = zvcore_op_pkg::IMM_B;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b000;
      end
      32'b??????_?_?????_?????_000_?????_0000011: begin  // lb
        op_o = zvcore_op_pkg::LB;
        class_o = zvcore_op_pkg::CLASS_LOAD;
        imm_o = zvcore_op_pkg::IMM_I;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b100;
      end
      32'b??????_?_?????_?????_001_?????_0000011: begin  // lh
        op_o = zvcore_op_pkg::LH;
        class_o = zvcore_op_pkg::CLASS_LOAD;
        imm_o = zvcore_op_pkg::IMM_I;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b100;
      end
      32'b??????_?_?????_?????_010_?????_0000011: begin  // lw
        op_o = zvcore_op_pkg::LW;
        class_o = zvcore_op_pkg::CLASS_LOAD;
        imm_o = zvcore_op_pkg::IMM_I;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b100;
      end
      32'b??????_?_?????_?????_100_?????_0000011: begin  // lbu
        op_o = zvcore_op_pkg::LBU;
        class_o = zvcore_op_pkg::CLASS_LOAD;
        imm_o = zvcore_op_pkg::IMM_I;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b100;
      end
      32'b??????_?_?????_?????_101_?????_0000011: begin  // lhu
        op_o = zvcore_op_pkg::LHU;
        class_o = zvcore_op_pkg::CLASS_LOAD;
        imm_o = zvcore_op_pkg::IMM_I;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b100;
      end
      32'b??????_?_?????_?????_000_?????_0100011: begin  // sb
        op_o = zvcore_op_pkg::SB;
        class_o = zvcore_op_pkg::CLASS_STORE;
        imm_o = zvcore_op_pkg::IMM_S;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b000;
      end
      32'b??????_?_?????_?????_001_?????_0100011: begin  // sh
        op_o = zvcore_op_pkg::SH;
        class_o = zvcore_op_pkg::CLASS_STORE;
        imm_o = zvcore_op_pkg::IMM_S;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b000;
      end
      32'b??????_?_?????_?????_010_?????_0100011: begin  // sw
        op_o = zvcore_op_pkg::SW;
        class_o = zvcore_op_pkg::CLASS_STORE;
        imm_o = zvcore_op_pkg::IMM_S;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b000;
      end
      32'b??????_?_?????_?????_000_?????_0010011: begin  // addi
        op_o = zvcore_op_pkg::ADDI;
        class_o = zvcore_op_pkg::CLASS_ALU;
        imm_o = zvcore_op_pkg::IMM_I;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b100;
      end
      32'b??????_?_?????_?????_010_?????_0010011: begin  // slti
        op_o = zvcore_op_pkg::SLTI;
        class_o = zvcore_op_pkg::CLASS_ALU;
        imm_o = zvcore_op_pkg::IMM_I;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b100;
      end
      32'b??????_?_?????_?????_011_?????_0010011: begin  // sltiu
        op_o = zvcore_op_pkg::SLTIU;
        class_o = zvcore_op_pkg::CLASS_ALU;
        imm_o = zvcore_op_pkg::IMM_I;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b100;
      end
      32'b??????_?_?????_?????_100_?????_0010011: begin  // xori
        op_o = zvcore_op_pkg::XORI;
        class_o = zvcore_op_pkg::CLASS_ALU;
        imm_o = zvcore_op_pkg::IMM_I;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b100;
      end
      32'b??????_?_?????_?????_110_?????_0010011: begin  // ori
        op_o = zvcore_op_pkg::ORI;
        class_o = zvcore_op_pkg::CLASS_ALU;
        imm_o = zvcore_op_pkg::IMM_I;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b100;
      end
      32'b??????_?_?????_?????_111_?????_0010011: begin  // andi
        op_o = zvcore_op_pkg::ANDI;
        class_o = zvcore_op_pkg::CLASS_ALU;
        imm_o = zvcore_op_pkg::IMM_I;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b100;
      end
      32'b000000_0_?????_?????_000_?????_0110011: begin  // add
        op_o = zvcore_op_pkg::ADD;
        class_o = zvcore_op_pkg::CLASS_ALU;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b100;
      end
      32'b010000_0_?????_?????_000_?????_0110011: begin  // sub
        op_o = zvcore_op_pkg::SUB;
        class_o = zvcore_op_pkg::CLASS_ALU;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b100;
      end
      32'b000000_0_?????_?????_001_?????_0110011: begin  // sll
        op_o = zvcore_op_pkg::SLL;
        class_o = zvcore_op_pkg::CLASS_ALU;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b100;
      end
      32'b000000_0_?????_?????_010_?????_0110011: begin  // slt
        op_o = zvcore_op_pkg::SLT;
        class_o = zvcore_op_pkg::CLASS_ALU;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b100;
      end
      32'b000000_0_?????_?????_011_?????_0110011: begin  // sltu
        op_o = zvcore_op_pkg::SLTU;
        class_o = zvcore_op_pkg::CLASS_ALU;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b100;
      end
      32'b000000_0_?????_?????_100_?????_0110011: begin  // xor
        op_o = zvcore_op_pkg::XOR;
        class_o = zvcore_op_pkg::CLASS_ALU;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b100;
      end
      32'b000000_0_?????_?????_101_?????_0110011: begin  // srl
        op_o = zvcore_op_pkg::SRL;
        class_o = zvcore_op_pkg::CLASS_ALU;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b100;
      end
      32'b010000_0_?????_?????_101_?????_0110011: begin  // sra
        op_o = zvcore_op_pkg::SRA;
        class_o = zvcore_op_pkg::CLASS_ALU;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b100;
      end
      32'b000000_0_?????_?????_110_?????_0110011: begin  // or
        op_o = zvcore_op_pkg::OR;
        class_o = zvcore_op_pkg::CLASS_ALU;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b100;
      end
      32'b000000_0_?????_?????_111_?????_0110011: begin  // and
        op_o = zvcore_op_pkg::AND;
        class_o = zvcore_op_pkg::CLASS_ALU;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b100;
      end
      32'b??????_?_?????_?????_000_?????_0001111: begin  // fence
        op_o = zvcore_op_pkg::FENCE;
        class_o = zvcore_op_pkg::CLASS_FENCE;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b000;
      end
      32'b000000_0_00000_00000_000_00000_1110011: begin  // ecall
        op_o = zvcore_op_pkg::ECALL;
        class_o = zvcore_op_pkg::CLASS_SYSTEM;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b000;
      end
      32'b000000_0_00001_00000_000_00000_1110011: begin  // ebreak
        op_o = zvcore_op_pkg::EBREAK;
        class_o = zvcore_op_pkg::CLASS_SYSTEM;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b000;
      end
      32'b??????_?_?????_?????_110_?????_0000011: begin  // lwu
        op_o = zvcore_op_pkg::LWU;
        class_o = zvcore_op_pkg::CLASS_LOAD;
        imm_o = zvcore_op_pkg::IMM_I;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b100;
      end
      32'b??????_?_?????_?????_011_?????_0000011: begin  // ld
        op_o = zvcore_op_pkg::LD;
        class_o = zvcore_op_pkg::CLASS_LOAD;
        imm_o = zvcore_op_pkg::IMM_I;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b100;
      end
      32'b??????_?_?????_?????_011_?????_0100011: begin  // sd
        op_o = zvcore_op_pkg::SD;
        class_o = zvcore_op_pkg::CLASS_STORE;
        imm_o = zvcore_op_pkg::IMM_S;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b000;
      end
      32'b000000_?_?????_?????_001_?????_0010011: begin  // slli
        op_o = zvcore_op_pkg::SLLI;
        class_o = zvcore_op_pkg::CLASS_ALU;
        imm_o = zvcore_op_pkg::IMM_SHIFT;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b100;
      end
      32'b000000_?_?????_?????_101_?????_0010011: begin  // srli
        op_o = zvcore_op_pkg::SRLI;
        class_o = zvcore_op_pkg::CLASS_ALU;
        imm_o = zvcore_op_pkg::IMM_SHIFT;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b100;
      end
      32'b010000_?_?????_?????_101_?????_0010011: begin  // srai
        op_o = zvcore_op_pkg::SRAI;
        class_o = zvcore_op_pkg::CLASS_ALU;
        imm_o = zvcore_op_pkg::IMM_SHIFT;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b100;
      end
      32'b??????_?_?????_?????_000_?????_0011011: begin  // addiw
        op_o = zvcore_op_pkg::ADDIW;
        class_o = zvcore_op_pkg::CLASS_ALU;
        imm_o = zvcore_op_pkg::IMM_I;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b100;
      end
      32'b000000_0_?????_?????_001_?????_0011011: begin  // slliw
        op_o = zvcore_op_pkg::SLLIW;
        class_o = zvcore_op_pkg::CLASS_ALU;
        imm_o = zvcore_op_pkg::IMM_SHIFT;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b100;
      end
      32'b000000_0_?????_?????_101_?????_0011011: begin  // srliw
        op_o = zvcore_op_pkg::SRLIW;
        class_o = zvcore_op_pkg::CLASS_ALU;
        imm_o = zvcore_op_pkg::IMM_SHIFT;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b100;
      end
      32'b010000_0_?????_?????_101_?????_0011011: begin  // sraiw
        op_o = zvcore_op_pkg::SRAIW;
        class_o = zvcore_op_pkg::CLASS_ALU;
        imm_o = zvcore_op_pkg::IMM_SHIFT;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b100;
      end
      32'b000000_0_?????_?????_000_?????_0111011: begin  // addw
        op_o = zvcore_op_pkg::ADDW;
        class_o = zvcore_op_pkg::CLASS_ALU;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b100;
      end
      32'b010000_0_?????_?????_000_?????_0111011: begin  // subw
        op_o = zvcore_op_pkg::SUBW;
        class_o = zvcore_op_pkg::CLASS_ALU;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b100;
      end
      32'b000000_0_?????_?????_001_?????_0111011: begin  // sllw
        op_o = zvcore_op_pkg::SLLW;
        class_o = zvcore_op_pkg::CLASS_ALU;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b100;
      end
      32'b000000_0_?????_?????_101_?????_0111011: begin  // srlw
        op_o = zvcore_op_pkg::SRLW;
        class_o = zvcore_op_pkg::CLASS_ALU;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b100;
      end
      32'b010000_0_?????_?????_101_?????_0111011: begin  // sraw
        op_o = zvcore_op_pkg::SRAW;
        class_o = zvcore_op_pkg::CLASS_ALU;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b100;
      end
      32'b000000_1_?????_?????_000_?????_0110011: begin  // mul
        op_o = zvcore_op_pkg::MUL;
        class_o = zvcore_op_pkg::CLASS_MUL;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b100;
      end
      32'b000000_1_?????_?????_001_?????_0110011: begin  // mulh
        op_o = zvcore_op_pkg::MULH;
        class_o = zvcore_op_pkg::CLASS_MUL;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b100;
      end
      32'b000000_1_?????_?????_010_?????_0110011: begin  // mulhsu
        op_o = zvcore_op_pkg::MULHSU;
        class_o = zvcore_op_pkg::CLASS_MUL;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b100;
      end
      32'b000000_1_?????_?????_011_?????_0110011: begin  // mulhu
        op_o = zvcore_op_pkg::MULHU;
        class_o = zvcore_op_pkg::CLASS_MUL;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b100;
      end
      32'b000000_1_?????_?????_100_?????_0110011: begin  // div
        op_o = zvcore_op_pkg::DIV;
        class_o = zvcore_op_pkg::CLASS_DIV;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b100;
      end
      32'b000000_1_?????_?????_101_?????_0110011: begin  // divu
        op_o = zvcore_op_pkg::DIVU;
        class_o = zvcore_op_pkg::CLASS_DIV;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b100;
      end
      32'b000000_1_?????_?????_110_?????_0110011: begin  // rem
        op_o = zvcore_op_pkg::REM;
        class_o = zvcore_op_pkg::CLASS_DIV;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b100;
      end
      32'b000000_1_?????_?????_111_?????_0110011: begin  // remu
        op_o = zvcore_op_pkg::REMU;
        class_o = zvcore_op_pkg::CLASS_DIV;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b100;
      end
      32'b000000_1_?????_?????_000_?????_0111011: begin  // mulw
        op_o = zvcore_op_pkg::MULW;
        class_o = zvcore_op_pkg::CLASS_MUL;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b100;
      end
      32'b000000_1_?????_?????_100_?????_0111011: begin  // divw
        op_o = zvcore_op_pkg::DIVW;
        class_o = zvcore_op_pkg::CLASS_DIV;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b100;
      end
      32'b000000_1_?????_?????_101_?????_0111011: begin  // divuw
        op_o = zvcore_op_pkg::DIVUW;
        class_o = zvcore_op_pkg::CLASS_DIV;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b100;
      end
      32'b000000_1_?????_?????_110_?????_0111011: begin  // remw
        op_o = zvcore_op_pkg::REMW;
        class_o = zvcore_op_pkg::CLASS_DIV;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b100;
      end
      32'b000000_1_?????_?????_111_?????_0111011: begin  // remuw
        op_o = zvcore_op_pkg::REMUW;
        class_o = zvcore_op_pkg::CLASS_DIV;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b100;
      end
      32'b001100_0_00010_00000_000_00000_1110011: begin  // mret
        op_o = zvcore_op_pkg::MRET;
        class_o = zvcore_op_pkg::CLASS_SYSTEM;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b000;
      end
      32'b000100_0_00101_00000_000_00000_1110011: begin  // wfi
        op_o = zvcore_op_pkg::WFI;
        class_o = zvcore_op_pkg::CLASS_SYSTEM;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b000;
      end
      32'b011000_?_?????_?????_100_?????_1010111: begin  // vmseq.vx
        op_o = zvcore_op_pkg::VMSEQ_VX;
        class_o = zvcore_op_pkg::CLASS_VALU;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b010;
      end
      32'b011001_?_?????_?????_100_?????_1010111: begin  // vmsne.vx
        op_o = zvcore_op_pkg::VMSNE_VX;
        class_o = zvcore_op_pkg::CLASS_VALU;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b010;
      end
      32'b011010_?_?????_?????_100_?????_1010111: begin  // vmsltu.vx
        op_o = zvcore_op_pkg::VMSLTU_VX;
        class_o = zvcore_op_pkg::CLASS_VALU;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b010;
      end
      32'b011011_?_?????_?????_100_?????_1010111: begin  // vmslt.vx
        op_o = zvcore_op_pkg::VMSLT_VX;
        class_o = zvcore_op_pkg::CLASS_VALU;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b010;
      end
      32'b011100_?_?????_?????_100_?????_1010111: begin  // vmsleu.vx
        op_o = zvcore_op_pkg::VMSLEU_VX;
        class_o = zvcore_op_pkg::CLASS_VALU;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b010;
      end
      32'b011101_?_?????_?????_100_?????_1010111: begin  // vmsle.vx
        op_o = zvcore_op_pkg::VMSLE_VX;
        class_o = zvcore_op_pkg::CLASS_VALU;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b010;
      end
      32'b011110_?_?????_?????_100_?????_1010111: begin  // vmsgtu.vx
        op_o = zvcore_op_pkg::VMSGTU_VX;
        class_o = zvcore_op_pkg::CLASS_VALU;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b010;
      end
      32'b011111_?_?????_?????_100_?????_1010111: begin  // vmsgt.vx
        op_o = zvcore_op_pkg::VMSGT_VX;
        class_o = zvcore_op_pkg::CLASS_VALU;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b010;
      end
      32'b011000_?_?????_?????_000_?????_1010111: begin  // vmseq.vv
        op_o = zvcore_op_pkg::VMSEQ_VV;
        class_o = zvcore_op_pkg::CLASS_VALU;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b011;
      end
      32'b011001_?_?????_?????_000_?????_1010111: begin  // vmsne.vv
        op_o = zvcore_op_pkg::VMSNE_VV;
        class_o = zvcore_op_pkg::CLASS_VALU;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b011;
      end
      32'b011010_?_?????_?????_000_?????_1010111: begin  // vmsltu.vv
        op_o = zvcore_op_pkg::VMSLTU_VV;
        class_o = zvcore_op_pkg::CLASS_VALU;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b011;
      end
      32'b011011_?_?????_?????_000_?????_1010111: begin  // vmslt.vv
        op_o = zvcore_op_pkg::VMSLT_VV;
        class_o = zvcore_op_pkg::CLASS_VALU;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b011;
      end
      32'b011100_?_?????_?????_000_?????_1010111: begin  // vmsleu.vv
        op_o = zvcore_op_pkg::VMSLEU_VV;
        class_o = zvcore_op_pkg::CLASS_VALU;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b011;
      end
      32'b011101_?_?????_?????_000_?????_1010111: begin  // vmsle.vv
        op_o = zvcore_op_pkg::VMSLE_VV;
        class_o = zvcore_op_pkg::CLASS_VALU;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b011;
      end
      32'b011000_?_?????_?????_011_?????_1010111: begin  // vmseq.vi
        op_o = zvcore_op_pkg::VMSEQ_VI;
        class_o = zvcore_op_pkg::CLASS_VALU;
        imm_o = zvcore_op_pkg::IMM_V;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b010;
      end
      32'b011001_?_?????_?????_011_?????_1010111: begin  // vmsne.vi
        op_o = zvcore_op_pkg::VMSNE_VI;
        class_o = zvcore_op_pkg::CLASS_VALU;
        imm_o = zvcore_op_pkg::IMM_V;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b010;
      end
      32'b011100_?_?????_?????_011_?????_1010111: begin  // vmsleu.vi
        op_o = zvcore_op_pkg::VMSLEU_VI;
        class_o = zvcore_op_pkg::CLASS_VALU;
        imm_o = zvcore_op_pkg::IMM_V;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b010;
      end
      32'b011101_?_?????_?????_011_?????_1010111: begin  // vmsle.vi
        op_o = zvcore_op_pkg::VMSLE_VI;
        class_o = zvcore_op_pkg::CLASS_VALU;
        imm_o = zvcore_op_pkg::IMM_V;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b010;
      end
      32'b011110_?_?????_?????_011_?????_1010111: begin  // vmsgtu.vi
        op_o = zvcore_op_pkg::VMSGTU_VI;
        class_o = zvcore_op_pkg::CLASS_VALU;
        imm_o = zvcore_op_pkg::IMM_V;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b010;
      end
      32'b011111_?_?????_?????_011_?????_1010111: begin  // vmsgt.vi
        op_o = zvcore_op_pkg::VMSGT_VI;
        class_o = zvcore_op_pkg::CLASS_VALU;
        imm_o = zvcore_op_pkg::IMM_V;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b010;
      end
      32'b11????_?_?????_?????_111_?????_1010111: begin  // vsetivli
        op_o = zvcore_op_pkg::VSETIVLI;
        class_o = zvcore_op_pkg::CLASS_VSET;
        imm_o = zvcore_op_pkg::IMM_VTYPE;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b100;
      end
      32'b0?????_?_?????_?????_111_?????_1010111: begin  // vsetvli
        op_o = zvcore_op_pkg::VSETVLI;
        class_o = zvcore_op_pkg::CLASS_VSET;
        imm_o = zvcore_op_pkg::IMM_VTYPE;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b100;
      end
      32'b100000_0_?????_?????_111_?????_1010111: begin  // vsetvl
        op_o = zvcore_op_pkg::VSETVL;
        class_o = zvcore_op_pkg::CLASS_VSET;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b100;
      end
      32'b000000_?_?????_?????_100_?????_1010111: begin  // vadd.vx
        op_o = zvcore_op_pkg::VADD_VX;
        class_o = zvcore_op_pkg::CLASS_VALU;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b010;
      end
      32'b000010_?_?????_?????_100_?????_1010111: begin  // vsub.vx
        op_o = zvcore_op_pkg::VSUB_VX;
        class_o = zvcore_op_pkg::CLASS_VALU;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b010;
      end
      32'b000011_?_?????_?????_100_?????_1010111: begin  // vrsub.vx
        op_o = zvcore_op_pkg::VRSUB_VX;
        class_o = zvcore_op_pkg::CLASS_VALU;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b010;
      end
      32'b000100_?_?????_?????_100_?????_1010111: begin  // vminu.vx
        op_o = zvcore_op_pkg::VMINU_VX;
        class_o = zvcore_op_pkg::CLASS_VALU;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b010;
      end
      32'b000101_?_?????_?????_100_?????_1010111: begin  // vmin.vx
        op_o = zvcore_op_pkg::VMIN_VX;
        class_o = zvcore_op_pkg::CLASS_VALU;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b010;
      end
      32'b000110_?_?????_?????_100_?????_1010111: begin  // vmaxu.vx
        op_o = zvcore_op_pkg::VMAXU_VX;
        class_o = zvcore_op_pkg::CLASS_VALU;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b010;
      end
      32'b000111_?_?????_?????_100_?????_1010111: begin  // vmax.vx
        op_o = zvcore_op_pkg::VMAX_VX;
        class_o = zvcore_op_pkg::CLASS_VALU;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b010;
      end
      32'b001001_?_?????_?????_100_?????_1010111: begin  // vand.vx
        op_o = zvcore_op_pkg::VAND_VX;
        class_o = zvcore_op_pkg::CLASS_VALU;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b010;
      end
      32'b001010_?_?????_?????_100_?????_1010111: begin  // vor.vx
        op_o = zvcore_op_pkg::VOR_VX;
        class_o = zvcore_op_pkg::CLASS_VALU;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b010;
      end
      32'b001011_?_?????_?????_100_?????_1010111: begin  // vxor.vx
        op_o = zvcore_op_pkg::VXOR_VX;
        class_o = zvcore_op_pkg::CLASS_VALU;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b010;
      end
      32'b010111_0_?????_?????_100_?????_1010111: begin  // vmerge.vxm
        op_o = zvcore_op_pkg::VMERGE_VXM;
        class_o = zvcore_op_pkg::CLASS_VMOVE;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b010;
      end
      32'b010111_1_00000_?????_100_?????_1010111: begin  // vmv.v.x
        op_o = zvcore_op_pkg::VMV_V_X;
        class_o = zvcore_op_pkg::CLASS_VMOVE;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b000;
      end
      32'b100101_?_?????_?????_100_?????_1010111: begin  // vsll.vx
        op_o = zvcore_op_pkg::VSLL_VX;
        class_o = zvcore_op_pkg::CLASS_VALU;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b010;
      end
      32'b101000_?_?????_?????_100_?????_1010111: begin  // vsrl.vx
        op_o = zvcore_op_pkg::VSRL_VX;
        class_o = zvcore_op_pkg::CLASS_VALU;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b010;
      end
      32'b101001_?_?????_?????_100_?????_1010111: begin  // vsra.vx
        op_o = zvcore_op_pkg::VSRA_VX;
        class_o = zvcore_op_pkg::CLASS_VALU;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b010;
      end
      32'b000000_?_?????_?????_000_?????_1010111: begin  // vadd.vv
        op_o = zvcore_op_pkg::VADD_VV;
        class_o = zvcore_op_pkg::CLASS_VALU;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b011;
      end
      32'b000010_?_?????_?????_000_?????_1010111: begin  // vsub.vv
        op_o = zvcore_op_pkg::VSUB_VV;
        class_o = zvcore_op_pkg::CLASS_VALU;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b011;
      end
      32'b000100_?_?????_?????_000_?????_1010111: begin  // vminu.vv
        op_o = zvcore_op_pkg::VMINU_VV;
        class_o = zvcore_op_pkg::CLASS_VALU;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b011;
      end
      32'b000101_?_?????_?????_000_?????_1010111: begin  // vmin.vv
        op_o = zvcore_op_pkg::VMIN_VV;
        class_o = zvcore_op_pkg::CLASS_VALU;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b011;
      end
      32'b000110_?_?????_?????_000_?????_1010111: begin  // vmaxu.vv
        op_o = zvcore_op_pkg::VMAXU_VV;
        class_o = zvcore_op_pkg::CLASS_VALU;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b011;
      end
      32'b000111_?_?????_?????_000_?????_1010111: begin  // vmax.vv
        op_o = zvcore_op_pkg::VMAX_VV;
        class_o = zvcore_op_pkg::CLASS_VALU;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b011;
      end
      32'b001001_?_?????_?????_000_?????_1010111: begin  // vand.vv
        op_o = zvcore_op_pkg::VAND_VV;
        class_o = zvcore_op_pkg::CLASS_VALU;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b011;
      end
      32'b001010_?_?????_?????_000_?????_1010111: begin  // vor.vv
        op_o = zvcore_op_pkg::VOR_VV;
        class_o = zvcore_op_pkg::CLASS_VALU;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b011;
      end
      32'b001011_?_?????_?????_000_?????_1010111: begin  // vxor.vv
        op_o = zvcore_op_pkg::VXOR_VV;
        class_o = zvcore_op_pkg::CLASS_VALU;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b011;
      end
      32'b010111_0_?????_?????_000_?????_1010111: begin  // vmerge.vvm
        op_o = zvcore_op_pkg::VMERGE_VVM;
        class_o = zvcore_op_pkg::CLASS_VMOVE;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b011;
      end
      32'b010111_1_00000_?????_000_?????_1010111: begin  // vmv.v.v
        op_o = zvcore_op_pkg::VMV_V_V;
        class_o = zvcore_op_pkg::CLASS_VMOVE;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b001;
      end
      32'b100101_?_?????_?????_000_?????_1010111: begin  // vsll.vv
        op_o = zvcore_op_pkg::VSLL_VV;
        class_o = zvcore_op_pkg::CLASS_VALU;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b011;
      end
      32'b101000_?_?????_?????_000_?????_1010111: begin  // vsrl.vv
        op_o = zvcore_op_pkg::VSRL_VV;
        class_o = zvcore_op_pkg::CLASS_VALU;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b011;
      end
      32'b101001_?_?????_?????_000_?????_1010111: begin  // vsra.vv
        op_o = zvcore_op_pkg::VSRA_VV;
        class_o = zvcore_op_pkg::CLASS_VALU;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b011;
      end
      32'b000000_?_?????_?????_011_?????_1010111: begin  // vadd.vi
        op_o = zvcore_op_pkg::VADD_VI;
        class_o = zvcore_op_pkg::CLASS_VALU;
        imm_o = zvcore_op_pkg::IMM_V;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b010;
      end
      32'b000011_?_?????_?????_011_?????_1010111: begin  // vrsub.vi
        op_o = zvcore_op_pkg::VRSUB_VI;
        class_o = zvcore_op_pkg::CLASS_VALU;
        imm_o = zvcore_op_pkg::IMM_V;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b010;
      end
      32'b001001_?_?????_?????_011_?????_1010111: begin  // vand.vi
        op_o = zvcore_op_pkg::VAND_VI;
        class_o = zvcore_op_pkg::CLASS_VALU;
        imm_o = zvcore_op_pkg::IMM_V;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b010;
      end
      32'b001010_?_?????_?????_011_?????_1010111: begin  // vor.vi
        op_o = zvcore_op_pkg::VOR_VI;
        class_o = zvcore_op_pkg::CLASS_VALU;
        imm_o = zvcore_op_pkg::IMM_V;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b010;
      end
      32'b001011_?_?????_?????_011_?????_1010111: begin  // vxor.vi
        op_o = zvcore_op_pkg::VXOR_VI;
        class_o = zvcore_op_pkg::CLASS_VALU;
        imm_o = zvcore_op_pkg::IMM_V;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b010;
      end
      32'b010111_0_?????_?????_011_?????_1010111: begin  // vmerge.vim
        op_o = zvcore_op_pkg::VMERGE_VIM;
        class_o = zvcore_op_pkg::CLASS_VMOVE;
        imm_o = zvcore_op_pkg::IMM_V;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b010;
      end
      32'b010111_1_00000_?????_011_?????_1010111: begin  // vmv.v.i
        op_o = zvcore_op_pkg::VMV_V_I;
        class_o = zvcore_op_pkg::CLASS_VMOVE;
        imm_o = zvcore_op_pkg::IMM_V;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b000;
      end
      32'b100101_?_?????_?????_011_?????_1010111: begin  // vsll.vi
        op_o = zvcore_op_pkg::VSLL_VI;
        class_o = zvcore_op_pkg::CLASS_VALU;
        imm_o = zvcore_op_pkg::IMM_VU;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b010;
      end
      32'b101000_?_?????_?????_011_?????_1010111: begin  // vsrl.vi
        op_o = zvcore_op_pkg::VSRL_VI;
        class_o = zvcore_op_pkg::CLASS_VALU;
        imm_o = zvcore_op_pkg::IMM_VU;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b010;
      end
      32'b101001_?_?????_?????_011_?????_1010111: begin  // vsra.vi
        op_o = zvcore_op_pkg::VSRA_VI;
        class_o = zvcore_op_pkg::CLASS_VALU;
        imm_o = zvcore_op_pkg::IMM_VU;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b010;
      end
      32'b010100_?_?????_10000_010_?????_1010111: begin  // viota.m
        op_o = zvcore_op_pkg::VIOTA_M;
        class_o = zvcore_op_pkg::CLASS_VMASK;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b010;
      end
      32'b010100_?_00000_10001_010_?????_1010111: begin  // vid.v
        op_o = zvcore_op_pkg::VID_V;
        class_o = zvcore_op_pkg::CLASS_VMASK;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b000;
      end
      32'b000000_1_01011_?????_000_?????_0000111: begin  // vlm.v
        op_o = zvcore_op_pkg::VLM_V;
        class_o = zvcore_op_pkg::CLASS_VLOAD;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b000;
      end
      32'b000000_1_01011_?????_000_?????_0100111: begin  // vsm.v
        op_o = zvcore_op_pkg::VSM_V;
        class_o = zvcore_op_pkg::CLASS_VSTORE;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b000;
      end
      32'b???000_?_00000_?????_000_?????_0000111: begin  // vle8.v
        op_o = zvcore_op_pkg::VLE8_V;
        class_o = zvcore_op_pkg::CLASS_VLOAD;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b000;
      end
      32'b???000_?_00000_?????_101_?????_0000111: begin  // vle16.v
        op_o = zvcore_op_pkg::VLE16_V;
        class_o = zvcore_op_pkg::CLASS_VLOAD;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b000;
      end
      32'b???000_?_00000_?????_110_?????_0000111: begin  // vle32.v
        op_o = zvcore_op_pkg::VLE32_V;
        class_o = zvcore_op_pkg::CLASS_VLOAD;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b000;
      end
      32'b???000_?_00000_?????_111_?????_0000111: begin  // vle64.v
        op_o = zvcore_op_pkg::VLE64_V;
        class_o = zvcore_op_pkg::CLASS_VLOAD;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b000;
      end
      32'b???000_?_00000_?????_000_?????_0100111: begin  // vse8.v
        op_o = zvcore_op_pkg::VSE8_V;
        class_o = zvcore_op_pkg::CLASS_VSTORE;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b000;
      end
      32'b???000_?_00000_?????_101_?????_0100111: begin  // vse16.v
        op_o = zvcore_op_pkg::VSE16_V;
        class_o = zvcore_op_pkg::CLASS_VSTORE;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b000;
      end
      32'b???000_?_00000_?????_110_?????_0100111: begin  // vse32.v
        op_o = zvcore_op_pkg::VSE32_V;
        class_o = zvcore_op_pkg::CLASS_VSTORE;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b000;
      end
      32'b???000_?_00000_?????_111_?????_0100111: begin  // vse64.v
        op_o = zvcore_op_pkg::VSE64_V;
        class_o = zvcore_op_pkg::CLASS_VSTORE;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b000;
      end
      32'b???001_?_?????_?????_000_?????_0000111: begin  // vluxei8.v
        op_o = zvcore_op_pkg::VLUXEI8_V;
        class_o = zvcore_op_pkg::CLASS_VLOAD_INDEXED;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b010;
      end
      32'b???001_?_?????_?????_101_?????_0000111: begin  // vluxei16.v
        op_o = zvcore_op_pkg::VLUXEI16_V;
        class_o = zvcore_op_pkg::CLASS_VLOAD_INDEXED;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b010;
      end
      32'b???001_?_?????_?????_110_?????_0000111: begin  // vluxei32.v
        op_o = zvcore_op_pkg::VLUXEI32_V;
        class_o = zvcore_op_pkg::CLASS_VLOAD_INDEXED;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b010;
      end
      32'b???001_?_?????_?????_111_?????_0000111: begin  // vluxei64.v
        op_o = zvcore_op_pkg::VLUXEI64_V;
        class_o = zvcore_op_pkg::CLASS_VLOAD_INDEXED;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b010;
      end
      32'b???001_?_?????_?????_000_?????_0100111: begin  // vsuxei8.v
        op_o = zvcore_op_pkg::VSUXEI8_V;
        class_o = zvcore_op_pkg::CLASS_VSTORE_INDEXED;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b010;
      end
      32'b???001_?_?????_?????_101_?????_0100111: begin  // vsuxei16.v
        op_o = zvcore_op_pkg::VSUXEI16_V;
        class_o = zvcore_op_pkg::CLASS_VSTORE_INDEXED;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b010;
      end
      32'b???001_?_?????_?????_110_?????_0100111: begin  // vsuxei32.v
        op_o = zvcore_op_pkg::VSUXEI32_V;
        class_o = zvcore_op_pkg::CLASS_VSTORE_INDEXED;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b010;
      end
      32'b???001_?_?????_?????_111_?????_0100111: begin  // vsuxei64.v
        op_o = zvcore_op_pkg::VSUXEI64_V;
        class_o = zvcore_op_pkg::CLASS_VSTORE_INDEXED;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b010;
      end
      32'b???010_?_?????_?????_000_?????_0000111: begin  // vlse8.v
        op_o = zvcore_op_pkg::VLSE8_V;
        class_o = zvcore_op_pkg::CLASS_VLOAD_STRIDED;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b000;
      end
      32'b???010_?_?????_?????_101_?????_0000111: begin  // vlse16.v
        op_o = zvcore_op_pkg::VLSE16_V;
        class_o = zvcore_op_pkg::CLASS_VLOAD_STRIDED;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b000;
      end
      32'b???010_?_?????_?????_110_?????_0000111: begin  // vlse32.v
        op_o = zvcore_op_pkg::VLSE32_V;
        class_o = zvcore_op_pkg::CLASS_VLOAD_STRIDED;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b000;
      end
      32'b???010_?_?????_?????_111_?????_0000111: begin  // vlse64.v
        op_o = zvcore_op_pkg::VLSE64_V;
        class_o = zvcore_op_pkg::CLASS_VLOAD_STRIDED;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b000;
      end
      32'b???010_?_?????_?????_000_?????_0100111: begin  // vsse8.v
        op_o = zvcore_op_pkg::VSSE8_V;
        class_o = zvcore_op_pkg::CLASS_VSTORE_STRIDED;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b000;
      end
      32'b???010_?_?????_?????_101_?????_0100111: begin  // vsse16.v
        op_o = zvcore_op_pkg::VSSE16_V;
        class_o = zvcore_op_pkg::CLASS_VSTORE_STRIDED;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b000;
      end
      32'b???010_?_?????_?????_110_?????_0100111: begin  // vsse32.v
        op_o = zvcore_op_pkg::VSSE32_V;
        class_o = zvcore_op_pkg::CLASS_VSTORE_STRIDED;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b000;
      end
      32'b???010_?_?????_?????_111_?????_0100111: begin  // vsse64.v
        op_o = zvcore_op_pkg::VSSE64_V;
        class_o = zvcore_op_pkg::CLASS_VSTORE_STRIDED;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b000;
      end
      32'b???011_?_?????_?????_000_?????_0000111: begin  // vloxei8.v
        op_o = zvcore_op_pkg::VLOXEI8_V;
        class_o = zvcore_op_pkg::CLASS_VLOAD_INDEXED;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b010;
      end
      32'b???011_?_?????_?????_101_?????_0000111: begin  // vloxei16.v
        op_o = zvcore_op_pkg::VLOXEI16_V;
        class_o = zvcore_op_pkg::CLASS_VLOAD_INDEXED;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b010;
      end
      32'b???011_?_?????_?????_110_?????_0000111: begin  // vloxei32.v
        op_o = zvcore_op_pkg::VLOXEI32_V;
        class_o = zvcore_op_pkg::CLASS_VLOAD_INDEXED;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b010;
      end
      32'b???011_?_?????_?????_111_?????_0000111: begin  // vloxei64.v
        op_o = zvcore_op_pkg::VLOXEI64_V;
        class_o = zvcore_op_pkg::CLASS_VLOAD_INDEXED;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b010;
      end
      32'b???011_?_?????_?????_000_?????_0100111: begin  // vsoxei8.v
        op_o = zvcore_op_pkg::VSOXEI8_V;
        class_o = zvcore_op_pkg::CLASS_VSTORE_INDEXED;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b010;
      end
      32'b???011_?_?????_?????_101_?????_0100111: begin  // vsoxei16.v
        op_o = zvcore_op_pkg::VSOXEI16_V;
        class_o = zvcore_op_pkg::CLASS_VSTORE_INDEXED;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b010;
      end
      32'b???011_?_?????_?????_110_?????_0100111: begin  // vsoxei32.v
        op_o = zvcore_op_pkg::VSOXEI32_V;
        class_o = zvcore_op_pkg::CLASS_VSTORE_INDEXED;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b010;
      end
      32'b???011_?_?????_?????_111_?????_0100111: begin  // vsoxei64.v
        op_o = zvcore_op_pkg::VSOXEI64_V;
        class_o = zvcore_op_pkg::CLASS_VSTORE_INDEXED;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b010;
      end
      32'b000000_1_01000_?????_000_?????_0000111: begin  // vl1re8.v
        op_o = zvcore_op_pkg::VL1RE8_V;
        class_o = zvcore_op_pkg::CLASS_VLOAD;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b000;
      end
      32'b000000_1_01000_?????_101_?????_0000111: begin  // vl1re16.v
        op_o = zvcore_op_pkg::VL1RE16_V;
        class_o = zvcore_op_pkg::CLASS_VLOAD;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b000;
      end
      32'b000000_1_01000_?????_110_?????_0000111: begin  // vl1re32.v
        op_o = zvcore_op_pkg::VL1RE32_V;
        class_o = zvcore_op_pkg::CLASS_VLOAD;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b000;
      end
      32'b000000_1_01000_?????_111_?????_0000111: begin  // vl1re64.v
        op_o = zvcore_op_pkg::VL1RE64_V;
        class_o = zvcore_op_pkg::CLASS_VLOAD;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b000;
      end
      32'b001000_1_01000_?????_000_?????_0000111: begin  // vl2re8.v
        op_o = zvcore_op_pkg::VL2RE8_V;
        class_o = zvcore_op_pkg::CLASS_VLOAD;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b000;
      end
      32'b001000_1_01000_?????_101_?????_0000111: begin  // vl2re16.v
        op_o = zvcore_op_pkg::VL2RE16_V;
        class_o = zvcore_op_pkg::CLASS_VLOAD;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b000;
      end
      32'b001000_1_01000_?????_110_?????_0000111: begin  // vl2re32.v
        op_o = zvcore_op_pkg::VL2RE32_V;
        class_o = zvcore_op_pkg::CLASS_VLOAD;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b000;
      end
      32'b001000_1_01000_?????_111_?????_0000111: begin  // vl2re64.v
        op_o = zvcore_op_pkg::VL2RE64_V;
        class_o = zvcore_op_pkg::CLASS_VLOAD;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b000;
      end
      32'b011000_1_01000_?????_000_?????_0000111: begin  // vl4re8.v
        op_o = zvcore_op_pkg::VL4RE8_V;
        class_o = zvcore_op_pkg::CLASS_VLOAD;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b000;
      end
      32'b011000_1_01000_?????_101_?????_0000111: begin  // vl4re16.v
        op_o = zvcore_op_pkg::VL4RE16_V;
        class_o = zvcore_op_pkg::CLASS_VLOAD;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b000;
      end
      32'b011000_1_01000_?????_110_?????_0000111: begin  // vl4re32.v
        op_o = zvcore_op_pkg::VL4RE32_V;
        class_o = zvcore_op_pkg::CLASS_VLOAD;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b000;
      end
      32'b011000_1_01000_?????_111_?????_0000111: begin  // vl4re64.v
        op_o = zvcore_op_pkg::VL4RE64_V;
        class_o = zvcore_op_pkg::CLASS_VLOAD;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b000;
      end
      32'b111000_1_01000_?????_000_?????_0000111: begin  // vl8re8.v
        op_o = zvcore_op_pkg::VL8RE8_V;
        class_o = zvcore_op_pkg::CLASS_VLOAD;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b000;
      end
      32'b111000_1_01000_?????_101_?????_0000111: begin  // vl8re16.v
        op_o = zvcore_op_pkg::VL8RE16_V;
        class_o = zvcore_op_pkg::CLASS_VLOAD;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b000;
      end
      32'b111000_1_01000_?????_110_?????_0000111: begin  // vl8re32.v
        op_o = zvcore_op_pkg::VL8RE32_V;
        class_o = zvcore_op_pkg::CLASS_VLOAD;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b000;
      end
      32'b111000_1_01000_?????_111_?????_0000111: begin  // vl8re64.v
        op_o = zvcore_op_pkg::VL8RE64_V;
        class_o = zvcore_op_pkg::CLASS_VLOAD;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b000;
      end
      32'b000000_1_01000_?????_000_?????_0100111: begin  // vs1r.v
        op_o = zvcore_op_pkg::VS1R_V;
        class_o = zvcore_op_pkg::CLASS_VSTORE;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b000;
      end
      32'b001000_1_01000_?????_000_?????_0100111: begin  // vs2r.v
        op_o = zvcore_op_pkg::VS2R_V;
        class_o = zvcore_op_pkg::CLASS_VSTORE;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b000;
      end
      32'b011000_1_01000_?????_000_?????_0100111: begin  // vs4r.v
        op_o = zvcore_op_pkg::VS4R_V;
        class_o = zvcore_op_pkg::CLASS_VSTORE;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b000;
      end
      32'b111000_1_01000_?????_000_?????_0100111: begin  // vs8r.v
        op_o = zvcore_op_pkg::VS8R_V;
        class_o = zvcore_op_pkg::CLASS_VSTORE;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b000;
      end
      32'b001100_?_?????_?????_100_?????_1010111: begin  // vrgather.vx
        op_o = zvcore_op_pkg::VRGATHER_VX;
        class_o = zvcore_op_pkg::CLASS_VGATHER;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b010;
      end
      32'b001110_?_?????_?????_100_?????_1010111: begin  // vslideup.vx
        op_o = zvcore_op_pkg::VSLIDEUP_VX;
        class_o = zvcore_op_pkg::CLASS_VSLIDE;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b010;
      end
      32'b001111_?_?????_?????_100_?????_1010111: begin  // vslidedown.vx
        op_o = zvcore_op_pkg::VSLIDEDOWN_VX;
        class_o = zvcore_op_pkg::CLASS_VSLIDE;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b010;
      end
      32'b001100_?_?????_?????_000_?????_1010111: begin  // vrgather.vv
        op_o = zvcore_op_pkg::VRGATHER_VV;
        class_o = zvcore_op_pkg::CLASS_VGATHER;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b011;
      end
      32'b001110_?_?????_?????_000_?????_1010111: begin  // vrgatherei16.vv
        op_o = zvcore_op_pkg::VRGATHEREI16_VV;
        class_o = zvcore_op_pkg::CLASS_VGATHER;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b011;
      end
      32'b001100_?_?????_?????_011_?????_1010111: begin  // vrgather.vi
        op_o = zvcore_op_pkg::VRGATHER_VI;
        class_o = zvcore_op_pkg::CLASS_VGATHER;
        imm_o = zvcore_op_pkg::IMM_VU;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b010;
      end
      32'b001110_?_?????_?????_011_?????_1010111: begin  // vslideup.vi
        op_o = zvcore_op_pkg::VSLIDEUP_VI;
        class_o = zvcore_op_pkg::CLASS_VSLIDE;
        imm_o = zvcore_op_pkg::IMM_VU;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b010;
      end
      32'b001111_?_?????_?????_011_?????_1010111: begin  // vslidedown.vi
        op_o = zvcore_op_pkg::VSLIDEDOWN_VI;
        class_o = zvcore_op_pkg::CLASS_VSLIDE;
        imm_o = zvcore_op_pkg::IMM_VU;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b010;
      end
      32'b100111_1_?????_00000_011_?????_1010111: begin  // vmv1r.v
        op_o = zvcore_op_pkg::VMV1R_V;
        class_o = zvcore_op_pkg::CLASS_VMOVE;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b010;
      end
      32'b100111_1_?????_00001_011_?????_1010111: begin  // vmv2r.v
        op_o = zvcore_op_pkg::VMV2R_V;
        class_o = zvcore_op_pkg::CLASS_VMOVE;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b010;
      end
      32'b100111_1_?????_00011_011_?????_1010111: begin  // vmv4r.v
        op_o = zvcore_op_pkg::VMV4R_V;
        class_o = zvcore_op_pkg::CLASS_VMOVE;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b010;
      end
      32'b100111_1_?????_00111_011_?????_1010111: begin  // vmv8r.v
        op_o = zvcore_op_pkg::VMV8R_V;
        class_o = zvcore_op_pkg::CLASS_VMOVE;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b010;
      end
      32'b010000_1_?????_00000_010_?????_1010111: begin  // vmv.x.s
        op_o = zvcore_op_pkg::VMV_X_S;
        class_o = zvcore_op_pkg::CLASS_VMOVE_SCALAR;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b110;
      end
      32'b010000_1_00000_?????_110_?????_1010111: begin  // vmv.s.x
        op_o = zvcore_op_pkg::VMV_S_X;
        class_o = zvcore_op_pkg::CLASS_VMOVE;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b000;
      end
      32'b001110_?_?????_?????_110_?????_1010111: begin  // vslide1up.vx
        op_o = zvcore_op_pkg::VSLIDE1UP_VX;
        class_o = zvcore_op_pkg::CLASS_VSLIDE;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b010;
      end
      32'b001111_?_?????_?????_110_?????_1010111: begin  // vslide1down.vx
        op_o = zvcore_op_pkg::VSLIDE1DOWN_VX;
        class_o = zvcore_op_pkg::CLASS_VSLIDE;
        imm_o = zvcore_op_pkg::NO_IMM;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b010;
      end
      32'b??????_?_?????_?????_001_?????_1110011: begin  // csrrw
        op_o = zvcore_op_pkg::CSRRW;
        class_o = zvcore_op_pkg::CLASS_CSR;
        imm_o = zvcore_op_pkg::IMM_I;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b100;
      end
      32'b??????_?_?????_?????_010_?????_1110011: begin  // csrrs
        op_o = zvcore_op_pkg::CSRRS;
        class_o = zvcore_op_pkg::CLASS_CSR;
        imm_o = zvcore_op_pkg::IMM_I;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b100;
      end
      32'b??????_?_?????_?????_011_?????_1110011: begin  // csrrc
        op_o = zvcore_op_pkg::CSRRC;
        class_o = zvcore_op_pkg::CLASS_CSR;
        imm_o = zvcore_op_pkg::IMM_I;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b100;
      end
      32'b??????_?_?????_?????_101_?????_1110011: begin  // csrrwi
        op_o = zvcore_op_pkg::CSRRWI;
        class_o = zvcore_op_pkg::CLASS_CSR;
        imm_o = zvcore_op_pkg::IMM_I;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b100;
      end
      32'b??????_?_?????_?????_110_?????_1110011: begin  // csrrsi
        op_o = zvcore_op_pkg::CSRRSI;
        class_o = zvcore_op_pkg::CLASS_CSR;
        imm_o = zvcore_op_pkg::IMM_I;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b100;
      end
      32'b??????_?_?????_?????_111_?????_1110011: begin  // csrrci
        op_o = zvcore_op_pkg::CSRRCI;
        class_o = zvcore_op_pkg::CLASS_CSR;
        imm_o = zvcore_op_pkg::IMM_I;
        {has_rd_o, has_vs2_o, has_vs1_o} = 3'b100;
      end
      default: ;
    endcase
  end
endmodule
