//! Where secrets come from: the chains of instructions back to a mark.

use crate::checker::State;
use crate::origin::Id;
use capvec_isa::Class;
use capvec_sim::Hart;
use capvec_sim::hart::Access;
use capvec_sim::insn::Insn;
use capvec_taint::{Dest, Roles};

impl State {
    /// The origin of the first secret operand in a register.
    pub fn source(&self, h: &Hart, i: &Insn, roles: &Roles) -> Id {
        let (s, [x, f, v]) = (&self.shadow, &self.origins.registers);
        let of_x = roles.x.registers(i).find(|r| s.x(*r) != 0).map(|r| x[r as usize & 31]);
        let of_f = || roles.f.registers(i).find(|r| s.f(*r) != 0).map(|r| f[r as usize & 31]);
        let of_v = || {
            let (t, vlenb) = (h.v.vtype, h.v.vlenb());
            let groups = [
                (roles.v.s2, i.rs2, roles.span2(i, t, vlenb)),
                (roles.v.s1, i.rs1, roles.span1(i, t, vlenb)),
                (roles.v.s3, i.rs3, 8.min(32 - i.rs3)),
                (roles.dest == Dest::V, i.rd, roles.dest_span(i, t, vlenb)),
                (roles.class.is_vector() && (roles.v0 || !i.vm()), 0, 1),
            ];
            let registers =
                groups.into_iter().filter(|g| g.0).flat_map(|(_, reg, n)| reg..(reg + n).min(32));
            let mut tainted = registers.filter(|r| s.v_group(*r, 1));
            tainted.next().map(|r| v[r as usize])
        };
        let of_csr = || {
            let read = roles.class == Class::Csr && s.csr(i.imm as u16) != 0;
            read.then_some(self.origins.csrs)
        };
        of_x.or_else(of_f).or_else(of_v).or_else(of_csr).unwrap_or(0)
    }

    /// Notes where the secret bits of the result come from.
    pub fn note(
        &mut self,
        h: &Hart,
        i: &Insn,
        roles: &Roles,
        pc: u64,
        from: Id,
        accesses: &[Access],
    ) {
        let stores = accesses.iter().any(|a| a.store && self.shadow.memory(a.addr, a.size.into()));
        let written = match roles.dest {
            Dest::X => i.rd < 32 && self.shadow.x(i.rd) != 0,
            Dest::F => self.shadow.f(i.rd) != 0,
            Dest::V | Dest::Mask => true,
            Dest::None => false,
        };
        let csrs = roles.dest != Dest::None && !self.shadow.has_clean_csrs();
        let csrs = csrs && (roles.class != Class::Csr || roles.x.s1);
        if !(stores || written || csrs) {
            return;
        }
        let from = match from {
            0 => self.sites.read(self.space, accesses),
            id => id,
        };
        if from == 0 {
            return;
        }
        let site = self.sites.insn(self.space, pc, from);
        if csrs && (roles.class == Class::Csr || self.origins.csrs == 0) {
            self.origins.csrs = site;
        }
        match roles.dest {
            Dest::X if written => self.origins.registers[0][i.rd as usize] = site,
            Dest::F => self.origins.registers[1][i.rd as usize & 31] = site,
            Dest::V | Dest::Mask => {
                let n = roles.dest_span(i, h.v.vtype, h.v.vlenb());
                let all = i.rd..(i.rd + n).min(32);
                for r in all.filter(|r| self.shadow.v_group(*r, 1)) {
                    self.origins.registers[2][r as usize] = site;
                }
            }
            _ => {}
        }
        for a in accesses.iter().filter(|a| stores && a.store) {
            self.sites.write(self.space, a.addr, a.size.into(), site);
        }
    }
}
