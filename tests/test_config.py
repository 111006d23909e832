"""The config file: what holds is used, what does not is reported with file, key and line."""

from __future__ import annotations

from pathlib import Path

import pytest

from ifbench_tui.config import (
    SETTINGS,
    Config,
    ConfigError,
    Settings,
    load_config,
    parse_config,
    save_config,
)
from ifbench_tui.tui.actions import ACTION_IDS

GOOD = """\
[settings]
theme = "paper"   # light
ascii = true

[keys]
"audit.mark" = "x,ctrl+x"

[mappings.logs]
prompt = "question"
response = "answer"
"""


def test_a_good_file_is_read() -> None:
    config = parse_config(GOOD, actions=ACTION_IDS)
    assert config.problems == ()
    assert (config.settings.theme, config.settings.ascii) == ("paper", True)
    assert config.keymap == {"audit.mark": "x,ctrl+x"}
    assert config.mappings == {"logs": {"prompt": "question", "response": "answer"}}


@pytest.mark.parametrize(
    ("text", "key", "line", "reason"),
    [
        ('[settings]\nthem = "x"', "settings.them", 2, "did you mean theme"),
        ('[settings]\n\nascii = "yes"', "settings.ascii", 3, "wanted true or false"),
        ('[settings]\nthink = "drop"', "settings.think", 2, "keep or strip"),
        ('[settings]\nannotator = " a"', "settings.annotator", 2, "wanted a name"),
        ("[settings]\ntheme = 3", "settings.theme", 2, "wanted a text"),
        ("[settings]\njobs = 0", "settings.jobs", 2, "wanted 1 to 256"),
        ("[settings]\njobs = 2.0", "settings.jobs", 2, "wanted a whole number"),
        ("[settings]\nprice_in = -1", "settings.price_in", 2, "wanted a number from 0"),
        ("[settings]\nprice_in = nan", "settings.price_in", 2, "wanted a number from 0"),
        ("[settings]\nprice_out = true", "settings.price_out", 2, "wanted a number"),
        ('# c\n[keys]\n"audit.marc" = "x"', "keys.audit.marc", 3, "did you mean audit.mark"),
        ('[keys]\n"audit.mark" = ["x"]', "keys.audit.mark", 2, "wanted keys"),
        ("[mappings]\nlogs = 3", "mappings.logs", 2, "wanted a table"),
        ("[mappings.logs]\nprompt = 3", "mappings.logs", 1, "wanted a table"),
        ("[colours]\nx = 1", "colours", 1, "no table is called that"),
        ("settings = 3", "settings", 1, "must be a table"),
        ("[settings\n", "", 1, "no TOML"),
    ],
)
def test_what_does_not_hold_is_reported(text: str, key: str, line: int, reason: str) -> None:
    (problem,) = parse_config(text, "my.toml", ACTION_IDS).problems
    assert (problem.key, problem.line) == (key, line)
    assert str(problem).startswith(f"my.toml:{line}: ")
    assert reason in str(problem)


def test_prices_may_be_whole_numbers_and_count_together() -> None:
    assert Settings().prices is None
    settings = parse_config("[settings]\nprice_in = 3\nprice_out = 0.5\njobs = 9").settings
    assert (settings.prices, settings.jobs) == ((3.0, 0.5), 9)
    assert parse_config("[settings]\nprice_out = 2").settings.prices == (0.0, 2.0)


def test_the_rest_of_a_faulty_file_holds() -> None:
    config = parse_config(
        '[settings]\ntheme = "paper"\nthink = 1\n[keys]\nnope = "x"', actions=ACTION_IDS
    )
    assert config.settings.theme == "paper"
    assert config.settings.think == "keep"
    assert config.keymap == {}
    assert len(config.problems) == 2


def test_who_has_no_use_for_keys_need_not_know_their_names() -> None:
    assert parse_config('[keys]\nnope = "x"').problems == ()


def test_what_is_saved_is_read_back(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "config.toml"
    config = Config(
        Settings(theme="moss", annotator="ana"),
        {"audit.mark": "x"},
        {"logs": {"prompt": "q"}},
    )
    save_config(config, path)
    assert load_config(path) == config
    assert [file.name for file in path.parent.iterdir()] == ["config.toml"]


def test_an_absent_file_is_empty(tmp_path: Path) -> None:
    assert load_config(tmp_path / "none.toml") == Config()


def test_a_file_that_is_no_text_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_bytes(b"\xff\xfe")
    assert "no UTF-8" in str(load_config(path).problems[0])


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ConfigError, match="cannot be written"):
        save_config(Config(), tmp_path / "file" / "config.toml")


def test_every_setting_says_what_it_is() -> None:
    assert all(setting.words for setting in SETTINGS)
