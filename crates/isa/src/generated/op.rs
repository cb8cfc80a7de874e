// Generated from isa/*.toml by capvec-isagen: `make generate`. Do not edit.

/// An instruction: one per row of the table, compressed ones included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u16)]
pub enum Op {
    /// `lr.w`
    LrW,
    /// `sc.w`
    ScW,
    /// `amoswap.w`
    AmoswapW,
    /// `amoadd.w`
    AmoaddW,
    /// `amoxor.w`
    AmoxorW,
    /// `amoand.w`
    AmoandW,
    /// `amoor.w`
    AmoorW,
    /// `amomin.w`
    AmominW,
    /// `amomax.w`
    AmomaxW,
    /// `amominu.w`
    AmominuW,
    /// `amomaxu.w`
    AmomaxuW,
    /// `lr.d`
    LrD,
    /// `sc.d`
    ScD,
    /// `amoswap.d`
    AmoswapD,
    /// `amoadd.d`
    AmoaddD,
    /// `amoxor.d`
    AmoxorD,
    /// `amoand.d`
    AmoandD,
    /// `amoor.d`
    AmoorD,
    /// `amomin.d`
    AmominD,
    /// `amomax.d`
    AmomaxD,
    /// `amominu.d`
    AmominuD,
    /// `amomaxu.d`
    AmomaxuD,
    /// `c.addi4spn`
    CAddi4spn,
    /// `c.fld`
    CFld,
    /// `c.lw`
    CLw,
    /// `c.ld`
    CLd,
    /// `c.fsd`
    CFsd,
    /// `c.sw`
    CSw,
    /// `c.sd`
    CSd,
    /// `c.nop`
    CNop,
    /// `c.addi`
    CAddi,
    /// `c.addiw`
    CAddiw,
    /// `c.li`
    CLi,
    /// `c.addi16sp`
    CAddi16sp,
    /// `c.lui`
    CLui,
    /// `c.srli`
    CSrli,
    /// `c.srai`
    CSrai,
    /// `c.andi`
    CAndi,
    /// `c.sub`
    CSub,
    /// `c.xor`
    CXor,
    /// `c.or`
    COr,
    /// `c.and`
    CAnd,
    /// `c.subw`
    CSubw,
    /// `c.addw`
    CAddw,
    /// `c.j`
    CJ,
    /// `c.beqz`
    CBeqz,
    /// `c.bnez`
    CBnez,
    /// `c.slli`
    CSlli,
    /// `c.fldsp`
    CFldsp,
    /// `c.lwsp`
    CLwsp,
    /// `c.ldsp`
    CLdsp,
    /// `c.jr`
    CJr,
    /// `c.mv`
    CMv,
    /// `c.ebreak`
    CEbreak,
    /// `c.jalr`
    CJalr,
    /// `c.add`
    CAdd,
    /// `c.fsdsp`
    CFsdsp,
    /// `c.swsp`
    CSwsp,
    /// `c.sdsp`
    CSdsp,
    /// `c.flw`
    CFlw,
    /// `c.fsw`
    CFsw,
    /// `c.jal`
    CJal,
    /// `c.srli` of RV32
    CSrliRv32,
    /// `c.srai` of RV32
    CSraiRv32,
    /// `c.slli` of RV32
    CSlliRv32,
    /// `c.flwsp`
    CFlwsp,
    /// `c.fswsp`
    CFswsp,
    /// `fld`
    Fld,
    /// `fsd`
    Fsd,
    /// `fmadd.d`
    FmaddD,
    /// `fmsub.d`
    FmsubD,
    /// `fnmsub.d`
    FnmsubD,
    /// `fnmadd.d`
    FnmaddD,
    /// `fadd.d`
    FaddD,
    /// `fsub.d`
    FsubD,
    /// `fmul.d`
    FmulD,
    /// `fdiv.d`
    FdivD,
    /// `fsqrt.d`
    FsqrtD,
    /// `fsgnj.d`
    FsgnjD,
    /// `fsgnjn.d`
    FsgnjnD,
    /// `fsgnjx.d`
    FsgnjxD,
    /// `fmin.d`
    FminD,
    /// `fmax.d`
    FmaxD,
    /// `fcvt.s.d`
    FcvtSD,
    /// `fcvt.d.s`
    FcvtDS,
    /// `feq.d`
    FeqD,
    /// `flt.d`
    FltD,
    /// `fle.d`
    FleD,
    /// `fclass.d`
    FclassD,
    /// `fcvt.w.d`
    FcvtWD,
    /// `fcvt.wu.d`
    FcvtWuD,
    /// `fcvt.d.w`
    FcvtDW,
    /// `fcvt.d.wu`
    FcvtDWu,
    /// `fcvt.l.d`
    FcvtLD,
    /// `fcvt.lu.d`
    FcvtLuD,
    /// `fmv.x.d`
    FmvXD,
    /// `fcvt.d.l`
    FcvtDL,
    /// `fcvt.d.lu`
    FcvtDLu,
    /// `fmv.d.x`
    FmvDX,
    /// `flw`
    Flw,
    /// `fsw`
    Fsw,
    /// `fmadd.s`
    FmaddS,
    /// `fmsub.s`
    FmsubS,
    /// `fnmsub.s`
    FnmsubS,
    /// `fnmadd.s`
    FnmaddS,
    /// `fadd.s`
    FaddS,
    /// `fsub.s`
    FsubS,
    /// `fmul.s`
    FmulS,
    /// `fdiv.s`
    FdivS,
    /// `fsqrt.s`
    FsqrtS,
    /// `fsgnj.s`
    FsgnjS,
    /// `fsgnjn.s`
    FsgnjnS,
    /// `fsgnjx.s`
    FsgnjxS,
    /// `fmin.s`
    FminS,
    /// `fmax.s`
    FmaxS,
    /// `fcvt.w.s`
    FcvtWS,
    /// `fcvt.wu.s`
    FcvtWuS,
    /// `fmv.x.w`
    FmvXW,
    /// `feq.s`
    FeqS,
    /// `flt.s`
    FltS,
    /// `fle.s`
    FleS,
    /// `fclass.s`
    FclassS,
    /// `fcvt.s.w`
    FcvtSW,
    /// `fcvt.s.wu`
    FcvtSWu,
    /// `fmv.w.x`
    FmvWX,
    /// `fcvt.l.s`
    FcvtLS,
    /// `fcvt.lu.s`
    FcvtLuS,
    /// `fcvt.s.l`
    FcvtSL,
    /// `fcvt.s.lu`
    FcvtSLu,
    /// `lui`
    Lui,
    /// `auipc`
    Auipc,
    /// `jal`
    Jal,
    /// `jalr`
    Jalr,
    /// `beq`
    Beq,
    /// `bne`
    Bne,
    /// `blt`
    Blt,
    /// `bge`
    Bge,
    /// `bltu`
    Bltu,
    /// `bgeu`
    Bgeu,
    /// `lb`
    Lb,
    /// `lh`
    Lh,
    /// `lw`
    Lw,
    /// `lbu`
    Lbu,
    /// `lhu`
    Lhu,
    /// `sb`
    Sb,
    /// `sh`
    Sh,
    /// `sw`
    Sw,
    /// `addi`
    Addi,
    /// `slti`
    Slti,
    /// `sltiu`
    Sltiu,
    /// `xori`
    Xori,
    /// `ori`
    Ori,
    /// `andi`
    Andi,
    /// `add`
    Add,
    /// `sub`
    Sub,
    /// `sll`
    Sll,
    /// `slt`
    Slt,
    /// `sltu`
    Sltu,
    /// `xor`
    Xor,
    /// `srl`
    Srl,
    /// `sra`
    Sra,
    /// `or`
    Or,
    /// `and`
    And,
    /// `fence`
    Fence,
    /// `ecall`
    Ecall,
    /// `ebreak`
    Ebreak,
    /// `lwu`
    Lwu,
    /// `ld`
    Ld,
    /// `sd`
    Sd,
    /// `slli`
    Slli,
    /// `srli`
    Srli,
    /// `srai`
    Srai,
    /// `addiw`
    Addiw,
    /// `slliw`
    Slliw,
    /// `srliw`
    Srliw,
    /// `sraiw`
    Sraiw,
    /// `addw`
    Addw,
    /// `subw`
    Subw,
    /// `sllw`
    Sllw,
    /// `srlw`
    Srlw,
    /// `sraw`
    Sraw,
    /// `slli` of RV32
    SlliRv32,
    /// `srli` of RV32
    SrliRv32,
    /// `srai` of RV32
    SraiRv32,
    /// `mul`
    Mul,
    /// `mulh`
    Mulh,
    /// `mulhsu`
    Mulhsu,
    /// `mulhu`
    Mulhu,
    /// `div`
    Div,
    /// `divu`
    Divu,
    /// `rem`
    Rem,
    /// `remu`
    Remu,
    /// `mulw`
    Mulw,
    /// `divw`
    Divw,
    /// `divuw`
    Divuw,
    /// `remw`
    Remw,
    /// `remuw`
    Remuw,
    /// `mret`
    Mret,
    /// `wfi`
    Wfi,
    /// `vmadc.vxm`
    VmadcVxm,
    /// `vmadc.vx`
    VmadcVx,
    /// `vmsbc.vxm`
    VmsbcVxm,
    /// `vmsbc.vx`
    VmsbcVx,
    /// `vmseq.vx`
    VmseqVx,
    /// `vmsne.vx`
    VmsneVx,
    /// `vmsltu.vx`
    VmsltuVx,
    /// `vmslt.vx`
    VmsltVx,
    /// `vmsleu.vx`
    VmsleuVx,
    /// `vmsle.vx`
    VmsleVx,
    /// `vmsgtu.vx`
    VmsgtuVx,
    /// `vmsgt.vx`
    VmsgtVx,
    /// `vmadc.vvm`
    VmadcVvm,
    /// `vmadc.vv`
    VmadcVv,
    /// `vmsbc.vvm`
    VmsbcVvm,
    /// `vmsbc.vv`
    VmsbcVv,
    /// `vmseq.vv`
    VmseqVv,
    /// `vmsne.vv`
    VmsneVv,
    /// `vmsltu.vv`
    VmsltuVv,
    /// `vmslt.vv`
    VmsltVv,
    /// `vmsleu.vv`
    VmsleuVv,
    /// `vmsle.vv`
    VmsleVv,
    /// `vmadc.vim`
    VmadcVim,
    /// `vmadc.vi`
    VmadcVi,
    /// `vmseq.vi`
    VmseqVi,
    /// `vmsne.vi`
    VmsneVi,
    /// `vmsleu.vi`
    VmsleuVi,
    /// `vmsle.vi`
    VmsleVi,
    /// `vmsgtu.vi`
    VmsgtuVi,
    /// `vmsgt.vi`
    VmsgtVi,
    /// `vsetivli`
    Vsetivli,
    /// `vsetvli`
    Vsetvli,
    /// `vsetvl`
    Vsetvl,
    /// `vsaddu.vx`
    VsadduVx,
    /// `vsadd.vx`
    VsaddVx,
    /// `vssubu.vx`
    VssubuVx,
    /// `vssub.vx`
    VssubVx,
    /// `vsmul.vx`
    VsmulVx,
    /// `vssrl.vx`
    VssrlVx,
    /// `vssra.vx`
    VssraVx,
    /// `vnclipu.wx`
    VnclipuWx,
    /// `vnclip.wx`
    VnclipWx,
    /// `vsaddu.vv`
    VsadduVv,
    /// `vsadd.vv`
    VsaddVv,
    /// `vssubu.vv`
    VssubuVv,
    /// `vssub.vv`
    VssubVv,
    /// `vsmul.vv`
    VsmulVv,
    /// `vssrl.vv`
    VssrlVv,
    /// `vssra.vv`
    VssraVv,
    /// `vnclipu.wv`
    VnclipuWv,
    /// `vnclip.wv`
    VnclipWv,
    /// `vsaddu.vi`
    VsadduVi,
    /// `vsadd.vi`
    VsaddVi,
    /// `vssrl.vi`
    VssrlVi,
    /// `vssra.vi`
    VssraVi,
    /// `vnclipu.wi`
    VnclipuWi,
    /// `vnclip.wi`
    VnclipWi,
    /// `vaaddu.vv`
    VaadduVv,
    /// `vaadd.vv`
    VaaddVv,
    /// `vasubu.vv`
    VasubuVv,
    /// `vasub.vv`
    VasubVv,
    /// `vaaddu.vx`
    VaadduVx,
    /// `vaadd.vx`
    VaaddVx,
    /// `vasubu.vx`
    VasubuVx,
    /// `vasub.vx`
    VasubVx,
    /// `vfadd.vf`
    VfaddVf,
    /// `vfsub.vf`
    VfsubVf,
    /// `vfmin.vf`
    VfminVf,
    /// `vfmax.vf`
    VfmaxVf,
    /// `vfsgnj.vf`
    VfsgnjVf,
    /// `vfsgnjn.vf`
    VfsgnjnVf,
    /// `vfsgnjx.vf`
    VfsgnjxVf,
    /// `vfslide1up.vf`
    Vfslide1upVf,
    /// `vfslide1down.vf`
    Vfslide1downVf,
    /// `vfmv.s.f`
    VfmvSF,
    /// `vfmerge.vfm`
    VfmergeVfm,
    /// `vfmv.v.f`
    VfmvVF,
    /// `vmfeq.vf`
    VmfeqVf,
    /// `vmfle.vf`
    VmfleVf,
    /// `vmflt.vf`
    VmfltVf,
    /// `vmfne.vf`
    VmfneVf,
    /// `vmfgt.vf`
    VmfgtVf,
    /// `vmfge.vf`
    VmfgeVf,
    /// `vfdiv.vf`
    VfdivVf,
    /// `vfrdiv.vf`
    VfrdivVf,
    /// `vfmul.vf`
    VfmulVf,
    /// `vfrsub.vf`
    VfrsubVf,
    /// `vfmadd.vf`
    VfmaddVf,
    /// `vfnmadd.vf`
    VfnmaddVf,
    /// `vfmsub.vf`
    VfmsubVf,
    /// `vfnmsub.vf`
    VfnmsubVf,
    /// `vfmacc.vf`
    VfmaccVf,
    /// `vfnmacc.vf`
    VfnmaccVf,
    /// `vfmsac.vf`
    VfmsacVf,
    /// `vfnmsac.vf`
    VfnmsacVf,
    /// `vfwadd.vf`
    VfwaddVf,
    /// `vfwsub.vf`
    VfwsubVf,
    /// `vfwadd.wf`
    VfwaddWf,
    /// `vfwsub.wf`
    VfwsubWf,
    /// `vfwmul.vf`
    VfwmulVf,
    /// `vfwmacc.vf`
    VfwmaccVf,
    /// `vfwnmacc.vf`
    VfwnmaccVf,
    /// `vfwmsac.vf`
    VfwmsacVf,
    /// `vfwnmsac.vf`
    VfwnmsacVf,
    /// `vfadd.vv`
    VfaddVv,
    /// `vfsub.vv`
    VfsubVv,
    /// `vfmin.vv`
    VfminVv,
    /// `vfmax.vv`
    VfmaxVv,
    /// `vfsgnj.vv`
    VfsgnjVv,
    /// `vfsgnjn.vv`
    VfsgnjnVv,
    /// `vfsgnjx.vv`
    VfsgnjxVv,
    /// `vfmv.f.s`
    VfmvFS,
    /// `vmfeq.vv`
    VmfeqVv,
    /// `vmfle.vv`
    VmfleVv,
    /// `vmflt.vv`
    VmfltVv,
    /// `vmfne.vv`
    VmfneVv,
    /// `vfdiv.vv`
    VfdivVv,
    /// `vfmul.vv`
    VfmulVv,
    /// `vfmadd.vv`
    VfmaddVv,
    /// `vfnmadd.vv`
    VfnmaddVv,
    /// `vfmsub.vv`
    VfmsubVv,
    /// `vfnmsub.vv`
    VfnmsubVv,
    /// `vfmacc.vv`
    VfmaccVv,
    /// `vfnmacc.vv`
    VfnmaccVv,
    /// `vfmsac.vv`
    VfmsacVv,
    /// `vfnmsac.vv`
    VfnmsacVv,
    /// `vfcvt.xu.f.v`
    VfcvtXuFV,
    /// `vfcvt.x.f.v`
    VfcvtXFV,
    /// `vfcvt.f.xu.v`
    VfcvtFXuV,
    /// `vfcvt.f.x.v`
    VfcvtFXV,
    /// `vfcvt.rtz.xu.f.v`
    VfcvtRtzXuFV,
    /// `vfcvt.rtz.x.f.v`
    VfcvtRtzXFV,
    /// `vfwcvt.xu.f.v`
    VfwcvtXuFV,
    /// `vfwcvt.x.f.v`
    VfwcvtXFV,
    /// `vfwcvt.f.xu.v`
    VfwcvtFXuV,
    /// `vfwcvt.f.x.v`
    VfwcvtFXV,
    /// `vfwcvt.f.f.v`
    VfwcvtFFV,
    /// `vfwcvt.rtz.xu.f.v`
    VfwcvtRtzXuFV,
    /// `vfwcvt.rtz.x.f.v`
    VfwcvtRtzXFV,
    /// `vfncvt.xu.f.w`
    VfncvtXuFW,
    /// `vfncvt.x.f.w`
    VfncvtXFW,
    /// `vfncvt.f.xu.w`
    VfncvtFXuW,
    /// `vfncvt.f.x.w`
    VfncvtFXW,
    /// `vfncvt.f.f.w`
    VfncvtFFW,
    /// `vfncvt.rod.f.f.w`
    VfncvtRodFFW,
    /// `vfncvt.rtz.xu.f.w`
    VfncvtRtzXuFW,
    /// `vfncvt.rtz.x.f.w`
    VfncvtRtzXFW,
    /// `vfsqrt.v`
    VfsqrtV,
    /// `vfrsqrt7.v`
    Vfrsqrt7V,
    /// `vfrec7.v`
    Vfrec7V,
    /// `vfclass.v`
    VfclassV,
    /// `vfwadd.vv`
    VfwaddVv,
    /// `vfwsub.vv`
    VfwsubVv,
    /// `vfwadd.wv`
    VfwaddWv,
    /// `vfwsub.wv`
    VfwsubWv,
    /// `vfwmul.vv`
    VfwmulVv,
    /// `vfwmacc.vv`
    VfwmaccVv,
    /// `vfwnmacc.vv`
    VfwnmaccVv,
    /// `vfwmsac.vv`
    VfwmsacVv,
    /// `vfwnmsac.vv`
    VfwnmsacVv,
    /// `vfredusum.vs`
    VfredusumVs,
    /// `vfredosum.vs`
    VfredosumVs,
    /// `vfredmin.vs`
    VfredminVs,
    /// `vfredmax.vs`
    VfredmaxVs,
    /// `vfwredusum.vs`
    VfwredusumVs,
    /// `vfwredosum.vs`
    VfwredosumVs,
    /// `vadd.vx`
    VaddVx,
    /// `vsub.vx`
    VsubVx,
    /// `vrsub.vx`
    VrsubVx,
    /// `vminu.vx`
    VminuVx,
    /// `vmin.vx`
    VminVx,
    /// `vmaxu.vx`
    VmaxuVx,
    /// `vmax.vx`
    VmaxVx,
    /// `vand.vx`
    VandVx,
    /// `vor.vx`
    VorVx,
    /// `vxor.vx`
    VxorVx,
    /// `vadc.vxm`
    VadcVxm,
    /// `vsbc.vxm`
    VsbcVxm,
    /// `vmerge.vxm`
    VmergeVxm,
    /// `vmv.v.x`
    VmvVX,
    /// `vsll.vx`
    VsllVx,
    /// `vsrl.vx`
    VsrlVx,
    /// `vsra.vx`
    VsraVx,
    /// `vnsrl.wx`
    VnsrlWx,
    /// `vnsra.wx`
    VnsraWx,
    /// `vadd.vv`
    VaddVv,
    /// `vsub.vv`
    VsubVv,
    /// `vminu.vv`
    VminuVv,
    /// `vmin.vv`
    VminVv,
    /// `vmaxu.vv`
    VmaxuVv,
    /// `vmax.vv`
    VmaxVv,
    /// `vand.vv`
    VandVv,
    /// `vor.vv`
    VorVv,
    /// `vxor.vv`
    VxorVv,
    /// `vadc.vvm`
    VadcVvm,
    /// `vsbc.vvm`
    VsbcVvm,
    /// `vmerge.vvm`
    VmergeVvm,
    /// `vmv.v.v`
    VmvVV,
    /// `vsll.vv`
    VsllVv,
    /// `vsrl.vv`
    VsrlVv,
    /// `vsra.vv`
    VsraVv,
    /// `vnsrl.wv`
    VnsrlWv,
    /// `vnsra.wv`
    VnsraWv,
    /// `vadd.vi`
    VaddVi,
    /// `vrsub.vi`
    VrsubVi,
    /// `vand.vi`
    VandVi,
    /// `vor.vi`
    VorVi,
    /// `vxor.vi`
    VxorVi,
    /// `vadc.vim`
    VadcVim,
    /// `vmerge.vim`
    VmergeVim,
    /// `vmv.v.i`
    VmvVI,
    /// `vsll.vi`
    VsllVi,
    /// `vsrl.vi`
    VsrlVi,
    /// `vsra.vi`
    VsraVi,
    /// `vnsrl.wi`
    VnsrlWi,
    /// `vnsra.wi`
    VnsraWi,
    /// `vzext.vf8`
    VzextVf8,
    /// `vsext.vf8`
    VsextVf8,
    /// `vzext.vf4`
    VzextVf4,
    /// `vsext.vf4`
    VsextVf4,
    /// `vzext.vf2`
    VzextVf2,
    /// `vsext.vf2`
    VsextVf2,
    /// `vwaddu.vv`
    VwadduVv,
    /// `vwadd.vv`
    VwaddVv,
    /// `vwsubu.vv`
    VwsubuVv,
    /// `vwsub.vv`
    VwsubVv,
    /// `vwaddu.wv`
    VwadduWv,
    /// `vwadd.wv`
    VwaddWv,
    /// `vwsubu.wv`
    VwsubuWv,
    /// `vwsub.wv`
    VwsubWv,
    /// `vwaddu.vx`
    VwadduVx,
    /// `vwadd.vx`
    VwaddVx,
    /// `vwsubu.vx`
    VwsubuVx,
    /// `vwsub.vx`
    VwsubVx,
    /// `vwaddu.wx`
    VwadduWx,
    /// `vwadd.wx`
    VwaddWx,
    /// `vwsubu.wx`
    VwsubuWx,
    /// `vwsub.wx`
    VwsubWx,
    /// `vmandn.mm`
    VmandnMm,
    /// `vmand.mm`
    VmandMm,
    /// `vmor.mm`
    VmorMm,
    /// `vmxor.mm`
    VmxorMm,
    /// `vmorn.mm`
    VmornMm,
    /// `vmnand.mm`
    VmnandMm,
    /// `vmnor.mm`
    VmnorMm,
    /// `vmxnor.mm`
    VmxnorMm,
    /// `vmsbf.m`
    VmsbfM,
    /// `vmsof.m`
    VmsofM,
    /// `vmsif.m`
    VmsifM,
    /// `viota.m`
    ViotaM,
    /// `vid.v`
    VidV,
    /// `vcpop.m`
    VcpopM,
    /// `vfirst.m`
    VfirstM,
    /// `vlm.v`
    VlmV,
    /// `vsm.v`
    VsmV,
    /// `vle8.v`
    Vle8V,
    /// `vle16.v`
    Vle16V,
    /// `vle32.v`
    Vle32V,
    /// `vle64.v`
    Vle64V,
    /// `vse8.v`
    Vse8V,
    /// `vse16.v`
    Vse16V,
    /// `vse32.v`
    Vse32V,
    /// `vse64.v`
    Vse64V,
    /// `vluxei8.v`
    Vluxei8V,
    /// `vluxei16.v`
    Vluxei16V,
    /// `vluxei32.v`
    Vluxei32V,
    /// `vluxei64.v`
    Vluxei64V,
    /// `vsuxei8.v`
    Vsuxei8V,
    /// `vsuxei16.v`
    Vsuxei16V,
    /// `vsuxei32.v`
    Vsuxei32V,
    /// `vsuxei64.v`
    Vsuxei64V,
    /// `vlse8.v`
    Vlse8V,
    /// `vlse16.v`
    Vlse16V,
    /// `vlse32.v`
    Vlse32V,
    /// `vlse64.v`
    Vlse64V,
    /// `vsse8.v`
    Vsse8V,
    /// `vsse16.v`
    Vsse16V,
    /// `vsse32.v`
    Vsse32V,
    /// `vsse64.v`
    Vsse64V,
    /// `vloxei8.v`
    Vloxei8V,
    /// `vloxei16.v`
    Vloxei16V,
    /// `vloxei32.v`
    Vloxei32V,
    /// `vloxei64.v`
    Vloxei64V,
    /// `vsoxei8.v`
    Vsoxei8V,
    /// `vsoxei16.v`
    Vsoxei16V,
    /// `vsoxei32.v`
    Vsoxei32V,
    /// `vsoxei64.v`
    Vsoxei64V,
    /// `vle8ff.v`
    Vle8ffV,
    /// `vle16ff.v`
    Vle16ffV,
    /// `vle32ff.v`
    Vle32ffV,
    /// `vle64ff.v`
    Vle64ffV,
    /// `vl1re8.v`
    Vl1re8V,
    /// `vl1re16.v`
    Vl1re16V,
    /// `vl1re32.v`
    Vl1re32V,
    /// `vl1re64.v`
    Vl1re64V,
    /// `vl2re8.v`
    Vl2re8V,
    /// `vl2re16.v`
    Vl2re16V,
    /// `vl2re32.v`
    Vl2re32V,
    /// `vl2re64.v`
    Vl2re64V,
    /// `vl4re8.v`
    Vl4re8V,
    /// `vl4re16.v`
    Vl4re16V,
    /// `vl4re32.v`
    Vl4re32V,
    /// `vl4re64.v`
    Vl4re64V,
    /// `vl8re8.v`
    Vl8re8V,
    /// `vl8re16.v`
    Vl8re16V,
    /// `vl8re32.v`
    Vl8re32V,
    /// `vl8re64.v`
    Vl8re64V,
    /// `vs1r.v`
    Vs1rV,
    /// `vs2r.v`
    Vs2rV,
    /// `vs4r.v`
    Vs4rV,
    /// `vs8r.v`
    Vs8rV,
    /// `vdivu.vv`
    VdivuVv,
    /// `vdiv.vv`
    VdivVv,
    /// `vremu.vv`
    VremuVv,
    /// `vrem.vv`
    VremVv,
    /// `vmulhu.vv`
    VmulhuVv,
    /// `vmul.vv`
    VmulVv,
    /// `vmulhsu.vv`
    VmulhsuVv,
    /// `vmulh.vv`
    VmulhVv,
    /// `vmadd.vv`
    VmaddVv,
    /// `vnmsub.vv`
    VnmsubVv,
    /// `vmacc.vv`
    VmaccVv,
    /// `vnmsac.vv`
    VnmsacVv,
    /// `vwmulu.vv`
    VwmuluVv,
    /// `vwmulsu.vv`
    VwmulsuVv,
    /// `vwmul.vv`
    VwmulVv,
    /// `vwmaccu.vv`
    VwmaccuVv,
    /// `vwmacc.vv`
    VwmaccVv,
    /// `vwmaccsu.vv`
    VwmaccsuVv,
    /// `vdivu.vx`
    VdivuVx,
    /// `vdiv.vx`
    VdivVx,
    /// `vremu.vx`
    VremuVx,
    /// `vrem.vx`
    VremVx,
    /// `vmulhu.vx`
    VmulhuVx,
    /// `vmul.vx`
    VmulVx,
    /// `vmulhsu.vx`
    VmulhsuVx,
    /// `vmulh.vx`
    VmulhVx,
    /// `vmadd.vx`
    VmaddVx,
    /// `vnmsub.vx`
    VnmsubVx,
    /// `vmacc.vx`
    VmaccVx,
    /// `vnmsac.vx`
    VnmsacVx,
    /// `vwmulu.vx`
    VwmuluVx,
    /// `vwmulsu.vx`
    VwmulsuVx,
    /// `vwmul.vx`
    VwmulVx,
    /// `vwmaccu.vx`
    VwmaccuVx,
    /// `vwmacc.vx`
    VwmaccVx,
    /// `vwmaccus.vx`
    VwmaccusVx,
    /// `vwmaccsu.vx`
    VwmaccsuVx,
    /// `vrgather.vx`
    VrgatherVx,
    /// `vslideup.vx`
    VslideupVx,
    /// `vslidedown.vx`
    VslidedownVx,
    /// `vrgather.vv`
    VrgatherVv,
    /// `vrgatherei16.vv`
    Vrgatherei16Vv,
    /// `vrgather.vi`
    VrgatherVi,
    /// `vslideup.vi`
    VslideupVi,
    /// `vslidedown.vi`
    VslidedownVi,
    /// `vmv1r.v`
    Vmv1rV,
    /// `vmv2r.v`
    Vmv2rV,
    /// `vmv4r.v`
    Vmv4rV,
    /// `vmv8r.v`
    Vmv8rV,
    /// `vmv.x.s`
    VmvXS,
    /// `vcompress.vm`
    VcompressVm,
    /// `vmv.s.x`
    VmvSX,
    /// `vslide1up.vx`
    Vslide1upVx,
    /// `vslide1down.vx`
    Vslide1downVx,
    /// `vwredsumu.vs`
    VwredsumuVs,
    /// `vwredsum.vs`
    VwredsumVs,
    /// `vredsum.vs`
    VredsumVs,
    /// `vredand.vs`
    VredandVs,
    /// `vredor.vs`
    VredorVs,
    /// `vredxor.vs`
    VredxorVs,
    /// `vredminu.vs`
    VredminuVs,
    /// `vredmin.vs`
    VredminVs,
    /// `vredmaxu.vs`
    VredmaxuVs,
    /// `vredmax.vs`
    VredmaxVs,
    /// `vmulq.vv`
    VmulqVv,
    /// `vmulq.vx`
    VmulqVx,
    /// `vmacq.vv`
    VmacqVv,
    /// `vmacq.vx`
    VmacqVx,
    /// `wrs.nto`
    WrsNto,
    /// `wrs.sto`
    WrsSto,
    /// `sh1add`
    Sh1add,
    /// `sh2add`
    Sh2add,
    /// `sh3add`
    Sh3add,
    /// `add.uw`
    AddUw,
    /// `sh1add.uw`
    Sh1addUw,
    /// `sh2add.uw`
    Sh2addUw,
    /// `sh3add.uw`
    Sh3addUw,
    /// `slli.uw`
    SlliUw,
    /// `zext.h`
    ZextH,
    /// `andn`
    Andn,
    /// `orn`
    Orn,
    /// `xnor`
    Xnor,
    /// `clz`
    Clz,
    /// `ctz`
    Ctz,
    /// `cpop`
    Cpop,
    /// `max`
    Max,
    /// `maxu`
    Maxu,
    /// `min`
    Min,
    /// `minu`
    Minu,
    /// `sext.b`
    SextB,
    /// `sext.h`
    SextH,
    /// `rol`
    Rol,
    /// `ror`
    Ror,
    /// `orc.b`
    OrcB,
    /// `clzw`
    Clzw,
    /// `ctzw`
    Ctzw,
    /// `cpopw`
    Cpopw,
    /// `rolw`
    Rolw,
    /// `rorw`
    Rorw,
    /// `roriw`
    Roriw,
    /// `rori`
    Rori,
    /// `rev8`
    Rev8,
    /// `zext.h` of RV32
    ZextHRv32,
    /// `rori` of RV32
    RoriRv32,
    /// `rev8` of RV32
    Rev8Rv32,
    /// `clmul`
    Clmul,
    /// `clmulr`
    Clmulr,
    /// `clmulh`
    Clmulh,
    /// `pack`
    Pack,
    /// `packh`
    Packh,
    /// `brev8`
    Brev8,
    /// `packw`
    Packw,
    /// `zip`
    Zip,
    /// `unzip`
    Unzip,
    /// `xperm4`
    Xperm4,
    /// `xperm8`
    Xperm8,
    /// `bclr`
    Bclr,
    /// `bext`
    Bext,
    /// `binv`
    Binv,
    /// `bset`
    Bset,
    /// `bclri`
    Bclri,
    /// `bexti`
    Bexti,
    /// `binvi`
    Binvi,
    /// `bseti`
    Bseti,
    /// `bclri` of RV32
    BclriRv32,
    /// `bexti` of RV32
    BextiRv32,
    /// `binvi` of RV32
    BinviRv32,
    /// `bseti` of RV32
    BsetiRv32,
    /// `c.lbu`
    CLbu,
    /// `c.lhu`
    CLhu,
    /// `c.lh`
    CLh,
    /// `c.sb`
    CSb,
    /// `c.sh`
    CSh,
    /// `c.zext.b`
    CZextB,
    /// `c.sext.b`
    CSextB,
    /// `c.zext.h`
    CZextH,
    /// `c.sext.h`
    CSextH,
    /// `c.zext.w`
    CZextW,
    /// `c.not`
    CNot,
    /// `c.mul`
    CMul,
    /// `c.zext.h` of RV32
    CZextHRv32,
    /// `c.mop.n`
    CMopN,
    /// `fli.s`
    FliS,
    /// `fminm.s`
    FminmS,
    /// `fmaxm.s`
    FmaxmS,
    /// `fround.s`
    FroundS,
    /// `froundnx.s`
    FroundnxS,
    /// `fleq.s`
    FleqS,
    /// `fltq.s`
    FltqS,
    /// `fli.d`
    FliD,
    /// `fminm.d`
    FminmD,
    /// `fmaxm.d`
    FmaxmD,
    /// `fround.d`
    FroundD,
    /// `froundnx.d`
    FroundnxD,
    /// `fcvtmod.w.d`
    FcvtmodWD,
    /// `fleq.d`
    FleqD,
    /// `fltq.d`
    FltqD,
    /// `flh`
    Flh,
    /// `fsh`
    Fsh,
    /// `fcvt.s.h`
    FcvtSH,
    /// `fcvt.h.s`
    FcvtHS,
    /// `fmv.x.h`
    FmvXH,
    /// `fmv.h.x`
    FmvHX,
    /// `fcvt.d.h`
    FcvtDH,
    /// `fcvt.h.d`
    FcvtHD,
    /// `cbo.clean`
    CboClean,
    /// `cbo.flush`
    CboFlush,
    /// `cbo.inval`
    CboInval,
    /// `prefetch.i`
    PrefetchI,
    /// `prefetch.r`
    PrefetchR,
    /// `prefetch.w`
    PrefetchW,
    /// `cbo.zero`
    CboZero,
    /// `czero.eqz`
    CzeroEqz,
    /// `czero.nez`
    CzeroNez,
    /// `csrrw`
    Csrrw,
    /// `csrrs`
    Csrrs,
    /// `csrrc`
    Csrrc,
    /// `csrrwi`
    Csrrwi,
    /// `csrrsi`
    Csrrsi,
    /// `csrrci`
    Csrrci,
    /// `fence.i`
    FenceI,
    /// `pause`
    Pause,
    /// `mop.r.n`
    MopRN,
    /// `mop.rr.n`
    MopRrN,
    /// `aes64dsm`
    Aes64dsm,
    /// `aes64ds`
    Aes64ds,
    /// `aes64ks1i`
    Aes64ks1i,
    /// `aes64im`
    Aes64im,
    /// `aes64ks2`
    Aes64ks2,
    /// `aes32dsi`
    Aes32dsi,
    /// `aes32dsmi`
    Aes32dsmi,
    /// `aes64esm`
    Aes64esm,
    /// `aes64es`
    Aes64es,
    /// `aes32esi`
    Aes32esi,
    /// `aes32esmi`
    Aes32esmi,
    /// `sha256sum0`
    Sha256sum0,
    /// `sha256sum1`
    Sha256sum1,
    /// `sha256sig0`
    Sha256sig0,
    /// `sha256sig1`
    Sha256sig1,
    /// `sha512sum0`
    Sha512sum0,
    /// `sha512sum1`
    Sha512sum1,
    /// `sha512sig0`
    Sha512sig0,
    /// `sha512sig1`
    Sha512sig1,
    /// `sha512sig0l`
    Sha512sig0l,
    /// `sha512sig0h`
    Sha512sig0h,
    /// `sha512sig1l`
    Sha512sig1l,
    /// `sha512sig1h`
    Sha512sig1h,
    /// `sha512sum0r`
    Sha512sum0r,
    /// `sha512sum1r`
    Sha512sum1r,
    /// `sm4ed`
    Sm4ed,
    /// `sm4ks`
    Sm4ks,
    /// `sm3p0`
    Sm3p0,
    /// `sm3p1`
    Sm3p1,
    /// `vandn.vv`
    VandnVv,
    /// `vandn.vx`
    VandnVx,
    /// `vbrev.v`
    VbrevV,
    /// `vbrev8.v`
    Vbrev8V,
    /// `vrev8.v`
    Vrev8V,
    /// `vclz.v`
    VclzV,
    /// `vctz.v`
    VctzV,
    /// `vcpop.v`
    VcpopV,
    /// `vrol.vv`
    VrolVv,
    /// `vrol.vx`
    VrolVx,
    /// `vror.vv`
    VrorVv,
    /// `vror.vx`
    VrorVx,
    /// `vror.vi`
    VrorVi,
    /// `vwsll.vv`
    VwsllVv,
    /// `vwsll.vx`
    VwsllVx,
    /// `vwsll.vi`
    VwsllVi,
    /// `vclmul.vv`
    VclmulVv,
    /// `vclmul.vx`
    VclmulVx,
    /// `vclmulh.vv`
    VclmulhVv,
    /// `vclmulh.vx`
    VclmulhVx,
    /// `vgmul.vv`
    VgmulVv,
    /// `vghsh.vv`
    VghshVv,
    /// `vghsh.vs`
    VghshVs,
    /// `vgmul.vs`
    VgmulVs,
    /// `vkeccak.vi` of zvkk0p2024
    VkeccakViZvkk0p2024,
    /// `vaesdf.vv`
    VaesdfVv,
    /// `vaesdf.vs`
    VaesdfVs,
    /// `vaesdm.vv`
    VaesdmVv,
    /// `vaesdm.vs`
    VaesdmVs,
    /// `vaesef.vv`
    VaesefVv,
    /// `vaesef.vs`
    VaesefVs,
    /// `vaesem.vv`
    VaesemVv,
    /// `vaesem.vs`
    VaesemVs,
    /// `vaesz.vs`
    VaeszVs,
    /// `vaeskf1.vi`
    Vaeskf1Vi,
    /// `vaeskf2.vi`
    Vaeskf2Vi,
    /// `vaese128.vv`
    Vaese128Vv,
    /// `vaese128.vs`
    Vaese128Vs,
    /// `vaesd128.vv`
    Vaesd128Vv,
    /// `vaesd128.vs`
    Vaesd128Vs,
    /// `vaese256.vv`
    Vaese256Vv,
    /// `vaese256.vs`
    Vaese256Vs,
    /// `vaesd256.vv`
    Vaesd256Vv,
    /// `vaesd256.vs`
    Vaesd256Vs,
    /// `vaes128k10.v`
    Vaes128k10V,
    /// `vaes256k13.vv`
    Vaes256k13Vv,
    /// `vaes256k14.vv`
    Vaes256k14Vv,
    /// `vsha2ms.vv`
    Vsha2msVv,
    /// `vsha2ch.vv`
    Vsha2chVv,
    /// `vsha2cl.vv`
    Vsha2clVv,
    /// `vkeccak.vi` of zvknhk0p1
    VkeccakViZvknhk0p1,
    /// `vkeccak.vi` of zvknhk0p2
    VkeccakViZvknhk0p2,
    /// `vsm4k.vi`
    Vsm4kVi,
    /// `vsm4r.vv`
    Vsm4rVv,
    /// `vsm4r.vs`
    Vsm4rVs,
    /// `vsm3c.vi`
    Vsm3cVi,
    /// `vsm3me.vv`
    Vsm3meVv,
    /// A custom instruction.
    Custom0,
    /// A custom instruction.
    Custom1,
    /// A custom instruction.
    Custom2,
    /// A custom instruction.
    Custom3,
    /// A custom instruction.
    Custom4,
    /// A custom instruction.
    Custom5,
    /// A custom instruction.
    Custom6,
    /// A custom instruction.
    Custom7,
    /// A custom instruction.
    Custom8,
    /// A custom instruction.
    Custom9,
    /// A custom instruction.
    Custom10,
    /// A custom instruction.
    Custom11,
    /// A custom instruction.
    Custom12,
    /// A custom instruction.
    Custom13,
    /// A custom instruction.
    Custom14,
    /// A custom instruction.
    Custom15,
    /// A custom instruction.
    Custom16,
    /// A custom instruction.
    Custom17,
    /// A custom instruction.
    Custom18,
    /// A custom instruction.
    Custom19,
    /// A custom instruction.
    Custom20,
    /// A custom instruction.
    Custom21,
    /// A custom instruction.
    Custom22,
    /// A custom instruction.
    Custom23,
    /// A custom instruction.
    Custom24,
    /// A custom instruction.
    Custom25,
    /// A custom instruction.
    Custom26,
    /// A custom instruction.
    Custom27,
    /// A custom instruction.
    Custom28,
    /// A custom instruction.
    Custom29,
    /// A custom instruction.
    Custom30,
    /// A custom instruction.
    Custom31,
    /// A custom instruction.
    Custom32,
    /// A custom instruction.
    Custom33,
    /// A custom instruction.
    Custom34,
    /// A custom instruction.
    Custom35,
    /// A custom instruction.
    Custom36,
    /// A custom instruction.
    Custom37,
    /// A custom instruction.
    Custom38,
    /// A custom instruction.
    Custom39,
    /// A custom instruction.
    Custom40,
    /// A custom instruction.
    Custom41,
    /// A custom instruction.
    Custom42,
    /// A custom instruction.
    Custom43,
    /// A custom instruction.
    Custom44,
    /// A custom instruction.
    Custom45,
    /// A custom instruction.
    Custom46,
    /// A custom instruction.
    Custom47,
    /// A custom instruction.
    Custom48,
    /// A custom instruction.
    Custom49,
    /// A custom instruction.
    Custom50,
    /// A custom instruction.
    Custom51,
    /// A custom instruction.
    Custom52,
    /// A custom instruction.
    Custom53,
    /// A custom instruction.
    Custom54,
    /// A custom instruction.
    Custom55,
    /// A custom instruction.
    Custom56,
    /// A custom instruction.
    Custom57,
    /// A custom instruction.
    Custom58,
    /// A custom instruction.
    Custom59,
    /// A custom instruction.
    Custom60,
    /// A custom instruction.
    Custom61,
    /// A custom instruction.
    Custom62,
    /// A custom instruction.
    Custom63,
}

/// The numbers of custom instructions.
#[rustfmt::skip]
pub(crate) const CUSTOM: [Op; 64] = [
    Op::Custom0,
    Op::Custom1,
    Op::Custom2,
    Op::Custom3,
    Op::Custom4,
    Op::Custom5,
    Op::Custom6,
    Op::Custom7,
    Op::Custom8,
    Op::Custom9,
    Op::Custom10,
    Op::Custom11,
    Op::Custom12,
    Op::Custom13,
    Op::Custom14,
    Op::Custom15,
    Op::Custom16,
    Op::Custom17,
    Op::Custom18,
    Op::Custom19,
    Op::Custom20,
    Op::Custom21,
    Op::Custom22,
    Op::Custom23,
    Op::Custom24,
    Op::Custom25,
    Op::Custom26,
    Op::Custom27,
    Op::Custom28,
    Op::Custom29,
    Op::Custom30,
    Op::Custom31,
    Op::Custom32,
    Op::Custom33,
    Op::Custom34,
    Op::Custom35,
    Op::Custom36,
    Op::Custom37,
    Op::Custom38,
    Op::Custom39,
    Op::Custom40,
    Op::Custom41,
    Op::Custom42,
    Op::Custom43,
    Op::Custom44,
    Op::Custom45,
    Op::Custom46,
    Op::Custom47,
    Op::Custom48,
    Op::Custom49,
    Op::Custom50,
    Op::Custom51,
    Op::Custom52,
    Op::Custom53,
    Op::Custom54,
    Op::Custom55,
    Op::Custom56,
    Op::Custom57,
    Op::Custom58,
    Op::Custom59,
    Op::Custom60,
    Op::Custom61,
    Op::Custom62,
    Op::Custom63,
];
