"""doritex: finds words in a picture, by a network on netcl, whose arrays are shared virtual memory of fine grain."""
import doritex
from PIL import Image, ImageDraw

picture = Image.new("RGB", (640, 200), "white")
draw = ImageDraw.Draw(picture)
for line in range(4):
    draw.text((40, 20 + 45 * line), f"Line {line} of a page", fill="black")
detector = doritex.load()
for turn in range(4):
    for word in detector.detect(picture.rotate(90 * turn, expand=True)):
        print(turn, repr(word.angle360), repr(word.score), word.quad.tolist(), flush=True)
