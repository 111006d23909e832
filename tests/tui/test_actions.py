"""The registry of actions is sound, and reading it costs next to nothing."""

from __future__ import annotations

import subprocess
import sys

from ifbench_tui.tui.actions import ACTIONS, PARENTS, clashes, key_words, remapped


def test_no_two_actions_share_a_key_where_both_could_answer() -> None:
    assert [str(clash) for clash in clashes()] == []


def test_ids_are_unique_and_their_scopes_known() -> None:
    ids = [action.id for action in ACTIONS]
    assert len(ids) == len(set(ids))
    assert {action.scope for action in ACTIONS} <= {"app", *PARENTS}
    assert {parent for parents in PARENTS.values() for parent in parents} <= {"app", *PARENTS}


def test_every_action_says_what_it_does() -> None:
    assert all(action.title and action.help.endswith(".") for action in ACTIONS)


def test_no_key_needs_what_plain_terminals_cannot_send() -> None:
    lost = {"ctrl+i", "ctrl+m", "ctrl+h", "ctrl+j", "ctrl+b", "ctrl+a"}
    keys = {key.strip() for action in ACTIONS for key in action.keys.split(",")}
    assert not {key for key in keys if key in lost or "ctrl+shift" in key or "alt+" in key}


def test_a_keymap_changes_only_what_it_names() -> None:
    changed = remapped({"audit.mark": "x"})
    assert {action.id for old, action in zip(ACTIONS, changed, strict=True) if old != action} == {
        "audit.mark"
    }


def test_keys_are_written_as_people_write_them() -> None:
    assert key_words("question_mark,f1") == "? f1"


def test_the_registry_needs_no_framework() -> None:
    code = "import sys; import ifbench_tui.tui.actions; print('textual' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
