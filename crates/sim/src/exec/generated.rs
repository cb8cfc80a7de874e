// Generated from isa/*.toml by capvec-isagen: `make generate`. Do not edit.

use super::*;

/// The semantics of every instruction, indexed by `Op`.
#[rustfmt::skip]
pub(crate) const fn handlers<M: Mode>() -> [Handler; 727] {
    [
        a::lr_w::<M>,
        a::sc_w::<M>,
        a::amoswap_w::<M>,
        a::amoadd_w::<M>,
        a::amoxor_w::<M>,
        a::amoand_w::<M>,
        a::amoor_w::<M>,
        a::amomin_w::<M>,
        a::amomax_w::<M>,
        a::amominu_w::<M>,
        a::amomaxu_w::<M>,
        a::lr_d::<M>,
        a::sc_d::<M>,
        a::amoswap_d::<M>,
        a::amoadd_d::<M>,
        a::amoxor_d::<M>,
        a::amoand_d::<M>,
        a::amoor_d::<M>,
        a::amomin_d::<M>,
        a::amomax_d::<M>,
        a::amominu_d::<M>,
        a::amomaxu_d::<M>,
        i::addi::<M>,
        pending, // c.fld
        i::lw::<M>,
        i::ld::<M>,
        pending, // c.fsd
        i::sw::<M>,
        i::sd::<M>,
        i::addi::<M>,
        i::addi::<M>,
        i::addiw::<M>,
        i::addi::<M>,
        i::addi::<M>,
        i::lui::<M>,
        i::srli::<M>,
        i::srai::<M>,
        i::andi::<M>,
        i::sub::<M>,
        i::xor::<M>,
        i::or::<M>,
        i::and::<M>,
        i::subw::<M>,
        i::addw::<M>,
        i::jal::<M>,
        i::beq::<M>,
        i::bne::<M>,
        i::slli::<M>,
        pending, // c.fldsp
        i::lw::<M>,
        i::ld::<M>,
        i::jalr::<M>,
        i::add::<M>,
        i::ebreak::<M>,
        i::jalr::<M>,
        i::add::<M>,
        pending, // c.fsdsp
        i::sw::<M>,
        i::sd::<M>,
        pending, // fld
        pending, // fsd
        pending, // fmadd.d
        pending, // fmsub.d
        pending, // fnmsub.d
        pending, // fnmadd.d
        pending, // fadd.d
        pending, // fsub.d
        pending, // fmul.d
        pending, // fdiv.d
        pending, // fsqrt.d
        pending, // fsgnj.d
        pending, // fsgnjn.d
        pending, // fsgnjx.d
        pending, // fmin.d
        pending, // fmax.d
        pending, // fcvt.s.d
        pending, // fcvt.d.s
        pending, // feq.d
        pending, // flt.d
        pending, // fle.d
        pending, // fclass.d
        pending, // fcvt.w.d
        pending, // fcvt.wu.d
        pending, // fcvt.d.w
        pending, // fcvt.d.wu
        pending, // fcvt.l.d
        pending, // fcvt.lu.d
        pending, // fmv.x.d
        pending, // fcvt.d.l
        pending, // fcvt.d.lu
        pending, // fmv.d.x
        pending, // flw
        pending, // fsw
        pending, // fmadd.s
        pending, // fmsub.s
        pending, // fnmsub.s
        pending, // fnmadd.s
        pending, // fadd.s
        pending, // fsub.s
        pending, // fmul.s
        pending, // fdiv.s
        pending, // fsqrt.s
        pending, // fsgnj.s
        pending, // fsgnjn.s
        pending, // fsgnjx.s
        pending, // fmin.s
        pending, // fmax.s
        pending, // fcvt.w.s
        pending, // fcvt.wu.s
        pending, // fmv.x.w
        pending, // feq.s
        pending, // flt.s
        pending, // fle.s
        pending, // fclass.s
        pending, // fcvt.s.w
        pending, // fcvt.s.wu
        pending, // fmv.w.x
        pending, // fcvt.l.s
        pending, // fcvt.lu.s
        pending, // fcvt.s.l
        pending, // fcvt.s.lu
        i::lui::<M>,
        i::auipc::<M>,
        i::jal::<M>,
        i::jalr::<M>,
        i::beq::<M>,
        i::bne::<M>,
        i::blt::<M>,
        i::bge::<M>,
        i::bltu::<M>,
        i::bgeu::<M>,
        i::lb::<M>,
        i::lh::<M>,
        i::lw::<M>,
        i::lbu::<M>,
        i::lhu::<M>,
        i::sb::<M>,
        i::sh::<M>,
        i::sw::<M>,
        i::addi::<M>,
        i::slti::<M>,
        i::sltiu::<M>,
        i::xori::<M>,
        i::ori::<M>,
        i::andi::<M>,
        i::add::<M>,
        i::sub::<M>,
        i::sll::<M>,
        i::slt::<M>,
        i::sltu::<M>,
        i::xor::<M>,
        i::srl::<M>,
        i::sra::<M>,
        i::or::<M>,
        i::and::<M>,
        i::fence::<M>,
        i::ecall::<M>,
        i::ebreak::<M>,
        i::lwu::<M>,
        i::ld::<M>,
        i::sd::<M>,
        i::slli::<M>,
        i::srli::<M>,
        i::srai::<M>,
        i::addiw::<M>,
        i::slliw::<M>,
        i::srliw::<M>,
        i::sraiw::<M>,
        i::addw::<M>,
        i::subw::<M>,
        i::sllw::<M>,
        i::srlw::<M>,
        i::sraw::<M>,
        m::mul::<M>,
        m::mulh::<M>,
        m::mulhsu::<M>,
        m::mulhu::<M>,
        m::div::<M>,
        m::divu::<M>,
        m::rem::<M>,
        m::remu::<M>,
        m::mulw::<M>,
        m::divw::<M>,
        m::divuw::<M>,
        m::remw::<M>,
        m::remuw::<M>,
        v_cmp::vmadc_vxm::<M>,
        v_cmp::vmadc_vx::<M>,
        v_cmp::vmsbc_vxm::<M>,
        v_cmp::vmsbc_vx::<M>,
        v_cmp::vmseq_vx::<M>,
        v_cmp::vmsne_vx::<M>,
        v_cmp::vmsltu_vx::<M>,
        v_cmp::vmslt_vx::<M>,
        v_cmp::vmsleu_vx::<M>,
        v_cmp::vmsle_vx::<M>,
        v_cmp::vmsgtu_vx::<M>,
        v_cmp::vmsgt_vx::<M>,
        v_cmp::vmadc_vvm::<M>,
        v_cmp::vmadc_vv::<M>,
        v_cmp::vmsbc_vvm::<M>,
        v_cmp::vmsbc_vv::<M>,
        v_cmp::vmseq_vv::<M>,
        v_cmp::vmsne_vv::<M>,
        v_cmp::vmsltu_vv::<M>,
        v_cmp::vmslt_vv::<M>,
        v_cmp::vmsleu_vv::<M>,
        v_cmp::vmsle_vv::<M>,
        v_cmp::vmadc_vim::<M>,
        v_cmp::vmadc_vi::<M>,
        v_cmp::vmseq_vi::<M>,
        v_cmp::vmsne_vi::<M>,
        v_cmp::vmsleu_vi::<M>,
        v_cmp::vmsle_vi::<M>,
        v_cmp::vmsgtu_vi::<M>,
        v_cmp::vmsgt_vi::<M>,
        v_config::vsetivli::<M>,
        v_config::vsetvli::<M>,
        v_config::vsetvl::<M>,
        v_fixed::vsaddu_vx::<M>,
        v_fixed::vsadd_vx::<M>,
        v_fixed::vssubu_vx::<M>,
        v_fixed::vssub_vx::<M>,
        v_fixed::vsmul_vx::<M>,
        v_fixed::vssrl_vx::<M>,
        v_fixed::vssra_vx::<M>,
        v_fixed::vnclipu_wx::<M>,
        v_fixed::vnclip_wx::<M>,
        v_fixed::vsaddu_vv::<M>,
        v_fixed::vsadd_vv::<M>,
        v_fixed::vssubu_vv::<M>,
        v_fixed::vssub_vv::<M>,
        v_fixed::vsmul_vv::<M>,
        v_fixed::vssrl_vv::<M>,
        v_fixed::vssra_vv::<M>,
        v_fixed::vnclipu_wv::<M>,
        v_fixed::vnclip_wv::<M>,
        v_fixed::vsaddu_vi::<M>,
        v_fixed::vsadd_vi::<M>,
        v_fixed::vssrl_vi::<M>,
        v_fixed::vssra_vi::<M>,
        v_fixed::vnclipu_wi::<M>,
        v_fixed::vnclip_wi::<M>,
        v_fixed::vaaddu_vv::<M>,
        v_fixed::vaadd_vv::<M>,
        v_fixed::vasubu_vv::<M>,
        v_fixed::vasub_vv::<M>,
        v_fixed::vaaddu_vx::<M>,
        v_fixed::vaadd_vx::<M>,
        v_fixed::vasubu_vx::<M>,
        v_fixed::vasub_vx::<M>,
        pending, // vfadd.vf
        pending, // vfsub.vf
        pending, // vfmin.vf
        pending, // vfmax.vf
        pending, // vfsgnj.vf
        pending, // vfsgnjn.vf
        pending, // vfsgnjx.vf
        pending, // vfslide1up.vf
        pending, // vfslide1down.vf
        pending, // vfmv.s.f
        pending, // vfmerge.vfm
        pending, // vfmv.v.f
        pending, // vmfeq.vf
        pending, // vmfle.vf
        pending, // vmflt.vf
        pending, // vmfne.vf
        pending, // vmfgt.vf
        pending, // vmfge.vf
        pending, // vfdiv.vf
        pending, // vfrdiv.vf
        pending, // vfmul.vf
        pending, // vfrsub.vf
        pending, // vfmadd.vf
        pending, // vfnmadd.vf
        pending, // vfmsub.vf
        pending, // vfnmsub.vf
        pending, // vfmacc.vf
        pending, // vfnmacc.vf
        pending, // vfmsac.vf
        pending, // vfnmsac.vf
        pending, // vfwadd.vf
        pending, // vfwsub.vf
        pending, // vfwadd.wf
        pending, // vfwsub.wf
        pending, // vfwmul.vf
        pending, // vfwmacc.vf
        pending, // vfwnmacc.vf
        pending, // vfwmsac.vf
        pending, // vfwnmsac.vf
        pending, // vfadd.vv
        pending, // vfsub.vv
        pending, // vfmin.vv
        pending, // vfmax.vv
        pending, // vfsgnj.vv
        pending, // vfsgnjn.vv
        pending, // vfsgnjx.vv
        pending, // vfmv.f.s
        pending, // vmfeq.vv
        pending, // vmfle.vv
        pending, // vmflt.vv
        pending, // vmfne.vv
        pending, // vfdiv.vv
        pending, // vfmul.vv
        pending, // vfmadd.vv
        pending, // vfnmadd.vv
        pending, // vfmsub.vv
        pending, // vfnmsub.vv
        pending, // vfmacc.vv
        pending, // vfnmacc.vv
        pending, // vfmsac.vv
        pending, // vfnmsac.vv
        pending, // vfcvt.xu.f.v
        pending, // vfcvt.x.f.v
        pending, // vfcvt.f.xu.v
        pending, // vfcvt.f.x.v
        pending, // vfcvt.rtz.xu.f.v
        pending, // vfcvt.rtz.x.f.v
        pending, // vfwcvt.xu.f.v
        pending, // vfwcvt.x.f.v
        pending, // vfwcvt.f.xu.v
        pending, // vfwcvt.f.x.v
        pending, // vfwcvt.f.f.v
        pending, // vfwcvt.rtz.xu.f.v
        pending, // vfwcvt.rtz.x.f.v
        pending, // vfncvt.xu.f.w
        pending, // vfncvt.x.f.w
        pending, // vfncvt.f.xu.w
        pending, // vfncvt.f.x.w
        pending, // vfncvt.f.f.w
        pending, // vfncvt.rod.f.f.w
        pending, // vfncvt.rtz.xu.f.w
        pending, // vfncvt.rtz.x.f.w
        pending, // vfsqrt.v
        pending, // vfrsqrt7.v
        pending, // vfrec7.v
        pending, // vfclass.v
        pending, // vfwadd.vv
        pending, // vfwsub.vv
        pending, // vfwadd.wv
        pending, // vfwsub.wv
        pending, // vfwmul.vv
        pending, // vfwmacc.vv
        pending, // vfwnmacc.vv
        pending, // vfwmsac.vv
        pending, // vfwnmsac.vv
        pending, // vfredusum.vs
        pending, // vfredosum.vs
        pending, // vfredmin.vs
        pending, // vfredmax.vs
        pending, // vfwredusum.vs
        pending, // vfwredosum.vs
        v_int::vadd_vx::<M>,
        v_int::vsub_vx::<M>,
        v_int::vrsub_vx::<M>,
        v_int::vminu_vx::<M>,
        v_int::vmin_vx::<M>,
        v_int::vmaxu_vx::<M>,
        v_int::vmax_vx::<M>,
        v_int::vand_vx::<M>,
        v_int::vor_vx::<M>,
        v_int::vxor_vx::<M>,
        v_int::vadc_vxm::<M>,
        v_int::vsbc_vxm::<M>,
        v_int::vmerge_vxm::<M>,
        v_int::vmv_v_x::<M>,
        v_int::vsll_vx::<M>,
        v_int::vsrl_vx::<M>,
        v_int::vsra_vx::<M>,
        v_int::vnsrl_wx::<M>,
        v_int::vnsra_wx::<M>,
        v_int::vadd_vv::<M>,
        v_int::vsub_vv::<M>,
        v_int::vminu_vv::<M>,
        v_int::vmin_vv::<M>,
        v_int::vmaxu_vv::<M>,
        v_int::vmax_vv::<M>,
        v_int::vand_vv::<M>,
        v_int::vor_vv::<M>,
        v_int::vxor_vv::<M>,
        v_int::vadc_vvm::<M>,
        v_int::vsbc_vvm::<M>,
        v_int::vmerge_vvm::<M>,
        v_int::vmv_v_v::<M>,
        v_int::vsll_vv::<M>,
        v_int::vsrl_vv::<M>,
        v_int::vsra_vv::<M>,
        v_int::vnsrl_wv::<M>,
        v_int::vnsra_wv::<M>,
        v_int::vadd_vi::<M>,
        v_int::vrsub_vi::<M>,
        v_int::vand_vi::<M>,
        v_int::vor_vi::<M>,
        v_int::vxor_vi::<M>,
        v_int::vadc_vim::<M>,
        v_int::vmerge_vim::<M>,
        v_int::vmv_v_i::<M>,
        v_int::vsll_vi::<M>,
        v_int::vsrl_vi::<M>,
        v_int::vsra_vi::<M>,
        v_int::vnsrl_wi::<M>,
        v_int::vnsra_wi::<M>,
        v_int::vzext_vf8::<M>,
        v_int::vsext_vf8::<M>,
        v_int::vzext_vf4::<M>,
        v_int::vsext_vf4::<M>,
        v_int::vzext_vf2::<M>,
        v_int::vsext_vf2::<M>,
        v_int::vwaddu_vv::<M>,
        v_int::vwadd_vv::<M>,
        v_int::vwsubu_vv::<M>,
        v_int::vwsub_vv::<M>,
        v_int::vwaddu_wv::<M>,
        v_int::vwadd_wv::<M>,
        v_int::vwsubu_wv::<M>,
        v_int::vwsub_wv::<M>,
        v_int::vwaddu_vx::<M>,
        v_int::vwadd_vx::<M>,
        v_int::vwsubu_vx::<M>,
        v_int::vwsub_vx::<M>,
        v_int::vwaddu_wx::<M>,
        v_int::vwadd_wx::<M>,
        v_int::vwsubu_wx::<M>,
        v_int::vwsub_wx::<M>,
        v_mask::vmandn_mm::<M>,
        v_mask::vmand_mm::<M>,
        v_mask::vmor_mm::<M>,
        v_mask::vmxor_mm::<M>,
        v_mask::vmorn_mm::<M>,
        v_mask::vmnand_mm::<M>,
        v_mask::vmnor_mm::<M>,
        v_mask::vmxnor_mm::<M>,
        v_mask::vmsbf_m::<M>,
        v_mask::vmsof_m::<M>,
        v_mask::vmsif_m::<M>,
        v_mask::viota_m::<M>,
        v_mask::vid_v::<M>,
        v_mask::vcpop_m::<M>,
        v_mask::vfirst_m::<M>,
        v_mem::vlm_v::<M>,
        v_mem::vsm_v::<M>,
        v_mem::vle8_v::<M>,
        v_mem::vle16_v::<M>,
        v_mem::vle32_v::<M>,
        v_mem::vle64_v::<M>,
        v_mem::vse8_v::<M>,
        v_mem::vse16_v::<M>,
        v_mem::vse32_v::<M>,
        v_mem::vse64_v::<M>,
        v_mem::vluxei8_v::<M>,
        v_mem::vluxei16_v::<M>,
        v_mem::vluxei32_v::<M>,
        v_mem::vluxei64_v::<M>,
        v_mem::vsuxei8_v::<M>,
        v_mem::vsuxei16_v::<M>,
        v_mem::vsuxei32_v::<M>,
        v_mem::vsuxei64_v::<M>,
        v_mem::vlse8_v::<M>,
        v_mem::vlse16_v::<M>,
        v_mem::vlse32_v::<M>,
        v_mem::vlse64_v::<M>,
        v_mem::vsse8_v::<M>,
        v_mem::vsse16_v::<M>,
        v_mem::vsse32_v::<M>,
        v_mem::vsse64_v::<M>,
        v_mem::vloxei8_v::<M>,
        v_mem::vloxei16_v::<M>,
        v_mem::vloxei32_v::<M>,
        v_mem::vloxei64_v::<M>,
        v_mem::vsoxei8_v::<M>,
        v_mem::vsoxei16_v::<M>,
        v_mem::vsoxei32_v::<M>,
        v_mem::vsoxei64_v::<M>,
        v_mem::vle8ff_v::<M>,
        v_mem::vle16ff_v::<M>,
        v_mem::vle32ff_v::<M>,
        v_mem::vle64ff_v::<M>,
        v_mem::vl1re8_v::<M>,
        v_mem::vl1re16_v::<M>,
        v_mem::vl1re32_v::<M>,
        v_mem::vl1re64_v::<M>,
        v_mem::vl2re8_v::<M>,
        v_mem::vl2re16_v::<M>,
        v_mem::vl2re32_v::<M>,
        v_mem::vl2re64_v::<M>,
        v_mem::vl4re8_v::<M>,
        v_mem::vl4re16_v::<M>,
        v_mem::vl4re32_v::<M>,
        v_mem::vl4re64_v::<M>,
        v_mem::vl8re8_v::<M>,
        v_mem::vl8re16_v::<M>,
        v_mem::vl8re32_v::<M>,
        v_mem::vl8re64_v::<M>,
        v_mem::vs1r_v::<M>,
        v_mem::vs2r_v::<M>,
        v_mem::vs4r_v::<M>,
        v_mem::vs8r_v::<M>,
        v_mul::vdivu_vv::<M>,
        v_mul::vdiv_vv::<M>,
        v_mul::vremu_vv::<M>,
        v_mul::vrem_vv::<M>,
        v_mul::vmulhu_vv::<M>,
        v_mul::vmul_vv::<M>,
        v_mul::vmulhsu_vv::<M>,
        v_mul::vmulh_vv::<M>,
        v_mul::vmadd_vv::<M>,
        v_mul::vnmsub_vv::<M>,
        v_mul::vmacc_vv::<M>,
        v_mul::vnmsac_vv::<M>,
        v_mul::vwmulu_vv::<M>,
        v_mul::vwmulsu_vv::<M>,
        v_mul::vwmul_vv::<M>,
        v_mul::vwmaccu_vv::<M>,
        v_mul::vwmacc_vv::<M>,
        v_mul::vwmaccsu_vv::<M>,
        v_mul::vdivu_vx::<M>,
        v_mul::vdiv_vx::<M>,
        v_mul::vremu_vx::<M>,
        v_mul::vrem_vx::<M>,
        v_mul::vmulhu_vx::<M>,
        v_mul::vmul_vx::<M>,
        v_mul::vmulhsu_vx::<M>,
        v_mul::vmulh_vx::<M>,
        v_mul::vmadd_vx::<M>,
        v_mul::vnmsub_vx::<M>,
        v_mul::vmacc_vx::<M>,
        v_mul::vnmsac_vx::<M>,
        v_mul::vwmulu_vx::<M>,
        v_mul::vwmulsu_vx::<M>,
        v_mul::vwmul_vx::<M>,
        v_mul::vwmaccu_vx::<M>,
        v_mul::vwmacc_vx::<M>,
        v_mul::vwmaccus_vx::<M>,
        v_mul::vwmaccsu_vx::<M>,
        v_perm::vrgather_vx::<M>,
        v_perm::vslideup_vx::<M>,
        v_perm::vslidedown_vx::<M>,
        v_perm::vrgather_vv::<M>,
        v_perm::vrgatherei16_vv::<M>,
        v_perm::vrgather_vi::<M>,
        v_perm::vslideup_vi::<M>,
        v_perm::vslidedown_vi::<M>,
        v_perm::vmv1r_v::<M>,
        v_perm::vmv2r_v::<M>,
        v_perm::vmv4r_v::<M>,
        v_perm::vmv8r_v::<M>,
        v_perm::vmv_x_s::<M>,
        v_perm::vcompress_vm::<M>,
        v_perm::vmv_s_x::<M>,
        v_perm::vslide1up_vx::<M>,
        v_perm::vslide1down_vx::<M>,
        v_red::vwredsumu_vs::<M>,
        v_red::vwredsum_vs::<M>,
        v_red::vredsum_vs::<M>,
        v_red::vredand_vs::<M>,
        v_red::vredor_vs::<M>,
        v_red::vredxor_vs::<M>,
        v_red::vredminu_vs::<M>,
        v_red::vredmin_vs::<M>,
        v_red::vredmaxu_vs::<M>,
        v_red::vredmax_vs::<M>,
        zawrs::wrs_nto::<M>,
        zawrs::wrs_sto::<M>,
        zba::sh1add::<M>,
        zba::sh2add::<M>,
        zba::sh3add::<M>,
        zba::add_uw::<M>,
        zba::sh1add_uw::<M>,
        zba::sh2add_uw::<M>,
        zba::sh3add_uw::<M>,
        zba::slli_uw::<M>,
        zbb::zext_h::<M>,
        zbb::andn::<M>,
        zbb::orn::<M>,
        zbb::xnor::<M>,
        zbb::clz::<M>,
        zbb::ctz::<M>,
        zbb::cpop::<M>,
        zbb::max::<M>,
        zbb::maxu::<M>,
        zbb::min::<M>,
        zbb::minu::<M>,
        zbb::sext_b::<M>,
        zbb::sext_h::<M>,
        zbb::rol::<M>,
        zbb::ror::<M>,
        zbb::orc_b::<M>,
        zbb::clzw::<M>,
        zbb::ctzw::<M>,
        zbb::cpopw::<M>,
        zbb::rolw::<M>,
        zbb::rorw::<M>,
        zbb::roriw::<M>,
        zbb::rori::<M>,
        zbb::rev8::<M>,
        zbc::clmul::<M>,
        zbc::clmulr::<M>,
        zbc::clmulh::<M>,
        zbkb::pack::<M>,
        zbkb::packh::<M>,
        zbkb::brev8::<M>,
        zbkb::packw::<M>,
        zbkx::xperm4::<M>,
        zbkx::xperm8::<M>,
        zbs::bclr::<M>,
        zbs::bext::<M>,
        zbs::binv::<M>,
        zbs::bset::<M>,
        zbs::bclri::<M>,
        zbs::bexti::<M>,
        zbs::binvi::<M>,
        zbs::bseti::<M>,
        i::lbu::<M>,
        i::lhu::<M>,
        i::lh::<M>,
        i::sb::<M>,
        i::sh::<M>,
        i::andi::<M>,
        zbb::sext_b::<M>,
        zbb::zext_h::<M>,
        zbb::sext_h::<M>,
        zba::add_uw::<M>,
        i::xori::<M>,
        m::mul::<M>,
        i::addi::<M>,
        pending, // fli.s
        pending, // fminm.s
        pending, // fmaxm.s
        pending, // fround.s
        pending, // froundnx.s
        pending, // fleq.s
        pending, // fltq.s
        pending, // fli.d
        pending, // fminm.d
        pending, // fmaxm.d
        pending, // fround.d
        pending, // froundnx.d
        pending, // fcvtmod.w.d
        pending, // fleq.d
        pending, // fltq.d
        pending, // flh
        pending, // fsh
        pending, // fcvt.s.h
        pending, // fcvt.h.s
        pending, // fmv.x.h
        pending, // fmv.h.x
        pending, // fcvt.d.h
        pending, // fcvt.h.d
        zicbom::cbo_clean::<M>,
        zicbom::cbo_flush::<M>,
        zicbom::cbo_inval::<M>,
        zicbop::prefetch_i::<M>,
        zicbop::prefetch_r::<M>,
        zicbop::prefetch_w::<M>,
        zicboz::cbo_zero::<M>,
        zicond::czero_eqz::<M>,
        zicond::czero_nez::<M>,
        zicsr::csrrw::<M>,
        zicsr::csrrs::<M>,
        zicsr::csrrc::<M>,
        zicsr::csrrwi::<M>,
        zicsr::csrrsi::<M>,
        zicsr::csrrci::<M>,
        zifencei::fence_i::<M>,
        zihintpause::pause::<M>,
        zimop::mop_r_n::<M>,
        zimop::mop_rr_n::<M>,
        zknd::aes64dsm::<M>,
        zknd::aes64ds::<M>,
        zknd::aes64ks1i::<M>,
        zknd::aes64im::<M>,
        zknd::aes64ks2::<M>,
        zkne::aes64esm::<M>,
        zkne::aes64es::<M>,
        zknh::sha256sum0::<M>,
        zknh::sha256sum1::<M>,
        zknh::sha256sig0::<M>,
        zknh::sha256sig1::<M>,
        zknh::sha512sum0::<M>,
        zknh::sha512sum1::<M>,
        zknh::sha512sig0::<M>,
        zknh::sha512sig1::<M>,
        zksed::sm4ed::<M>,
        zksed::sm4ks::<M>,
        zksh::sm3p0::<M>,
        zksh::sm3p1::<M>,
        pending, // vandn.vv
        pending, // vandn.vx
        pending, // vbrev.v
        pending, // vbrev8.v
        pending, // vrev8.v
        pending, // vclz.v
        pending, // vctz.v
        pending, // vcpop.v
        pending, // vrol.vv
        pending, // vrol.vx
        pending, // vror.vv
        pending, // vror.vx
        pending, // vror.vi
        pending, // vwsll.vv
        pending, // vwsll.vx
        pending, // vwsll.vi
        pending, // vclmul.vv
        pending, // vclmul.vx
        pending, // vclmulh.vv
        pending, // vclmulh.vx
        zvkg::vgmul_vv::<M>,
        zvkg::vghsh_vv::<M>,
        zvkned::vaesdf_vv::<M>,
        zvkned::vaesdf_vs::<M>,
        zvkned::vaesdm_vv::<M>,
        zvkned::vaesdm_vs::<M>,
        zvkned::vaesef_vv::<M>,
        zvkned::vaesef_vs::<M>,
        zvkned::vaesem_vv::<M>,
        zvkned::vaesem_vs::<M>,
        zvkned::vaesz_vs::<M>,
        zvkned::vaeskf1_vi::<M>,
        zvkned::vaeskf2_vi::<M>,
        zvknh::vsha2ms_vv::<M>,
        zvknh::vsha2ch_vv::<M>,
        zvknh::vsha2cl_vv::<M>,
        zvksed::vsm4k_vi::<M>,
        zvksed::vsm4r_vv::<M>,
        zvksed::vsm4r_vs::<M>,
        zvksh::vsm3c_vi::<M>,
        zvksh::vsm3me_vv::<M>,
    ]
}
