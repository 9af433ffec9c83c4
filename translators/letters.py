"""What is a word, in texts in which Korean particles follow Latin words without a blank."""

from __future__ import annotations

import re

HANGUL = re.compile(r"[\u1100-\u11ff\u3130-\u318f\uac00-\ud7a3]")
# A Korean particle follows a Latin word without a blank ("API는"), so a word ends where Hangul begins or ends.
WORD = re.compile(rf"{HANGUL.pattern}+|[^\W{HANGUL.pattern[1:-1]}]+")
