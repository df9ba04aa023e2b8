"""Office's formulas as one line of text: x^2, (a+b)/(2c), ∑_(i=1)^n a_i."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ragstone.parsing.elements import Element

M = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"


def formula_text(element: Element) -> str:
    """The formula in an element of Office's math markup; what has no form of its own shows its parts in order."""
    name = element.tag.removeprefix(M) if element.tag.startswith(M) else ""
    if name == "t":
        return element.text or ""
    if name.endswith("Pr"):
        return ""
    return _FORMS.get(name, _all)(element)


def _all(element: Element) -> str:
    return "".join(formula_text(child) for child in element)


def _part(element: Element, name: str) -> str:
    found = element.find(f"{M}{name}")
    return "" if found is None else _all(found)


def _grouped(text: str) -> str:
    return text if len(text) < 2 or text.isalnum() else f"({text})"


def _property(element: Element, name: str, default: str) -> str:
    found = element.find(f"{M}{element.tag.removeprefix(M)}Pr/{M}{name}")
    return default if found is None else found.get(f"{M}val", default)


def _scripts(element: Element, base: str) -> str:
    sub, sup = _part(element, "sub"), _part(element, "sup")
    return base + (f"_{_grouped(sub)}" if sub else "") + (f"^{_grouped(sup)}" if sup else "")


def _fraction(element: Element) -> str:
    return f"{_grouped(_part(element, 'num'))}/{_grouped(_part(element, 'den'))}"


def _root(element: Element) -> str:
    degree = _part(element, "deg")
    return f"{degree}√{_grouped(_part(element, 'e'))}"


def _big_operator(element: Element) -> str:
    return f"{_scripts(element, _property(element, 'chr', '∫'))} {_part(element, 'e')}"


def _delimited(element: Element) -> str:
    inner = _property(element, "sepChr", "|").join(_all(part) for part in element.iterfind(f"{M}e"))
    return _property(element, "begChr", "(") + inner + _property(element, "endChr", ")")


def _matrix(element: Element) -> str:
    rows = (", ".join(_all(cell) for cell in row.iterfind(f"{M}e")) for row in element.iterfind(f"{M}mr"))
    return f"[{'; '.join(rows)}]"


def _lines(element: Element) -> str:
    return "; ".join(_all(line) for line in element.iterfind(f"{M}e"))


def _limit(mark: str) -> Callable[[Element], str]:
    return lambda element: f"{_part(element, 'e')}{mark}{_grouped(_part(element, 'lim'))}"


_FORMS: Mapping[str, Callable[[Element], str]] = {
    "f": _fraction,
    "rad": _root,
    "nary": _big_operator,
    "d": _delimited,
    "m": _matrix,
    "eqArr": _lines,
    "limLow": _limit("_"),
    "limUpp": _limit("^"),
    "func": lambda element: f"{_part(element, 'fName')} {_part(element, 'e')}",
    **dict.fromkeys(("sSub", "sSup", "sSubSup", "sPre"), lambda element: _scripts(element, _part(element, "e"))),
}
