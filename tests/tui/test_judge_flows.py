"""What a person does in Judge, told as flows against servers on loopback."""

from __future__ import annotations

import time
from collections import Counter
from pathlib import Path

import pytest

from ifbench_tui.cli import main
from ifbench_tui.workspace import Workspace
from tests.cli.data import PROMPTS
from tests.judge.data import write_rows
from tests.judge.server import Answer, Request, Server, chat

from .conftest import MakeApp, screen_text, settle, until
from .judging import PATIENT, fill, judge_screen, mt_paths, pair_rows, rows_of, settings, wait

WIDE = (120, 40)
KEY = "sk-secret-0123456789"

pytestmark = pytest.mark.usefixtures("judge_folder")


# ---- the whole way -----------------------------------------------------------------------------


async def test_from_the_form_to_a_board_through_faults(make_app: MakeApp, tmp_path: Path) -> None:
    pytest.importorskip("llmock", reason="the extra [test] installs llmock")
    from llmock.pytest_plugin import LLMock
    from llmock.testing import LLMockServer

    with LLMockServer() as server:
        llmock = LLMock(server)
        llmock.reply("Fine. Rating: [[7]]").rate_limit(times=2, retry_after=0.1)
        llmock.reply("Rating: [[4]]").fail(503, times=1, retry_after=0.1)
        llmock.reply("nothing to read here").reply("Good. Rating: [[9]]", times=5)
        app = make_app(start="judge", paths=mt_paths(tmp_path / "data"))
        async with app.run_test(size=WIDE) as pilot:
            screen = await judge_screen(pilot)
            assert "mt-single" in screen_text(app)
            assert "there is no base URL yet" in screen_text(app)
            await fill(pilot, "base URL", llmock.base_url())
            assert "there is no model to ask yet" in screen_text(app)
            await fill(pilot, "model to ask", "org/judge-1")
            await fill(pilot, "calls at once", "1")
            await fill(pilot, "prices", "1000 2000")
            text = screen_text(app)
            assert "8 rows need 8 calls; 0 more are answered already" in text
            assert "That costs at most about" in text
            assert "(this machine)" in text
            assert llmock.requests == [], "nothing is sent before the person says so"
            await pilot.press("r")
            await wait(pilot)
            text = screen_text(app)
            assert "8 of 8 rows  8 calls made" in text
            assert "✓ ok 7" in text
            assert "✗ no_verdict 1" in text
            assert "asked again after http_429 2, http_503 1" in text
            assert "1 incomplete: judge_mt-single_org_judge-1.jsonl in the current folder" in text
            assert len(llmock.requests) == 8 + 3
            llmock.assert_resilient()
            assert screen.tally is not None
            assert screen.tally.tokens.prompt > 0
            assert f"tokens {screen.tally.tokens.prompt:,} sent" in text
            out = Path.cwd() / "judge_mt-single_org_judge-1.jsonl"
            assert str(out) in app.bench.paths
            assert app.bench.workspace is not None
            assert any(one.path == str(out) and one.judged == 8
                       for one in app.bench.workspace.sources)  # fmt: skip
            await pilot.press("e", "e")
            text = screen_text(app)
            assert "errors only" in text
            assert [line for line in text.splitlines() if "no_verdict" in line and "turn" in line]
            assert "ok: 9" not in text
            # Once more: all is answered, so the server hears nothing, and its own file is renewed.
            await pilot.press("r")
            await wait(pilot)
            assert "8 answered before" in screen_text(app)
            assert len(llmock.requests) == 11
    assert [path.name for path in Path.cwd().iterdir()] == [out.name]
    assert sorted(int(str(row["score"])) for row in rows_of(out)) == [-1, 4, 7, 9, 9, 9, 9, 9]
    assert main(["score", *mt_paths(tmp_path / "data"), str(out), "--json"]) == 0


async def test_a_run_stopped_half_way_goes_on_without_paying_twice(
    make_app: MakeApp, tmp_path: Path
) -> None:
    paid: Counter[str] = Counter()
    hanging = True

    def answer(request: Request) -> Answer:
        if hanging and request.number > 4:
            return Answer(b"", "hang")
        paid[request.prompt] += 1
        return chat("Rating: [[6]]")

    app = make_app(
        start="judge", paths=mt_paths(tmp_path / "data"), config=settings(judge_model="j", jobs=1)
    )
    with Server(answer) as server:
        async with app.run_test(size=(80, 24)) as pilot:
            screen = await judge_screen(pilot)
            await fill(pilot, "base URL", server.base_url)
            await pilot.press("r")
            await until(
                pilot, lambda: screen.tally and screen.tally.in_flight and screen.tally.fresh == 4,
                turns=PATIENT,
            )  # fmt: skip
            text = screen_text(app)
            assert "4 of 8 rows  4 calls made  1 under way" in text
            assert "asking" in text
            assert "esc stops; answers are kept" in text
            await pilot.press("f")
            screen.change(screen.form)
            await pilot.pause()
            await pilot.press("escape")
            await wait(pilot)
            text = screen_text(app)
            assert "stopped: answers are kept, r goes on; 1 cut off may have been paid" in text
            assert "4 of 8 rows  4 calls made  1 cut off" in text
            assert "asking" not in text
            assert list(Path.cwd().iterdir()) == []
            assert screen.planned is not None
            assert screen.planned.estimate is not None
            assert (len(screen.planned.estimate.calls), screen.planned.estimate.known) == (4, 4)
            hanging = False
            await pilot.press("r")
            await wait(pilot)
            assert "4 answered before" in screen_text(app)
    assert len(server.requests) == 4 + 1 + 4
    assert set(paid.values()) == {1}
    assert len(paid) == 8
    assert len(rows_of(Path.cwd() / "judge_mt-single_j.jsonl")) == 8


async def test_replies_that_were_no_good_are_asked_again_on_request_only(
    make_app: MakeApp, tmp_path: Path
) -> None:
    app = make_app(
        start="judge", paths=mt_paths(tmp_path / "data", ("tern",)),
        config=settings(judge_model="j", jobs=1),
    )  # fmt: skip
    with Server(lambda one: chat("" if one.number == 2 else "[[5]]")) as server:
        async with app.run_test(size=WIDE) as pilot:
            screen = await judge_screen(pilot)
            await fill(pilot, "base URL", server.base_url)
            await pilot.press("r")
            await wait(pilot)
            assert "! empty 1" in screen_text(app)
            await pilot.press("r")
            await wait(pilot)
            assert len(server.requests) == 4
            row = [field.label for field in screen.fields].index("kept replies")
            screen.query_one("#form").focus()
            await pilot.press("g", *"j" * row, "l")
            await judge_screen(pilot)
            assert "sends 1 call to" in screen_text(app)
            await pilot.press("r")
            await wait(pilot)
            assert "✓ ok 4" in screen_text(app)
    assert len(server.requests) == 5
    assert len(rows_of(Path("judge_mt-single_j.jsonl"))) == 4


def test_each_protocol_takes_the_files_of_its_benchmark() -> None:
    from ifbench_tui.judge.plan import PROTOCOLS
    from ifbench_tui.tui.judge_form import Shelf
    from ifbench_tui.workspace import SourceReport

    forms = ("mt-bench-questions", "arena-hard-answers", "alpaca-outputs", "mt-bench-answers")
    sources = [SourceReport(form, form, "", 1, 0, 0, 1, 0, 0, 0, judged=1) for form in forms]
    shelf = Shelf.of(sources, forms)
    assert {name: shelf.answers(name) for name in PROTOCOLS} == {
        "mt-single": ("mt-bench-questions", "mt-bench-answers"),
        "mt-pair": ("mt-bench-questions", "mt-bench-answers"),
        "alpaca-eval": ("alpaca-outputs",),
        "arena-v2": ("arena-hard-answers",),
        "arena-v0.1": ("arena-hard-answers",),
    }
    assert Shelf.of(sources[:1], forms).answers("arena-v2") == ()
    assert Shelf.of([], ["unknown.jsonl"]).answers("arena-v2") == ("unknown.jsonl",)


def test_standard_input_is_never_read_again() -> None:
    from ifbench_tui.tui.judge_form import Shelf
    from ifbench_tui.tui.judge_jobs import judged_paths
    from ifbench_tui.workspace import SourceReport

    def source(path: str, form: str) -> SourceReport:
        return SourceReport(path, form, "", 1, 0, 0, 1, 0, 0, 0, battles=1, judged=1)

    sources = [source("-", "mt-bench-questions"), source("a.jsonl", "mt-bench-answers")]
    shelf = Shelf.of(sources, ["-", "a.jsonl"])
    assert (shelf.answers("mt-pair"), shelf.prompts) == (("a.jsonl",), ("a.jsonl",))
    assert judged_paths(sources) == ["a.jsonl"]
    assert Shelf.of([], ["-"]) == Shelf()


async def test_leaving_the_app_does_not_wait_for_a_server_that_hangs(
    make_app: MakeApp, tmp_path: Path
) -> None:
    app = make_app(
        start="judge", paths=mt_paths(tmp_path / "data"), config=settings(judge_model="j")
    )
    with Server(lambda _: Answer(b"", "hang")) as server:
        async with app.run_test(size=WIDE) as pilot:
            screen = await judge_screen(pilot)
            await fill(pilot, "base URL", server.base_url)
            await pilot.press("r")
            await until(pilot, lambda: screen.tally and screen.tally.in_flight == 4, turns=PATIENT)
            asking = screen.asking
            assert asking is not None
            begun = time.monotonic()
            await pilot.press("q")
        await app.workers.wait_for_complete()
        assert time.monotonic() - begun < 5
        assert asking.run.done == 0


async def test_pairs_show_the_judges_bias_and_feed_ratings(
    make_app: MakeApp, tmp_path: Path
) -> None:
    app = make_app(
        start="judge", paths=mt_paths(tmp_path / "data"), config=settings(judge_model="j")
    )
    with Server(lambda _: chat("I like the first. [[A]]")) as server:
        async with app.run_test(size=WIDE) as pilot:
            await judge_screen(pilot)
            await fill(pilot, "base URL", server.base_url)
            await pilot.press("v")
            await judge_screen(pilot)
            assert "Nothing loaded says anything about a judge" in screen_text(app)
            await pilot.press("v", "g", "j", "l")
            await judge_screen(pilot)
            assert "mt-pair: MT-Bench, pairs in both orders" in screen_text(app)
            assert "4 rows need 8 calls" in screen_text(app)
            await pilot.press("r")
            await wait(pilot)
            assert "ok: A, A" in screen_text(app)
            await pilot.press("v")
            await settle(pilot)
            text = screen_text(app)
            assert "same position wins both" in text
            assert "100.0 51.0–100.0" in text
            assert "not enough data" in text
            await pilot.press("5")
            await settle(pilot)
            assert "4 battles  2 models" in screen_text(app)


async def test_biases_of_judgments_that_were_loaded(make_app: MakeApp, tmp_path: Path) -> None:
    app = make_app(start="judge", paths=(pair_rows(tmp_path / "pairs.jsonl"),))
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await judge_screen(pilot)
        await pilot.press("f", "v")
        await settle(pilot)
        text = screen_text(app)
        assert "games that disagree" in text
        assert "20.0 10.5–34.8" in text
        assert "first position's share of wins" in text
        assert "60.0 49.0–70.0" in text
        assert "p = 0.0929 (exact, against 50 %)" in text
        await pilot.press("y")
        await settle(pilot)
        assert "games that disagree" in app.clipboard
        await pilot.press("w")
        await pilot.pause()
        await pilot.press("enter")
        await settle(pilot)
        assert "games that disagree" in Path("judge.csv").read_text()


async def test_responses_are_generated_and_can_be_audited(
    make_app: MakeApp, tmp_path: Path
) -> None:
    prompts = str(write_rows(tmp_path / "prompts.jsonl", PROMPTS))
    app = make_app(start="judge", paths=(prompts,))
    with Server(lambda one: chat(f"answer to {one.prompt}")) as server:
        async with app.run_test(size=WIDE) as pilot:
            await judge_screen(pilot)
            assert "responses to prompts" in screen_text(app), "prompts alone are not to be judged"
            await fill(pilot, "base URL", server.base_url)
            await fill(pilot, "model to ask", "org/wren")
            await fill(pilot, "called", "wren")
            await fill(pilot, "system message", "Be brief.")
            assert "3 rows need 3 calls" in screen_text(app)
            await pilot.press("r")
            await wait(pilot)
            assert app.bench.suite is not None
            assert app.bench.suite.models == ("wren",)
            await pilot.press("3")
            await settle(pilot)
            assert "wren · IFEval" in screen_text(app)
    first = server.requests[0].body["messages"][0]
    assert first == {"role": "system", "content": "Be brief."}


# ---- form --------------------------------------------------------------------------------------


async def test_with_nothing_loaded_it_says_what_to_do(make_app: MakeApp) -> None:
    app = make_app(start="judge", workspace=Workspace({}, (), ()))
    async with app.run_test(size=(80, 24)) as pilot:
        await judge_screen(pilot)
        assert "nothing to ask about" in screen_text(app)
        await pilot.press("r", "v", "e", "y", "h", "l", "backspace", "f", "f", "C", "w", "v")
        await settle(pilot)
        assert app.is_running


async def test_what_is_typed_wrongly_is_said_and_what_was_stays(
    make_app: MakeApp, tmp_path: Path
) -> None:
    app = make_app(start="judge", paths=mt_paths(tmp_path / "data"))
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await judge_screen(pilot)
        await fill(pilot, "calls at once", "300")
        assert "a whole number from 1 to 256" in screen_text(app)
        await pilot.press("escape")
        await fill(pilot, "prices", "1 2 3")
        assert "two numbers from 0" in screen_text(app)
        await pilot.press("escape")
        assert (screen.form.jobs, screen.form.prices) == (4, None)
        await fill(pilot, "judged models", "tern")
        assert "4 rows need 4 calls" in screen_text(app)
        await fill(pilot, "judged models", "nobody")
        assert "no model is called 'nobody'; there are: tern, wren" in screen_text(app)
        await pilot.press("backspace")
        await settle(pilot)
        assert screen.form.models == ()
        await fill(pilot, "base URL", "ftp://x")
        assert "http(s)" in screen_text(app)
        await fill(pilot, "base URL", "http://me:secret@127.0.0.1/v1")
        assert "holds a name, password" in screen_text(app)


async def test_templates_and_files_are_chosen_by_their_path(
    make_app: MakeApp, tmp_path: Path
) -> None:
    app = make_app(start="judge", paths=mt_paths(tmp_path / "data", ("tern",)))
    row = {
        "name": "mine", "type": "single", "system_prompt": "", "output_format": "[[rating]]",
        "prompt_template": "{question} {answer}", "description": "", "category": "general",
    }  # fmt: skip
    path = write_rows(tmp_path / "prompts.jsonl", [row])
    other = mt_paths(tmp_path / "more", ("rook",))
    async with app.run_test(size=(120, 40)) as pilot:
        screen = await judge_screen(pilot)
        await fill(pilot, "templates", str(path))
        assert "there is no template for: single, turn 2" in screen_text(app)
        await pilot.press("backspace")
        await settle(pilot)
        await fill(pilot, "from", other[0])
        await fill(pilot, "from", other[1])
        assert screen.form.paths == other
        assert "2 chosen: question.jsonl, rook.jsonl" in screen_text(app)
        assert "4 rows need 4 calls" in screen_text(app)
        await pilot.press("C")
        assert "rook.jsonl --protocol mt-single" in app.clipboard


async def test_reference_answers_beside_the_models_are_known_as_such(
    make_app: MakeApp, tmp_path: Path
) -> None:
    paths = mt_paths(tmp_path / "data", ("tern",))
    folder = tmp_path / "data" / "reference_answer"
    folder.mkdir()
    reference = folder / "gpt-4.jsonl"
    reference.write_bytes(Path(paths[1]).read_bytes())
    app = make_app(start="judge", paths=(*paths, str(reference)))
    async with app.run_test(size=(120, 40)) as pilot:
        screen = await judge_screen(pilot)
        text = screen_text(app)
        assert "2 on the bench: question.jsonl, tern.jsonl" in text
        assert "1 on the bench: gpt-4.jsonl" in text
        assert "without a reference" not in text
        assert screen.planned is not None
        assert screen.planned.estimate is not None
        assert len(screen.planned.estimate.calls) == 4
