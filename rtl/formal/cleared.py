#!/usr/bin/env python3
"""Proves that nothing in zvku depends on an instruction's operands, mask or scalar once the instruction has ended.

    cleared.py NETLIST ABC

The netlist is yosys's JSON of cleared.sv in gates; ABC is yosys-abc. Every wire that the operands can reach is replaced by a wire that says
whether it may depend on those of the marked instruction now: for a gate, if an input may, unless another input that operands cannot reach
decides the output alone. What remains is a small machine without data, whose inputs are those of control, and abc proves for all time that
none of its registers says so in the cycle after the last result was taken, or later.
"""
import json
import re
import subprocess
import sys
import tempfile

DATA = ("op_vd_i", "op_vs2_i", "op_vs1_i", "op_mask_i", "rs1_i")
FUNCTIONS = {
    "$_AND_": ("AB", "11 1"),
    "$_NAND_": ("AB", "0- 1\n-0 1"),
    "$_OR_": ("AB", "1- 1\n-1 1"),
    "$_NOR_": ("AB", "00 1"),
    "$_XOR_": ("AB", "10 1\n01 1"),
    "$_XNOR_": ("AB", "00 1\n11 1"),
    "$_NOT_": ("A", "0 1"),
    "$_BUF_": ("A", "1 1"),
    "$_ANDNOT_": ("AB", "10 1"),
    "$_ORNOT_": ("AB", "1- 1\n-0 1"),
    "$_MUX_": ("ABS", "1-0 1\n-11 1"),
}
# Of a gate with an input that operands do not reach: the value of that input at which the other one passes.
PASSES = {
    "$_AND_": (1, 1), "$_NAND_": (1, 1), "$_OR_": (0, 0), "$_NOR_": (0, 0), "$_ANDNOT_": (1, 0), "$_ORNOT_": (0, 1),
}
NEVER = frozenset()


class Machine:
    """The control of a netlist, and for each wire that operands reach, when it may depend on them.

    That is a set of conditions of which one suffices; a condition is `("reg", bit)`, `("input", port)`, or
    `("and", wire, value, set)`: the wire of control has that value and a condition of the set holds.
    """

    def __init__(self, module):
        self.ports = module["ports"]
        cells = module["cells"].values()
        self.registers = [c for c in cells if c["type"].startswith("$_DFF_")]
        self.gates = [c for c in cells if not c["type"].startswith("$_DFF_")]
        unknown = {c["type"] for c in self.gates} - FUNCTIONS.keys()
        unknown |= {c["type"] for c in self.registers} - {"$_DFF_P_", "$_DFF_PN0_", "$_DFF_PN1_"}
        if unknown:
            sys.exit(f"no rule for {sorted(unknown)}")
        self.names = {}
        for name, net in module["netnames"].items():
            for i, bit in enumerate(net["bits"]):
                # The name of a register is that of its wire in the module which has it.
                if not net.get("hide_name") and (bit not in self.names or name.endswith("_q")):
                    self.names[bit] = f"{name.removeprefix('u_zvku.')}[{i}]"
        self.driver = {pin(c, "Y"): c for c in self.gates}
        self.reached = self.reach()
        self.data = [r for r in self.registers if pin(r, "Q") in self.reached]
        self.control = [r for r in self.registers if pin(r, "Q") not in self.reached]
        self.group = {}
        self.next = {}
        self.sets = {}
        self.together()

    def reach(self):
        """The wires that operands can reach, through any gate and any number of registers."""
        users = {}
        for c in self.gates + self.registers:
            out = "Y" if "Y" in c["connections"] else "Q"
            for p, nets in c["connections"].items():
                if p != out:
                    users.setdefault(nets[0], []).append(c["connections"][out][0])
        todo = [bit for port in DATA for bit in self.ports[port]["bits"]]
        seen = set(todo)
        while todo:
            for out in users.get(todo.pop(), []):
                if out not in seen:
                    seen.add(out)
                    todo.append(out)
        return seen

    def together(self):
        """Registers share a condition if theirs differ at most in which registers they come from. Nothing is lost but precision: the
        shared condition is that any of them may depend on operands."""
        inputs = {b: frozenset([("input", p)]) for p in DATA for b in self.ports[p]["bits"]}
        known = inputs | {pin(r, "Q"): frozenset([("reg", 0)]) for r in self.data}
        shapes = {}
        for r in self.data:
            self.group[pin(r, "Q")] = shapes.setdefault(self.when(pin(r, "D"), known), len(shapes))
        known = inputs | {q: frozenset([("reg", g)]) for q, g in self.group.items()}
        for r in self.data:
            g = self.group[pin(r, "Q")]
            self.next[g] = self.next.get(g, NEVER) | self.when(pin(r, "D"), known)

    def when(self, net, known):
        stack = [net]
        while stack:
            at = stack[-1]
            if at in known or at not in self.reached:
                stack.pop()
                continue
            cell = self.driver[at]
            pins = [pin(cell, p) for p in FUNCTIONS[cell["type"]][0]]
            missing = [p for p in pins if p in self.reached and p not in known]
            if missing:
                stack.extend(missing)
            else:
                when = self.gate(cell["type"], pins, known)
                # Equal sets are one object, which makes comparisons of sets of sets cheap.
                known[stack.pop()] = self.sets.setdefault(when, when)
        return known.get(net, NEVER)

    def gate(self, kind, pins, known):
        """When the output may depend on operands."""
        of = [known[p] if p in self.reached else NEVER for p in pins]
        if kind == "$_MUX_" and pins[2] not in self.reached:
            if of[0] == of[1]:
                return of[0]
            return only(pins[2], 0, of[0]) | only(pins[2], 1, of[1])
        if kind in PASSES:
            for at, other in ((0, 1), (1, 0)):
                if pins[at] not in self.reached:
                    return only(pins[at], PASSES[kind][at], of[other])
        return frozenset().union(*of)

    def blif(self):
        """The machine; each output says that a register depends on operands after the instruction. Returns their names too."""
        lines = []
        self.nodes = {}
        inputs = sorted({b for n, p in self.ports.items() if p["direction"] == "input" for b in p["bits"]} - self.reached)
        lines.append(".inputs " + " ".join(f"n{b}" for b in inputs))
        for r in self.control:
            start = {"$_DFF_PN0_": 0, "$_DFF_PN1_": 1}.get(r["type"], 2)
            lines.append(f".latch {net(pin(r, 'D'))} n{pin(r, 'Q')} re n{pin(r, 'C')} {start}")
        for g in self.gates:
            if pin(g, "Y") not in self.reached:
                pins, rows = FUNCTIONS[g["type"]]
                lines.append(f".names {' '.join(net(pin(g, p)) for p in pins)} n{pin(g, 'Y')}\n{rows}")
        clock = self.ports["clk_i"]["bits"][0]
        members = {}
        for q, g in self.group.items():
            members.setdefault(g, []).append(self.names.get(q, str(q)))
        outputs = []
        for g, when in self.next.items():
            lines.append(f".latch {self.any_of(when, lines)} g{g} re n{clock} 0")
            lines.append(f".names {net(self.port('ended_o'))} g{g} kept{g}\n11 1")
            outputs.append((f"kept{g}", members[g]))
        lines.append(f".names {net(self.port('lost_o'))} lost\n1 1")
        outputs.append(("lost", ["cleared.sv: too many instructions in flight"]))
        lines.append(".outputs " + " ".join(o for o, _ in outputs))
        lines.append(".names zero\n.names one\n1")
        return ".model cleared\n" + "\n".join(lines) + "\n.end\n", outputs

    def port(self, name):
        return self.ports[name]["bits"][0]

    def any_of(self, when, lines):
        """The wire of a set of conditions."""
        if when in self.nodes:
            return self.nodes[when]
        wires = []
        for kind, *rest in when:
            if kind == "reg":
                wires.append(f"g{rest[0]}")
            elif kind == "input":
                wires.append(net(self.port("scalar_o" if rest[0] == "rs1_i" else "beats_o")))
            else:
                wire, value, inner = rest
                inner = self.any_of(inner, lines)
                wires.append(f"a{len(lines)}")
                lines.append(f".names {net(wire)} {inner} {wires[-1]}\n{value}1 1")
        self.nodes[when] = f"t{len(lines)}"
        rows = "\n".join("-" * i + "1" + "-" * (len(wires) - i - 1) + " 1" for i in range(len(wires)))
        lines.append(f".names {' '.join(wires)} {self.nodes[when]}\n{rows}")
        return self.nodes[when]


def only(wire, value, when):
    """The conditions, if the wire of control has this value."""
    if when == NEVER:
        return NEVER
    if wire in ("0", "1"):
        return when if int(wire) == value else NEVER
    return frozenset([("and", wire, value, when)])


def pin(cell, name):
    return cell["connections"][name][0]


def net(bit):
    return {"0": "zero", "1": "one", "x": "zero"}.get(bit, f"n{bit}")


def registers(bits):
    """The names of these bits of registers without their indices, each once."""
    return sorted({re.sub(r"\[\d+\]$", "", bit) for bit in bits})


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        (module,) = json.load(file)["modules"].values()
    machine = Machine(module)
    text, outputs = machine.blif()
    print(f"{len(machine.data)} bits of registers hold data, {len(machine.control)} control")
    if not machine.data:
        sys.exit("no register holds data: the netlist lacks what is to be proved")
    with tempfile.TemporaryDirectory() as work:
        with open(f"{work}/cleared.blif", "w", encoding="utf-8") as file:
            file.write(text)
        script = f"read_blif {work}/cleared.blif; undc; strash; scorr; dc2; pdr -a"
        run = subprocess.run([sys.argv[2], "-c", script], capture_output=True, text=True, check=True)
    kept = [outputs[int(n)][1] for n in re.findall(r"Output +(\d+) was asserted", run.stdout)]
    if kept:
        names = registers(bit for bits in kept for bit in bits)
        sys.exit("after an instruction, these still depend on what it read: " + ", ".join(names))
    if f"Proved = {len(outputs)}." not in run.stdout:
        sys.exit(f"abc did not prove everything:\n{run.stdout}{run.stderr}")


if __name__ == "__main__":
    main()
