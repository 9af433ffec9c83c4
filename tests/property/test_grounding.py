"""Whatever Gemini grounds on whatever: without its markers the answer is the text, to the character."""

from __future__ import annotations

import re

from hypothesis import event, given, settings
from hypothesis import strategies as st

from orchestrator.websearch import GroundedText, GroundingSource, GroundingSupport, cite
from orchestrator.websearch.excerpts import boundary_after

LETTERS = st.sampled_from(
    [
        *"가나다힣한글 .,[]12abZ\n",
        "[1]",
        "👍",
        "👍🏽",
        "👨‍👩‍👧",
        "🇰🇷",
        "e\u0301",
        "\u1112\u1161\u11ab",
        "漢",
        "\u202e",
        "\U000e0067",
    ]
)
TEXT = st.lists(LETTERS, min_size=1, max_size=30).map("".join) | st.text(min_size=1, max_size=20)
PAGES = st.sampled_from([GroundingSource(f"https://{n}.example/", f"t{n}") for n in range(4)])
SOURCE = PAGES | PAGES | PAGES | st.sampled_from([None, GroundingSource("")])


@st.composite
def groundings(draw: st.DrawFn) -> GroundedText:
    """Most segments right, as Gemini makes them; some short, long, shifted, of no part, of no chunk."""
    parts = tuple(draw(st.lists(TEXT, min_size=1, max_size=3)))
    sources = tuple(draw(st.lists(SOURCE, min_size=1, max_size=5)))
    places = st.integers(0, len(sources) - 1)
    supports = []
    for _ in range(draw(st.integers(1, 8) | st.integers(4, 8))):
        part = draw(st.sampled_from([*range(len(parts))] * 5 + [-1, len(parts)]))
        text = parts[part] if 0 <= part < len(parts) else ""
        start = draw(st.integers(0, max(0, len(text) - 1)))
        end = draw(st.integers(min(start + 1, len(text)), len(text)))
        right = len(text[:end].encode("utf-8", "surrogatepass"))
        offset = draw(st.sampled_from([right] * 6 + [right + 1, right - 1, end, 10**6, -5, 0]))
        said = draw(st.sampled_from([text[start:end], text[start:end], "", "elsewhere"]))
        chunks = draw(st.lists(places, min_size=1, max_size=4) | st.lists(st.integers(-2, 6), max_size=4))
        supports.append(GroundingSupport(part, offset, tuple(chunks), said))
    return GroundedText(parts, sources, tuple(supports))


@settings(max_examples=2 * settings().max_examples)  # 10,000 in the deep profile
@given(groundings())
def test_without_its_markers_the_answer_is_the_text(grounded: GroundedText) -> None:
    cited = cite(grounded)
    whole = "".join(grounded.parts)
    assert cited.plain == whole
    event(f"{min(len(cited.spans), 4)} places cited")
    for start, end in cited.spans:
        numbers = [int(number) for number in re.findall(r"\[(\d+)\]", cited.text[start:end])]
        assert "".join(f"[{number}]" for number in numbers) == cited.text[start:end]
        assert numbers == sorted(set(numbers))
        assert 1 <= numbers[0] <= numbers[-1] <= len(cited.sources)
    assert len({source.uri for source in cited.sources}) == len(cited.sources)


@given(groundings())
def test_no_marker_stands_inside_a_visible_character(grounded: GroundedText) -> None:
    cited = cite(grounded)
    ends = [len("".join(grounded.parts[: n + 1])) for n in range(len(grounded.parts))]
    added = 0
    for start, end in cited.spans:
        at = start - added
        added += end - start
        owner = next(n for n, upto in enumerate(ends) if at <= upto and (at > (ends[n - 1] if n else 0)))
        inside = at - (ends[owner - 1] if owner else 0)
        assert boundary_after(grounded.parts[owner], inside) == inside


@given(TEXT.filter(str.strip), TEXT)
def test_a_right_segment_is_cited_right_behind_itself(text: str, rest: str) -> None:
    encoded = text.encode("utf-8", "surrogatepass")
    cited = cite(
        GroundedText(
            (text + rest,), (GroundingSource("https://a.example/"),), (GroundingSupport(0, len(encoded), (0,), text),)
        )
    )
    place = boundary_after(text + rest, len(text))
    assert cited.text == (text + rest)[:place] + "[1]" + (text + rest)[place:]
