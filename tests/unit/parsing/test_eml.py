from __future__ import annotations

from email.message import EmailMessage

from ragstone.parsing.eml import parse_eml
from ragstone.types import ParsedDocument
from tests.unit.parsing.made_office import xlsx
from tests.unit.parsing.reading import blocks, check_spans

PNG = b"\x89PNG\r\n\x1a\n" + bytes(range(256))


def mail(subject: str = "Night ferry", text: str | None = "The night ferry is late.") -> EmailMessage:
    message = EmailMessage()
    message["From"] = "Ada Okafor <ada@example.org>"
    message["To"] = "crew@example.org"
    message["Date"] = "Thu, 12 Mar 2026 14:30:00 +0100"
    message["Subject"] = subject
    if text is not None:
        message.set_content(text)
    return message


def parsed(message: EmailMessage) -> ParsedDocument:
    document = parse_eml(bytes(message), source="x.eml")
    check_spans(document)
    return document


HEADERS = "From: Ada Okafor <ada@example.org>\nTo: crew@example.org\nDate: Thu, 12 Mar 2026 14:30:00 +0100"


def test_a_mail_is_its_subject_its_headers_and_its_text() -> None:
    document = parsed(mail(text="Dear all,\n\nthe night ferry is late.\n\n- bring tea\n- bring a book\n"))
    assert blocks(document) == [
        ("heading", "Night ferry"),
        ("paragraph", HEADERS),
        ("paragraph", "Dear all,"),
        ("paragraph", "the night ferry is late."),
        ("list", "- bring tea\n- bring a book"),
    ]
    assert document.title == "Night ferry"
    assert document.metadata == {
        "author": "Ada Okafor <ada@example.org>",
        "subject": "Night ferry",
        "to": "crew@example.org",
        "created": "2026-03-12T13:30:00Z",
    }


def test_plain_text_goes_before_html_and_html_before_nothing() -> None:
    both, only = mail(), mail(text=None)
    both.add_alternative("<p>as <b>HTML</b></p>", subtype="html")
    only.set_content("<table><tr><th>Day<th>Sails<tr><td>Tue<td>08:20</table>", subtype="html")
    assert parsed(both).text.endswith("The night ferry is late.")
    assert parsed(only).text.endswith("Day: Tue | Sails: 08:20")


def test_attachments_are_sections_with_sections_of_their_own() -> None:
    message = mail()
    message.add_attachment(b"# Rules\n\nNo gulls.", maintype="text", subtype="markdown", filename="rules.md")
    message.add_attachment(
        xlsx(Fares=[["Ticket", "Price"], ["Night", 17.3]]),
        maintype="application",
        subtype="xlsx",
        filename="fares.xlsx",
    )
    document = parsed(message)
    assert [section.path for section in document.sections] == [
        ("Night ferry",),
        ("Night ferry", "Attachment: rules.md"),
        ("Night ferry", "Attachment: rules.md", "Rules"),
        ("Night ferry", "Attachment: fares.xlsx"),
        ("Night ferry", "Attachment: fares.xlsx", "Fares"),
    ]
    assert blocks(document)[-1] == ("table", "Ticket: Night | Price: 17.3")


def test_attachments_that_can_t_be_read_are_named_and_pictures_in_the_text_are_not() -> None:
    message = mail()
    message.add_attachment(PNG, maintype="image", subtype="png", filename="quay.png")
    message.add_attachment(b"PK\x03\x04 cut", maintype="application", subtype="zip", filename="all.zip")
    message.add_attachment(PNG, maintype="image", subtype="png", filename="logo.png", disposition="inline")
    message.add_attachment(b"a,b\n1\n", maintype="text", subtype="csv", filename="odd.csv")
    assert parsed(message).warnings == (
        "In the attachment odd.csv: 1 row doesn't have 2 cells as the first row does (line 2); all cells were kept.",
        "Attachments that were not read: quay.png (unsupported type), all.zip (damaged).",
    )


def test_a_mail_within_a_mail_is_a_section_below_it() -> None:
    outer = mail(subject="Fwd: Night ferry", text="See below.")
    outer.add_attachment(mail())
    document = parsed(outer)
    assert [section.path for section in document.sections] == [
        ("Fwd: Night ferry",),
        ("Fwd: Night ferry", "Night ferry"),
    ]
    assert document.text.endswith("The night ferry is late.")


def test_mails_within_mails_end() -> None:
    message = mail()
    for _ in range(12):
        outer = mail(subject="Fwd")
        outer.add_attachment(message)
        message = outer
    document = parsed(message)
    assert max(section.level for section in document.sections) == 5
    assert document.warnings == ("Attachments that were not read: unnamed.eml (too many mails within mails).",)


def test_a_charset_that_is_wrong_is_found_out() -> None:
    content = (
        b"From: a@example.org\nContent-Type: text/plain; charset=x-none\nSubject: =?utf-8?q?F=C3=A4hre?=\n\n\xfcber"
    )
    assert parse_eml(content, source="x.eml").text == "Fähre\n\nFrom: a@example.org\n\nüber"


def test_a_mail_without_anything_is_empty() -> None:
    assert parse_eml(b"\n\n", source="x.eml").text == ""
