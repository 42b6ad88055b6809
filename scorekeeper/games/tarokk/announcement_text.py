"""The announcements of a hand before it is played, and their text in the letters of the notation."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, Self

from scorekeeper.games.kontra import KONTRAS, Kontra
from scorekeeper.games.state_text import MalformedState, seat_from_text
from scorekeeper.games.tarokk.enums import NO_TAROKKS, Announced, Bonus, Side, Tarokks
from scorekeeper.games.tarokk.notation import BONUSES, SIDES

MEHET: Final = "mehet"
#: Kontra to the game by the player whose skart holds the called card (§4): the declarer is alone.
OF_OFFICE: Final = "office"


class Item(NamedTuple):
    """An item that can be doubled: a bonus announced by a side, or the declarers' game (`bonus` None)."""

    side: Side
    bonus: Bonus | None

    @property
    def letters(self) -> str:
        """The item in the notation, without its kontra; '' for the game."""
        if self.bonus is None:
            return ""
        sides = {side: minus for minus, side in SIDES.items()}
        return sides[self.side] + next(letter for letter, bonus in BONUSES.items() if bonus is self.bonus)

    @classmethod
    def of(cls, letters: str) -> Self:
        """Read the letters of an item. Raise MalformedState."""
        if not letters:
            return cls(Side.DECLARERS, None)
        bonus = BONUSES.get(letters.removeprefix("-"))
        if bonus is None:
            raise MalformedState(letters)
        return cls(Side.OPPONENTS if letters.startswith("-") else Side.DECLARERS, bonus)

    def of_step(self, step: Kontra) -> Side:
        """Return the side that may say this step: kontra the other side, rekontra its own, and so on."""
        return self.side.other if step % 2 else self.side


GAME: Final = Item(Side.DECLARERS, None)


class Said(NamedTuple):
    """A word and its speaker: mehet, a bonus, a step of an item's ladder (with its `kontra`), or declared tarokks."""

    seat: int
    word: str
    item: Item | None = None
    kontra: Kontra = Kontra.NONE
    tarokks: int = 0

    def to_text(self) -> str:
        """Write `0:mehet`, `1:-T`, `2:K`, `2:-TR`, `3:8`, `1:office`."""
        return f"{self.seat}:{self.word}"

    @classmethod
    def of(cls, seat: int, word: str) -> Self:
        """Read the word of a seat. Raise MalformedState."""
        if word == MEHET:
            return cls(seat, word)
        if word in ("8", "9"):
            return cls(seat, word, tarokks=int(word))
        if word == OF_OFFICE:
            return cls(seat, word, GAME, Kontra.KONTRA)
        letter = word[-1:] if word[-1:] in KONTRAS else ""
        kontra = KONTRAS[letter]
        item = Item.of(word.removesuffix(letter))
        if item == GAME and not kontra:
            raise MalformedState(word)
        return cls(seat, word, item, kontra)

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Read the text. Raise MalformedState."""
        seat, colon, word = text.partition(":")
        if not colon:
            raise MalformedState(text)
        return cls.of(seat_from_text(seat), word)


def word_of(item: Item, kontra: Kontra = Kontra.NONE) -> str:
    """Write the announcement of the item, or this step of its ladder."""
    return item.letters + next(letter for letter, step in KONTRAS.items() if step is kontra)


@dataclass(frozen=True, slots=True)
class AnnouncedFacts:
    """The announcements without their speakers: the kontra of each item, and the declared tarokks by place."""

    game_kontra: Kontra = Kontra.NONE
    announced: tuple[Announced, ...] = ()
    tarokks: Tarokks = NO_TAROKKS

    def __post_init__(self) -> None:
        object.__setattr__(self, "announced", tuple(sorted(self.announced, key=lambda each: each.order)))

    def words(self) -> Iterator[str]:
        """Yield the facts as words of the notation."""
        if self.game_kontra:
            yield word_of(GAME, self.game_kontra)
        yield from (word_of(Item(each.side, each.bonus), each.kontra) for each in self.announced)
        yield from (f"{number}@{place}" for place, number in enumerate(self.tarokks) if number)

    @classmethod
    def from_words(cls, words: Sequence[str]) -> Self:
        """Read the words. Raise MalformedState."""
        game, announced, declared = Kontra.NONE, list[Announced](), list(NO_TAROKKS)
        for word in words:
            number, at, place = word.partition("@")
            if at and (number not in ("8", "9") or place not in ("0", "1", "2", "3")):
                raise MalformedState(word)
            if at:
                declared[int(place)] = int(number)
                continue
            said = Said.of(0, word)
            if said.item is None:
                raise MalformedState(word)
            if said.item.bonus is None:
                game = said.kontra
            else:
                announced.append(Announced(said.item.side, said.item.bonus, said.kontra))
        zero, one, two, three = declared
        return cls(game, tuple(announced), (zero, one, two, three))


NOTHING: Final = AnnouncedFacts()
