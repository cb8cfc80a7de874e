//! What is wrong with an instruction, before it executes.

use crate::findings::Kind;
use capvec_isa::row::Dit;
use capvec_isa::{Class, Ext, ExtSet, Op};
use capvec_sim::Hart;
use capvec_sim::csr::number::{FCSR, FRM, VCSR, VSTART, VXRM};
use capvec_sim::insn::Insn;
use capvec_taint::{Roles, Shadow, Value, equality_varies, order_varies};

/// What is assumed of the core, apart from Zkt and Zvkt.
#[derive(Clone, Debug, Default)]
pub struct Assumed {
    /// Classes of instructions whose time depends on operands, although Zkt or Zvkt lists them.
    pub varies: Vec<Class>,
    /// Extensions whose instructions take the same time for all operands, although neither Zkt nor Zvkt lists them.
    pub independent: ExtSet,
}

/// What depends on a secret: at most two things at once.
pub fn examine(
    h: &Hart,
    i: &Insn,
    roles: &Roles,
    shadow: &Shadow,
    assumed: &Assumed,
) -> [Option<Kind>; 2] {
    let x = |r: u8| shadow.x(r) != 0;
    match roles.class {
        Class::Branch => [branch(h, i, shadow).then_some(Kind::Branch), None],
        Class::Jump => [(roles.x.s1 && x(i.rs1)).then_some(Kind::JumpTarget), None],
        _ if roles.memory => {
            let mask = roles.vector_memory && shadow.uses_tainted_mask(h, i, roles);
            let place = shadow.place_is_tainted(h, i, roles);
            [mask.then_some(Kind::AccessMask), place.then_some(Kind::Address)]
        }
        Class::Vset => [roles.x.registers(i).any(x).then_some(Kind::VectorConfiguration), None],
        Class::Csr => [control(i, roles, shadow).then_some(Kind::ControlRegister), None],
        Class::System | Class::Fence => [None, None],
        _ => operand(h, i, roles, shadow, assumed),
    }
}

/// Whether the direction of a branch depends on a secret. It need not, even if an operand does: the public bits may decide it.
fn branch(h: &Hart, i: &Insn, shadow: &Shadow) -> bool {
    let value = |r: u8| Value { bits: h.x(r), taint: shadow.x(r) };
    let (a, b) = (value(i.rs1), value(i.rs2));
    match i.op().row().base {
        _ if i.rs1 == i.rs2 => false,
        Op::Beq | Op::Bne => equality_varies(a, b),
        Op::Bltu | Op::Bgeu => order_varies(a, b, 0),
        _ => order_varies(a, b, 1 << 63),
    }
}

/// Whether a secret goes into a register that controls other instructions.
fn control(i: &Insn, roles: &Roles, shadow: &Shadow) -> bool {
    let written = if roles.x.s1 { shadow.x(i.rs1) } else { 0 };
    let modes = match i.imm as u16 {
        FRM | VXRM | VSTART => u64::MAX,
        FCSR => 7 << 5,
        VCSR => 3 << 1,
        csr if Shadow::follows_csr(csr) => 0,
        // The secret would no longer be followed.
        _ => u64::MAX,
    };
    written & modes != 0
}

/// Whether it is also `packw` (`pack` on RV32) with x0, which Zkt lists if the hart has Zbkb.
fn is_pack(h: &Hart, op: Op) -> bool {
    matches!(op, Op::ZextH | Op::ZextHRv32) && h.has(Ext::Zbkb)
}

fn operand(
    h: &Hart,
    i: &Insn,
    roles: &Roles,
    shadow: &Shadow,
    assumed: &Assumed,
) -> [Option<Kind>; 2] {
    if !shadow.uses_tainted_source(h, i, roles) {
        return [None, None];
    }
    let row = i.op().row();
    let accepted = assumed.independent.intersects(row.exts.union(row.base.row().exts));
    let listed = row.dit != Dit::None || is_pack(h, i.op());
    let dependent = (!listed && !accepted) || assumed.varies.contains(&roles.class);
    let eew = roles.index.unwrap_or(h.v.vtype.sew);
    let index = roles.v.s1 && shadow.v_elements(i.rs1, h.v.vl, eew);
    let second = index || (roles.x.s1 && shadow.x(i.rs1) != 0);
    let places = match roles.class {
        Class::Vgather => second,
        Class::Vslide => second && roles.rule == capvec_isa::row::Taint::MoveBy,
        _ => false,
    };
    let mask = !roles.v0 && shadow.uses_tainted_mask(h, i, roles);
    // Of an instruction that it does not list, Zvkt exempts nothing.
    let exempt = ((listed || accepted) && (places || mask)).then_some(Kind::ExemptOperand);
    [dependent.then_some(Kind::NotDataIndependent), exempt]
}
