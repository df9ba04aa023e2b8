from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragstone.parsing.encoding import decode, looks_binary

GERMAN = "Der Aufschlag beträgt 4 € je Koffer."
JAPANESE = "乗船券は二番窓口で払い戻します"
CHINESE = "船票在第二窗口退款，这是我们的规定，请保留收据。"
TRADITIONAL = "船票在第二窗口退款，這是我們的規定，請保留收據。"
KOREAN = "승선권은 2번 창구에서 환불합니다. 영수증을 보관하세요."
RUSSIAN = "Билеты возвращают в кассе номер два. Сохраните чек."


@pytest.mark.parametrize(
    ("content", "encoding"),
    [
        (GERMAN.encode("utf-8"), "utf-8"),
        (GERMAN.encode("utf-8-sig"), "utf-8"),
        (b"\xff\xfe" + GERMAN.encode("utf-16-le"), "utf-16-le"),
        (b"\xfe\xff" + GERMAN.encode("utf-16-be"), "utf-16-be"),
        (GERMAN.encode("utf-32"), "utf-32-le"),
        (GERMAN.encode("utf-16-be"), "utf-16-be"),
        (GERMAN.encode("utf-16-le"), "utf-16-le"),
    ],
)
def test_unicode_is_read_without_a_guess(content: bytes, encoding: str) -> None:
    decoded = decode(content)
    assert (decoded.text, decoded.encoding, decoded.warnings) == (GERMAN, encoding, [])


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        (GERMAN, "cp1252"),
        ("Señor Núñez pagó 40 pesos en el muelle.", "cp1252"),
        ("“hold fast” – fare €12", "cp1252"),
        ("20 °C", "cp1252"),
        (JAPANESE, "cp932"),
        (JAPANESE, "euc_jp"),
        (CHINESE, "gb18030"),
        (TRADITIONAL, "big5"),
        (KOREAN, "euc_kr"),
        (RUSSIAN, "cp1251"),
        (RUSSIAN, "koi8_r"),
        ("Τα εισιτήρια επιστρέφονται στη δεύτερη θυρίδα.", "cp1253"),
        ("## können\n\nkönnen\n\näöüß\n", "cp1252"),
    ],
)
def test_a_legacy_encoding_is_guessed_and_the_guess_is_told(text: str, encoding: str) -> None:
    decoded = decode(text.encode(encoding))
    assert decoded.text == text
    assert decoded.warnings == [
        f"The text was read as {encoding}, because it doesn't state its encoding; save it as UTF-8 to be sure."
    ]


def test_the_whole_file_counts_not_only_its_beginning() -> None:
    text = "id,port\n" * 5_000 + "横浜の埠頭では工事をしています\n"
    assert decode(text.encode("cp932")).text == text


def test_a_true_declaration_is_believed_without_a_warning() -> None:
    decoded = decode(JAPANESE.encode("shift_jis"), declared="Shift_JIS")
    assert (decoded.text, decoded.warnings) == (JAPANESE, [])


@pytest.mark.parametrize("declared", ["utf-8", "no-such-encoding", "unicode_escape", "zip", "utf-7", "bad\udce4\0name"])
def test_a_false_declaration_is_found_out(declared: str) -> None:
    decoded = decode(GERMAN.encode("cp1252"), declared=declared)
    assert decoded.text == GERMAN
    assert declared in decoded.warnings[0]


def test_declared_latin_1_is_read_as_browsers_do() -> None:
    assert decode("“4 €”".encode("cp1252"), declared="iso-8859-1").text == "“4 €”"


def test_utf_8_cut_off_in_mid_character_loses_only_that() -> None:
    decoded = decode(("Größe, Höhe, Länge, Tür, Fähre, Öl, Küste, " * 3 + "Maß").encode()[:-1])
    assert decoded.text.endswith("Ma")
    assert decoded.warnings == ["Damaged characters were left out of what is otherwise UTF-8: 1."]


def test_binary_data_is_told_from_text() -> None:
    assert looks_binary(bytes(range(256)) * 4)
    assert not looks_binary(b"a line with one \x00 in it, and then a long rest of plain text")
    assert not looks_binary("Unicode text".encode("utf-16-le"))
    assert not looks_binary("日本語".encode("cp932"))
    assert not looks_binary(b"")


@given(st.binary(max_size=200), st.sampled_from([None, "utf-8", "shift_jis", "utf-16", "idna", "punycode", "hex"]))
def test_any_bytes_give_text(content: bytes, declared: str | None) -> None:
    assert isinstance(decode(content, declared=declared).text, str)


@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\ufeff\x00")))
def test_utf_8_comes_back_as_it_was(text: str) -> None:
    assert decode(text.encode()).text == text
