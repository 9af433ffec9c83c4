"""The map in the documents is that of the code: the same rooms, each on a floor above all that it imports."""

from __future__ import annotations

from tests.house_map import PAGE, arrows, floors, reduced


def test_every_arrow_goes_down() -> None:
    graph = arrows()
    height = {room: at for at, floor in enumerate(floors(graph)) for room in floor}
    assert all(height[room] > height[other] for room, others in graph.items() for other in others)


def test_the_drawing_is_of_the_code_as_it_is() -> None:
    graph = reduced(arrows())
    drawn = {line.strip() for line in PAGE.read_text("utf-8").splitlines() if " --> " in line}
    assert drawn == {f"{room} --> {other}" for room, others in graph.items() for other in others}, "run make map"


def test_an_arrow_that_others_imply_is_left_out() -> None:
    graph = {"top": {"middle", "floor"}, "middle": {"floor"}, "floor": set[str]()}
    assert reduced(graph) == {"top": {"middle"}, "middle": {"floor"}, "floor": set()}
    assert floors(graph) == [["floor"], ["middle"], ["top"]]
