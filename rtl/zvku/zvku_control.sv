// An instruction's operation and its constraints (manual, "Vector Cryptography Extensions").
module zvku_control (
  input  zvku_op_pkg::op_e op_i,
  output zvku_pkg::unit_e  unit_o,
  output logic [3:0]       fn_o,
  output logic             groups_o,        // works on element groups
  output logic             egw64_o,         // SEW 64 is legal, with groups of 256 bits
  output logic             wide_o,          // groups of 256 bits at SEW 32
  output logic             scalar_o,        // .vs
  output logic             scalar1_o,       // .vs of vs1
  output logic             all_o,           // all rounds of AES
  output logic             widening_o,
  output logic             vs2_disjoint_o,  // vs2 must not overlap vd
  output logic             vs1_disjoint_o,
  output logic             reads_vd_o
);
  always_comb begin
    unit_o = zvku_pkg::UNIT_BITS;
    fn_o = '0;
    {groups_o, egw64_o, wide_o, scalar_o, scalar1_o, all_o, widening_o} = '0;
    {vs2_disjoint_o, vs1_disjoint_o, reads_vd_o} = '0;
    case (op_i)
      zvku_op_pkg::VANDN_VV, zvku_op_pkg::VANDN_VX: fn_o = zvku_pkg::BITS_ANDN;
      zvku_op_pkg::VROL_VV, zvku_op_pkg::VROL_VX: fn_o = zvku_pkg::BITS_ROL;
      zvku_op_pkg::VROR_VV, zvku_op_pkg::VROR_VX, zvku_op_pkg::VROR_VI: fn_o = zvku_pkg::BITS_ROR;
      zvku_op_pkg::VBREV_V: fn_o = zvku_pkg::BITS_BREV;
      zvku_op_pkg::VBREV8_V: fn_o = zvku_pkg::BITS_BREV8;
      zvku_op_pkg::VREV8_V: fn_o = zvku_pkg::BITS_REV8;
      zvku_op_pkg::VCLZ_V: fn_o = zvku_pkg::BITS_CLZ;
      zvku_op_pkg::VCTZ_V: fn_o = zvku_pkg::BITS_CTZ;
      zvku_op_pkg::VCPOP_V: fn_o = zvku_pkg::BITS_CPOP;
      zvku_op_pkg::VWSLL_VV, zvku_op_pkg::VWSLL_VX, zvku_op_pkg::VWSLL_VI: begin
        fn_o = zvku_pkg::BITS_SLL;
        widening_o = 1'b1;
      end
      zvku_op_pkg::VCLMUL_VV, zvku_op_pkg::VCLMUL_VX: unit_o = zvku_pkg::UNIT_MUL;
      zvku_op_pkg::VCLMULH_VV, zvku_op_pkg::VCLMULH_VX: begin
        unit_o = zvku_pkg::UNIT_MUL;
        fn_o[zvku_pkg::MUL_HIGH] = 1'b1;
      end
      zvku_op_pkg::VGHSH_VV, zvku_op_pkg::VGMUL_VV: begin
        unit_o = zvku_pkg::UNIT_MUL;
        fn_o[zvku_pkg::MUL_GHASH] = 1'b1;
        fn_o[zvku_pkg::MUL_ADD] = op_i == zvku_op_pkg::VGHSH_VV;
        {groups_o, reads_vd_o} = '1;
      end
      zvku_op_pkg::VAESDF_VV, zvku_op_pkg::VAESDF_VS,
      zvku_op_pkg::VAESDM_VV, zvku_op_pkg::VAESDM_VS,
      zvku_op_pkg::VAESEF_VV, zvku_op_pkg::VAESEF_VS,
      zvku_op_pkg::VAESEM_VV, zvku_op_pkg::VAESEM_VS, zvku_op_pkg::VAESZ_VS: begin
        unit_o = zvku_pkg::UNIT_AES;
        fn_o[zvku_pkg::AES_DEC] = op_i == zvku_op_pkg::VAESDF_VV || op_i == zvku_op_pkg::VAESDF_VS
            || op_i == zvku_op_pkg::VAESDM_VV || op_i == zvku_op_pkg::VAESDM_VS;
        fn_o[zvku_pkg::AES_MIDDLE] = op_i == zvku_op_pkg::VAESDM_VV
            || op_i == zvku_op_pkg::VAESDM_VS
            || op_i == zvku_op_pkg::VAESEM_VV || op_i == zvku_op_pkg::VAESEM_VS;
        fn_o[zvku_pkg::AES_ZERO] = op_i == zvku_op_pkg::VAESZ_VS;
        scalar_o = op_i == zvku_op_pkg::VAESDF_VS || op_i == zvku_op_pkg::VAESDM_VS
            || op_i == zvku_op_pkg::VAESEF_VS || op_i == zvku_op_pkg::VAESEM_VS
            || op_i == zvku_op_pkg::VAESZ_VS;
        vs2_disjoint_o = scalar_o;
        {groups_o, reads_vd_o} = '1;
      end
      zvku_op_pkg::VAESKF1_VI, zvku_op_pkg::VAESKF2_VI: begin
        unit_o = zvku_pkg::UNIT_AES;
        fn_o[zvku_pkg::AES_KEY] = 1'b1;
        fn_o[zvku_pkg::AES_DEC] = op_i == zvku_op_pkg::VAESKF2_VI;
        reads_vd_o = op_i == zvku_op_pkg::VAESKF2_VI;
        groups_o = 1'b1;
      end
      zvku_op_pkg::VSM4K_VI: begin
        unit_o = zvku_pkg::UNIT_SM4;
        fn_o[zvku_pkg::SM4_KEY] = 1'b1;
        groups_o = 1'b1;
      end
      zvku_op_pkg::VSM4R_VV, zvku_op_pkg::VSM4R_VS: begin
        unit_o = zvku_pkg::UNIT_SM4;
        scalar_o = op_i == zvku_op_pkg::VSM4R_VS;
        vs2_disjoint_o = scalar_o;
        {groups_o, reads_vd_o} = '1;
      end
      zvku_op_pkg::VSHA2MS_VV, zvku_op_pkg::VSHA2CH_VV, zvku_op_pkg::VSHA2CL_VV: begin
        unit_o = zvku_pkg::UNIT_SHA2;
        fn_o[zvku_pkg::SHA2_SCHEDULE] = op_i == zvku_op_pkg::VSHA2MS_VV;
        fn_o[zvku_pkg::SHA2_HIGH] = op_i == zvku_op_pkg::VSHA2CH_VV;
        {groups_o, egw64_o, vs2_disjoint_o, vs1_disjoint_o, reads_vd_o} = '1;
      end
      zvku_op_pkg::VSM3ME_VV: begin
        unit_o = zvku_pkg::UNIT_SM3;
        fn_o[zvku_pkg::SM3_EXPAND] = 1'b1;
        {groups_o, wide_o, vs2_disjoint_o} = '1;
      end
      zvku_op_pkg::VSM3C_VI: begin
        unit_o = zvku_pkg::UNIT_SM3;
        {groups_o, wide_o, vs2_disjoint_o, reads_vd_o} = '1;
      end
      zvku_op_pkg::VKECCAK_VI: begin
        unit_o = zvku_pkg::UNIT_KECCAK;
        {groups_o, reads_vd_o} = '1;
      end
      zvku_op_pkg::VMULQ_VV, zvku_op_pkg::VMULQ_VX: unit_o = zvku_pkg::UNIT_MODULAR;
      zvku_op_pkg::VMACQ_VV, zvku_op_pkg::VMACQ_VX: begin
        unit_o = zvku_pkg::UNIT_MODULAR;
        fn_o[zvku_pkg::MODULAR_ADD] = 1'b1;
        reads_vd_o = 1'b1;
      end
      zvku_op_pkg::VAESE128_VV, zvku_op_pkg::VAESE128_VS,
      zvku_op_pkg::VAESD128_VV, zvku_op_pkg::VAESD128_VS: begin
        fn_o[zvku_pkg::ALL_DEC] = op_i == zvku_op_pkg::VAESD128_VV
            || op_i == zvku_op_pkg::VAESD128_VS;
        scalar1_o = op_i == zvku_op_pkg::VAESE128_VS || op_i == zvku_op_pkg::VAESD128_VS;
        vs1_disjoint_o = scalar1_o;
        {groups_o, all_o} = '1;
      end
      zvku_op_pkg::VAESE256_VV, zvku_op_pkg::VAESE256_VS,
      zvku_op_pkg::VAESD256_VV, zvku_op_pkg::VAESD256_VS: begin
        fn_o[zvku_pkg::ALL_DEC] = op_i == zvku_op_pkg::VAESD256_VV
            || op_i == zvku_op_pkg::VAESD256_VS;
        fn_o[zvku_pkg::ALL_256] = 1'b1;
        scalar_o = op_i == zvku_op_pkg::VAESE256_VS || op_i == zvku_op_pkg::VAESD256_VS;
        {scalar1_o, vs2_disjoint_o, vs1_disjoint_o} = {3{scalar_o}};
        {groups_o, all_o, reads_vd_o} = '1;
      end
      zvku_op_pkg::VAES128K10_V, zvku_op_pkg::VAES256K13_VV, zvku_op_pkg::VAES256K14_VV: begin
        fn_o[zvku_pkg::ALL_KEY] = 1'b1;
        fn_o[zvku_pkg::ALL_256] = op_i != zvku_op_pkg::VAES128K10_V;
        fn_o[zvku_pkg::ALL_BEFORE] = op_i == zvku_op_pkg::VAES256K13_VV;
        {groups_o, all_o} = '1;
      end
      default: ;
    endcase
  end
endmodule
