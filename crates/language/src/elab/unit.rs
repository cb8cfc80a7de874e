//! A whole program: constants, ports, statements, outputs.

use super::value::{Ty, Value};
use super::{Access, Elab, Elaborated, Frame, Var};
use crate::ast::{Function, Name, Unit};
use crate::code::alloc::alloc;
use crate::code::build::{Builder, Item};
use crate::code::order::postpone;
use crate::code::shrink::shrink;
use crate::code::{Code, words};
use crate::error::{Fault, Span};
use crate::{Direction, Placed, Port, Program};
use std::collections::{HashMap, HashSet};

/// The program, or all errors.
pub(crate) fn elaborate<'a>(
    text: &'a str,
    unit: &Unit<'a>,
    ports: &'a [Port],
    params: &[(&'a str, u128)],
    faults: Vec<Fault>,
) -> Result<Program, Vec<Fault>> {
    let mut elab = Elab {
        text,
        functions: HashMap::new(),
        globals: Frame::default(),
        frame: Frame::default(),
        operands: ports.iter().map(|p| p.name.as_str()).collect(),
        used: HashSet::new(),
        consts: unit.consts.iter().map(|c| c.name.text).collect(),
        build: Builder::default(),
        stopped: false,
        faults,
        seen: HashSet::new(),
        calls: Vec::new(),
        entry: Span { start: 0, end: 0 },
        called: HashSet::new(),
        depth: 0,
        failures: 0,
        steps: 0,
        ended: false,
    };
    elab.functions(unit);
    elab.constants(unit, params);
    let slots = elab.ports(ports);
    elab.block(&unit.body);
    let end = Span { start: text.trim_end().len() as u32, end: text.trim_end().len() as u32 };
    let used = std::mem::take(&mut elab.used);
    // After an error, an output may be unassigned only because of that error.
    if elab.faults.is_empty() {
        elab.outputs(ports, &slots, end);
    }
    for function in &unit.functions {
        elab.check(function);
    }
    elab.used = used;
    elab.finish(ports, &slots, end)
}

/// The first slots of a port's input and output.
type Slots = (Option<u32>, Option<u32>);

fn size(port: &Port) -> usize {
    port.ty.count.unwrap_or(1) as usize * words(port.ty.width)
}

impl<'a, 'u> Elab<'a, 'u> {
    fn functions(&mut self, unit: &'u Unit<'a>) {
        for function in &unit.functions {
            let Name { text, span } = function.name;
            if super::call::BUILTIN.contains(&text) {
                let what = format!("`{text}` is a function of the language");
                self.fault(span, what, "choose another name");
            } else if self.functions.insert(text, function).is_some() {
                self.fault(
                    span,
                    format!("the function `{text}` is declared already"),
                    "choose another name",
                );
            }
        }
    }

    fn constants(&mut self, unit: &Unit<'a>, params: &[(&'a str, u128)]) {
        for (name, value) in params {
            let value = Value::Int((*value).into());
            self.globals.names.insert(name, self.globals.vars.len());
            self.globals.vars.push(Var { name, access: Access::Fixed("a constant"), value });
        }
        for declared in &unit.consts {
            if self.step(declared.name.span, 1).is_err() {
                return;
            }
            let value = self.initial(declared).unwrap_or(Value::Bad);
            let known = value.items().1.iter().all(|i| matches!(i, Item::Const(_)));
            if !known {
                let what = format!("the value of `{}` is not constant", declared.name.text);
                self.fault(declared.name.span, what, "declare it with let, after the operands");
            }
            if self.declare(declared.name, Access::Fixed("a constant"), value).is_ok() {
                let at = self.globals.vars.len();
                self.globals.names.insert(declared.name.text, at);
                self.globals.vars.append(&mut self.frame.vars);
                self.frame.names.clear();
            }
        }
    }

    fn ports(&mut self, ports: &'a [Port]) -> Vec<Slots> {
        let mut slots = Vec::new();
        for port in ports {
            let input =
                (port.direction != Direction::Out).then(|| self.build.block(size(port), true));
            let output =
                (port.direction != Direction::In).then(|| self.build.block(size(port), true));
            slots.push((input, output));
            let width = port.ty.width;
            let ty = port.ty.count.map_or(Ty::Bits(width), |count| Ty::Array(width, count));
            let mut value = Value::unset(ty);
            if let Some(start) = input {
                let whole = 64 * words(width) as u32;
                let slot = |n: u32| Item::Slot(start + n * words(width) as u32);
                let items = (0..port.ty.count.unwrap_or(1))
                    .map(|n| self.build.op(Code::Slice, width, 0, &[(slot(n), whole)]));
                value = value.with(items.collect());
            }
            let access = match port.direction {
                Direction::In => Access::Fixed("an input"),
                _ => Access::Variable,
            };
            let here = Name { text: &port.name, span: Span { start: 0, end: 0 } };
            let _ = self.declare(here, access, value);
        }
        slots
    }

    /// Outputs are written only at the end, so that `illegal` leaves them as they are.
    fn outputs(&mut self, ports: &[Port], slots: &[Slots], end: Span) {
        if self.ended {
            return;
        }
        for (port, (_, output)) in ports.iter().zip(slots) {
            let Some(start) = *output else { continue };
            let name = port.name.as_str();
            let Ok(value) = self.lookup(name, end) else { continue };
            let (width, items) = value.items();
            if items.contains(&Item::Unset) {
                let what = format!("the output `{name}` is not assigned on every path");
                let remedy = format!("assign it at the start, too: {name} = …;");
                self.fault(end, what, remedy);
                continue;
            }
            for (n, item) in items.iter().enumerate() {
                self.build.mov(start + (n * words(width)) as u32, *item, width);
            }
        }
    }

    /// Elaborates a function that nobody calls, for its errors alone.
    fn check(&mut self, function: &'u Function<'a>) {
        if self.called.contains(function.name.text) {
            return;
        }
        let code = std::mem::take(&mut self.build.code);
        let _ = self.opaque(function);
        self.build.code = code;
    }

    fn opaque(&mut self, function: &'u Function<'a>) -> Elaborated<()> {
        self.frame = Frame::default();
        for (name, ty) in &function.params {
            let ty = self.ty(ty)?;
            let (width, count) = match ty {
                // Its value decides about widths.
                Ty::Int => return Ok(()),
                Ty::Bits(width) => (width, 1),
                Ty::Array(width, count) => (width, count),
            };
            let start = self.build.block(count as usize * words(width), false);
            let items = (0..count).map(|n| Item::Slot(start + n * words(width) as u32)).collect();
            self.declare(*name, Access::Fixed("a parameter"), Value::unset(ty).with(items))?;
        }
        let params = std::mem::take(&mut self.frame);
        self.inline(function, params, function.name.span).map(|_| ())
    }

    fn finish(mut self, ports: &[Port], slots: &[Slots], end: Span) -> Result<Program, Vec<Fault>> {
        if self.faults.is_empty() && self.build.full() {
            self.steps = usize::MAX / 2;
            let _ = self.step(end, 1);
        }
        if !self.faults.is_empty() {
            return Err(self.faults);
        }
        shrink(&mut self.build);
        let both = ports.iter().zip(slots).filter(|(p, _)| p.direction == Direction::InOut);
        let carried: Vec<_> = both
            .filter_map(|(p, (input, _))| Some((*input)?..(*input)? + size(p) as u32))
            .collect();
        let alike = postpone(&mut self.build, &carried);
        let Ok((code, place)) = alloc(self.build, alike) else {
            let what = "the program needs more than 65,536 words at once".to_string();
            let remedy = "make its arrays shorter".to_string();
            return Err(vec![Fault { span: end, what, remedy }]);
        };
        let placed = ports.iter().zip(slots).map(|(port, (input, output))| {
            let range =
                |start: &Option<u32>| start.map_or(0..0, |s| place(s)..place(s) + size(port));
            let used = self.used.contains(port.name.as_str());
            Placed { port: port.clone(), input: range(input), output: range(output), used }
        });
        let ports = placed.collect();
        Ok(Program { code: code.into(), ports })
    }
}
