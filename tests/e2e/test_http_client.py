"""The Python client against the real server."""

import pytest

from fedsearch.client import ApiProblem, Client

QUESTION = "API 마이그레이션 일정에 대해 무엇을 결정했나요?"


async def test_a_program_asks(serve, tmp_path):
    async with serve(tmp_path) as api, Client(api.url, api.key) as fedsearch:
        answer = await fedsearch.search(QUESTION, limit=3, zone="Asia/Seoul")
        assert answer["question"]["zone"] == "Asia/Seoul"
        assert answer["results"][0]["number"] == 1
        assert (await fedsearch.understand(QUESTION))["language"] == "ko"
        assert {step["source"] for step in (await fedsearch.explain(QUESTION, sources=["slack"]))["steps"]} == {"slack"}
        assert {each["name"] for each in await fedsearch.sources()} == {"slack", "notion", "linear", "gmail"}
        await fedsearch.feedback(QUESTION, "right", source="notion", result_id="1")
        assert "notion" in (tmp_path / "feedback.jsonl").read_text("utf-8")


async def test_a_program_reads_a_stream(serve, tmp_path):
    async with serve(tmp_path) as api, Client(api.url, api.key) as fedsearch:
        told = [name async for name, _ in fedsearch.stream(QUESTION)]
        assert told[0] == "plan"
        assert told[-2:] == ["answer", "done"]
        with pytest.raises(ApiProblem, match="slack"):
            await fedsearch.search("okta", sources=["slak"])


async def test_refusals_are_errors_with_a_code_and_no_key(serve, tmp_path):
    async with serve(tmp_path, rate=1) as api:
        async with Client(api.url, "fsk_wrong_key") as stranger:
            with pytest.raises(ApiProblem) as refused:
                await stranger.search("okta")
            assert (refused.value.status, refused.value.code) == (401, "bad_key")
            assert "fsk_wrong_key" not in repr(refused.value) + str(refused.value)
        async with Client(api.url, api.key) as fedsearch:
            await fedsearch.understand("okta")
            with pytest.raises(ApiProblem) as refused:
                await fedsearch.understand("okta")
            assert refused.value.code == "too_many_requests"
            assert 0 < refused.value.retry_after <= 60
