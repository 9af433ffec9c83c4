"""The contract of sources as tests, for ours and for yours: ``TestMine = source_contract(MySource)`` is all it takes."""

from __future__ import annotations

import difflib
import json
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from pydantic import ValidationError

from connectors.errors import SourceError, Throttled
from connectors.testing.exemplar import CASES, DRAWERS, Filed, filed_exemplars, folder_of
from connectors.testing.observation import Observation, observed, outcome_json
from connectors.text import plain_text
from connectors.wire import FIRST_YEAR, LAST_YEAR

TOO_MANY = 429

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from connectors.contract import Connector, Hit


def source_contract(source: type[Connector]) -> type:
    """A test class for pytest that holds ``source`` to the contract, by its exemplars and its manifest.

    In a file of tests: ``TestMine = source_contract(MySource)``.
    """
    import pytest  # here, since whoever starts a source (``scaffold``) need not have it

    filed = filed_exemplars(source)

    class Contract:
        @pytest.mark.parametrize("exemplar", filed, ids=[each.name for each in filed])
        def test_exemplar(self, exemplar: Filed) -> None:
            """What this exemplar shows holds: it is played once, and every check looks at that."""
            hold_to_all(EXEMPLAR_CHECKS, observed(source, exemplar))

        @pytest.mark.parametrize("check", SOURCE_CHECKS, ids=[check.__name__ for check in SOURCE_CHECKS])
        def test_source(self, check: Callable[[type[Connector]], None]) -> None:
            """What every source must have is there."""
            check(source)

    return Contract


def hold_to_all(checks: Iterable[Callable[[Observation], None]], seen: Observation) -> None:
    """Every check is made, whichever fails before it; an ``ExceptionGroup`` names all that failed."""
    failed: list[Exception] = []
    for check in checks:
        try:
            check(seen)
        except Exception as failure:  # noqa: BLE001 — raised below, together with the others
            failure.add_note(f"in {check.__name__}")
            failed.append(failure)
    if failed:
        names = ", ".join(note for each in failed for note in each.__notes__)
        raise ExceptionGroup(f"{seen.filed.name} fails {names}", failed)


# ---- checks on one exemplar: each an idea that a wrong source must not survive


def check_requests(seen: Observation) -> None:
    """Every request arrived as expected, whole, none was missing and none went to another host."""
    assert not seen.surprises, "\n".join(seen.surprises)
    assert not seen.unplayed, f"{seen.unplayed} of the expected requests did not come"
    assert not seen.strays, f"a redirect was followed to another host: {seen.strays}"


def check_outcome(seen: Observation) -> None:
    """The hits, or the error, are the expected ones."""
    expected = seen.filed.exemplar.expect
    if expected.error is not None:
        _check_error(seen)
        return
    if seen.error is not None:
        raise AssertionError(f"it should have worked: {seen.error!r}") from seen.error
    wanted, got = expected.model_dump(mode="json", exclude_defaults=True), outcome_json(seen.result)
    assert got == wanted, _difference(wanted, got)


def _difference(wanted: object, got: object) -> str:
    was, came = (json.dumps(each, ensure_ascii=False, indent=1, sort_keys=True).splitlines() for each in (wanted, got))
    return "\n".join(difflib.unified_diff(was, came, "expected", "came", lineterm=""))


def _check_error(seen: Observation) -> None:
    expected, error = seen.filed.exemplar.expect.error, seen.error
    assert expected is not None
    assert isinstance(error, SourceError), f"{expected.code} was expected, {error or seen.result!r} came"
    assert error.code == expected.code, f"{expected.code} was expected, {error.code} came: {error}"
    assert expected.message in error.message, f"{expected.message!r} was expected in {error.message!r}"
    wait, native = getattr(error, "retry_after", None), getattr(error, "native", "")
    assert wait == expected.retry_after, f"a wait of {expected.retry_after} s was expected, {wait} came"
    assert native == expected.native, f"the native text {expected.native!r} was expected, {native!r} came"


def check_errors_are_ours(seen: Observation) -> None:
    """Whatever goes wrong is raised as a SourceError with a message for people."""
    assert seen.error is None or isinstance(seen.error, SourceError), f"not a SourceError: {seen.error!r}"
    assert not isinstance(seen.error, SourceError) or seen.error.message.strip(), "the error says nothing"


def check_ids(seen: Observation) -> None:
    """Ids are there and unique."""
    ids = [hit.id for hit in seen.hits]
    assert all(ids), "a hit has no id"
    assert len(ids) == len(set(ids)), f"ids are repeated: {ids}"


def check_urls(seen: Observation) -> None:
    """URLs are absolute and open in a browser, or empty."""
    for hit in seen.hits:
        parts = urlsplit(hit.url)
        assert not hit.url or (parts.scheme in ("http", "https") and parts.hostname), f"not an absolute URL: {hit.url}"


def check_dates(seen: Observation) -> None:
    """Times know their zone, and lie where days can be added to them."""
    for hit in seen.hits:
        for moment in (hit.created, hit.updated):
            assert moment is None or moment.tzinfo is not None, f"{hit.id} has a time without a zone: {moment}"
            in_calendar = moment is None or FIRST_YEAR <= moment.year <= LAST_YEAR
            assert in_calendar, f"{hit.id} has a time that nothing can be reckoned from: {moment}"


def check_ranks(seen: Observation) -> None:
    """Hits are ranked from 1, bear the source's configured name and are no more than were asked for."""
    assert [hit.rank for hit in seen.hits] == list(range(1, len(seen.hits) + 1)), "ranks do not count from 1"
    assert all(hit.source == "mine" for hit in seen.hits), "a hit does not bear the source's configured name"
    assert len(seen.hits) <= seen.filed.exemplar.call.limit, "more hits than were asked for"


def check_plain_text(seen: Observation) -> None:
    """What people wrote comes without control characters, direction overrides and broken code points."""
    for hit in seen.hits:
        for text in _texts(hit):
            assert text == plain_text(text), f"{hit.id} has unclean text: {text!r}"


def check_no_secret(seen: Observation) -> None:
    """The credential is in no log, no repr, no error and no hit."""
    assert seen.filed.exemplar.token not in seen.shown, f"the token shows in: {_around(seen)}"


def check_inputs_unchanged(seen: Observation) -> None:
    """The native query and the call are as they were, and building a request twice gives the same."""
    assert not seen.changed, f"changed by asking: {', '.join(seen.changed)}"


def check_turns(seen: Observation) -> None:
    """Nothing is sent before ``call.turn`` lets it: while the vendor wants quiet, nothing arrives there."""
    assert not seen.out_of_turn, f"{seen.out_of_turn} requests were sent without waiting for call.turn"


def check_throttling_is_heard(seen: Observation) -> None:
    """Whoever is refused for asking too often raises that, or tells it where the rest is worth returning."""
    exchanges = [part for each in seen.filed.exemplar.exchanges for part in (each, *each.parts)]
    refused = any(each.reply.status == TOO_MANY for each in exchanges)
    heard = isinstance(seen.error, Throttled) or bool(seen.told)
    assert heard or not refused, "a request was refused for asking too often, and nobody was told to wait"


def check_nothing_found_is_true(seen: Observation) -> None:
    """It says that there is nothing only where every reply came and was read: a page without hits says what is missing."""
    assert not seen.false_claims, f"it says that it found nothing, though {'; '.join(seen.false_claims)}"


def check_nothing_left(seen: Observation) -> None:
    """After ``aclose`` no connection, task or thread is left, cancelled or not."""
    assert not seen.left, f"left behind: {', '.join(seen.left)}"


def check_cancellation(seen: Observation) -> None:
    """Cancelled while a request is in flight, it ends at once and says that it was cancelled."""
    assert not seen.cancellations, "; ".join(seen.cancellations)


EXEMPLAR_CHECKS: tuple[Callable[[Observation], None], ...] = (
    check_requests,
    check_outcome,
    check_errors_are_ours,
    check_ids,
    check_urls,
    check_dates,
    check_ranks,
    check_plain_text,
    check_no_secret,
    check_inputs_unchanged,
    check_turns,
    check_throttling_is_heard,
    check_nothing_found_is_true,
    check_nothing_left,
    check_cancellation,
)


# ---- checks on the source itself


def check_drawers(source: type[Connector]) -> None:
    """The exemplary drawer shows what works, the supplemental one every case that goes wrong sooner or later."""
    filed = filed_exemplars(source)
    by_drawer = {drawer: [each for each in filed if each.drawer == drawer] for drawer in DRAWERS}
    assert by_drawer["exemplary"], "there is no exemplary exemplar"
    failing = [each.name for each in by_drawer["exemplary"] if each.exemplar.expect.error]
    assert not failing, f"exemplary exemplars must not expect errors: {failing}"
    missing = set(CASES) - {each.exemplar.case for each in by_drawer["supplemental"]}
    assert not missing, f"the supplemental drawer lacks the cases: {', '.join(sorted(missing))}"


def check_signed(source: type[Connector]) -> None:
    """Every exemplar names the header (or part of the request) that carries the credential."""
    for filed in filed_exemplars(source):
        assert not filed.exemplar.unsigned, f"{filed.name}: a request does not say how it is signed"


def check_manifest(source: type[Connector]) -> None:
    """The manifest can be believed: an address, kinds, how to get a token; and a README says the same to people."""
    manifest = source.manifest
    assert urlsplit(manifest.default_url).hostname, "default_url is not an address"
    assert manifest.kinds, "the manifest names no kinds"
    assert manifest.auth.help, "the manifest does not say how to get a token"
    assert (folder_of(source) / "README.md").is_file(), "there is no README.md"


def check_settings(source: type[Connector]) -> None:
    """Settings refuse unknown keys and do not show the token."""
    kind = source.manifest.name
    settings = source.settings_type.model_validate({"kind": kind, "token": "planted-token"})
    assert "planted-token" not in f"{settings!r} {settings} {settings.model_dump()}", "settings show the token"
    try:
        source.settings_type.model_validate({"kind": kind, "no_such_setting": 1})
    except ValidationError:
        return
    raise AssertionError("a setting that there is none of is taken")


SOURCE_CHECKS: tuple[Callable[[type[Connector]], None], ...] = (
    check_drawers,
    check_signed,
    check_manifest,
    check_settings,
)


def _texts(hit: Hit) -> Iterator[str]:
    yield from (hit.title, hit.snippet)
    yield from (str(who) for who in (hit.author, hit.assignee, hit.container) if who is not None)
    for fact in hit.facts.values():
        yield from (fact,) if isinstance(fact, str) else fact if isinstance(fact, tuple) else ()


def _around(seen: Observation) -> str:
    place = seen.shown.find(seen.filed.exemplar.token)
    return "…" + seen.shown[max(0, place - 200) : place] + "▮"
