//! Vector integer compares, and carries as masks.

use crate::hart::Hart;
use crate::insn::{Exec, Insn};
use crate::vector::{Elem, View, compare, compare_with_v0};
use crate::{vector_handlers, vector_ops};

vector_ops! { Predicate:
    Eq(_c, a: u64, b: u64) a == b;
    Ne(_c, a: u64, b: u64) a != b;
    Ltu(_c, a: u64, b: u64) a < b;
    Lt(_c, a: i64, b: i64) a < b;
    Leu(_c, a: u64, b: u64) a <= b;
    Le(_c, a: i64, b: i64) a <= b;
    Gtu(_c, a: u64, b: u64) a > b;
    Gt(_c, a: i64, b: i64) a > b;
    Carry(c, a: u128, b: u128) (a + b + c as u128) >> T::BITS != 0;
    Borrow(c, a: u128, b: u128) a < b + c as u128;
}

vector_handlers! {
    compare {
        Eq => vmseq_vv v, vmseq_vx x, vmseq_vi i;
        Ne => vmsne_vv v, vmsne_vx x, vmsne_vi i;
        Ltu => vmsltu_vv v, vmsltu_vx x;
        Lt => vmslt_vv v, vmslt_vx x;
        Leu => vmsleu_vv v, vmsleu_vx x, vmsleu_vi i;
        Le => vmsle_vv v, vmsle_vx x, vmsle_vi i;
        Gtu => vmsgtu_vx x, vmsgtu_vi i;
        Gt => vmsgt_vx x, vmsgt_vi i;
        Carry => vmadc_vv v, vmadc_vx x, vmadc_vi i;
        Borrow => vmsbc_vv v, vmsbc_vx x;
    }
    compare_with_v0 {
        Carry => vmadc_vvm v, vmadc_vxm x, vmadc_vim i;
        Borrow => vmsbc_vvm v, vmsbc_vxm x;
    }
}
