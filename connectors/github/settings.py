"""What can be set for a GitHub source."""

from __future__ import annotations

import re
from typing import Annotated, Literal, Self

from pydantic import Field, PositiveInt, field_validator, model_validator

from connectors.manifest import SourceSettings
from translators.said import Said

OWNER = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9_-]{0,38})")
REPOSITORY = re.compile(rf"(?:{OWNER.pattern}/)?(?!\.{{1,2}}$)[A-Za-z0-9_.-]{{1,100}}")
MOST_REPOSITORIES = 12  # so that two queries name them all

ScopeName = Literal["issues", "pull_requests", "discussions", "code"]


class GitHubSettings(SourceSettings):
    """Settings of one GitHub source.

    ``scopes``: what is searched. ``org``: the organisation (or account) to stay inside; its members and repositories
    are known by name. ``repos``: the repositories to stay inside, as ``owner/name`` or, in ``org``, as ``name``.
    ``comments``: whether comments are searched as well; what matched may then stand in one that is not returned, so no
    hit counts as its whole text. ``max_text``: characters kept of one thing. ``directory_pages``: how many pages of 100
    members, and of 100 repositories, are read at most. ``version``: GitHub's API version.
    """

    scopes: Annotated[tuple[ScopeName, ...], Field(min_length=1)] = ("issues", "pull_requests", "discussions", "code")
    org: str = ""
    repos: Annotated[tuple[str, ...], Field(max_length=MOST_REPOSITORIES)] = ()
    comments: bool = True
    max_text: PositiveInt = 20_000
    directory_pages: PositiveInt = 5
    version: str = Field(default="2022-11-28", pattern=r"^\d{4}-\d{2}-\d{2}$")

    @field_validator("org")
    @classmethod
    def _is_owner(cls, org: str) -> str:
        if org and not OWNER.fullmatch(org):
            raise ValueError(Said("org must be the name of an organisation as it stands in its address, such as acme"))
        return org

    @field_validator("repos")
    @classmethod
    def _are_repositories(cls, repos: tuple[str, ...]) -> tuple[str, ...]:
        if wrong := [repo for repo in repos if not REPOSITORY.fullmatch(repo)]:
            raise ValueError(Said("{wrong} is no repository; write owner/name").filled(wrong=repr(wrong[0])))
        return tuple(dict.fromkeys(repos))

    @model_validator(mode="after")
    def _owners_are_known(self) -> Self:
        if not self.org and (bare := [repo for repo in self.repos if "/" not in repo]):
            raise ValueError(
                Said("repos: {bare} has no owner; write owner/name, or set org").filled(bare=repr(bare[0]))
            )
        return self

    @property
    def repositories(self) -> tuple[str, ...]:
        """``repos`` in full. A name without an owner is one of ``org``."""
        return tuple(repo if "/" in repo else f"{self.org}/{repo}" for repo in self.repos)

    def inside(self, repository: str) -> bool:
        """Whether a repository (``owner/name``) is among those to stay inside."""
        if self.repos:
            return repository.casefold() in {repo.casefold() for repo in self.repositories}
        return not self.org or repository.partition("/")[0].casefold() == self.org.casefold()
