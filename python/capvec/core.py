"""Core models."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from capvec import _native
from capvec._native import Error


@dataclass(frozen=True)
class Parameter:
    """A parameter of a core: its key, its value, and where the value comes from."""

    key: str
    value: Any
    source: str


class Core(_native.Core):
    """A core model: a shipped one by its name (`capvec.core_names()`), or one of your own by the path of its TOML file.

    Equal cores count equal cycles. A core is not changed; `replace` makes another one. Cores can be pickled, and so be sent to other
    processes: a file of your own is read again there, and has to be the same.

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

    def __copy__(self) -> Core:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Core:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        name, settings = self.origin
        # Another process may be in another directory.
        place = name if name in _native.core_names() else os.path.abspath(name)
        return _again, (type(self), place, settings, self.digest)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Core) and (self.name, self.digest) == (other.name, other.digest)

    def __hash__(self) -> int:
        return hash((self.name, self.digest))

    def __repr__(self) -> str:
        return f"<Core {self.label}: {self.title}>"


def _again(kind: type[Core], name: str, settings: list[tuple[str, str]], digest: str) -> Core:
    """The core that was pickled. Raises `capvec.Error` if its file has changed since, so that it would count other cycles."""
    core = kind(name, settings)
    if core.digest != digest:
        raise Error(
            f"{name} is no longer the core that was pickled: its parameters have changed; pickle it again"
        )
    return core
