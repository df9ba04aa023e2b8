"""EML: a mail's headers, its text, and what is attached to it, each attachment read by the parser of its own type."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from email.message import EmailMessage
from email.parser import BytesParser
from email.policy import default
from typing import cast

from ragstone.errors import Rejected
from ragstone.parsing import media
from ragstone.parsing.builder import DocumentBuilder
from ragstone.parsing.eml_headers import attachment_name, header, sent_at
from ragstone.parsing.encoding import decode
from ragstone.parsing.reader import parse
from ragstone.parsing.registry import parser_of, parsers
from ragstone.parsing.stated import stated
from ragstone.types import ParsedDocument

_DEEPEST = 5
_SHOWN = ("From", "To", "Cc", "Date")


@parsers.register(media.EML)
def parse_eml(content: bytes, *, source: str) -> ParsedDocument:
    """Read a mail; attachments that can't be read are named in a warning, pictures in the text are not."""
    builder = DocumentBuilder(media.EML, "email")
    reader = _Reader(builder)
    try:
        message = BytesParser(_class=EmailMessage, policy=default).parsebytes(content)
        reader.read(message, depth=1)
    except RecursionError as error:
        raise Rejected("too_large", f"{source} holds mails within mails without end; send the innermost.") from error
    if reader.unread:
        builder.warnings.append(f"Attachments that were not read: {', '.join(reader.unread)}.")
    author, subject, to = (header(message, name) for name in ("From", "Subject", "To"))
    metadata = stated(author=author, created=sent_at(message), subject=subject, to=to)
    return builder.build(title=subject or builder.first_heading, metadata=metadata)


@dataclass(slots=True)
class _Reader:
    """Writes mails into the builder, those that are attached below the one that they are attached to."""

    builder: DocumentBuilder
    unread: list[str] = field(default_factory=list[str])

    def read(self, message: EmailMessage, *, depth: int) -> None:
        self.builder.heading(header(message, "Subject"), depth)
        shown = [f"{name}: {value}" for name in _SHOWN if (value := header(message, name))]
        self.builder.block("\n".join(shown))
        if document := _body(message):
            self.builder.include(document, below=depth)
            self.builder.warnings.extend(document.warnings)
        for part in _attachments(message):
            self._attachment(part, depth + 1)

    def _attachment(self, part: EmailMessage, depth: int) -> None:
        name = attachment_name(part)
        if part.get_content_type() == media.EML:
            self._mails(part, name, depth)
            return
        try:
            document = parse(_bytes_of(part), source=name)
        except Rejected as rejected:
            self.unread.append(f"{name} ({rejected.code.replace('_', ' ')})")
            return
        if document.text:
            self.builder.heading(f"Attachment: {name}", depth)
            self.builder.include(document, below=depth)
        self.builder.warnings.extend(f"In the attachment {name}: {warning}" for warning in document.warnings)

    def _mails(self, part: EmailMessage, name: str, depth: int) -> None:
        if depth > _DEEPEST:
            self.unread.append(f"{name} (too many mails within mails)")
            return
        for inner in part.iter_parts():
            self.read(cast(EmailMessage, inner), depth=depth)


def _body(message: EmailMessage) -> ParsedDocument | None:
    """The plain text if there is any, else the HTML."""
    for kind, media_type in (("plain", media.TEXT), ("html", media.HTML)):
        part = message.get_body(preferencelist=(kind,))
        if isinstance(part, EmailMessage):
            decoded = decode(_bytes_of(part), declared=part.get_content_charset())
            document = parser_of(media_type)(decoded.text.encode(errors="replace"), source=kind)
            if document.text:
                return document
    return None


def _attachments(message: EmailMessage) -> Iterator[EmailMessage]:
    for part in message.iter_attachments():
        if part.get_content_maintype() == "multipart":
            yield from _attachments(part)
        elif not (part.get_content_maintype() == "image" and part.get_content_disposition() != "attachment"):
            yield part


def _bytes_of(part: EmailMessage) -> bytes:
    content = part.get_payload(decode=True)
    return content if isinstance(content, bytes) else b""
