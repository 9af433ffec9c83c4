"""``fedsearch digest``: what happened while somebody was away: looked at, run by hand, run on schedule, listed, defined.

``demo`` makes one of a pretend workplace.
"""

from __future__ import annotations

import sys
from datetime import datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from orchestrator.surfaces.cli.composition import BadInput, SandboxWish
from orchestrator.surfaces.cli.demo import MOMENT, Corpora, Drop, Maps
from orchestrator.surfaces.cli.failures import Exit, complain, guarded, tell
from orchestrator.surfaces.cli.inputs import AsJson, DigestFormat, Now, read_now
from orchestrator.surfaces.cli.running import note, run, until_told, using
from translators.said import LanguageCode, Said

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence
    from datetime import tzinfo

    from orchestrator.digests import Alert, Digest, DigestMessage, Maker
    from orchestrator.digests.definitions import Definition
    from orchestrator.digests.run_repository import Outgoing
    from orchestrator.digests.service import DefinitionStatus, DigestService
    from orchestrator.settings import Settings
    from orchestrator.settings.digests import DigestSettings
    from orchestrator.surfaces.cli.composition import Composition

Name = Annotated[str, typer.Argument(help="A digest or saved search, by its name.", show_default=False)]
MaybeName = Annotated[
    str,
    typer.Argument(help="A digest or saved search, by its name; with --since none is needed.", show_default=False),
]
Since = Annotated[
    str,
    typer.Option(
        help="Only print what happened since then: yesterday, last Monday, 지난주, 2026-11-16. Nothing is kept or sent.",
        metavar="TIME",
    ),
]
Shape = Annotated[DigestFormat, typer.Option("--format", help="How it is printed.")]
Language = Annotated[
    LanguageCode | None, typer.Option(help="Language of a digest without a name (default: that of the terminal).")
]
Weekly = Annotated[bool, typer.Option("--weekly", help="Only what matters most, of a digest without a name.")]
Key = Annotated[str, typer.Argument(help="A delivery, as `fedsearch digest list` shows it.", show_default=False)]


def add(app: typer.Typer, composition: Composition) -> None:
    """Register the commands."""
    digest = typer.Typer(
        no_args_is_help=True,
        help="Digests and saved searches: run, schedule, list, add, remove, preview, retry, demo.",
        rich_markup_mode=None,
    )
    app.add_typer(digest, name="digest")
    for register in (
        _add_run,
        _add_preview,
        _add_schedule,
        _add_list,
        _add_defining,
        _add_retry,
        _add_demo,
    ):
        register(digest, composition)


def _add_run(app: typer.Typer, composition: Composition) -> None:
    @app.command("run")
    @guarded
    def run_one(
        name: MaybeName = "",
        *,
        since: Since = "",
        shape: Shape = "plain",
        language: Language = None,
        weekly: Weekly = False,
        now: Now = None,
    ) -> int:
        """Make a digest now, print it, and deliver it; what it tells is not told again. With --since: only print it."""
        if not name and not since:
            raise BadInput(Said("name a digest, or a time: fedsearch digest run --since yesterday"))
        if now and not since:
            raise BadInput(Said("--now goes with --since or `digest preview`; what is kept is of the real time"))
        from orchestrator.surfaces.cli.words import system_language

        unnamed = {"language": language or system_language(), "period": "weekly" if weekly else "daily"}

        async def made(settings: Settings) -> tuple[DigestMessage, Exit, tuple[Outgoing, ...]]:
            moment = _moment(settings, now)
            async with composition.digests(settings, moment) as service:
                from orchestrator.digests import from_data
                from orchestrator.digests.definitions import short_name
                from orchestrator.settings.digests import DigestSettings

                if since:
                    definitions = await service.catalogue.knowing(name) if name else service.catalogue.fixed
                    wished = definitions.find(name) if name else DigestSettings.model_validate(unnamed)
                    if not isinstance(wished, DigestSettings):
                        raise BadInput(
                            Said("{name} is a saved search, which has no --since; ask: fedsearch search").filled(
                                name=name
                            )
                        )
                    told = await service.since(since, _in_zone_of(moment, wished), short_name(name) or since)
                    return *_shown(_read(told)), ()
                kept = await service.runs.now(name)
                sent = await service.deliver(kept.digest, kept.due)
                return *_shown(from_data(kept.content)), sent

        return _end(run(made), shape)


def _add_preview(app: typer.Typer, composition: Composition) -> None:
    @app.command()
    @guarded
    def preview(name: Name, *, shape: Shape = "plain", now: Now = None) -> int:
        """Print what would be sent now; nothing is kept or sent."""

        async def made(settings: Settings) -> tuple[DigestMessage, Exit, tuple[Outgoing, ...]]:
            async with composition.digests(settings, _moment(settings, now)) as service:
                return *_shown(_read(await service.runs.preview(name))), ()

        return _end(run(made), shape)


def _add_schedule(app: typer.Typer, composition: Composition) -> None:
    @app.command()
    @guarded
    def schedule() -> int:
        """Run what is due and deliver it until Ctrl-C; several may work beside each other, and nothing is sent twice."""

        async def worked(service: DigestService) -> int:
            from orchestrator.digests.definitions import shown_name

            definitions = await service.catalogue.definitions()
            planned = sorted(shown_name(name) for name, each in definitions.by_name.items() if each.runs_by_itself)
            if not planned:
                raise BadInput(Said("nothing has a schedule; see docs/how-to/schedule-a-digest.md"))
            sys.stderr.write(f"fedsearch: on schedule: {', '.join(planned)} (Ctrl-C stops; nothing is lost)\n")
            await until_told(service.work())
            return Exit.FOUND

        return using(composition.digests, worked)


def _add_list(app: typer.Typer, composition: Composition) -> None:
    @app.command("list")
    @guarded
    def list_all(*, as_json: AsJson = False) -> int:
        """Show each digest and saved search: when it runs next, when it ran last, what could not be delivered and why."""

        async def looked(service: DigestService) -> tuple[Sequence[DefinitionStatus], Callable[[Definition], tzinfo]]:
            return await service.standings(), service.catalogue.fixed.zone_for

        found, zone_for = using(composition.digests, looked)
        if as_json:
            from orchestrator.digests.service import standing_document
            from orchestrator.surfaces.cli.documents import print_json

            print_json({"digests": [standing_document(each) for each in found]})
        elif found:
            from orchestrator.surfaces.cli.digest_view import standings_view
            from orchestrator.surfaces.cli.screen import show

            show(standings_view(found, zone_for))
        else:
            tell(Said("there are no digests; see docs/how-to/schedule-a-digest.md"))
        return Exit.FOUND


def _add_retry(app: typer.Typer, composition: Composition) -> None:
    @app.command()
    @guarded
    def retry(key: Key) -> int:
        """Have a delivery that was given up tried again."""

        async def revived(service: DigestService) -> tuple[Outgoing, ...]:
            if not await service.run_repository.again(key):
                raise BadInput(
                    Said("no delivery {key} was given up; `fedsearch digest list` shows those that were").filled(
                        key=repr(key)
                    )
                )
            out = await service.run_repository.outgoing(key)
            return await service.deliver(out.digest, out.due) if out else ()

        sent = using(composition.digests, revived)
        _tell([each for each in sent if each.key == key])
        return Exit.FOUND if all(each.status == "sent" for each in sent if each.key == key) else Exit.NOTHING


def _moment(settings: Settings, now: str | None) -> datetime | None:
    return read_now(now, settings.locale.timezone) if now else None


def _in_zone_of(moment: datetime | None, wished: DigestSettings) -> DigestSettings:
    """A digest without a zone of its own reckons days as the moment that was typed does."""
    from orchestrator.digests.schedules import zone_name

    if moment is None or moment.tzinfo is None or wished.zone:
        return wished
    return wished.model_copy(update={"zone": zone_name(moment.tzinfo, moment)})


def _read(content: Digest | Alert) -> Digest | Alert:
    """The same, if any source could be asked for it. Raises :class:`orchestrator.model.NoSources`."""
    from orchestrator.digests import Digest
    from orchestrator.model import NoSources
    from orchestrator.surfaces.cli.sources import NONE_CONFIGURED

    if isinstance(content, Digest) and not any(each.asked for each in content.coverage):
        raise NoSources("; ".join(f"{each.title}: {each.problem}" for each in content.coverage) or NONE_CONFIGURED)
    return content


def _shown(content: Digest | Alert) -> tuple[DigestMessage, Exit]:
    """In every form, and what that comes to."""
    from orchestrator.digests import Alert, message_of

    if isinstance(content, Alert):
        return message_of(content), Exit.FOUND if content.changed else Exit.NOTHING
    if content.is_unread:
        return message_of(content), Exit.NO_SOURCES
    return message_of(content), Exit.NOTHING if content.is_empty else Exit.FOUND


def _end(made: tuple[DigestMessage, Exit, tuple[Outgoing, ...]], shape: DigestFormat) -> int:
    message, code, sent = made
    sys.stdout.write(getattr(message, shape))
    _tell(sent)
    return code


def _tell(sent: tuple[Outgoing, ...] | list[Outgoing]) -> None:
    """What became of deliveries, on standard error."""
    from orchestrator.documents.plain import one_line

    for each in sent:
        why = f": {each.problem}" if each.problem else ""
        sys.stderr.write(f"fedsearch: {each.status}: {one_line(each.place)}{one_line(why)}\n")


NewName = Annotated[str, typer.Argument(help="What it is called.", show_default=False)]
Person = Annotated[
    str, typer.Option(help="The principal with whose rights it is read, and whose it is.", metavar="PRINCIPAL")
]
Told = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        help="A setting of it, as in a settings file: schedule='0 9 * * 1'; lists by commas.",
        metavar="KEY=VALUE",
    ),
]
Question = Annotated[str, typer.Option(help="Make it a saved search that asks this.", metavar="TEXT")]
SIGNED = ("http://", "https://")


def _add_defining(app: typer.Typer, composition: Composition) -> None:
    @app.command("add")
    @guarded
    def add_one(name: NewName, *, person: Person = "local", told: Told = None, question: Question = "") -> int:
        """Define a digest or saved search in the database, where every worker and server sees it without a restart."""
        said = dict(map(_pair, told or ()))
        if question:
            said["question"] = question
        if any(each.strip().startswith(SIGNED) for each in said.get("deliver", "").split(",")):
            said["secret"] = typer.prompt("secret that signs the webhook", hide_input=True, err=True)
        kind = "search" if question else "digest"
        maker = _maker(person, said, partial(note, composition, "digest defined", f"{name} ({person})"))
        done = _done(composition, lambda service: service.defining.create(maker, name, kind, said))
        _warn_of_no_way(said.get("deliver", ""))
        return done

    @app.command("remove")
    @guarded
    def remove_one(name: NewName, *, person: Person = "local") -> int:
        """Remove a definition that the database has, with all that was kept of its runs."""
        maker = _maker(person, {}, partial(note, composition, "digest removed", f"{name} ({person})"))
        return _done(composition, lambda service: service.defining.remove(maker, name))


def _warn_of_no_way(deliver: str) -> None:
    """What is not set up yet and will be needed: told when it is defined, and not first when it was to be sent."""
    from orchestrator.settings import load_settings

    settings, ways = load_settings(), {each.strip().partition(":")[0] for each in deliver.split(",")}
    if "mailto" in ways and not (settings.smtp.host and settings.smtp.sender):
        complain(Said("no mail leaves here yet; set smtp.host and smtp.sender (docs/how-to/schedule-a-digest.md)"))
    if "slack" in ways and settings.bot.token is None:
        complain(Said("nothing goes to Slack yet; put the app's bot token (xoxb-…) into FEDSEARCH_BOT__TOKEN"))


def _done(composition: Composition, change: Callable[[DigestService], Awaitable[str]]) -> int:
    async def changed(service: DigestService) -> str:
        from orchestrator.digests import NotDefined
        from orchestrator.digests.definitions import shown_name

        try:
            return shown_name(await change(service))
        except NotDefined as failure:
            raise BadInput(str(failure)) from None

    typer.echo(using(composition.digests, changed))
    return Exit.FOUND


def _maker(person: str, said: dict[str, str], noted: Callable[[], Awaitable[None]]) -> Maker:
    from orchestrator.digests import Maker
    from orchestrator.model import Principal

    return Maker(Principal(person, said.pop("name", ""), said.pop("email", "")), rules=False, noted=noted)


def _pair(typed: str) -> tuple[str, str]:
    key, equals, value = typed.partition("=")
    if not equals or key in {"secret", "person"}:
        raise BadInput(
            Said("--set {key}: write KEY=VALUE; a person is --person, a secret is asked for").filled(key=key)
        )
    return key.strip(), value.strip()


READER = "박지현"
WEEK = timedelta(days=7)
Reader = Annotated[str, typer.Option("--name", help="Whom it is for, as the sources call them.")]
LanguageOf = Annotated[LanguageCode, typer.Option(help="Language of the digest.")]


def _add_demo(app: typer.Typer, composition: Composition) -> None:
    @app.command()
    @guarded
    def demo(
        *,
        name: Reader = READER,
        language: LanguageOf = "en",
        corpus: Corpora = None,
        mapping: Maps = None,
        drop_repeats: Drop = False,
        now: Now = MOMENT,
        shape: Shape = "plain",
    ) -> int:
        """Print a weekly digest of a pretend workplace, or of a corpus that is served as one. Nothing is kept or sent."""
        import asyncio

        from orchestrator.digests import message_of
        from orchestrator.settings import load_settings
        from orchestrator.settings.digests import DigestSettings

        settings = load_settings()
        moment = read_now(now, settings.locale.timezone)
        wish = SandboxWish(tuple(corpus or ()), tuple(mapping or ()), now=moment, drop_repeats=drop_repeats)
        wished = DigestSettings(
            name=name, language=language, period="weekly", zone=settings.locale.zone or "Asia/Seoul"
        )
        digest = asyncio.run(_pretended(composition, settings, wish, wished, moment))
        sys.stdout.write(getattr(message_of(digest), shape))
        return Exit.NOTHING if digest.is_empty else Exit.FOUND


async def _pretended(
    composition: Composition, settings: Settings, wish: SandboxWish, wished: DigestSettings, now: datetime
) -> Digest:
    async with composition.sandbox(wish) as serving:
        theirs = settings.pretending(serving.settings(), digests={}, searches={})
        async with composition.digests(theirs, now) as service:
            return await service.since((now - WEEK).isoformat(), wished, wished.name)
