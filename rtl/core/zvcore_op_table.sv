// Generated from the tables in isa/ by capvec-isagen: `make generate`. Do not edit.

// Which instruction a word is, its class, its immediate, and whether it writes an x register.
module zvcore_op_table (
  input  logic [31:0] insn_i,
  output zvcore_op_pkg::op_e    op_o,
  output zvcore_op_pkg::class_e class_o,
  output zvcore_op_pkg::imm_e   imm_o,
  output logic has_rd_o
);
  always_comb begin
    op_o = zvcore_op_pkg::NONE;
    class_o = zvcore_op_pkg::NO_CLASS;
    imm_o = zvcore_op_pkg::NO_IMM;
    has_rd_o = 1'b0;
    unique casez (insn_i)
      32'b??????_?_?????_?????_???_?????_0110111: begin  // lui
        op_o = zvcore_op_pkg::LUI;
        class_o = zvcore_op_pkg::CLASS_ALU;
        imm_o = zvcore_op_pkg::IMM_U;
        has_rd_o = 1'b1;
      end
      32'b??????_?_?????_?????_???_?????_0010111: begin  // auipc
        op_o = zvcore_op_pkg::AUIPC;
        class_o = zvcore_op_pkg::CLASS_ALU;
        imm_o = zvcore_op_pkg::IMM_U;
        has_rd_o = 1'b1;
      end
      32'b??????_?_?????_?????_???_?????_1101111: begin  // jal
        op_o = zvcore_op_pkg::JAL;
        class_o = zvcore_op_pkg::CLASS_JUMP;
        imm_o = zvcore_op_pkg::IMM_J;
        has_rd_o = 1'b1;
      end
      32'b??????_?_?????_?????_000_?????_1100111: begin  // jalr
        op_o = zvcore_op_pkg::JALR;
        class_o = zvcore_op_pkg::CLASS_JUMP;
        imm_o = zvcore_op_pkg::IMM_I;
        has_rd_o = 1'b1;
      end
      32'b??????_?_?????_?????_000_?????_1100011: begin  // beq
        op_o = zvcore_op_pkg::BEQ;
        class_o = zvcore_op_pkg::CLASS_BRANCH;
        imm_o = zvcore_op_pkg::IMM_B;
        has_rd_o = 1'b0;
      end
      32'b??????_?_?????_?????_001_?????_1100011: begin  // bne
        op_o = zvcore_op_pkg::BNE;
        class_o = zvcore_op_pkg::CLASS_BRANCH;
        imm_o = zvcore_op_pkg::IMM_B;
        has_rd_o = 1'b0;
      end
      32'b??????_?_?????_?????_100_?????_1100011: begin  // blt
        op_o = zvcore_op_pkg::BLT;
        class_o = zvcore_op_pkg::CLASS_BRANCH;
        imm_o = zvcore_op_pkg::IMM_B;
        has_rd_o = 1'b0;
      end
      32'b??????_?_?????_?????_101_?????_1100011: begin  // bge
        op_o = zvcore_op_pkg::BGE;
        class_o = zvcore_op_pkg::CLASS_BRANCH;
        imm_o = zvcore_op_pkg::IMM_B;
        has_rd_o = 1'b0;
      end
      32'b??????_?_?????_?????_110_?????_1100011: begin  // bltu
        op_o = zvcore_op_pkg::BLTU;
        class_o = zvcore_op_pkg::CLASS_BRANCH;
        imm_o = zvcore_op_pkg::IMM_B;
        has_rd_o = 1'b0;
      end
      32'b??????_?_?????_?????_111_?????_1100011: begin  // bgeu
        op_o = zvcore_op_pkg::BGEU;
        class_o = zvcore_op_pkg::CLASS_BRANCH;
        imm_o = zvcore_op_pkg::IMM_B;
        has_rd_o = 1'b0;
      end
      32'b??????_?_?????_?????_000_?????_0000011: begin  // lb
        op_o = zvcore_op_pkg::LB;
        class_o = zvcore_op_pkg::CLASS_LOAD;
        imm_o = zvcore_op_pkg::IMM_I;
        has_rd_o = 1'b1;
      end
      32'b??????_?_?????_?????_001_?????_0000011: begin  // lh
        op_o = zvcore_op_pkg::LH;
        class_o = zvcore_op_pkg::CLASS_LOAD;
        imm_o = zvcore_op_pkg::IMM_I;
        has_rd_o = 1'b1;
      end
      32'b??????_?_?????_?????_010_?????_0000011: begin  // lw
        op_o = zvcore_op_pkg::LW;
        class_o = zvcore_op_pkg::CLASS_LOAD;
        imm_o = zvcore_op_pkg::IMM_I;
        has_rd_o = 1'b1;
      end
      32'b??????_?_?????_?????_100_?????_0000011: begin  // lbu
        op_o = zvcore_op_pkg::LBU;
        class_o = zvcore_op_pkg::CLASS_LOAD;
        imm_o = zvcore_op_pkg::IMM_I;
        has_rd_o = 1'b1;
      end
      32'b??????_?_?????_?????_101_?????_0000011: begin  // lhu
        op_o = zvcore_op_pkg::LHU;
        class_o = zvcore_op_pkg::CLASS_LOAD;
        imm_o = zvcore_op_pkg::IMM_I;
        has_rd_o = 1'b1;
      end
      32'b??????_?_?????_?????_000_?????_0100011: begin  // sb
        op_o = zvcore_op_pkg::SB;
        class_o = zvcore_op_pkg::CLASS_STORE;
        imm_o = zvcore_op_pkg::IMM_S;
        has_rd_o = 1'b0;
      end
      32'b??????_?_?????_?????_001_?????_0100011: begin  // sh
        op_o = zvcore_op_pkg::SH;
        class_o = zvcore_op_pkg::CLASS_STORE;
        imm_o = zvcore_op_pkg::IMM_S;
        has_rd_o = 1'b0;
      end
      32'b??????_?_?????_?????_010_?????_0100011: begin  // sw
        op_o = zvcore_op_pkg::SW;
        class_o = zvcore_op_pkg::CLASS_STORE;
        imm_o = zvcore_op_pkg::IMM_S;
        has_rd_o = 1'b0;
      end
      32'b??????_?_?????_?????_000_?????_0010011: begin  // addi
        op_o = zvcore_op_pkg::ADDI;
        class_o = zvcore_op_pkg::CLASS_ALU;
        imm_o = zvcore_op_pkg::IMM_I;
        has_rd_o = 1'b1;
      end
      32'b??????_?_?????_?????_010_?????_0010011: begin  // slti
        op_o = zvcore_op_pkg::SLTI;
        class_o = zvcore_op_pkg::CLASS_ALU;
        imm_o = zvcore_op_pkg::IMM_I;
        has_rd_o = 1'b1;
      end
      32'b??????_?_?????_?????_011_?????_0010011: begin  // sltiu
        op_o = zvcore_op_pkg::SLTIU;
        class_o = zvcore_op_pkg::CLASS_ALU;
        imm_o = zvcore_op_pkg::IMM_I;
        has_rd_o = 1'b1;
      end
      32'b??????_?_?????_?????_100_?????_0010011: begin  // xori
        op_o = zvcore_op_pkg::XORI;
        class_o = zvcore_op_pkg::CLASS_ALU;
        imm_o = zvcore_op_pkg::IMM_I;
        has_rd_o = 1'b1;
      end
      32'b??????_?_?????_?????_110_?????_0010011: begin  // ori
        op_o = zvcore_op_pkg::ORI;
        class_o = zvcore_op_pkg::CLASS_ALU;
        imm_o = zvcore_op_pkg::IMM_I;
        has_rd_o = 1'b1;
      end
      32'b??????_?_?????_?????_111_?????_0010011: begin  // andi
        op_o = zvcore_op_pkg::ANDI;
        class_o = zvcore_op_pkg::CLASS_ALU;
        imm_o = zvcore_op_pkg::IMM_I;
        has_rd_o = 1'b1;
      end
      32'b000000_0_?????_?????_000_?????_0110011: begin  // add
        op_o = zvcore_op_pkg::ADD;
        class_o = zvcore_op_pkg::CLASS_ALU;
        imm_o = zvcore_op_pkg::NO_IMM;
        has_rd_o = 1'b1;
      end
      32'b010000_0_?????_?????_000_?????_0110011: begin  // sub
        op_o = zvcore_op_pkg::SUB;
        class_o = zvcore_op_pkg::CLASS_ALU;
        imm_o = zvcore_op_pkg::NO_IMM;
        has_rd_o = 1'b1;
      end
      32'b000000_0_?????_?????_001_?????_0110011: begin  // sll
        op_o = zvcore_op_pkg::SLL;
        class_o = zvcore_op_pkg::CLASS_ALU;
        imm_o = zvcore_op_pkg::NO_IMM;
        has_rd_o = 1'b1;
      end
      32'b000000_0_?????_?????_010_?????_0110011: begin  // slt
        op_o = zvcore_op_pkg::SLT;
        class_o = zvcore_op_pkg::CLASS_ALU;
        imm_o = zvcore_op_pkg::NO_IMM;
        has_rd_o = 1'b1;
      end
      32'b000000_0_?????_?????_011_?????_0110011: begin  // sltu
        op_o = zvcore_op_pkg::SLTU;
        class_o = zvcore_op_pkg::CLASS_ALU;
        imm_o = zvcore_op_pkg::NO_IMM;
        has_rd_o = 1'b1;
      end
      32'b000000_0_?????_?????_100_?????_0110011: begin  // xor
        op_o = zvcore_op_pkg::XOR;
        class_o = zvcore_op_pkg::CLASS_ALU;
        imm_o = zvcore_op_pkg::NO_IMM;
        has_rd_o = 1'b1;
      end
      32'b000000_0_?????_?????_101_?????_0110011: begin  // srl
        op_o = zvcore_op_pkg::SRL;
        class_o = zvcore_op_pkg::CLASS_ALU;
        imm_o = zvcore_op_pkg::NO_IMM;
        has_rd_o = 1'b1;
      end
      32'b010000_0_?????_?????_101_?????_0110011: begin  // sra
        op_o = zvcore_op_pkg::SRA;
        class_o = zvcore_op_pkg::CLASS_ALU;
        imm_o = zvcore_op_pkg::NO_IMM;
        has_rd_o = 1'b1;
      end
      32'b000000_0_?????_?????_110_?????_0110011: begin  // or
        op_o = zvcore_op_pkg::OR;
        class_o = zvcore_op_pkg::CLASS_ALU;
        imm_o = zvcore_op_pkg::NO_IMM;
        has_rd_o = 1'b1;
      end
      32'b000000_0_?????_?????_111_?????_0110011: begin  // and
        op_o = zvcore_op_pkg::AND;
        class_o = zvcore_op_pkg::CLASS_ALU;
        imm_o = zvcore_op_pkg::NO_IMM;
        has_rd_o = 1'b1;
      end
      32'b??????_?_?????_?????_000_?????_0001111: begin  // fence
        op_o = zvcore_op_pkg::FENCE;
        class_o = zvcore_op_pkg::CLASS_FENCE;
        imm_o = zvcore_op_pkg::NO_IMM;
        has_rd_o = 1'b0;
      end
      32'b000000_0_00000_00000_000_00000_1110011: begin  // ecall
        op_o = zvcore_op_pkg::ECALL;
        class_o = zvcore_op_pkg::CLASS_SYSTEM;
        imm_o = zvcore_op_pkg::NO_IMM;
        has_rd_o = 1'b0;
      end
      32'b000000_0_00001_00000_000_00000_1110011: begin  // ebreak
        op_o = zvcore_op_pkg::EBREAK;
        class_o = zvcore_op_pkg::CLASS_SYSTEM;
        imm_o = zvcore_op_pkg::NO_IMM;
        has_rd_o = 1'b0;
      end
      32'b??????_?_?????_?????_110_?????_0000011: begin  // lwu
        op_o = zvcore_op_pkg::LWU;
        class_o = zvcore_op_pkg::CLASS_LOAD;
        imm_o = zvcore_op_pkg::IMM_I;
        has_rd_o = 1'b1;
      end
      32'b??????_?_?????_?????_011_?????_0000011: begin  // ld
        op_o = zvcore_op_pkg::LD;
        class_o = zvcore_op_pkg::CLASS_LOAD;
        imm_o = zvcore_op_pkg::IMM_I;
        has_rd_o = 1'b1;
      end
      32'b??????_?_?????_?????_011_?????_0100011: begin  // sd
        op_o = zvcore_op_pkg::SD;
        class_o = zvcore_op_pkg::CLASS_STORE;
        imm_o = zvcore_op_pkg::IMM_S;
        has_rd_o = 1'b0;
      end
      32'b000000_?_?????_?????_001_?????_0010011: begin  // slli
        op_o = zvcore_op_pkg::SLLI;
        class_o = zvcore_op_pkg::CLASS_ALU;
        imm_o = zvcore_op_pkg::IMM_SHIFT;
        has_rd_o = 1'b1;
      end
      32'b000000_?_?????_?????_101_?????_0010011: begin  // srli
        op_o = zvcore_op_pkg::SRLI;
        class_o = zvcore_op_pkg::CLASS_ALU;
        imm_o = zvcore_op_pkg::IMM_SHIFT;
        has_rd_o = 1'b1;
      end
      32'b010000_?_?????_?????_101_?????_0010011: begin  // srai
        op_o = zvcore_op_pkg::SRAI;
        class_o = zvcore_op_pkg::CLASS_ALU;
        imm_o = zvcore_op_pkg::IMM_SHIFT;
        has_rd_o = 1'b1;
      end
      32'b??????_?_?????_?????_000_?????_0011011: begin  // addiw
        op_o = zvcore_op_pkg::ADDIW;
        class_o = zvcore_op_pkg::CLASS_ALU;
        imm_o = zvcore_op_pkg::IMM_I;
        has_rd_o = 1'b1;
      end
      32'b000000_0_?????_?????_001_?????_0011011: begin  // slliw
        op_o = zvcore_op_pkg::SLLIW;
        class_o = zvcore_op_pkg::CLASS_ALU;
        imm_o = zvcore_op_pkg::IMM_SHIFT;
        has_rd_o = 1'b1;
      end
      32'b000000_0_?????_?????_101_?????_0011011: begin  // srliw
        op_o = zvcore_op_pkg::SRLIW;
        class_o = zvcore_op_pkg::CLASS_ALU;
        imm_o = zvcore_op_pkg::IMM_SHIFT;
        has_rd_o = 1'b1;
      end
      32'b010000_0_?????_?????_101_?????_0011011: begin  // sraiw
        op_o = zvcore_op_pkg::SRAIW;
        class_o = zvcore_op_pkg::CLASS_ALU;
        imm_o = zvcore_op_pkg::IMM_SHIFT;
        has_rd_o = 1'b1;
      end
      32'b000000_0_?????_?????_000_?????_0111011: begin  // addw
        op_o = zvcore_op_pkg::ADDW;
        class_o = zvcore_op_pkg::CLASS_ALU;
        imm_o = zvcore_op_pkg::NO_IMM;
        has_rd_o = 1'b1;
      end
      32'b010000_0_?????_?????_000_?????_0111011: begin  // subw
        op_o = zvcore_op_pkg::SUBW;
        class_o = zvcore_op_pkg::CLASS_ALU;
        imm_o = zvcore_op_pkg::NO_IMM;
        has_rd_o = 1'b1;
      end
      32'b000000_0_?????_?????_001_?????_0111011: begin  // sllw
        op_o = zvcore_op_pkg::SLLW;
        class_o = zvcore_op_pkg::CLASS_ALU;
        imm_o = zvcore_op_pkg::NO_IMM;
        has_rd_o = 1'b1;
      end
      32'b000000_0_?????_?????_101_?????_0111011: begin  // srlw
        op_o = zvcore_op_pkg::SRLW;
        class_o = zvcore_op_pkg::CLASS_ALU;
        imm_o = zvcore_op_pkg::NO_IMM;
        has_rd_o = 1'b1;
      end
      32'b010000_0_?????_?????_101_?????_0111011: begin  // sraw
        op_o = zvcore_op_pkg::SRAW;
        class_o = zvcore_op_pkg::CLASS_ALU;
        imm_o = zvcore_op_pkg::NO_IMM;
        has_rd_o = 1'b1;
      end
      32'b000000_1_?????_?????_000_?????_0110011: begin  // mul
        op_o = zvcore_op_pkg::MUL;
        class_o = zvcore_op_pkg::CLASS_MUL;
        imm_o = zvcore_op_pkg::NO_IMM;
        has_rd_o = 1'b1;
      end
      32'b000000_1_?????_?????_001_?????_0110011: begin  // mulh
        op_o = zvcore_op_pkg::MULH;
        class_o = zvcore_op_pkg::CLASS_MUL;
        imm_o = zvcore_op_pkg::NO_IMM;
        has_rd_o = 1'b1;
      end
      32'b000000_1_?????_?????_010_?????_0110011: begin  // mulhsu
        op_o = zvcore_op_pkg::MULHSU;
        class_o = zvcore_op_pkg::CLASS_MUL;
        imm_o = zvcore_op_pkg::NO_IMM;
        has_rd_o = 1'b1;
      end
      32'b000000_1_?????_?????_011_?????_0110011: begin  // mulhu
        op_o = zvcore_op_pkg::MULHU;
        class_o = zvcore_op_pkg::CLASS_MUL;
        imm_o = zvcore_op_pkg::NO_IMM;
        has_rd_o = 1'b1;
      end
      32'b000000_1_?????_?????_100_?????_0110011: begin  // div
        op_o = zvcore_op_pkg::DIV;
        class_o = zvcore_op_pkg::CLASS_DIV;
        imm_o = zvcore_op_pkg::NO_IMM;
        has_rd_o = 1'b1;
      end
      32'b000000_1_?????_?????_101_?????_0110011: begin  // divu
        op_o = zvcore_op_pkg::DIVU;
        class_o = zvcore_op_pkg::CLASS_DIV;
        imm_o = zvcore_op_pkg::NO_IMM;
        has_rd_o = 1'b1;
      end
      32'b000000_1_?????_?????_110_?????_0110011: begin  // rem
        op_o = zvcore_op_pkg::REM;
        class_o = zvcore_op_pkg::CLASS_DIV;
        imm_o = zvcore_op_pkg::NO_IMM;
        has_rd_o = 1'b1;
      end
      32'b000000_1_?????_?????_111_?????_0110011: begin  // remu
        op_o = zvcore_op_pkg::REMU;
        class_o = zvcore_op_pkg::CLASS_DIV;
        imm_o = zvcore_op_pkg::NO_IMM;
        has_rd_o = 1'b1;
      end
      32'b000000_1_?????_?????_000_?????_0111011: begin  // mulw
        op_o = zvcore_op_pkg::MULW;
        class_o = zvcore_op_pkg::CLASS_MUL;
        imm_o = zvcore_op_pkg::NO_IMM;
        has_rd_o = 1'b1;
      end
      32'b000000_1_?????_?????_100_?????_0111011: begin  // divw
        op_o = zvcore_op_pkg::DIVW;
        class_o = zvcore_op_pkg::CLASS_DIV;
        imm_o = zvcore_op_pkg::NO_IMM;
        has_rd_o = 1'b1;
      end
      32'b000000_1_?????_?????_101_?????_0111011: begin  // divuw
        op_o = zvcore_op_pkg::DIVUW;
        class_o = zvcore_op_pkg::CLASS_DIV;
        imm_o = zvcore_op_pkg::NO_IMM;
        has_rd_o = 1'b1;
      end
      32'b000000_1_?????_?????_110_?????_0111011: begin  // remw
        op_o = zvcore_op_pkg::REMW;
        class_o = zvcore_op_pkg::CLASS_DIV;
        imm_o = zvcore_op_pkg::NO_IMM;
        has_rd_o = 1'b1;
      end
      32'b000000_1_?????_?????_111_?????_0111011: begin  // remuw
        op_o = zvcore_op_pkg::REMUW;
        class_o = zvcore_op_pkg::CLASS_DIV;
        imm_o = zvcore_op_pkg::NO_IMM;
        has_rd_o = 1'b1;
      end
      32'b001100_0_00010_00000_000_00000_1110011: begin  // mret
        op_o = zvcore_op_pkg::MRET;
        class_o = zvcore_op_pkg::CLASS_SYSTEM;
        imm_o = zvcore_op_pkg::NO_IMM;
        has_rd_o = 1'b0;
      end
      32'b000100_0_00101_00000_000_00000_1110011: begin  // wfi
        op_o = zvcore_op_pkg::WFI;
        class_o = zvcore_op_pkg::CLASS_SYSTEM;
        imm_o = zvcore_op_pkg::NO_IMM;
        has_rd_o = 1'b0;
      end
      32'b??????_?_?????_?????_001_?????_1110011: begin  // csrrw
        op_o = zvcore_op_pkg::CSRRW;
        class_o = zvcore_op_pkg::CLASS_CSR;
        imm_o = zvcore_op_pkg::IMM_I;
        has_rd_o = 1'b1;
      end
      32'b??????_?_?????_?????_010_?????_1110011: begin  // csrrs
        op_o = zvcore_op_pkg::CSRRS;
        class_o = zvcore_op_pkg::CLASS_CSR;
        imm_o = zvcore_op_pkg::IMM_I;
        has_rd_o = 1'b1;
      end
      32'b??????_?_?????_?????_011_?????_1110011: begin  // csrrc
        op_o = zvcore_op_pkg::CSRRC;
        class_o = zvcore_op_pkg::CLASS_CSR;
        imm_o = zvcore_op_pkg::IMM_I;
        has_rd_o = 1'b1;
      end
      32'b??????_?_?????_?????_101_?????_1110011: begin  // csrrwi
        op_o = zvcore_op_pkg::CSRRWI;
        class_o = zvcore_op_pkg::CLASS_CSR;
        imm_o = zvcore_op_pkg::IMM_I;
        has_rd_o = 1'b1;
      end
      32'b??????_?_?????_?????_110_?????_1110011: begin  // csrrsi
        op_o = zvcore_op_pkg::CSRRSI;
        class_o = zvcore_op_pkg::CLASS_CSR;
        imm_o = zvcore_op_pkg::IMM_I;
        has_rd_o = 1'b1;
      end
      32'b??????_?_?????_?????_111_?????_1110011: begin  // csrrci
        op_o = zvcore_op_pkg::CSRRCI;
        class_o = zvcore_op_pkg::CLASS_CSR;
        imm_o = zvcore_op_pkg::IMM_I;
        has_rd_o = 1'b1;
      end
      default: ;
    endcase
  end
endmodule
