"""A typed sheet as a scanner sees it: grey, speckled and a little askew."""

from __future__ import annotations

from io import BytesIO
from random import Random

from PIL import Image, ImageDraw, ImageFilter, ImageFont

SIZE = (827, 1169)  # A4 at 100 dots an inch
PAPER, INK = 236, 52


def scan(text: str, *, seed: int = 1987) -> bytes:
    """Draw the text and return it as a grey JPEG."""
    page = Image.new("L", SIZE, PAPER)
    draw = ImageDraw.Draw(page)
    draw.multiline_text((110, 130), text, fill=INK, font=ImageFont.load_default(22), spacing=12)
    dice = Random(seed)
    for _ in range(600):
        draw.point((dice.randrange(SIZE[0]), dice.randrange(SIZE[1])), fill=dice.randrange(90, 200))
    askew = page.rotate(0.8, resample=Image.Resampling.BICUBIC, fillcolor=PAPER).filter(ImageFilter.GaussianBlur(0.6))
    buffer = BytesIO()
    askew.save(buffer, "JPEG", quality=45)
    return buffer.getvalue()
