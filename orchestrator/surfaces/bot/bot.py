"""The bot: hears questions and buttons, answers where they came from. Knows no platform and no source."""

from __future__ import annotations

import asyncio
import secrets
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from orchestrator.dialogue import goes_on, has_topic, subject_of, taken_as, turn_of
from orchestrator.model import Ask, BadAsk, DialogueTurn, FollowUp, NoSources, Principal
from orchestrator.surfaces.bot import actions, telling
from orchestrator.surfaces.bot.actions import Carried, unpacked
from orchestrator.surfaces.bot.inquiring import Inquiry, beyond
from orchestrator.surfaces.bot.platform import IncomingQuestion, PlatformRefused
from orchestrator.surfaces.bot.rights import NOBODY, Doorkeeper, alone, audience_of
from orchestrator.surfaces.bot.showing import Showing
from orchestrator.surfaces.bot.telling import home
from orchestrator.surfaces.bot.wishes import asked_anew, language_wished, only_from, small_talk
from orchestrator.surfaces.bot.words import language_of, words
from storage.logs import log_of
from translators.said import said_in

if TYPE_CHECKING:
    from collections.abc import Awaitable, Coroutine
    from datetime import date

    from orchestrator.surfaces.bot.inquiring import AskingProgress
    from orchestrator.surfaces.bot.platform import ChatLocation, Member, Message, Platform, Pressed
    from orchestrator.surfaces.bot.rights import Audience
    from orchestrator.surfaces.bot.services import BotServices

LONGEST = 1000  # characters of a question
PATIENCE = 30.0  # seconds that questions under way get when the bot is told to stop

log = log_of(__name__)


@dataclass(slots=True)
class ParsedQuestion:
    """What of a question has been read. ``whole``: it says by itself what it is about, since a button carried it.

    ``fixed``: the language is wished for, whatever the question is written in. ``asked``: on an earlier day, where a button carried it.
    """

    question: str
    language: str
    wide: bool = False
    whole: bool = False
    fixed: bool = False
    asked: date | None = None
    notes: list[str] = field(default_factory=list)


class Bot:
    """Made within a running loop. Every method may be called for as many questions at once as there are."""

    def __init__(self, services: BotServices, platform: Platform) -> None:
        self._services = services
        self._platform = platform
        self._memory = services.memory
        self._room = asyncio.Semaphore(services.at_once)
        self._tasks: set[asyncio.Task[None]] = set()
        self._pressing: set[tuple[str, ChatLocation, str, str]] = set()

    # ---- what is heard

    def ask(self, asked: IncomingQuestion) -> None:
        """Begin to answer a question, unless it was heard before. Returns at once."""
        self._begin(self._answer(asked, ParsedQuestion(asked.text.strip(), language_of(asked.text))), asked.id)

    def press(self, pressed: Pressed) -> None:
        """Begin to do what a button says, as whoever pressed it, unless that was heard before, or is being done: many press twice."""
        which = (pressed.person, pressed.place, pressed.action, pressed.value)
        if which not in self._pressing:
            self._pressing.add(which)
            task = self._begin(self._pressed(pressed), pressed.id)
            task.add_done_callback(lambda _: self._pressing.discard(which))

    def overhear(self, asked: IncomingQuestion) -> None:
        """Something said in a thread without naming the bot: it is answered if it asks on from a question asked there."""
        if asked.text.rstrip().endswith(("?", "\uff1f")) and len(asked.text) <= LONGEST:
            self._begin(self._overheard(asked))

    def introduce(self, person: str) -> None:
        """Begin to tell somebody how to ask, and who sees what."""
        self._begin(self._introduced(person))

    async def mend(self, team: str) -> None:
        """Say of answers in a workspace that nobody works on any more, since their process was ended, that they are."""
        for posted, language in await self._memory.broken_off(team):
            try:
                await self._platform.edit(posted, telling.plainly(words(language)["broken off"]))
            except PlatformRefused as refusal:
                log.warning("bot", said=refusal.message)

    async def aclose(self) -> None:
        """Let questions under way end, for a while."""
        if self._tasks:
            _, left = await asyncio.wait(self._tasks, timeout=PATIENCE)
            for task in left:
                task.cancel()

    async def idle(self) -> None:
        """Wait until nothing is under way."""
        while self._tasks:
            await asyncio.wait(self._tasks)

    # ---- questions

    def _begin(self, work: Coroutine[Any, Any, None], identity: str = "") -> asyncio.Task[None]:
        task = asyncio.ensure_future(self._guarded(work, identity))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _guarded(self, work: Coroutine[Any, Any, None], identity: str) -> None:
        """Once for each identity. One question never hurts another, nor the bot."""
        try:
            if not await self._memory.is_new(identity):
                work.close()
                return
            await work
        except PlatformRefused as refusal:
            log.warning("bot", said=refusal.message)
        except Exception as failure:  # noqa: BLE001 — a bug costs its own question only
            log.warning("bot", error=type(failure).__name__)

    async def _introduced(self, person: str) -> None:
        member = await self._platform.member(person)
        outside = telling.plainly(words(member.language)["outsider"])
        await self._platform.home(person, outside if member.outsider else home(self._services, member.language))

    async def _overheard(self, asked: IncomingQuestion) -> None:
        if not (await self._memory.turn(_thread(asked)) and await self._memory.is_new(asked.id)):
            return
        text = asked.text.strip()
        query = await self._services.engine.understand(Ask(text, self._services.clock(""), Principal(NOBODY)))
        # Somebody of another company is told that they cannot ask where they asked the bot, and not among others' talk.
        if goes_on(text, query) and not (await self._platform.member(asked.person)).outsider:
            await self._answer(asked, ParsedQuestion(text, language_of(text)))

    async def _answer(self, asked: IncomingQuestion, told: ParsedQuestion) -> None:
        """Acknowledge with a message, then let it become the answer."""
        if problem := _unaskable(told):
            await self._platform.whisper(asked, telling.plainly(problem))
            return
        if not told.whole and (reply := await self._courteous(asked, told)):
            await self._platform.whisper(asked, reply)
            return
        posted = await self._platform.post(asked, telling.waiting(told.language))
        await self._memory.owe(posted, told.language)
        showing = Showing(self._platform, asked, posted, self._services.every)
        try:
            async with self._room:
                await self._answered(asked, told, showing)
        except (BadAsk, NoSources) as failure:
            await showing.finish(telling.plainly(str(failure)))
        except PlatformRefused as refusal:
            log.warning("bot", said=refusal.message)
            await showing.finish(telling.plainly(words(told.language)["unseen"]))
        except Exception as failure:  # noqa: BLE001 — whoever asked is told, in whatever way it failed
            code = secrets.token_hex(4)
            log.warning("bot question", error=type(failure).__name__, code=code)
            await showing.finish(telling.plainly(words(told.language)["failed"].format(code=code)))
        await self._memory.settle(posted)

    async def _courteous(self, asked: IncomingQuestion, told: ParsedQuestion) -> Message | None:
        """What is said to somebody who asks nothing. One who wishes another language asks on in that."""
        talk, language = small_talk(told.question), language_wished(told.question)
        turn = await self._memory.turn(_thread(asked)) if language else None
        subject = await self._subject(turn) if turn else ""
        if subject:
            told.question, told.language = asked_anew(subject, language), language
            told.whole = told.fixed = True
            told.notes.append(said_in(taken_as(FollowUp(asked.text), told.question), language))
        if subject or not (talk or language):
            return None
        member = await self._platform.member(asked.person)
        language = language or language_of(told.question, member.language)
        if member.outsider:
            return telling.plainly(words(language)["outsider"])
        if talk == "help":
            return home(self._services, language)
        return telling.plainly(words(language)["welcome" if talk else "languages"])

    async def _answered(self, asked: IncomingQuestion, told: ParsedQuestion, showing: Showing) -> None:
        asker, audience = await self._audience(asked)
        if not told.fixed:
            told.language = language_of(told.question, asker.language)
        if asker.outsider:
            await showing.finish(telling.plainly(words(told.language)["outsider"]))
            return
        begun = await self._memory.turn(_thread(asked)) is not None
        ask = await self._in_context(asked, told, asker)
        doorkeeper = Doorkeeper(self._services.rights, self._platform)
        inquiry = Inquiry(self._services.engine, doorkeeper, ask)
        carried = Carried(told.question, told.wide, told.language, ask.now.date())
        zone = ask.now.tzinfo

        async def so_far(progress: AskingProgress) -> Message:
            return telling.answered(await inquiry.so_far(audience), carried, zone=zone, progress=progress)

        async with aclosing(inquiry.run()) as progressing, showing.pacing(so_far) as note:
            async for progress in progressing:
                if progress.awaited:
                    note(progress)
        answer = await inquiry.final(audience)
        await self._memory.remember(_thread(asked), turn_of(answer, ask))
        scope = (*told.notes, *(() if begun else self._scope(asked, audience, told.language)))  # said once in a thread
        await showing.finish(telling.answered(answer, carried, zone=zone, scope=scope))
        await self._services.answered(ask, answer)
        if not asked.alone and audience != alone(asker):
            private = await inquiry.final(alone(asker))
            if places := beyond(private, answer):
                await self._platform.whisper(asked, telling.for_you(private, places, carried, zone))

    async def _audience(self, asked: IncomingQuestion) -> tuple[Member, Audience]:
        asker = await self._platform.member(asked.person)
        if asked.alone:
            return asker, alone(asker)
        try:
            attendance = await self._platform.attendance(asked.place)
        except PlatformRefused as refusal:
            log.warning("bot audience", said=refusal.message)
            return asker, replace(alone(asker), people=None, unknown=True, others=(NOBODY,), place=asked.place.id)
        return asker, audience_of(asked.place.id, asker, attendance, self._services.people)

    async def _in_context(self, asked: IncomingQuestion, told: ParsedQuestion, asker: Member) -> Ask:
        """The question as it is meant after the one before it in its thread."""
        now, old = self._meant_at(told.asked, asker.zone, told.language)
        told.notes += old
        ask = Ask(
            told.question,
            now,
            asker.principal,
            limit=self._services.limit,
            budget=self._services.budget,
            wide=told.wide,
            language=told.language if told.fixed else asker.language,
        )
        engine, turn = self._services.engine, await self._memory.turn(_thread(asked))
        only = "" if told.whole or turn is None else await only_from(engine, ask)
        if only and turn:
            ask = replace(ask, text=f"{await self._subject(turn)} {only}", follow=FollowUp(told.question, turn.text))
        elif turn and not told.whole:
            ask = await engine.in_context(ask, turn)
        query = await engine.understand(ask)
        if not told.fixed:
            told.language = query.language
        if ask.follow:
            told.question = ask.text
            told.notes.append(said_in(taken_as(ask.follow, ask.text), told.language))
        if has_topic(query):
            await self._memory.remember(_thread(asked), DialogueTurn(ask.text))
        return ask

    async def _subject(self, turn: DialogueTurn) -> str:
        """What a question before this one was about."""
        asked = Ask(turn.text, self._services.clock(""), Principal(NOBODY))
        return subject_of(await self._services.engine.understand(asked))

    def _scope(self, asked: IncomingQuestion, audience: Audience, language: str) -> list[str]:
        told = words(language)
        notes = [told["for web"]] if audience.unknown else [told["for all"]] if audience.others else []
        if asked.alone:
            notes.append(told["you said"])
        if self._services.closed:
            notes.append(told["closed"].format(sources=", ".join(self._services.closed)))
        return notes

    # ---- buttons

    async def _pressed(self, pressed: Pressed) -> None:
        asked = IncomingQuestion(
            pressed.id, pressed.person, pressed.place, "", alone=pressed.private, reply=pressed.reply
        )
        carried, action = unpacked(pressed.value), _action(pressed.action)
        if carried is None or action not in actions.ACTIONS:
            member = await self._platform.member(pressed.person)
            await self._platform.whisper(asked, telling.plainly(words(member.language)["stale"]))
        elif action in (actions.ASK, actions.WIDER):
            wide, language = action == actions.WIDER, carried.language
            told = ParsedQuestion(carried.question, language, wide=wide, whole=True, asked=carried.asked)
            await self._answer(asked, told)
        elif action in (actions.GOOD, actions.BAD):
            await self._whispered(asked, carried, self._noted(pressed, carried, action))
        else:
            await self._whispered(asked, carried, self._looked_up(asked, carried, action))

    async def _whispered(self, asked: IncomingQuestion, carried: Carried, looking: Awaitable[Message]) -> None:
        """What somebody pressed for, or why they do not get it."""
        told = words(carried.language)
        try:
            message = await looking
        except PlatformRefused as refusal:
            log.warning("bot", said=refusal.message)
            message = telling.plainly(told["unseen"])
        except Exception as failure:  # noqa: BLE001 — whoever pressed is told, in whatever way it failed
            code = secrets.token_hex(4)
            log.warning("bot button", error=type(failure).__name__, code=code)
            message = telling.plainly(told["failed"].format(code=code))
        await self._platform.whisper(asked, message)

    def _meant_at(self, asked: date | None, zone: str, language: str) -> tuple[datetime, list[str]]:
        """The moment that a question is read at, and a line where that is an earlier day: its answer is asked about, not another week's."""
        now = self._services.clock(zone)
        if asked is None or asked >= now.date():
            return now, []
        then = datetime.combine(asked, now.timetz())
        return then, [words(language)["as asked"].format(day=asked.isoformat())]

    async def _noted(self, pressed: Pressed, carried: Carried, action: str) -> Message:
        told = words(carried.language)
        member = await self._platform.member(pressed.person)
        if member.outsider:
            return telling.plainly(told["outsider"])
        verdict = "right" if action == actions.GOOD else "wrong"
        try:
            await self._services.judged(member.principal.id, carried.question, verdict)
        except OSError as failure:
            log.warning("bot feedback", error=failure.strerror)
            return telling.plainly(told["not noted"])
        return telling.plainly(told["thanks"])

    async def _looked_up(self, asked: IncomingQuestion, carried: Carried, action: str) -> Message:
        """The question once more, as whoever pressed: what they may see decides, not what was shown to another."""
        asker = await self._platform.member(asked.person)
        if asker.outsider:
            return telling.plainly(words(carried.language)["outsider"])
        now, old = self._meant_at(carried.asked, asker.zone, carried.language)
        limit = telling.ALL if action == actions.MORE else self._services.limit
        ask = Ask(
            carried.question, now, asker.principal, limit=limit, budget=self._services.budget, wide=carried.wide,
            language=carried.language,
        )  # fmt: skip
        inquiry = Inquiry(self._services.engine, Doorkeeper(self._services.rights, self._platform), ask)
        try:
            async with self._room, aclosing(inquiry.run()) as progressing:
                async for _ in progressing:
                    pass
                answer = await inquiry.final(alone(asker))
        except (BadAsk, NoSources) as failure:
            return telling.plainly(str(failure))
        await self._services.answered(ask, answer)
        if action == actions.MORE:
            return telling.noting(telling.everything(answer, carried, now.tzinfo), old)
        if action == actions.WHY:
            return telling.noting(telling.reasons(answer, carried), old)
        return telling.noting(telling.receipts(answer, carried, self._services.closed), old)


def _thread(asked: IncomingQuestion) -> ChatLocation:
    """Whose questions go on from each other: those of one thread, and those that one person asks there alone."""
    return replace(asked.place, thread=f"{asked.place.thread}@{asked.person}") if asked.alone else asked.place


def _unaskable(told: ParsedQuestion) -> str:
    if not told.question:
        return words(told.language)["empty"]
    return words(told.language)["long"].format(most=LONGEST) if len(told.question) > LONGEST else ""


def _action(name: str) -> str:
    """Without the place that sets buttons of one action apart."""
    head, _, tail = name.rpartition(".")
    return head if tail.isdigit() else name
