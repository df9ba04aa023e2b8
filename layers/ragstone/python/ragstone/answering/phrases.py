"""Sentences that are no statements: a model that declines, and a document that gives orders to its reader."""

from __future__ import annotations

import re

from ragstone.types import RefusalReason


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns), re.IGNORECASE)


_SOURCES_EN = r"(?:passages?|documents?|texts?|sources?|context|excerpts?|information|materials?)"
_SOURCES_DE = r"(?:passagen?|dokumente?n?|texte?n?|textstellen?|quellen?|kontext|abschnitte?n?|informationen|auszügen?)"
_SOURCES_FR = r"(?:passages?|documents?|textes?|sources?|contexte|extraits?|informations?)"
_SOURCES_ES = r"(?:pasajes?|documentos?|textos?|fuentes?|contexto|fragmentos?|informaci[oó]n)"
_SOURCES_IT = r"(?:passagg?i?o?|brani|documenti|documento|testi|testo|fonti|contesto|informazioni)"
_SOURCES_PT = r"(?:passage(?:m|ns)|trechos?|documentos?|textos?|fontes?|contexto|informaç(?:ão|ões))"
_SOURCES_NL = r"(?:passages?|documenten|document|teksten|tekst|bronnen|context|fragmenten|informatie)"

INSUFFICIENT = _any(
    rf"\b{_SOURCES_EN}\b[^.]{{0,40}}\b(?:do(?:es)? not|don'?t|doesn'?t|never|fails? to|lacks?)\b"
    r"[^.]{0,30}\b(?:contain|mention|provide|state|say|answer|include|specify|give|cover|address|information)",
    rf"\b(?:not|nothing|no information|no mention)\b[^.]{{0,40}}\b(?:in|from|by) the (?:\w+ )?{_SOURCES_EN}\b",
    r"\b(?:there is|i have|i found|i find) (?:no|not enough|insufficient) (?:information|mention|evidence|data)\b",
    r"^\W*(?:sorry,? )?i (?:do not|don'?t) (?:know|have (?:enough|any|that|the) information)\b",
    r"^\W*(?:insufficient|not enough) (?:information|evidence|context)\b",
    r"\b(?:can ?not|can'?t|could not) be (?:answered|determined) (?:from|based|with)",
    rf"\b{_SOURCES_DE}\b[^.]{{0,40}}\b(?:enthalten|erwähn\w+|nennen|geben|sagen|steht|enthält|nennt|sagt)\b"
    r"[^.]{0,40}\b(?:nicht\w*|kein\w*)\b",
    r"^\W*(?:leider )?(?:ich )?(?:weiß|weiss) (?:ich )?(?:das |es )?(?:leider )?nicht\b",
    r"\bkeine (?:informationen|angaben|hinweise)\b[^.]{0,60}\b(?:gefunden|enthalten|vorhanden|dokument|passag|text)",
    rf"\b{_SOURCES_FR}\b[^.]{{0,40}}\bn(?:e |['’])[^.]{{0,30}}\b(?:pas|aucune?|rien)\b",
    r"^\W*je ne sais pas\b",
    rf"\b{_SOURCES_ES}\b[^.]{{0,20}}\bno (?:contiene|menciona|dice|proporciona|responde|incluye|especifica|indica)",
    r"^\W*no (?:lo )?sé\b|\bno hay (?:suficiente )?información\b",
    rf"\b{_SOURCES_IT}\b[^.]{{0,20}}\bnon (?:conten|menzion|dic|fornisc|rispond|includ|specific|indic)",
    r"^\W*non (?:lo )?so\b|\bnon ci sono informazioni\b",
    rf"\b{_SOURCES_PT}\b[^.]{{0,20}}\bnão (?:cont|mencion|diz|fornec|respond|inclu|especific|indic)",
    r"^\W*(?:eu )?não sei\b|\bnão há informaç",
    rf"\b{_SOURCES_NL}\b[^.]{{0,40}}\b(?:niet\w*|geen)\b[^.]{{0,40}}$",
    r"^\W*(?:dat )?(?:ik )?weet (?:ik )?(?:het )?niet\b|\bgeen informatie (?:over|gevonden)\b",
    r"\b(?:отрыв\w+|документ\w*|текст\w*|источник\w*|контекст\w*|фрагмент\w*)[^.]{0,40}"
    r"\bне (?:содерж|упомина|указ|говор)",
    r"^\W*я не знаю\b|\bнет (?:информации|сведений|данных)\b",
    r"(?:段落|文档|文件|资料|文章|上下文|信息)[^。]{0,12}(?:没有|未|不)[^。]{0,4}(?:提到|提及|提供|包含|说明|回答)|我不知道",
    r"(?:文書|資料|文章|文脈|パッセージ|情報)[^。]{0,20}(?:ありません|含まれていません|記載されていません)|わかりません",
    r"(?:문서|자료|본문|지문|정보)[^.]{0,20}(?:없습니다|않습니다)|모르겠습니다",
)
"""A model that says that the passages don't hold the answer."""

DECLINED = _any(
    r"^\W*(?:i'?m|i am|we are|we'?re) (?:very |so |truly )?(?:sorry|afraid|unable|not able|not allowed)\b",
    r"^\W*(?:sorry|unfortunately|apologies)\b[^.]{0,20}\b(?:i|we) (?:can'?t|can ?not|am|are|won'?t|must)\b",
    r"^\W*i (?:can'?t|can ?not|won'?t|will not|must decline|am unable|'m unable|refuse)\b",
    r"\bas an? (?:ai|artificial intelligence|(?:large )?language model|assistant)\b",
    r"^\W*(?:es )?tut mir leid\b|^\W*ich (?:kann|darf|werde) (?:\w+ ){0,4}nicht\b|\bals (?:ki\b|sprachmodell)",
    r"^\W*(?:je suis )?désolée?\b|^\W*je ne (?:peux|suis) pas\b|\ben tant qu['’e ]+(?:ia|modèle|intelligence)",
    r"^\W*lo siento\b|^\W*no puedo\b|\bcomo (?:una? )?(?:ia|modelo de lenguaje|inteligencia artificial)\b",
    r"^\W*mi dispiace\b|^\W*non posso\b|\bcome (?:ia|modello linguistico|intelligenza artificiale)\b",
    r"^\W*(?:desculpe|sinto muito|lamento)\b|^\W*não posso\b|\bcomo (?:uma? )?(?:ia|modelo de linguagem)\b",
    r"^\W*(?:het spijt me|sorry)\b|^\W*ik kan (?:\w+ ){0,4}niet\b|\bals (?:ai|taalmodel)\b",
    r"^\W*(?:извините|простите|к сожалению,? я)\b|^\W*я не могу\b|\bкак (?:ии|языковая модель)\b",
    r"^\W*(?:很?抱歉|对不起|對不起)|我(?:无法|不能)(?:回答|提供|协助)|作为(?:一个|一名)?(?:AI|人工智能|语言模型)",
    r"^\W*(?:申し訳(?:あり|ござい)ません|すみません)|お(?:答え|手伝い)できません|AI(?:として|アシスタント)",
    r"^\W*(?:죄송|미안)|(?:도와|답변)[^.]{0,10}수 없습니다|AI(?:로서| 언어 ?모델)",
)
"""A model that won't answer."""

ORDERS = _any(
    r"\b(?:ignore|disregard|forget|override)\b[^.]{0,30}\b(?:previous|earlier|prior|above|all|any|your)\b"
    r"[^.]{0,20}\b(?:instructions?|rules?|prompts?|guidelines)\b",
    r"\b(?:answer|reply|respond)\b (?:to )?"
    r"(?:(?:every|all|any|each) (?:\w+ ){0,3}(?:questions?|requests?|messages?)|only|always|instead) (?:with|by|in)\b",
    r"\b(?:note|message|instructions?) (?:to|for) (?:the |all |any )?"
    r"(?:ai|assistants?|language models?|llms?|chat ?bots?)\b",
    r"\b(?:reveal|repeat|print|output|show|leak) (?:\w+ ){0,3}(?:system prompt|your prompt|your instructions)\b",
    r"\bfrom now on,? (?:you|reply|answer|respond)\b|\byou are now (?:\w+ ){0,4}(?:assistant|ai|mode|model|chatbot)\b",
    r"\b(?:ignorier\w*|vergiss|missachte)\b[^.]{0,40}\b(?:anweisung|instruktion|regeln|vorgabe)",
    r"\b(?:ignore[zr]?|oublie[zr]?)\b[^.]{0,40}\b(?:instructions|consignes)\b",
    r"\b(?:ignora|ignore|olvida|omite|esqueça|dimentica)\b[^.]{0,40}\b(?:instrucciones|instruções|istruzioni)\b",
    r"\b(?:negeer|vergeet)\b[^.]{0,40}\b(?:instructies|aanwijzingen)\b",
    r"\b(?:игнорируй\w*|забудь\w*)\b[^.]{0,40}\b(?:инструкц|указани)",
    r"(?:忽略|无视|忘记)[^。]{0,12}(?:指令|指示|说明)|(?:指示|命令)[^。]{0,6}無視|(?:지시|명령)[^.]{0,8}무시",
)
"""Text that tells an assistant what to do: it is no evidence of anything."""


def refusal_in(sentence: str) -> RefusalReason | None:
    """What kind of refusal a model's sentence is, None if it states something."""
    plain = sentence.replace("’", "'")
    if INSUFFICIENT.search(plain):
        return RefusalReason.INSUFFICIENT_EVIDENCE
    return RefusalReason.BLOCKED if DECLINED.search(plain) else None


def gives_orders(text: str) -> bool:
    return ORDERS.search(text) is not None
