"""What the commands of the index print where no terminal is."""

from connectors.local.ingest import Collection, IngestReport, SkippedFile
from connectors.local.ingest.drafts import Reason
from orchestrator.surfaces.cli.index_view import print_collections, print_reports

FAR = "/home/minsu/" + "a very long folder/" * 20


def test_a_collection_is_a_line_in_a_pipe(capsys):
    found = [Collection(name, f"{FAR}{name}", ("user:local",), 3, 2, 1, None) for name in ("노트", "mail")]
    print_collections(found, as_json=False)
    lines = capsys.readouterr().out.splitlines()
    assert [f"{FAR}{each.name}" in line for each, line in zip(found, lines, strict=True)] == [True, True]


def test_files_are_counted_once_and_each_that_is_skipped_is_a_line(capsys):
    skipped = [SkippedFile(f"{FAR}x.bin", Reason.WRONG_TYPE, ".bin files are not read")]
    print_reports([IngestReport("노트", 20, 5, 3, 12, gone=1, added=3, skipped=skipped)], as_json=False)
    out = capsys.readouterr().out
    assert "20 files: 3 read, 5 as before, 12 left out; 1 gone" in out
    assert f"{FAR}x.bin" in out
    print_reports([IngestReport("노트", 1, 0, 1, 0, added=1)], as_json=False)
    assert capsys.readouterr().out.split("\n")[:2] == [
        "노트  1 file: 1 read, 0 as before, 0 left out",
        "  1 document added, 0 changed, 0 removed",
    ]
