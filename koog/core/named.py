"""A NamedTuple that costs a start an eighth of what `typing` makes of the same class.

A command makes about a hundred classes of this sort before it does anything. `typing` compiles every annotation, though
nobody asks what they are, and `collections` compiles a constructor for each class: here one is compiled for each number
of fields. What a class can do is the same, but that nothing looks whether its fields are in order: mypy does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

__all__ = ["NamedTuple"]

if TYPE_CHECKING:
    from typing import NamedTuple
else:
    from _collections import _tuplegetter
    from functools import cache
    from types import FunctionType

    class _Named(tuple):
        """What all of them can do."""

        __slots__ = ()

        @classmethod
        def _make(cls, values):
            """Return one of as many values as there are fields. Raises TypeError for more or fewer."""
            made = tuple.__new__(cls, values)
            if len(made) != len(cls._fields):
                raise TypeError(f"{cls.__name__} has {len(cls._fields)} fields, not {len(made)}")
            return made

        def _replace(self, /, **changed):
            """Return it with other values for some fields. Raises ValueError for a field that it has not."""
            made = tuple.__new__(type(self), map(changed.pop, self._fields, self))
            if changed:
                raise ValueError(f"{type(self).__name__} has no field {', '.join(changed)}")
            return made

        __replace__ = _replace  # what `copy.replace` asks for since 3.13

        def _asdict(self):
            return dict(zip(self._fields, self, strict=True))

        def __repr__(self):
            values = ", ".join(f"{name}={value!r}" for name, value in zip(self._fields, self, strict=True))
            return f"{type(self).__name__}({values})"

        def __getnewargs__(self):
            return tuple(self)

    class _Maker(type):
        """Makes a class of fields of one whose body has nothing but annotations, defaults and methods."""

        def __new__(cls, name, bases, body):  # noqa: ARG004 (the base is the one below)
            fields = tuple(body.get("__annotations__", ()))
            code = _constructor(len(fields)).replace(
                co_varnames=("_cls", *fields), co_name="__new__", co_qualname=f"{name}.__new__"
            )
            defaults = {field: body[field] for field in fields if field in body}
            body["__new__"] = FunctionType(code, {"_new": tuple.__new__}, "__new__", tuple(defaults.values()))
            body["_field_defaults"] = defaults
            body["__slots__"] = ()
            body["_fields"] = body["__match_args__"] = fields
            for at, field in enumerate(fields):
                body[field] = _tuplegetter(at, "")
            return type.__new__(type, name, (_Named,), body)

    @cache
    def _constructor(count):
        """Return the code of a constructor of so many fields, whose names are others."""
        fields = "".join(f"_{n}, " for n in range(count))
        return eval(f"lambda _cls, {fields}: _new(_cls, ({fields}))").__code__  # noqa: S307 (no word of anybody's)

    NamedTuple = type.__new__(_Maker, "NamedTuple", (), {})
