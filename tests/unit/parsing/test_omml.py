from __future__ import annotations

import pytest

from ragstone.parsing.elements import root_of
from ragstone.parsing.omml import formula_text

MATH = "http://schemas.openxmlformats.org/officeDocument/2006/math"


def text_of(inner: str) -> str:
    return formula_text(root_of(f'<m:oMath xmlns:m="{MATH}">{inner}</m:oMath>'.encode()))


def r(text: str) -> str:
    return f"<m:r><m:rPr/><m:t>{text}</m:t></m:r>"


def e(*inner: str, name: str = "e") -> str:
    return f"<m:{name}>{''.join(inner)}</m:{name}>"


@pytest.mark.parametrize(
    ("inner", "text"),
    [
        (r("a+b"), "a+b"),
        (f"<m:f>{e(r('a+b'), name='num')}{e(r('2'), name='den')}</m:f>", "(a+b)/2"),
        (f"<m:sSup>{e(r('x'))}{e(r('2'), name='sup')}</m:sSup>", "x^2"),
        (f"<m:sSub>{e(r('a'))}{e(r('i+1'), name='sub')}</m:sSub>", "a_(i+1)"),
        (f"<m:sSubSup>{e(r('a'))}{e(r('i'), name='sub')}{e(r('2'), name='sup')}</m:sSubSup>", "a_i^2"),
        (f"<m:rad><m:deg/>{e(r('b-4c'))}</m:rad>", "√(b-4c)"),
        (f"<m:rad>{e(r('3'), name='deg')}{e(r('x'))}</m:rad>", "3√x"),
        (
            f'<m:nary><m:naryPr><m:chr m:val="∑"/></m:naryPr>{e(r("i=1"), name="sub")}{e(r("n"), name="sup")}'
            f"{e(r('i'))}</m:nary>",
            "∑_(i=1)^n i",
        ),
        (f"<m:nary>{e(r('0'), name='sub')}{e(r('1'), name='sup')}{e(r('x dx'))}</m:nary>", "∫_0^1 x dx"),
        (f"<m:d>{e(r('a'))}{e(r('b'))}</m:d>", "(a|b)"),
        (f'<m:d><m:dPr><m:begChr m:val="["/><m:endChr m:val="]"/></m:dPr>{e(r("a"))}</m:d>', "[a]"),
        (f"<m:func>{e(r('sin'), name='fName')}{e(r('x'))}</m:func>", "sin x"),
        (f"<m:m><m:mr>{e(r('a'))}{e(r('b'))}</m:mr><m:mr>{e(r('c'))}{e(r('d'))}</m:mr></m:m>", "[a, b; c, d]"),
        (f"<m:limLow>{e(r('lim'))}{e(r('x→0'), name='lim')}</m:limLow>", "lim_(x→0)"),
        (f"<m:eqArr>{e(r('a=1'))}{e(r('b=2'))}</m:eqArr>", "a=1; b=2"),
        (f"<m:bar>{e(r('x'))}</m:bar>", "x"),
        ("", ""),
    ],
)
def test_formulas_are_lines_that_can_be_read(inner: str, text: str) -> None:
    assert text_of(inner) == text
