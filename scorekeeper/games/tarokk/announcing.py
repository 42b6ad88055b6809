"""Announcements and kontras: the turn, the words that a seat may say, and the sides shown (docs/rules/tarokk.md §5).

Words are taken in turn, each turn ended by `mehet`; from any seat once a form has noted something without its speaker.
Only the impossible is refused: the players alone know the real sides. The text is in the letters of the notation.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Final, NamedTuple, Self

from scorekeeper.games.errors import IllegalMove, MalformedState
from scorekeeper.games.payment_game import KONTRAS, Kontra, letter_of
from scorekeeper.games.referee import seat_from_text, seats_of_text, seats_to_text, without_latest
from scorekeeper.games.tarokk.enums import (
    BONUSES,
    NO_TAROKKS,
    OTHERS,
    PLACES,
    SIDES,
    Announced,
    Bonus,
    Side,
    Tarokks,
    declared_by,
)
from scorekeeper.games.tarokk.validation import MOST_WITH_TAROKKS

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
        return letter_of(SIDES, self.side) + letter_of(BONUSES, self.bonus)

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
    return item.letters + letter_of(KONTRAS, kontra)


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
        yield from (each.to_text() for each in self.announced)
        yield from (f"{number}@{place}" for place, number in enumerate(self.tarokks) if number)

    @classmethod
    def from_words(cls, words: Sequence[str]) -> Self:
        """Read the words. Raise MalformedState."""
        game, announced, declared = Kontra.NONE, list[Announced](), dict[int, int]()
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
        return cls(game, tuple(announced), declared_by(declared))


NOTHING: Final = AnnouncedFacts()


#: The partner's place if the declarer is known to play alone.
ALONE: Final = 0
END: Final = "end"
SILENT_TURNS: Final = 3


@dataclass(frozen=True, slots=True)
class _State:
    """The state of the announcements after some words."""

    levels: Mapping[Item, Kontra] = field(default_factory=dict)
    tarokks: Tarokks = NO_TAROKKS
    turn: int = 0
    this_turn: tuple[Said, ...] = ()
    turns: int = 0
    silent: int = 0
    shown: Mapping[int, Side] = field(default_factory=lambda: {0: Side.DECLARERS})
    last_side: Side = Side.DECLARERS
    is_alone: bool = False

    def after(self, place: int, said: Said) -> "_State":
        if said.word == MEHET:
            # The first turn is never silent: the declarer has called a card in it.
            silent = 0 if self.this_turn or not self.turns else self.silent + 1
            turn = (self.turn + 1) % len(PLACES)
            return replace(self, turn=turn, this_turn=(), turns=self.turns + 1, silent=silent)
        spoken = replace(self, this_turn=(*self.this_turn, said)) if place == self.turn else self
        if said.item is None:
            return replace(spoken, tarokks=declared_by({**dict(enumerate(self.tarokks)), place: said.tarokks}))
        side = said.item.of_step(said.kontra)
        return replace(
            spoken,
            levels={**self.levels, said.item: said.kontra},
            shown={**self.shown, place: side},
            last_side=side,
            is_alone=self.is_alone or said.word == OF_OFFICE,
        )


@dataclass(frozen=True)
class Announcing:
    """The announcements at some point. `seats` are by place, 0 … 3; `noted` are facts from a form, without speakers."""

    seats: tuple[int, ...]
    noted: AnnouncedFacts = NOTHING
    said: tuple[Said, ...] = ()
    is_closed: bool = False

    @property
    def facts(self) -> AnnouncedFacts:
        state = self._state
        announced = (Announced(item.side, item.bonus, kontra) for item, kontra in state.levels.items() if item.bonus)
        return AnnouncedFacts(state.levels[GAME], tuple(announced), state.tarokks)

    @property
    def items(self) -> Mapping[Item, Kontra]:
        """The items that can be doubled, and their kontras: the game first, then in the order of the notation."""
        return {
            GAME: self.facts.game_kontra,
            **{Item(each.side, each.bonus): each.kontra for each in self.facts.announced},
        }

    @property
    def is_over(self) -> bool:
        return self.is_closed or self._state.silent >= SILENT_TURNS

    @property
    def in_turn(self) -> bool:
        """True if the turn is known: no form has noted anything."""
        return self.noted == NOTHING

    @property
    def turn(self) -> int | None:
        """The seat whose turn it is; None at the end, and where any seat may speak."""
        return self.seats[self._state.turn] if self.in_turn and not self.is_over else None

    @property
    def partner(self) -> int | None:
        """The partner's place if the words have shown it, ALONE if there is none; None: not known."""
        shown = self._state.shown
        if self._state.is_alone or all(shown.get(place) is Side.OPPONENTS for place in OTHERS):
            return ALONE
        return next((place for place in OTHERS if shown.get(place) is Side.DECLARERS), None)

    def side_of(self, seat: int, partner: int | None = None) -> Side | None:
        """Return the seat's side, None while it is not known. `partner`, if not None, overrides the one shown."""
        place = self._place(seat)
        known = self.partner if partner is None else partner
        if place == 0 or known is None:
            return self._state.shown.get(place)
        return Side.DECLARERS if place == known else Side.OPPONENTS

    def counts_as(self, seat: int, partner: int | None = None) -> Side:
        """Return the side for which the seat announces: its own; while that is not known, the side shown last."""
        return self.side_of(seat, partner) or self._state.last_side

    def may_announce(self, seat: int, partner: int | None = None) -> tuple[Item, ...]:
        """Return the bonuses that the seat may announce now."""
        if not self._may_speak(seat):
            return ()
        side = self.counts_as(seat, partner)
        return tuple(item for bonus in Bonus if not self._why_not(item := Item(side, bonus)))

    def may_double(self, seat: int, ladder: int, partner: int | None = None) -> Mapping[Item, Kontra]:
        """Return the step that the seat may say to each item; `ladder` is the highest in the house rules."""
        if not self._may_speak(seat):
            return {}
        side = self.side_of(seat, partner)
        steps = {item: Kontra(level + 1) for item, level in self.items.items() if level < ladder}
        return {item: step for item, step in steps.items() if side in (None, item.of_step(step))}

    def may_declare(self, seat: int) -> tuple[int, ...]:
        """Return the numbers of tarokks that the seat may declare now."""
        free = self._may_speak(seat) and not self._state.tarokks[self._place(seat)]
        return (8, 9) if free and sum(map(bool, self._state.tarokks)) < MOST_WITH_TAROKKS else ()

    def may_say_of_office(self, seat: int) -> bool:
        """Return whether the seat may say kontra because its skart holds the called card: at once, out of turn."""
        return not self.said and self.noted == NOTHING and not self.is_over and seat != self.seats[0]

    def say(self, seat: int, word: str, *, ladder: int, partner: int | None = None) -> Self:
        """Return the announcements after this seat said the word (see `Said.to_text`).

        Raise IllegalMove: `not_playing` (seat), `announcing_over`, `not_your_turn` (seat, turn), `announced_already`
        (item), `double_and_volat`, `double_after_volat`, `not_announced_yet` (item), `kontra_too_high` (highest),
        `step_out_of_order` (item, kontra), `not_his_side` (seat, item, kontra), `tarokks_declared` (seat),
        `tarokks_three`, `office_at_once`. An item is written as in the notation. Raise MalformedState for any other
        word.
        """
        said = Said.of(seat, word)
        if seat not in self.seats:
            raise IllegalMove("not_playing", seat=seat)
        if self.is_over:
            raise IllegalMove("announcing_over")
        if word == OF_OFFICE:
            if not self.may_say_of_office(seat):
                raise IllegalMove("office_at_once")
        elif not self._may_speak(seat):
            raise IllegalMove("not_your_turn", seat=seat, turn=self.seats[self._state.turn])
        else:
            self._check(said, ladder, partner)
        return replace(self, said=(*self.said, said))

    def close(self) -> Self:
        """Return the announcements closed, before three silent turns. Raise IllegalMove `announcing_over`."""
        if self.is_over:
            raise IllegalMove("announcing_over")
        return replace(self, is_closed=True)

    def undo(self) -> Self:
        """Return the announcements before the latest word or their close. Raise IllegalMove `nothing_to_undo`."""
        if self.is_closed:
            return replace(self, is_closed=False)
        return replace(self, said=without_latest(self.said))

    def with_facts(self, facts: AnnouncedFacts) -> Self:
        """Return the announcements with these facts from a form; the words stay if they come to the same facts."""
        return self if facts == self.facts else replace(self, noted=facts, said=(), is_closed=False)

    def to_text(self) -> str:
        """Write `2-1-0-3 K T 8@1 / 2:mehet 1:-T end`: the seats by place, the facts noted, the words."""
        words = [seats_to_text(self.seats), *self.noted.words(), "/", *(each.to_text() for each in self.said)]
        return " ".join([*words, END] if self.is_closed else words)

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Read the text. Raise MalformedState."""
        seats, _, rest = text.partition(" ")
        noted, slash, said = f" {rest} ".partition(" / ")
        if not slash:
            raise MalformedState(text)
        by_place = seats_of_text(seats, len(PLACES))
        words = said.split()
        closed = words[-1:] == [END]
        spoken = tuple(map(Said.from_text, words[:-1] if closed else words))
        if any(each.seat not in by_place for each in spoken):
            raise MalformedState(text)
        return cls(by_place, AnnouncedFacts.from_words(noted.split()), spoken, closed)

    def _place(self, seat: int) -> int:
        return self.seats.index(seat)

    def _may_speak(self, seat: int) -> bool:
        return not self.is_over and (not self.in_turn or seat == self.turn)

    def _check(self, said: Said, ladder: int, partner: int | None) -> None:
        if said.tarokks:
            self._check_tarokks(said.seat)
        elif said.item and not said.kontra:
            code = self._why_not(said.item)
            if code:
                raise IllegalMove(code, item=said.item.letters)
        elif said.item:
            self._check_step(said, said.item, ladder, partner)

    def _check_tarokks(self, seat: int) -> None:
        if self._state.tarokks[self._place(seat)]:
            raise IllegalMove("tarokks_declared", seat=seat)
        if not self.may_declare(seat):
            raise IllegalMove("tarokks_three")

    def _check_step(self, said: Said, item: Item, ladder: int, partner: int | None) -> None:
        worded = {"item": item.letters, "kontra": said.kontra.value}
        if item not in self.items:
            raise IllegalMove("not_announced_yet", **worded)
        if said.kontra > ladder:
            raise IllegalMove("kontra_too_high", highest=ladder)
        if said.kontra != self.items[item] + 1:
            raise IllegalMove("step_out_of_order", **worded)
        if self.side_of(said.seat, partner) not in (None, item.of_step(said.kontra)):
            raise IllegalMove("not_his_side", seat=said.seat, **worded)

    def _why_not(self, item: Item) -> str:
        """Return the code for a bonus that cannot be announced; '' if it can."""
        if item in self.items:
            return "announced_already"
        now = {each.item for each in self._state.this_turn if not each.kontra} if self.in_turn else set()
        volat = Item(item.side, Bonus.VOLAT)
        if item.bonus is Bonus.DOUBLE and volat in self.items:
            return "double_and_volat" if volat in now else "double_after_volat"
        both = item.bonus is Bonus.VOLAT and Item(item.side, Bonus.DOUBLE) in now
        return "double_and_volat" if both else ""

    @cached_property
    def _state(self) -> _State:
        levels = {GAME: self.noted.game_kontra} | {
            Item(each.side, each.bonus): each.kontra for each in self.noted.announced
        }
        state = _State(levels, self.noted.tarokks)
        for said in self.said:
            state = state.after(self._place(said.seat), said)
        return state
