"""The language of a page."""

import pytest

from fcacrawler.page import language_of, read_page

SAID = {
    "en": "The race started forty minutes late because the track was under water and nobody saw the corner",
    "de": "Das Rennen begann vierzig Minuten später, weil die Strecke unter Wasser stand und niemand etwas sah",
    "fr": "La course a commencé avec quarante minutes de retard parce que la piste était sous l'eau",
    "es": "La carrera empezó cuarenta minutos más tarde porque la pista estaba bajo el agua y nadie veía nada",
    "it": "La corsa è cominciata con quaranta minuti di ritardo perché la pista era sotto l'acqua",
    "pt": "A corrida começou quarenta minutos mais tarde porque a pista estava debaixo de água e ninguém a via",
    "nl": "De race begon veertig minuten later omdat het circuit onder water stond en niemand iets kon zien",
    "ru": "Гонка началась на сорок минут позже, потому что трасса была под водой и никто не видел первого поворота",
    "zh": "由于赛道积水严重，比赛推迟了四十分钟才开始，没有人看得见第一个弯道",
    "ja": "コースが水に浸かり、誰も最初のコーナーが見えなかったため、レースは四十分遅れて始まりました",
    "pl": "Wyścig rozpoczął się czterdzieści minut później, ponieważ tor był pod wodą i nikt nie widział zakrętu",
    "sv": "Loppet började fyrtio minuter senare eftersom banan stod under vatten och ingen kunde se den första kurvan",
    "uk": "Гонка почалася на сорок хвилин пізніше, тому що траса була під водою і ніхто не бачив першого повороту",
    "el": "Ο αγώνας άρχισε σαράντα λεπτά αργότερα επειδή η πίστα ήταν κάτω από το νερό",
    "he": "המרוץ החל ארבעים דקות מאוחר יותר כי המסלול היה מתחת למים",
    "ko": "경기장이 물에 잠겨 경주가 사십 분 늦게 시작되었습니다",
}


@pytest.mark.parametrize("language", SAID)
def test_a_language_is_heard(language: str) -> None:
    assert language_of("", SAID[language]) == language
    assert language_of(language, SAID[language]) == language


@pytest.mark.parametrize(
    ("language", "line"),
    [
        ("pl", "Wtyczka odtwarzacza dźwięków"),
        ("de", "Tastaturbelegung umschaltbar"),
        ("cs", "Přehrávač hudebních skladeb"),
        ("ru", "Проигрыватель музыкальных файлов"),
        ("uk", "Програвач музичних файлів"),
        ("tr", "Müzik çalıcı eklentisi"),
        ("zh", "GNOME 插件扩展 Manager"),
    ],
)
def test_a_line_without_common_words_is_told_by_its_letters(language: str, line: str) -> None:
    assert language_of("", line) == language


@pytest.mark.parametrize("language", sorted(SAID.keys() - {"en"}))
def test_a_template_that_claims_english_is_not_believed(language: str) -> None:
    assert language_of("en", SAID[language]) == language


@pytest.mark.parametrize("declared", ["de", "de-AT", "DE_ch", " de ", "deu", "ger"])
def test_a_declaration_is_a_code_of_two_letters(declared: str) -> None:
    assert language_of(declared, "") == "de"


def test_a_short_text_is_what_it_is_declared_to_be() -> None:
    assert language_of("nl", "Race en sport") == "nl"
    assert language_of("eu", "Auto lasterketa") == "eu"


@pytest.mark.parametrize("nothing", ["", "   ", "12 34 56", "x", "zzz qqq xxyyzz"])
def test_what_cannot_be_told_is_not_told(nothing: str) -> None:
    assert language_of("", nothing) == ""
    assert language_of("not a code", nothing) == language_of("xyz", nothing) == ""


def test_the_page_is_asked_before_the_header() -> None:
    page = read_page("http://e.test/", "http://e.test/", b"<html lang=nl><p>Race", headers={"content-language": "de"})
    assert page.language == "nl"
    assert (
        read_page("http://e.test/", "http://e.test/", b"<p>Race", headers={"content-language": "de"}).language == "de"
    )
