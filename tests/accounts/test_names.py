import pytest
from django.core.exceptions import ValidationError

from accounts.names import KEY_LENGTH, name_key, normal_name, validate_name


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ana", "Аnа"),  # Cyrillic А and а
        ("Ana", "ANA"),
        ("BOB", "ВОВ"),  # all Cyrillic
        ("вов", "ВОВ"),
        ("NIKO", "ΝΙΚΟ"),  # all Greek
        ("Ian", "lan"),
        ("Burn", "Bum"),
        ("Adm1n", "Admin"),
        ("Ivo10", "IvoIO"),
        ("Dr. X", "dr x"),
        ("Ana Maria", "Ana-Maria"),
        ("Ｍiriam", "Miriam"),
        ("İrem", "Irem"),
        ("Straße", "STRASSE"),
        ("Ana۱", "Ana1"),
        ("می\u200cنا", "مینا"),
    ],
)
def test_names_that_look_alike_are_one(one: str, other: str) -> None:
    assert name_key(one) == name_key(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("Ana", "Anna"), ("Élise", "Elise"), ("Vuk 2", "Vuk 3"), ("Ana", "Bana"), ("مریم", "مینا")],
)
def test_names_that_do_not(one: str, other: str) -> None:
    assert name_key(one) != name_key(other)


@pytest.mark.parametrize(
    "name",
    ["Miriam", "Ελένη", "Jiří", "Vuk 2", "مریم", "می\u200cنا", "Nguyễn Văn", "王伟", "山田Taro",
     "O'Neil", "क्\u200dष", "Таня", "J. R.", "x" * 30],
)  # fmt: skip
def test_names_from_anywhere(name: str) -> None:
    validate_name(name)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("", "2 to 30"),
        ("x", "2 to 30"),
        ("x" * 31, "2 to 30"),
        ("  x  ", "2 to 30"),
        ("ﷺﷺ", "2 to 30"),  # four words in one sign: it is counted as it is written out
        ("a@b", "no other signs"),
        ("a\u202eb", "no other signs"),  # turns the direction
        ("a\u2066b", "no other signs"),
        ("a\x00b", "no other signs"),
        ("a\nb\x07", "no other signs"),
        ("a\u200bb", "no other signs"),
        ("ab\u200cc", "no other signs"),  # a joiner where it joins nothing
        ("می\u200dنا", "no other signs"),
        ("ab\u3164c", "no other signs"),  # a letter that shows nothing
        ("ab\ufe0fc", "no other signs"),
        ("a\u0300\u0301\u0302\u0303\u0304b", "no other signs"),
        ("\u0301ab", "no other signs"),
        ("🐱cat", "no other signs"),
        ("Аna", "one alphabet"),
        ("Anα", "one alphabet"),
        ("--..", "one letter or digit"),
        ("Admin", "mislead"),
        ("ADM1N", "mislead"),
        ("Аdmin", "one alphabet"),
        ("Duke", "mislead"),
        ("a former player", "mislead"),
        ("A former player 7", "mislead"),
    ],
)
def test_names_that_mislead(name: str, words: str) -> None:
    with pytest.raises(ValidationError) as refused:
        validate_name(name)
    assert words in refused.value.messages[0]


def test_a_name_is_kept_in_one_spelling() -> None:
    assert normal_name("  Ｍiriam \u00a0 K  ") == "Miriam K"


def test_the_key_of_the_longest_name_fits() -> None:
    assert all(len(name_key(char * 30)) <= KEY_LENGTH for char in "ΐßﬃĲ")
