// Generated from the tables in isa/ by capvec-isagen: `make generate`. Do not edit.

// The unit's instructions, and the extensions that make them legal.
package zvku_op_pkg;
  typedef enum logic [5:0] {
    NONE = 6'd0,
    VMULQ_VV = 6'd1,
    VMULQ_VX = 6'd2,
    VMACQ_VV = 6'd3,
    VMACQ_VX = 6'd4,
    VANDN_VV = 6'd5,
    VANDN_VX = 6'd6,
    VBREV_V = 6'd7,
    VBREV8_V = 6'd8,
    VREV8_V = 6'd9,
    VCLZ_V = 6'd10,
    VCTZ_V = 6'd11,
    VCPOP_V = 6'd12,
    VROL_VV = 6'd13,
    VROL_VX = 6'd14,
    VROR_VV = 6'd15,
    VROR_VX = 6'd16,
    VROR_VI = 6'd17,
    VWSLL_VV = 6'd18,
    VWSLL_VX = 6'd19,
    VWSLL_VI = 6'd20,
    VCLMUL_VV = 6'd21,
    VCLMUL_VX = 6'd22,
    VCLMULH_VV = 6'd23,
    VCLMULH_VX = 6'd24,
    VGMUL_VV = 6'd25,
    VGHSH_VV = 6'd26,
    VAESDF_VV = 6'd27,
    VAESDF_VS = 6'd28,
    VAESDM_VV = 6'd29,
    VAESDM_VS = 6'd30,
    VAESEF_VV = 6'd31,
    VAESEF_VS = 6'd32,
    VAESEM_VV = 6'd33,
    VAESEM_VS = 6'd34,
    VAESZ_VS = 6'd35,
    VAESKF1_VI = 6'd36,
    VAESKF2_VI = 6'd37,
    VAESE128_VV = 6'd38,
    VAESE128_VS = 6'd39,
    VAESD128_VV = 6'd40,
    VAESD128_VS = 6'd41,
    VAESE256_VV = 6'd42,
    VAESE256_VS = 6'd43,
    VAESD256_VV = 6'd44,
    VAESD256_VS = 6'd45,
    VAES128K10_V = 6'd46,
    VAES256K13_VV = 6'd47,
    VAES256K14_VV = 6'd48,
    VSHA2MS_VV = 6'd49,
    VSHA2CH_VV = 6'd50,
    VSHA2CL_VV = 6'd51,
    VKECCAK_VI = 6'd52,
    VSM4K_VI = 6'd53,
    VSM4R_VV = 6'd54,
    VSM4R_VS = 6'd55,
    VSM3C_VI = 6'd56,
    VSM3ME_VV = 6'd57
  } op_e;

  // Bits of a set of extensions.
  parameter int unsigned ZVBB = 0;
  parameter int unsigned ZVKB = 1;
  parameter int unsigned ZVBC = 2;
  parameter int unsigned ZVKG = 3;
  parameter int unsigned ZVKNED = 4;
  parameter int unsigned ZVKNHA = 5;
  parameter int unsigned ZVKNHB = 6;
  parameter int unsigned ZVKSED = 7;
  parameter int unsigned ZVKSH = 8;
  parameter int unsigned ZVKNHK0P1 = 9;
  parameter int unsigned ZVKNHK0P2 = 10;
  parameter int unsigned XCAPVECMULQ0P1 = 11;
  parameter int unsigned ZVKNF0P2022 = 12;
  parameter int unsigned EXT_COUNT = 13;
endpackage
