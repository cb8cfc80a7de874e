//! Loads and stores.

use super::value::Value;
use super::{Elab, Elaborated};
use crate::ast::{Expr, Name};
use crate::code::build::Operand;
use crate::error::Span;

impl<'a> Elab<'a, '_> {
    /// `load(address, width)`
    pub(super) fn load(&mut self, address: &Expr<'a>, width: &Expr<'a>) -> Elaborated<Value> {
        let address = self.address(address)?;
        let rule = "the width of a load is a constant";
        let n = self.constant(width, rule)?;
        let n = self.whole(n, width.span)?;
        Ok(Value::bits(n, self.build.fetch(address, n)))
    }

    /// `store(address, value);`
    pub(super) fn store(&mut self, name: Name<'a>, args: &[Expr<'a>]) -> Elaborated<()> {
        let [address, value] = args else {
            let takes = ["address", "value"];
            return Err(self.count_of_arguments(name.text, &takes, args.len(), name.span));
        };
        let address = self.address(address)?;
        let stored = self.expr(value, None)?;
        let stored = self.unsigned(stored, value.span)?;
        let bits = self.bits_of(&stored, value.span, "stores")?;
        let width = self.whole(bits.width.into(), value.span)?;
        self.build.put(address, (bits.item, width));
        Ok(())
    }

    fn address(&mut self, e: &Expr<'a>) -> Elaborated<Operand> {
        let value = self.expr(e, None)?;
        let value = self.unsigned(value, e.span)?;
        let bits = self.bits_of(&value, e.span, "addresses")?;
        if bits.width > 64 {
            let what = format!("an address of {} bits", bits.width);
            let remedy = self.resize(e.span, bits.width, 64);
            return Err(self.fault(e.span, what, remedy));
        }
        Ok((bits.item, bits.width))
    }

    /// The width of an access.
    fn whole(&mut self, width: u128, span: Span) -> Elaborated<u32> {
        match width {
            8 | 16 | 32 | 64 => Ok(width as u32),
            _ => {
                let what = format!("an access of {width} bits");
                Err(self.fault(span, what, "loads and stores have 8, 16, 32 or 64 bits"))
            }
        }
    }
}
