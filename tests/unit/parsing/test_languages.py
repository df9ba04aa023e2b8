from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragstone.parsing.languages import written_in

SAMPLES = {
    "en": "The harbour office is open from nine to five on working days, and it closes at noon on Saturdays.",
    "de": "Das Hafenamt ist an Werktagen von neun bis fünf Uhr geöffnet und schließt am Samstag um zwölf.",
    "fr": "Le bureau du port est ouvert de neuf à dix-sept heures les jours ouvrables, et il ferme à midi le samedi.",
    "es": "La oficina del puerto está abierta de nueve a cinco los días laborables y se cierra a mediodía los sábados.",
    "it": "L'ufficio del porto è aperto dalle nove alle cinque nei giorni feriali e il sabato si chiude a mezzogiorno, "
    "ma non è possibile ritirare i permessi per la barca.",
    "pt": "O escritório do porto está aberto das nove às cinco nos dias úteis e aos sábados fecha ao meio-dia, mas não "
    "é possível levantar as licenças para o barco.",
    "nl": "Het havenkantoor is op werkdagen van negen tot vijf geopend en sluit op zaterdag om twaalf uur.",
    "ru": "Портовая контора открыта по будням с девяти до пяти часов, а в субботу она закрывается в полдень.",
    "zh": "港口办公室工作日上午九点至下午五点开放，星期六中午关闭，请提前办理停泊许可证。",
    "ja": "港湾事務所は平日の九時から五時まで開いており、土曜日は正午に閉まります。",
    "ko": "항만 사무소는 평일 아홉 시부터 다섯 시까지 열고 토요일에는 정오에 닫습니다.",
    "el": "Το λιμεναρχείο είναι ανοιχτό από τις εννέα έως τις πέντε τις εργάσιμες ημέρες.",
}
OTHERS = {
    "sv": "Hamnkontoret är öppet från nio till fem på vardagar och stänger vid middagstid på lördagar.",
    "da": "Havnekontoret er åbent fra ni til fem på hverdage, og det lukker ved middagstid om lørdagen.",
    "pl": "Biuro portu jest otwarte od dziewiątej do piątej w dni robocze, a w soboty zamyka się w południe.",
    "cs": "Přístavní kancelář je otevřena od devíti do pěti v pracovní dny a v sobotu se zavírá v poledne.",
    "tr": "Liman ofisi hafta içi dokuzdan beşe kadar açıktır ve cumartesi günleri öğlen kapanır.",
    "ca": "L'oficina del port és oberta de nou a cinc els dies feiners i tanca al migdia els dissabtes.",
    "ro": "Biroul portului este deschis de la nouă la cinci în zilele lucrătoare și se închide la prânz sâmbăta.",
    "af": "Die hawekantoor is van nege tot vyf oop op weeksdae en dit sluit nie vir hierdie mense op Saterdag nie.",
    "uk": "Портова контора відкрита в будні з дев'ятої до п'ятої години, а в суботу вона зачиняється опівдні.",
    "bg": "Пристанищната служба е отворена от девет до пет в работни дни, а в събота затваря на обяд.",
    "fi": "Satamatoimisto on avoinna arkisin yhdeksästä viiteen, ja se suljetaan lauantaisin puolelta päivin.",
}


@pytest.mark.parametrize("language", sorted(SAMPLES))
def test_a_sentence_tells_its_language(language: str) -> None:
    assert written_in(SAMPLES[language]) == language


@pytest.mark.parametrize("language", sorted(OTHERS))
def test_a_language_that_is_not_known_is_not_taken_for_another(language: str) -> None:
    assert written_in(OTHERS[language]) is None


@pytest.mark.parametrize(
    "text", ["", "4.20 | 8.30", "Skarholm", "SELECT id FROM fares WHERE zone = 4", "港", "name: Curlew | built: 2012"]
)
def test_what_tells_too_little_gets_no_answer(text: str) -> None:
    assert written_in(text) is None


def test_names_in_another_script_change_nothing() -> None:
    assert written_in(f"{SAMPLES['en'] * 4} (Пристань, 横浜)") == "en"


@given(st.text(max_size=300))
def test_any_text_has_an_answer(text: str) -> None:
    assert written_in(text) in {None, *SAMPLES, "he", "th"}
