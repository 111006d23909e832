"""The requirements in Russian, for rows whose own lines cannot be paired with their key."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from ifbench_tui.engine.ifhardbench.counts import Bound, exactly, figure, read_bound
from ifbench_tui.engine.ifhardbench.logic import SHAPES
from ifbench_tui.engine.ifhardbench.params import Params, shown
from ifbench_tui.engine.verdict import CheckFailed

__all__ = ["russian"]


class _Noun(NamedTuple):
    """Forms of a noun: 1 слово, 2 слова, 5 слов, не больше 1 слова."""

    one: str
    few: str
    many: str
    genitive: str

    def counted(self, number: int) -> str:
        """`21 слово`, `2 слова`, `12 слов`."""
        tens, units = abs(number) % 100, abs(number) % 10
        if 10 < tens < 20 or units == 0 or units > 4:
            form = self.many
        else:
            form = self.one if units == 1 else self.few
        return f"{figure(number)} {form}"

    def of(self, number: int) -> str:
        """The genitive, after a comparison: `21 слова`, `5 слов`."""
        single = abs(number) % 10 == 1 and abs(number) % 100 != 11
        return f"{figure(number)} {self.genitive if single else self.many}"


_WORD = _Noun("слово", "слова", "слов", "слова")
_SENTENCE = _Noun("предложение", "предложения", "предложений", "предложения")
_PARAGRAPH = _Noun("абзац", "абзаца", "абзацев", "абзаца")
_CHARACTER = _Noun("символ", "символа", "символов", "символа")
_COMMA = _Noun("запятая", "запятые", "запятых", "запятой")
_QUESTION = _Noun("вопрос", "вопроса", "вопросов", "вопроса")
_EXCLAMATION = _Noun("восклицание", "восклицания", "восклицаний", "восклицания")
_BULLET = _Noun(
    "маркированный пункт",
    "маркированных пункта",
    "маркированных пунктов",
    "маркированного пункта",
)
_NUMBER = _Noun(
    "нумерованный пункт",
    "нумерованных пункта",
    "нумерованных пунктов",
    "нумерованного пункта",
)
_LETTER = _Noun("буква", "буквы", "букв", "буквы")
_LINE = _Noun("строка", "строки", "строк", "строки")
_FIELD = _Noun("поле", "поля", "полей", "поля")
_OBJECT = _Noun("объект", "объекта", "объектов", "объекта")
_TAG = _Noun("хештег", "хештега", "хештегов", "хештега")
_BOLD = _Noun("выделение", "выделения", "выделений", "выделения")
_TIME = _Noun("раз", "раза", "раз", "раза")
_ROW = _Noun("ряд", "ряда", "рядов", "ряда")
_COLUMN = _Noun("столбец", "столбца", "столбцов", "столбца")

_COMPARED = {"le": "не больше", "lt": "меньше", "ge": "не меньше", "gt": "больше"}


def _bound(bound: Bound, noun: _Noun) -> str:
    if bound.op == "eq":
        return f"ровно {noun.counted(bound.low)}"
    if bound.op == "ne":
        return f"{noun.many} — любое число, кроме {figure(bound.low)}"
    if bound.op == "between":
        if bound.flaw:
            raise bound.flaw
        return f"от {figure(bound.low)} до {noun.of(bound.high)}"
    return f"{_COMPARED[bound.op]} {noun.of(bound.low)}"


def _count(params: Params, noun: _Noun) -> str:
    return _bound(read_bound(params), noun)


def _each(params: Params, noun: _Noun) -> str:
    return _count(params.inner("each") if "each" in params else params, noun)


def _exactly(params: Params, name: str, noun: _Noun) -> str:
    return _bound(exactly(params.integer(name)), noun)


def _listed(values: Iterable[Any]) -> str:
    return ", ".join(map(shown, values))


def _stems_or_words(params: Params) -> str:
    if "stems" in params:
        return f"на {_listed(params.many('stems'))}"
    return _listed(params.many("words"))


def _keyword(params: Params) -> str:
    if "any_stems" in params:
        return f"слово на одну из основ {_listed(params.many('any_stems'))}"
    if "stem" in params:
        return f"слово на {params.shown('stem')}"
    return f"слово {params.shown('word')} именно в этой форме"


def _linked(params: Params) -> str:
    if "any_words" in params:
        return f", но есть одно из слов {_listed(params.many('any_words'))}"
    if "any_stems" in params:
        return f", но есть слово на одну из основ {_listed(params.many('any_stems'))}"
    return ""


def _only(params: Params) -> str:
    return " и ничего больше" if params.get("strict", True) else ""


def _direction(params: Params, up: str, down: str) -> str:
    return down if params.get("direction") == "desc" else up


def _ladder(params: Params) -> str:
    start = _WORD.counted(params.integer("start"))
    return _direction(
        params,
        f"каждый пункт на слово длиннее предыдущего, в первом {start}",
        f"каждый пункт на слово короче предыдущего, в последнем {start}",
    )


_SUMS = {"commas": "запятых", "sentences": "предложений", "words": "слов"}


def _checksum(params: Params) -> str:
    kind = params.value("kind")
    if kind == "letter_words":
        return f"в конце в скобках — сколько слов начинается на {params.shown('letter')}"
    return f"в конце в скобках — число {_SUMS.get(str(kind), str(kind)[:60])}"


def _phrases(params: Params) -> str:
    where = " в начале" if params.get("mode") == "start" else ""
    return f"без оборотов {_listed(params.many('phrases'))}{where}"


def _json_object(params: Params) -> str:
    text = f"один объект JSON с ключами {_listed(params.many('keys'))}"
    if params.get("max_words") is not None:
        text += f", в значении не больше {_WORD.of(params.integer('max_words'))}"
    return text + (", без запятых в значениях" if params.get("no_commas_in_values") else "")


def _json_list(params: Params) -> str:
    items = _exactly(params, "list_items", _BULLET)
    return (
        f"один объект JSON с ключами {_listed(params.many('keys'))}: в {params.shown('list_key')} "
        f"{items}, в остальных не больше {_WORD.of(params.integer('max_words'))}"
    )


def _line_length(params: Params) -> str:
    most = f"строка не длиннее {_CHARACTER.of(params.integer('max'))}"
    return f"{_exactly(params, 'count', _LINE)}, {most}" if "count" in params else most


def _hashtags(params: Params) -> str:
    text = f"последней строкой {_exactly(params, 'count', _TAG)} кириллицей"
    text += ", по алфавиту" if params.get("alpha") else ""
    return text + (", последний — первое слово ответа" if params.get("echo_first") else "")


def _bold(params: Params) -> str:
    text = f"полужирным {_exactly(params, 'count', _BOLD)}"
    if "words_each" in params:
        text += f", в каждом {_exactly(params, 'words_each', _WORD)}"
    if "position" in params:
        text += f", одно из них — слово номер {figure(params.integer('position'))}"
    return text + (f", слова на {_listed(params.many('stems'))}" if "stems" in params else "")


def _holds(params: Params) -> tuple[bool, str]:
    holds = bool(params.value("holds"))
    return holds, "условие выполнено" if holds else "условие не выполнено"


def _conditional_format(params: Params) -> str:
    holds, why = _holds(params)
    branch = params.inner("then" if holds else "otherwise")
    return f"{why}: {_WORDINGS[SHAPES[str(branch.value('shape'))]](branch)}"


def _conditional_include(params: Params) -> str:
    holds, why = _holds(params)
    return f"{why}: {'слово' if holds else 'ни одного слова'} на {params.shown('stem')}"


def _override(params: Params) -> str:
    winner = params.inner("winner")
    while winner.value("category") == "logic:override":
        winner = winner.inner("params").inner("winner")
    wording = _WORDINGS[str(winner.value("category"))](winner.inner("params"))
    return f"важнее другое требование: {wording}"


_WORDINGS: dict[str, Callable[[Params], str]] = {
    "structure:word_count": lambda p: _count(p, _WORD),
    "structure:sentence_count": lambda p: _count(p, _SENTENCE),
    "structure:paragraph_count": lambda p: _count(p, _PARAGRAPH),
    "structure:char_count": lambda p: f"{_count(p, _CHARACTER)}, считая пробелы",
    "structure:sentence_words": lambda p: f"в каждом предложении {_each(p, _WORD)}",
    "structure:item_words": lambda p: f"в каждом пункте {_each(p, _WORD)}",
    "structure:paragraph_sentences": lambda p: f"в каждом абзаце {_each(p, _SENTENCE)}",
    "structure:ascending_sentences": lambda p: (
        f"в каждом предложении слов {_direction(p, 'больше', 'меньше')}, чем в предыдущем"
    ),
    "structure:items_total_words": lambda p: (
        f"слов в ответе ровно в {_TIME.counted(p.integer('factor'))} больше, чем пунктов"
    ),
    "structure:item_words_ladder": _ladder,
    "structure:first_line_count": lambda _: "первой строкой — число слов в остальном тексте",
    "structure:checksum": _checksum,
    "structure:word_char_count": lambda p: (
        f"{_exactly(p, 'words', _WORD)} и {_exactly(p, 'chars', _CHARACTER)}"
    ),
    "structure:mirror_sentences": lambda _: "в первом и последнем предложении поровну слов",
    "lexical:no_repeated_word": lambda p: (
        "без повторов слов от " + _CHARACTER.of(p.integer("min_length") if "min_length" in p else 4)
    ),
    "lexical:include_keyword": _keyword,
    "lexical:include_all": lambda p: f"все слова: {_stems_or_words(p)}",
    "lexical:exclude_word": lambda p: f"ни одного слова {_stems_or_words(p)}",
    "lexical:starts_with": lambda p: f"начало ответа — {p.shown('phrase')}",
    "lexical:ends_with": lambda p: f"конец ответа — {p.shown('phrase')}",
    "lexical:nth_word": lambda p: f"слово номер {p.shown('n')} — {p.shown('word')}",
    "lexical:nth_word_from_end": lambda p: (
        f"слово номер {p.shown('n')} с конца — {p.shown('word')}"
    ),
    "lexical:acrostic": lambda p: f"первые буквы пунктов складываются в {p.shown('word')}",
    "lexical:sentence_acrostic": lambda p: (
        f"первые буквы предложений складываются в {p.shown('word')}"
    ),
    "lexical:word_exact_count": lambda p: f"{_exactly(p, 'count', _WORD)} на {p.shown('stem')}",
    "lexical:word_cap": lambda p: f"не больше {_WORD.of(p.integer('cap'))} на {p.shown('stem')}",
    "lexical:ring_word": lambda _: "последнее слово совпадает с первым",
    "lexical:paragraph_echo": lambda _: (
        "последнее слово первого абзаца повторяется в последнем абзаце"
    ),
    "lexical:item_chain": lambda _: (
        "пункт начинается с той же буквы, что и последнее слово предыдущего"
    ),
    "lexical:order_words": lambda p: (
        f"слово на {p.shown('stem_a')} раньше слова на {p.shown('stem_b')}"
    ),
    "lexical:alpha_items": lambda _: "пункты по алфавиту, на разные буквы",
    "lexical:exclude_phrases": _phrases,
    "lexical:quote_task": lambda p: f"первая строка дословно: {p.shown('text')}",
    "lexical:anadiplosis": lambda _: "предложение начинается словом, которым кончилось предыдущее",
    "lexical:epiphora": lambda p: (
        f"все {'пункты' if p.get('unit', 'items') == 'items' else 'абзацы'} "
        "кончаются одним и тем же словом"
    ),
    "style:forbid_letter": lambda p: f"ни одной буквы {p.shown('letter')}",
    "style:forbid_letters": lambda p: f"ни одной из букв {_listed(p.many('letters'))}",
    "style:no_commas": lambda _: "без запятых",
    "style:no_caps": lambda _: "без заглавных букв",
    "style:end_punctuation": lambda p: f"последний знак — {p.shown('char')}",
    "style:sentence_initials": lambda _: "все предложения начинаются с разных букв",
    "style:comma_count": lambda p: _count(p, _COMMA),
    "style:letter_start_count": lambda p: f"на букву {p.shown('letter')} {_count(p, _WORD)}",
    "style:anaphora": lambda _: "все абзацы начинаются одним и тем же словом",
    "style:no_markdown": lambda _: "без разметки Markdown",
    "style:max_word_length": lambda p: f"слова не длиннее {_LETTER.of(p.integer('max'))}",
    "style:question_count": lambda p: _count(p, _QUESTION),
    "style:exclamation_count": lambda p: _count(p, _EXCLAMATION),
    "style:no_digits": lambda p: f"ни одной цифры{_linked(p)}",
    "style:no_latin": lambda p: f"ни одной латинской буквы{_linked(p)}",
    "format:bullet_list": lambda p: f"{_count(p, _BULLET)}{_only(p)}",
    "format:numbered_list": lambda p: f"{_count(p, _NUMBER)}{_only(p)}",
    "format:json_object": _json_object,
    "format:json_list_value": _json_list,
    "format:json_array": lambda p: (
        f"массив JSON, {_exactly(p, 'items', _OBJECT)} с ключами «пункт» и «слов»"
    ),
    "format:csv_line": lambda p: (
        f"одна строка CSV, {_exactly(p, 'fields', _FIELD)}, запятая внутри ровно одного"
    ),
    "format:two_parts": lambda p: (
        f"{_exactly(p, 'items', _BULLET)}, пустая строка, затем одно предложение: "
        f"{_exactly(p, 'sentence_words', _WORD)}"
    ),
    "format:markdown_table": lambda p: (
        f"таблица Markdown: под шапкой {_exactly(p, 'rows', _ROW)}, {_exactly(p, 'cols', _COLUMN)}"
    ),
    "format:bold_words": _bold,
    "format:line_length": _line_length,
    "format:hashtags": _hashtags,
    "logic:conditional_include": _conditional_include,
    "logic:conditional_format": _conditional_format,
    "logic:override": _override,
}


def russian(type_id: str, params: Any) -> str:
    """The requirement in Russian; "" for an unknown type or parameters that cannot be said."""
    wording = _WORDINGS.get(type_id)
    if wording is None:
        return ""
    try:
        return wording(Params(params))
    except (CheckFailed, KeyError):
        return ""
