"""Mailboxes, exports and archives made here: what is in them, and what of them is not believed."""

import io
import json
import mailbox
import zipfile
from datetime import UTC, datetime
from email.message import EmailMessage
from pathlib import Path

import pytest

from connectors.local.ingest.drafts import IngestLimits, Reason, Skip
from connectors.local.ingest.opening import Opener
from connectors.local.ingest.walking import FoundFile, Walk
from connectors.local.ingest.worker import IngestWorkers
from translators.query import Kind, State

HEX = "0123456789abcdef0123456789abcdef"


@pytest.fixture
def opened():
    """A function of a path: the drafts of that file, and what was skipped in it."""
    with IngestWorkers(1) as workers:

        def read(path, limits=None):
            skipped = {}
            known = path.stat()
            found = FoundFile(path, path.name, known.st_size, known.st_mtime_ns)
            opener = Opener(workers, limits or IngestLimits())
            return list(opener.drafts(found, lambda name, skip: skipped.update({name: skip.reason}))), skipped

        yield read


def packed(path, members):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content if isinstance(content, str | bytes) else json.dumps(content))
    return path


def mail(number=1, subject="회의록 공유", **headers):
    message = EmailMessage()
    message["From"], message["To"] = "김민수 <minsu@example.com>", "서연 <seoyeon@example.com>"
    message["Subject"], message["Date"] = subject, "Thu, 01 Oct 2026 09:00:00 +0900"
    message["Message-ID"] = f"<m{number}@example.com>"
    for name, value in headers.items():
        message[name.replace("_", "-")] = value
    message.set_content(f"{number}차 회의록입니다.")
    return message


def text(draft):
    return "\n".join(each.text for each in draft.sections)


# ---- mail


def test_an_mbox_of_takeout(tmp_path, opened):
    path = tmp_path / "All mail.mbox"
    box = mailbox.mbox(path)
    first = mail(X_GM_THRID="77", X_Gmail_Labels="중요,받은편지함")
    first.add_attachment(b"...", maintype="application", subtype="pdf", filename="예산안.pdf")
    box.add(first)
    box.add(mail(2, In_Reply_To="<m1@example.com>"))
    box.add(mail(2))
    box.close()
    drafts, skipped = opened(path)
    assert not skipped
    assert [each.key for each in drafts] == ["m1@example.com", "m2@example.com"]
    draft = drafts[0]
    assert (draft.title, draft.kind, draft.author.name) == ("회의록 공유", Kind.MAIL, "김민수")
    assert draft.created == datetime(2026, 10, 1, tzinfo=UTC)
    assert "1차 회의록입니다." in text(draft)
    assert "예산안.pdf" in text(draft)
    assert draft.facts["thread"] == "77"
    assert draft.facts["labels"] == ("중요", "받은편지함")
    assert drafts[1].facts["thread"] == "m1@example.com"


def test_takeout_in_its_zip_and_an_mbox_without_an_ending(tmp_path, opened):
    path = tmp_path / "Sent"
    box = mailbox.mbox(path)
    box.add(mail())
    box.add("garbage without headers")
    box.close()
    drafts, skipped = opened(path)
    assert [each.key for each in drafts] == ["m1@example.com"]
    assert skipped == {"message 2": Reason.WRONG_TYPE}
    takeout = packed(
        tmp_path / "takeout.zip",
        {
            "Takeout/Mail/All.mbox": path.read_bytes(),
            "Takeout/Mail/한 통.eml": mail(3).as_bytes(),
            "Takeout/a.png": "?",
        },
    )
    drafts, skipped = opened(takeout)
    assert [each.key for each in drafts] == ["Takeout/Mail/All.mbox!/m1@example.com", "Takeout/Mail/한 통.eml"]
    assert skipped == {"Takeout/Mail/All.mbox!/message 2": Reason.WRONG_TYPE, "Takeout/a.png": Reason.WRONG_TYPE}


def test_mail_that_is_html_alone_and_a_header_in_raw_korean(tmp_path, opened):
    path = tmp_path / "raw.eml"
    path.write_bytes(
        "From: 김민수 <m@example.com>\r\nSubject: 배포 공지\r\nContent-Type: text/html; charset=euc-kr\r\n\r\n"
        "<p>금요일에 <b>배포</b>한다</p><script>x</script>".encode("cp949")
    )
    (draft,), _ = opened(path)
    assert (draft.title, draft.author.name) == ("배포 공지", "김민수")
    assert text(draft) == "금요일에 배포한다"


def test_mail_in_the_charset_of_its_time(tmp_path, opened):
    path = tmp_path / "old.eml"
    path.write_bytes(
        b"From: =?ks_c_5601-1987?B?" + b"sei5zrz2" + b"?= <m@example.com>\r\nSubject: x\r\n"
        b"Content-Type: text/plain; charset=ks_c_5601-1987\r\n\r\n" + "똠방각하 배포".encode("cp949")
    )
    (draft,), _ = opened(path)
    assert draft.key == ""
    assert "똠방각하 배포" in text(draft)


def test_a_maildir_keeps_its_mails_whatever_their_flags(tmp_path, opened):
    box = mailbox.Maildir(tmp_path / "Mail")
    key = box.add(mailbox.MaildirMessage(mail()))
    (before,) = [each for each in Walk(tmp_path).files() if each.is_mail]
    message = box[key]
    message.set_subdir("cur")
    message.set_flags("S")
    box[key] = message
    (after,) = [each for each in Walk(tmp_path).files() if each.is_mail]
    assert before.path != after.path
    assert before.name == after.name


# ---- exports


def slack(path, **more):
    users = [
        {"id": "U1", "name": "minsu", "profile": {"real_name": "김민수", "email": "minsu@example.com"}},
        {"id": "U2", "name": "sy", "profile": {"real_name": "이서연", "email": "sy@example.com"}},
    ]

    def said(who, words, stamp, **fields):
        return {"type": "message", "user": who, "text": words, "ts": stamp, **fields}

    members = {
        "users.json": users,
        "channels.json": [{"id": "C1", "name": "배포", "members": ["U1", "U2"]}],
        "groups.json": [{"id": "G1", "name": "인사", "members": ["U2"]}],
        "배포/2026-10-01.json": [
            said("U1", "<@U2> 금요일에 &lt;배포&gt;할까요?", "1759300000.000100", thread_ts="1759300000.000100"),
            said("U2", "들어왔습니다", "1759300001.000100", subtype="channel_join"),
            said("U1", "점심 먹으러 갑니다", "1759300002.000100", files=[{"name": "menu.png", "title": "식단표"}]),
        ],
        "배포/2026-10-02.json": [said("U2", "네, 그렇게 정하죠", "1759390000.000100", thread_ts="1759300000.000100")],
        "인사/2026-10-01.json": [said("U2", "연봉 협상", "1759300003.000100")],
        **more,
    }
    return packed(path, members)


def test_a_slack_export_by_threads_and_messages(tmp_path, opened):
    drafts, skipped = opened(slack(tmp_path / "s.zip", **{"배포/2026-10-03.json": b"{broken"}))
    assert skipped == {"배포/2026-10-03.json": Reason.BROKEN}
    thread, message, private = drafts
    assert (thread.kind, thread.key, str(thread.container)) == (Kind.THREAD, "C1/1759300000.000100", "배포")
    assert text(thread) == "김민수: @이서연 금요일에 <배포>할까요?\n\n이서연: 네, 그렇게 정하죠"
    assert (thread.author.name, thread.author.email) == ("김민수", "minsu@example.com")
    assert thread.created < thread.updated
    assert thread.facts["voices"] == ("김민수", "이서연")
    assert "voices" not in message.facts
    assert (message.kind, text(message)) == (Kind.MESSAGE, "점심 먹으러 갑니다\nFiles: 식단표")
    assert thread.readers is None
    assert private.readers == ("user:sy@example.com",)


def test_a_notion_export_within_an_export(tmp_path, opened):
    inner = packed(
        tmp_path / "inner.zip",
        {
            f"Export-1/팀 {HEX}/배포 계획 {HEX[::-1]}.md": "# 배포 계획\n\nCreated by: 김민수\nLast edited time: October 5, 2026 3:00 PM\n\n금요일",
            f"Export-1/할 일 {HEX}.csv": "이름,상태\n보기,완료\n",
            f"Export-1/할 일 {HEX}_all.csv": "이름,상태\n전부,완료\n",
        },
    )
    drafts, skipped = opened(packed(tmp_path / "n.zip", {"ExportBlock-Part-1.zip": inner.read_bytes()}))
    assert not skipped
    page, database = sorted(drafts, key=lambda each: each.kind == Kind.DATABASE)
    assert (page.title, page.kind, page.url) == ("배포 계획", Kind.PAGE, f"https://www.notion.so/{HEX[::-1]}")
    assert (page.author.name, str(page.container)) == ("김민수", "팀")
    assert page.updated == datetime(2026, 10, 5, 15, tzinfo=UTC)
    assert page.key.startswith("ExportBlock-Part-1.zip!/Export-1/")
    assert (database.title, text(database)) == ("할 일", "이름: 전부; 상태: 완료")


def test_jira_as_json_and_as_csv(tmp_path, opened):
    adf = {
        "type": "doc",
        "content": [{"type": "paragraph", "content": [{"type": "text", "text": "결제가 두 번 된다"}]}],
    }
    issue = {
        "key": "PAY-7",
        "self": "https://acme.atlassian.net/rest/api/3/issue/1",
        "fields": {
            "summary": "중복 결제",
            "description": adf,
            "status": {"name": "완료", "statusCategory": {"key": "done"}},
            "assignee": {"displayName": "이서연", "accountId": "a1"},
            "created": "2026-10-01T09:00:00.000+0900",
            "project": {"key": "PAY", "name": "결제"},
            "comment": {"comments": [{"body": "재현했다"}, {"body": "고쳤다", "author": {"displayName": "김민수"}}]},
        },
    }
    file = tmp_path / "issues.json"
    file.write_text(json.dumps({"issues": [issue, {"key": "X"}]}), "utf-8")
    (draft,), _ = opened(file)
    assert (draft.title, draft.url) == ("PAY-7 중복 결제", "https://acme.atlassian.net/browse/PAY-7")
    assert (draft.state, draft.assignee.name) == (State.DONE, "이서연")
    assert text(draft) == "결제가 두 번 된다\n재현했다\n김민수: 고쳤다"
    assert draft.facts["voices"] == ("김민수",)
    file = tmp_path / "issues.csv"
    file.write_text(
        "Summary,Issue key,Status,Project name,Created,Reporter,Reporter Id,Comment,Comment\n"
        "중복 결제,PAY-7,In Progress,결제,01/Oct/26 9:00 AM,이서연,a1,01/Oct/26;sy;재현; 했다,02/Oct/26;a1;고쳤다\n",
        "utf-8",
    )
    (draft,), _ = opened(file)
    assert (draft.key, draft.state, str(draft.container)) == ("PAY-7", State.OPEN, "결제")
    assert draft.created == datetime(2026, 10, 1, 9, tzinfo=UTC)
    assert text(draft).endswith("sy: 재현; 했다\n이서연: 고쳤다")
    assert (draft.author.name, draft.facts["voices"]) == ("이서연", ("sy", "이서연"))


def test_json_of_others_is_named(tmp_path, opened):
    file = tmp_path / "package.json"
    file.write_text("{}")
    with pytest.raises(Skip) as caught:
        opened(file)
    assert caught.value.reason == Reason.WRONG_TYPE


# ---- archives that are not believed


def test_what_is_unsafe_in_an_archive_is_skipped_and_the_rest_read(tmp_path, opened):
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in ("../../etc/cron.d/x.md", "/abs.md", "C:\\x.md", "a\\..\\..\\b.md"):
            archive.writestr(name, "# 밖")
        link = zipfile.ZipInfo("link.md")
        link.external_attr = 0o120777 << 16
        archive.writestr(link, "/etc/passwd")
        archive.writestr("bomb.md", b"a" * (40 << 20))
        archive.writestr("good.md", "# 안\n배포")
        archive.writestr("__MACOSX/._good.md", b"\0")
        archive.writestr("picture.png", b"\x89PNG")
    drafts, skipped = opened(path)
    assert [each.key for each in drafts] == ["good.md"]
    assert list(skipped.values()).count(Reason.UNSAFE) == 6
    assert skipped["picture.png"] == Reason.WRONG_TYPE
    assert not list(tmp_path.parent.glob("etc"))


def test_many_small_members_are_a_bomb_together(tmp_path, opened):
    path = packed(tmp_path / "a.zip", {f"{n}.txt": "가" * 20_000 for n in range(20)})
    drafts, skipped = opened(path, IngestLimits(unpacked=200_000))
    assert 0 < len(drafts) < 20
    assert list(skipped.values()) == [Reason.UNSAFE]


def test_archives_are_opened_only_so_deep(tmp_path, opened):
    content = b"# deep"
    name = "x.md"
    for _ in range(5):
        file = io.BytesIO()
        with zipfile.ZipFile(file, "w") as archive:
            archive.writestr(name, content)
        content, name = file.getvalue(), "in.zip"
    (tmp_path / "o.zip").write_bytes(content)
    drafts, skipped = opened(tmp_path / "o.zip")
    assert drafts == []
    assert skipped == {"in.zip!/in.zip!/in.zip": Reason.UNSAFE}


def test_an_encrypted_member_is_named(tmp_path, opened):
    path = packed(tmp_path / "a.zip", {"비밀.md": "# 비밀", "공개.md": "# 공개\n글"})
    raw = bytearray(path.read_bytes())
    for mark, place in ((b"PK\3\4", 6), (b"PK\1\2", 8)):
        raw[raw.find(mark) + place] |= 1
    path.write_bytes(raw)
    drafts, skipped = opened(path)
    assert [each.title for each in drafts] == ["공개"]
    assert skipped == {"비밀.md": Reason.PASSWORD}


def test_names_that_korean_windows_wrote(tmp_path, opened):
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("AAAA.md", "글")
    path.write_bytes(path.read_bytes().replace(b"AAAA.md", "배포".encode("cp949") + b".md"))
    (draft,), _ = opened(path)
    assert draft.key == "배포.md"


# ---- folders


def test_a_walk_stays_inside_and_leaves_out_what_is_hidden(tmp_path):
    for name in ("가/나.md", ".git/config.md", "node_modules/x.md", "로그/a.log", "b.md", ".env.md"):
        path = tmp_path / "root" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x")
    root = tmp_path / "root"
    (tmp_path / "secret.md").write_text("x")
    (root / "loop").symlink_to(root)
    (root / "self").symlink_to("self")
    (root / "out.md").symlink_to(tmp_path / "secret.md")
    (root / "가" / "또.md").symlink_to(root / "b.md")
    walk = Walk(root, ("*.log",))
    assert [each.name for each in walk.files()] == ["b.md", "가/나.md"]
    assert {name: skip.reason for name, skip in walk.skipped} == {"self": Reason.BROKEN, "out.md": Reason.UNSAFE}


def test_names_of_macos_are_composed(tmp_path):
    import unicodedata

    (tmp_path / unicodedata.normalize("NFD", "배포.md")).write_text("x")
    (found,) = Walk(tmp_path).files()
    assert found.name == "배포.md"
    assert isinstance(found.path, Path)
