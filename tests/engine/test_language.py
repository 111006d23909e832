"""Language detection against langdetect itself, which is installed and serves as the oracle."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import zlib
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from langdetect.detector import Detector
from langdetect.detector_factory import PROFILES_DIRECTORY, DetectorFactory
from langdetect.lang_detect_exception import LangDetectException
from langdetect.utils.ngram import NGram

from ifbench_tui.engine.text import language
from ifbench_tui.engine.text.language import UNKNOWN, detect, warm_up

Answer = tuple[str, float] | None


class ReferenceDetector(Detector):  # type: ignore[misc]
    """langdetect's detector, with the plain sum of CPython 3.11 on every interpreter."""

    def _normalize_prob(self, prob: list[float]) -> float:
        total = 0.0
        for value in prob:
            total += value
        prob[:] = [value / total for value in prob]
        return max(prob)


@pytest.fixture(scope="module")
def factory() -> DetectorFactory:
    loaded = DetectorFactory()
    # In our order, since langdetect's own depends on the file system.
    folder = Path(PROFILES_DIRECTORY)
    loaded.load_json_profile([path.read_text("utf-8") for path in sorted(folder.iterdir())])
    loaded.set_seed(0)
    return loaded


@pytest.fixture(scope="module")
def oracle(factory: DetectorFactory) -> Callable[[str], Answer]:
    return lambda text: ask(ReferenceDetector(factory), text)


def ask(detector: Detector, text: str) -> Answer:
    detector.append(text)
    try:
        languages = detector.get_probabilities()
    except LangDetectException:
        return None
    return (languages[0].lang, languages[0].prob) if languages else (UNKNOWN, 0.0)


def answer(text: str) -> Answer:
    found = detect(text)
    return (found.language, found.probability) if found else None


SENTENCES = (
    "The quick brown fox jumps over the lazy dog, doesn't it?",
    "EVERYTHING HERE IS WRITTEN IN CAPITAL LETTERS, EVEN THIS.",
    "El zorro marrón salta sobre el perro perezoso; ¿por qué no?",
    "Portez ce vieux whisky au juge blond qui fume, s'il vous plaît.",
    "Falsches Üben von Xylophonmusik quält jeden größeren Zwerg.",
    "Tất cả mọi người sinh ra đều được tự do và bình đẳng về nhân phẩm.",
    "Ta\u0302\u0301t ca\u0309 mo\u0323i ngu\u031bo\u031b\u0300i sinh ra tu\u031b\u0323 do.",
    "Toate ființele umane se nasc libere și egale în demnitate și în drepturi.",
    "Съешь же ещё этих мягких французских булок, да выпей чаю.",
    "Усі люди народжуються вільними і рівними у своїй гідності та правах.",
    "Όλοι οι άνθρωποι γεννιούνται ελεύθεροι και ίσοι στην αξιοπρέπεια.",
    "يولد جميع الناس أحراراً متساوين في الكرامة والحقوق.",
    "تمام انسان‌ها آزاد به دنیا می‌آیند و از لحاظ حیثیت برابرند.",
    "כל בני האדם נולדו בני חורין ושווים בערכם ובזכויותיהם.",
    "सभी मनुष्यों को गौरव और अधिकारों के मामले में जन्मजात स्वतन्त्रता प्राप्त है।",
    "すべての人間は、生まれながらにして自由であり、かつ、尊厳と権利とについて平等である。",
    "人人生而自由,在尊严和权利上一律平等。他们赋有理性和良心。",
    "人人生而自由,在尊嚴和權利上一律平等。他們賦有理性和良心。",
    "모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다.",
    "มนุษย์ทั้งหลายเกิดมามีอิสระและเสมอภาคกันในเกียรติศักดิ์และสิทธิ",
    "Watu wote wamezaliwa huru, hadhi na haki zao ni sawa.",
    "Write to first.last_name@mail-server.example.org or see https://example.org/a?b=c#d now.",
)


@pytest.mark.parametrize("text", SENTENCES)
def test_sentence_and_its_other_cases(text: str, oracle: Callable[[str], Answer]) -> None:
    for version in (text, text.upper(), text.lower(), text.title(), text * 40):
        assert answer(version) == oracle(version)


def test_known_answers() -> None:
    assert [(answer(SENTENCES[i]) or [None])[0] for i in (0, 5, 8, 15)] == ["en", "vi", "ru", "ja"]


@pytest.mark.parametrize(
    "text", ["", " \n", "1234 5678", "!?*", "https://a.bc", "a@b.cd", "\u200b"]
)
def test_no_features(text: str, oracle: Callable[[str], Answer]) -> None:
    assert oracle(text) is None
    assert detect(text) is None


def test_one_language_has_a_probability_above_a_tenth_or_it_is_unknown(
    factory: DetectorFactory,
) -> None:
    detector = Detector(factory)
    generator = random.Random(1)
    known = 0
    for _ in range(200):
        scores = [round(generator.random() ** 9 / 6, 2) for _ in factory.langlist]
        ranked = detector._sort_probability(scores)
        expected = (ranked[0].lang, ranked[0].prob) if ranked else (UNKNOWN, 0.0)
        found = language._first(np.array(scores), factory.langlist)
        assert (found.language, found.probability) == expected
        known += bool(ranked)
    assert 0 < known < 200


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="sum() compensates from CPython 3.12 on")
@pytest.mark.parametrize("text", SENTENCES)
def test_reference_detector_is_langdetect(text: str, factory: DetectorFactory) -> None:
    assert ask(ReferenceDetector(factory), text) == ask(Detector(factory), text)


# What is assumed about langdetect's parts


def test_tokens_end_at_the_characters_that_langdetect_blanks() -> None:
    blanks = [chr(c) for c in range(sys.maxunicode + 1) if language._TOKEN.match(chr(c)) is None]
    rest = "".join(chr(c) for c in range(0x3400)).translate(dict.fromkeys(map(ord, blanks)))
    assert {NGram.normalize(blank) for blank in blanks} == {" "}
    assert " " not in {NGram.normalize(character) for character in rest}
    assert max(blanks) < "\u3400"


def test_no_profile_has_a_lone_blank() -> None:
    numbers = language._model()._numbers
    assert " " not in numbers
    assert {len(ngram) for ngram in numbers} == {1, 2, 3}


def test_look_ahead_of_the_clean_ups() -> None:
    url = Detector.URL_RE.match("https://" + "a" * 9999)
    mail = Detector.MAIL_RE.match("a" * 64 + "@" + "b" * 9999)
    assert url is not None
    assert mail is not None
    accented_letter = 2
    assert url.end() + mail.end() + accented_letter == language._MARGIN


def test_the_table_of_outputs_lasts_for_the_longest_trials() -> None:
    warm_up()
    outputs = language._model().outputs
    generator = random.Random(0)
    assert outputs.tolist() == [generator.getrandbits(32) for _ in outputs]
    draws = language._TRIALS * (1 + language._GROUP * language._MOST_GROUPS)
    most_ngrams = 3 * language._KEPT
    for bits in range(1, most_ngrams.bit_length() + 1):
        # The fewest outputs are accepted when n is the smallest number of so many bits.
        accepted = (outputs >> (32 - bits)) < 2 ** (bits - 1)
        gaussians = 4 * (language._TRIALS // 2 + 1)
        assert np.count_nonzero(accepted[: -language._PEEK]) - gaussians >= draws
        in_a_peek = np.convolve(accepted, np.ones(language._PEEK, int), "valid")
        assert in_a_peek.min() > language._GROUP


def test_no_single_ngram_decides_a_trial() -> None:
    largest = language._model().rows.max()
    # |gauss| is at most sqrt(-2 ln 2^-53) for a 53-bit generator.
    alpha = language._ALPHA - language._ALPHA_WIDTH * (2 * 53 * np.log(2)) ** 0.5
    weight = alpha / language._BASE_FREQUENCY
    assert (largest + weight) / (largest + 55 * weight) < language._CONVERGED


def test_gaussians_are_those_of_the_generator() -> None:
    trials = language._Trials(np.array([1], np.uint32), language._model())
    generator = random.Random(0)
    assert trials._two_gaussians() == (generator.gauss(0.0, 1.0), generator.gauss(0.0, 1.0))
    assert trials._two_gaussians() == (generator.gauss(0.0, 1.0), generator.gauss(0.0, 1.0))


# Any text

RANGES = (
    "0-7f 41-7a 80-17f 180-2ff 300-36f 370-52f 590-6ff 900-dff e00-e7f 1e00-1eff 1f00-206f"
    " 2c00-2fff 3000-31bf 4e00-9fff ac00-d7ff d800-dfff e000-ffff 10000-10ffff"
)
ENDS = [[int(end, 16) for end in span.split("-")] for span in RANGES.split()]
CHARACTERS = st.sampled_from(ENDS).flatmap(lambda ends: st.integers(*ends)).map(chr)
PIECES = st.one_of(
    st.text(CHARACTERS, max_size=12),
    st.lists(st.sampled_from(" ".join(SENTENCES).split()), max_size=12).map(" ".join),
    st.sampled_from(" ".join(SENTENCES).split()).map(str.upper),
    st.sampled_from(["http://", "https://a", "@", "x@y.z", "a-b_c.d@e", "  ", "\n", " A", "[_]"]),
    st.text("".join({*NGram.TO_NORMALIZE_VI_CHARS, *NGram.DMARK_CLASS}), max_size=8),
)


@settings(max_examples=400, deadline=None)
@given(text=st.lists(PIECES, max_size=12).map("".join))
def test_any_text(text: str, oracle: Callable[[str], Answer]) -> None:
    assert answer(text) == oracle(text)


LONG_MAIL = "a" * 64 + "@" + "b" * 255 + "." + "c" * 254
LONG_URL = "https://" + "a" * 2076
SHRINKING = (
    LONG_MAIL,
    LONG_MAIL[:65],
    LONG_URL,
    "http://",
    "a\u0301",
    "e\u0323 ",
    " ",
    "word ",
    "я",
)
REPEATED = st.tuples(st.sampled_from(SHRINKING), st.integers(1, 4000))


@settings(max_examples=60, deadline=None)
@given(parts=st.lists(REPEATED, min_size=1, max_size=6))
def test_the_kept_text_is_that_of_a_full_clean_up(parts: list[tuple[str, int]]) -> None:
    text = "".join(piece * times for piece, times in parts)[:3_000_000]
    assert language._kept(text, language._model().clean) == fully_cleaned(text)


def test_a_mail_address_that_the_first_clean_up_cuts_in_two() -> None:
    first = 2 * language._KEPT
    urls = ("https://" + "a" * 1987 + " ") * 5
    text = urls + "б" * (first - 64 - len(urls)) + "a" * 63 + "@bb.cc" + "я" * 200
    cut = language._model().clean(text[:first])
    assert len(cut) > language._KEPT
    assert cut[: language._KEPT] != fully_cleaned(text)
    assert language._kept(text, language._model().clean) == fully_cleaned(text)


def fully_cleaned(text: str) -> str:
    blanked = Detector.MAIL_RE.sub(" ", Detector.URL_RE.sub(" ", text))
    return str(NGram.normalize_vi(blanked)[: language._KEPT])


@pytest.mark.parametrize("before", [9998, 9999, 10_000, 10_001])
def test_the_last_character_that_counts(before: int, oracle: Callable[[str], Answer]) -> None:
    text = "1" * before + "ж"
    assert answer(text) == oracle(text)
    assert (answer(text) is None) == (before >= 10_000)


@pytest.mark.parametrize("other", ["\u02af", "\u02ff", "\u0300", "я", "ệ", "漢"])
def test_latin_letters_go_when_others_are_more_than_twice_as_many(
    other: str, oracle: Callable[[str], Answer]
) -> None:
    answers = [answer("hello world" + other * times) for times in (19, 20, 21)]
    assert answers == [oracle("hello world" + other * times) for times in (19, 20, 21)]


# Hostile and long texts

HOSTILE = {
    "one word": "a",
    "capitals": "A",
    "spaces": " ",
    "at signs": "@",
    "alternating at signs": "a@",
    "mail heads": "a" * 64 + "@",
    "mail": "first.last@example.org ",
    "URL heads": "http://",
    "URLs": "https://example.org/" + "a" * 3000 + " ",
    "digits": "0123456789",
    "one line": SENTENCES[0] + " ",
    "no spaces": SENTENCES[15],
    "lines": SENTENCES[8] + "\n",
    "marks": "\u0301",
    "accents": "e\u0301",
    "emoji": "😀",
    "surrogates": "\ud800",
    "mixed scripts": "".join(SENTENCES),
}


@pytest.mark.parametrize("piece", HOSTILE.values(), ids=HOSTILE)
def test_a_megabyte_of_anything(piece: str, oracle: Callable[[str], Answer]) -> None:
    text = (piece * (1_000_000 // len(piece) + 1))[:1_000_000]
    assert answer(text) == oracle(text)


def test_ten_thousand_different_tokens_and_the_cut_after_them(
    oracle: Callable[[str], Answer],
) -> None:
    generator = random.Random(2)
    letters = [
        chr(generator.choice((0x61, 0x430, 0x4E00)) + generator.randrange(26)) for _ in range(10)
    ]
    text = " ".join(
        "".join(generator.choices(letters, k=generator.randrange(1, 9))) for _ in range(9000)
    )
    for start in range(0, 3000, 1000):
        assert answer(text[start:]) == oracle(text[start:])


def test_a_full_cache_changes_nothing() -> None:
    memo: language._Memo[str] = language._Memo(str.upper, 3)
    keys = ["a", "b", "a", "c", "d", "x" * 10_000, "e"]
    assert [memo[key] for key in keys] == [key.upper() for key in keys]
    assert len(memo) <= 3
    assert all(len(key) <= language._LONGEST_KEY for key in memo)


# Any order, any thread, any process


def test_threads_that_all_start_cold() -> None:
    texts = [version for text in SENTENCES for version in (text, text.upper(), text[::-1])]
    expected = [answer(text) for text in texts]
    language._LOADED.clear()
    workers = 6
    barrier = Barrier(workers)

    def work(seed: int) -> dict[int, Answer]:
        order = list(range(len(texts)))
        random.Random(seed).shuffle(order)
        barrier.wait()
        return {index: answer(texts[index]) for index in order * 3}

    with ThreadPoolExecutor(workers) as pool:
        for found in pool.map(work, range(workers)):
            assert [found[index] for index in range(len(texts))] == expected
    assert len(language._LOADED) == 1


def test_another_process_and_no_global_random_state() -> None:
    program = (
        "import json, random, sys\n"
        "from ifbench_tui.engine.text.language import detect\n"
        "random.seed(5); state = random.getstate()\n"
        "found = [detect(text) for text in json.load(sys.stdin)]\n"
        "assert random.getstate() == state\n"
        "print(json.dumps([[f.language, f.probability.hex()] for f in found]))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        input=json.dumps(SENTENCES),
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(language.__file__).parents[3],
    )
    expected = [found for found in map(detect, SENTENCES) if found]
    assert json.loads(done.stdout) == [[f.language, f.probability.hex()] for f in expected]


# Shared data


def lines(path: Path) -> Iterator[dict[str, object]]:
    with path.open(encoding="utf-8") as file:
        yield from map(json.loads, file)


def test_fuzz_cases(shared: Path, oracle: Callable[[str], Answer]) -> None:
    texts = {
        str(line["response"])
        for line in lines(shared / "golden" / "ifeval" / "fuzz.jsonl")
        if str(line["id"]).startswith(("language:", "change_case:"))
    }
    assert len(texts) > 200
    for text in texts:
        assert answer(text) == oracle(text), text


def test_real_responses(shared: Path, oracle: Callable[[str], Answer]) -> None:
    data = shared / "data"
    files = [*data.glob("ifeval/responses/*.jsonl"), *data.glob("ifeval_*/responses_*.jsonl")]
    assert len(files) >= 38
    sample = {
        str(line["response"])
        for path in files
        for line in lines(path)
        if zlib.crc32(str(line["response"]).encode("utf-8", "surrogatepass")) % 100 == 0
    }
    assert len(sample) > 100
    for text in sorted(sample):
        for version in (text, text.upper(), text.lower()):
            assert answer(version) == oracle(version), version
