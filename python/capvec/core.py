"""Core models."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from capvec import _native


@dataclass(frozen=True)
class Parameter:
    """A parameter of a core: its key, its value, and where the value comes from."""

    key: str
    value: Any
    source: str


class Core(_native.Core):
    """A core model: a shipped one by its name (`capvec.core_names()`), or one of your own by the path of its TOML file.

    Equal cores count equal cycles. A core is not changed; `replace` makes another one.

    Examples:
        >>> Core("karu64").frequency
        75000000
        >>> Core("karu64").replace({"vector.startup": 2}, vlen=512).label
        'karu64 (modified: core.vlen 256 → 512, vector.startup 7.5 → 2)'
    """

    def replace(self, parameters: Mapping[str, Any] | None = None, **core: Any) -> Core:
        """The same core with other parameters, by their keys (see `parameters`); those of the table `core`, such as vlen and
        frequency, can be given by keyword. Raises `capvec.Error`, which names the parameter and what would be allowed.
        """
        name, settings = self.origin
        changed = dict(settings)
        for key, value in {**(parameters or {}), **core}.items():
            changed[key] = str(value).lower() if isinstance(value, bool) else str(value)
        return type(self)(name, list(changed.items()))

    @property
    def parameters(self) -> dict[str, Parameter]:
        """All parameters by their keys, with their sources."""
        each = (Parameter(key, json.loads(value), source) for key, value, source in self.parameter_list())
        return {p.key: p for p in each}

    def flags(self) -> list[str]:
        """The command's flags that select this core."""
        name, settings = self.origin
        return ["--core", name] + [part for key, value in settings for part in ("--set", f"{key}={value}")]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Core) and (self.name, self.digest) == (other.name, other.digest)

    def __hash__(self) -> int:
        return hash((self.name, self.digest))

    def __repr__(self) -> str:
        return f"<Core {self.label}: {self.title}>"
