"""Stems: Porter's published examples, and the words on which ROUGE-1.5.5 departs from him."""

from __future__ import annotations

import pytest

from sigcore.metrics.rouge.words import stem

# The examples of Porter 1980, rule by rule, with what the whole algorithm makes of them; short words are left out.
PUBLISHED = """
caresses caress, ponies poni, ties ti, caress caress, cats cat, agreed agre, plastered plaster, motoring motor,
conflated conflat, troubled troubl, sized size, hopping hop, tanned tan, falling fall, hissing hiss, fizzed fizz,
failing fail, filing file, happy happi, relational relat, conditional condit, rational ration, valenci valenc,
hesitanci hesit, digitizer digit, conformabli conform, radicalli radic, differentli differ, vileli vile,
analogousli analog, vietnamization vietnam, predication predic, operator oper, feudalism feudal, decisiveness decis,
hopefulness hope, callousness callous, formaliti formal, sensitiviti sensit, sensibiliti sensibl, triplicate triplic,
formative form, formalize formal, electriciti electr, electrical electr, hopeful hope, goodness good, revival reviv,
allowance allow, inference infer, airliner airlin, gyroscopic gyroscop, adjustable adjust, defensible defens,
irritant irrit, replacement replac, adjustment adjust, dependent depend, adoption adopt, communism commun,
activate activ, angulariti angular, homologous homolog, effective effect, bowdlerize bowdler, probate probat,
rate rate, cease ceas, controll control, roll roll, generalizations gener, oscillators oscil
"""


@pytest.mark.parametrize("pair", [pair.strip() for pair in PUBLISHED.split(",")])
def test_published_examples(pair):
    """Porter's own examples have the stems his algorithm gives. Source: Porter 1980, with its sample output."""
    word, expected = pair.split()
    assert stem(word) == expected


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("agreement", "agreem"),  # Porter: agreement, since the longest ending, ement, leaves too little
        ("additionally", "addit"),  # Porter: addition, since one ending is taken off in this step
        ("statement", "statem"),
        ("traditionally", "tradit"),
        ("yield", "yield"),  # y begins a word as a consonant
        ("saying", "sai"),
        ("1980s", "1980"),  # digits are consonants
        ("bbbb", "bbbb"),
    ],
)
def test_where_the_program_departs(word, expected):
    """The fourth step tries its endings one after the other, as ROUGE-1.5.5 does."""
    assert stem(word) == expected
