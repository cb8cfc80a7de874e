//! Instructions with operands in x registers only (`Roles::plain`): the same rules with less preparation, because most
//! instructions that handle a secret are of this kind.

use crate::dest::Dest;
use crate::roles::Roles;
use crate::shadow::Shadow;
use capvec_isa::row::Taint;
use capvec_sim::Hart;
use capvec_sim::insn::Insn;

impl Shadow {
    /// Whether the instruction has operands other than x registers, or one of those that it reads or writes is tainted.
    pub fn may_touch(&self, i: &Insn, roles: &Roles) -> bool {
        let bit = |is: bool, r: u8| u32::from(is) << (r & 31);
        let touched =
            bit(roles.x.s1, i.rs1) | bit(roles.x.s2, i.rs2) | bit(roles.dest == Dest::X, i.rd);
        !roles.plain || self.x & touched != 0
    }

    /// Applies the rule of a plain instruction, which must not trap. The hart has its state before it.
    pub fn plain(&mut self, h: &Hart, i: &Insn, roles: &Roles) {
        if roles.dest != Dest::X {
            return;
        }
        let taint = match roles.rule {
            _ if !self.reads_tainted_x(i, roles) => 0,
            Taint::Clean => 0,
            Taint::Move | Taint::MoveBy if self.places_are_public(i, roles) => {
                return self.move_plain(h, i, roles);
            }
            _ => self.value(h, i, roles),
        };
        self.set_x(i.rd, taint);
    }

    /// Executes the instruction on the masks, with the amount of a shift.
    fn move_plain(&mut self, h: &Hart, i: &Insn, roles: &Roles) {
        let s = &mut self.hart;
        let amount = roles.rule == Taint::MoveBy && roles.x.s2;
        let lent = amount.then(|| s.x(i.rs2));
        if amount {
            s.write_x(i.rs2, h.x(i.rs2));
        }
        let done = (i.exec)(s, i);
        if let Some(taint) = lent
            && i.rd != i.rs2
        {
            s.write_x(i.rs2, taint);
        }
        match done {
            Ok(()) => self.note_written(i, roles),
            Err(_) => self.set_x(i.rd, u64::MAX),
        }
    }
}
