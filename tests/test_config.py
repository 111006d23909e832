"""The config file: what holds is used, what does not is reported with file, key and line."""

from __future__ import annotations

from pathlib import Path

import pytest

from ifbench_tui.config import (
    SETTINGS,
    Config,
    ConfigError,
    Settings,
    annotator_fault,
    load_config,
    parse_config,
    save_setting,
)
from ifbench_tui.tui.actions import ACTION_IDS, ACTIONS

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


def test_every_key_the_app_has_by_itself_may_be_given_in_a_keymap() -> None:
    lines = [f'"{action.id}" = "{action.keys}"' for action in ACTIONS]
    lines += ['"audit.note" = "?,+,ctrl+pagedown,ä,f5,plus"', '"audit.what_if" = "comma"']
    for line in lines:
        assert parse_config(f"[keys]\n{line}", actions=ACTION_IDS).problems == (), line


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
        (f'[settings]\nannotator = "{"a" * 101}"', "settings.annotator", 2, "at most 100"),
        ("[settings]\ntheme = 3", "settings.theme", 2, "wanted a text"),
        ("[settings]\njobs = 0", "settings.jobs", 2, "wanted 1 to 256"),
        ("[settings]\njobs = 2.0", "settings.jobs", 2, "wanted a whole number"),
        ("[settings]\nprice_in = -1", "settings.price_in", 2, "wanted a number from 0"),
        ("[settings]\nprice_in = nan", "settings.price_in", 2, "wanted a number from 0"),
        ("[settings]\nprice_out = true", "settings.price_out", 2, "wanted a number"),
        ('# c\n[keys]\n"audit.marc" = "x"', "keys.audit.marc", 3, "did you mean audit.mark"),
        ('[keys]\n"audit.mark" = ["x"]', "keys.audit.mark", 2, "wanted keys"),
        ('[keys]\n"audit.mark" = "x,zzz"', "keys.audit.mark", 2, "'zzz' is no key"),
        ('[keys]\n"audit.mark" = "x,"', "keys.audit.mark", 2, "'' is no key"),
        ('[keys]\n"audit.mark" = "strg+x"', "keys.audit.mark", 2, "'strg+x' is no key"),
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


@pytest.mark.parametrize("name", ["", " ana", "ana ", "an\x1b[31m", "a" * 101])
def test_the_login_names_an_annotator_only_where_it_may(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert annotator_fault(name)
    for variable in ("LOGNAME", "USER", "LNAME", "USERNAME"):
        monkeypatch.setenv(variable, name)
    assert not annotator_fault(Settings().annotator)


def test_what_is_saved_is_read_back(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "config.toml"
    save_setting("theme", "moss", path)
    save_setting("annotator", 'ana "b" \\ é', path)
    assert load_config(path) == Config(Settings(theme="moss", annotator='ana "b" \\ é'))
    assert [file.name for file in path.parent.iterdir()] == ["config.toml"]
    assert load_config(path).path == path


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            '# mine\r\n[settings]\r\ntheme="paper"   # light\r\nthem = "x" # typo\r\n',
            '# mine\r\n[settings]\r\ntheme="moss"   # light\r\nthem = "x" # typo\r\n',
        ),
        (
            "[mappings.a]\ntheme = 'q'\n\n[settings] # s\nprice_in = nan\n\n[keys]\nnope = 3",
            "[mappings.a]\ntheme = 'q'\n\n[settings] # s\ntheme = \"moss\"\nprice_in = nan\n"
            "\n[keys]\nnope = 3\n",
        ),
        (
            '[settings]\nkey_file = """\ntheme = 1\n"""\ntheme = \'a#b\' # c',
            '[settings]\nkey_file = """\ntheme = 1\n"""\ntheme = "moss" # c',
        ),
        ("settings.theme = 3", 'settings.theme = "moss"'),
        (
            '[keys]\n"audit.mark" = "x"',
            '[keys]\n"audit.mark" = "x"\n\n[settings]\ntheme = "moss"\n',
        ),
        ("", '[settings]\ntheme = "moss"\n'),
    ],
    ids=["replaced", "below the head", "not in a text", "dotted", "a table of its own", "empty"],
)
def test_saving_a_setting_changes_nothing_else(tmp_path: Path, before: str, after: str) -> None:
    path = tmp_path / "config.toml"
    path.write_bytes(before.encode())
    save_setting("theme", "moss", path)
    assert path.read_bytes().decode() == after


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b'[settings]\nkey_file = "/home/me/key\n[keys]\n"audit.mark" = "x"\n', "is no TOML"),
        (b"\xff\xfe", "no UTF-8"),
        (
            b'settings = { annotator = "ana" } # mine\n',
            'yourself, below [settings]: theme = "moss"',
        ),
        (b"settings = 3\n", "write it there yourself"),
        (b'[settings]\ntheme = """\npaper"""\n', "write it there yourself"),
    ],
    ids=["no TOML", "no text", "inline", "no table", "several lines"],
)
def test_a_file_that_cannot_be_changed_safely_stays_as_it_is(
    tmp_path: Path, text: bytes, said: str
) -> None:
    path = tmp_path / "config.toml"
    path.write_bytes(text)
    with pytest.raises(ConfigError, match="theme is not saved") as caught:
        save_setting("theme", "moss", path)
    assert said in str(caught.value)
    assert path.read_bytes() == text
    assert [file.name for file in tmp_path.iterdir()] == ["config.toml"]


def test_a_config_file_stays_a_link_and_keeps_its_mode(tmp_path: Path) -> None:
    real, path = tmp_path / "dotfiles.toml", tmp_path / "config.toml"
    real.write_text('[settings]\ntheme = "paper"\n')
    real.chmod(0o640)
    path.symlink_to(real)
    save_setting("theme", "moss", path)
    assert path.is_symlink()
    assert real.read_text() == '[settings]\ntheme = "moss"\n'
    assert real.stat().st_mode & 0o777 == 0o640


def test_an_absent_file_is_empty(tmp_path: Path) -> None:
    assert load_config(tmp_path / "none.toml") == Config()


def test_a_file_that_is_no_text_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_bytes(b"\xff\xfe")
    assert "no UTF-8" in str(load_config(path).problems[0])


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ConfigError, match="cannot be written"):
        save_setting("theme", "moss", tmp_path / "file" / "config.toml")


def test_every_setting_says_what_it_is() -> None:
    assert all(setting.words for setting in SETTINGS)
