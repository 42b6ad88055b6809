"""The contract that a declarer names: a game of six to ten tricks, or a mizer (docs/rules/preference.md §3 and §4)."""

from dataclasses import dataclass
from typing import Final, Self

from scorekeeper.games.errors import IllegalMove
from scorekeeper.games.preference.auction import Auction, Call
from scorekeeper.games.preference.deal import LEVELS, Contract, Mizer, Strain
from scorekeeper.games.preference.house_rules import Rules
from scorekeeper.games.preference.whisting import Answer, Whisting
from scorekeeper.games.state_text import MalformedState


@dataclass(frozen=True, slots=True)
class Named:
    """A level of 6 … 10 and its strain, which may be left out; level None is a mizer. Raise ValueError for others."""

    level: int | None
    strain: Strain | None = None

    def __post_init__(self) -> None:
        if self.level not in (None, *LEVELS) or (self.is_mizer and self.strain):
            raise ValueError(f"{self.to_text()} is no contract")

    @classmethod
    def of(cls, deal: Contract | Mizer) -> Self:
        """Return the contract of this deal."""
        return cls(deal.level, deal.strain) if isinstance(deal, Contract) else cls(None)

    @property
    def is_mizer(self) -> bool:
        return self.level is None

    @property
    def highest(self) -> Call:
        """The highest bid that the contract may stand for: without a strain, the one at no trumps."""
        return Call.MIZER if self.is_mizer else Call(f"{self.level}{self.strain or Strain.NO_TRUMPS}")

    def reads_as(self, other: Self) -> bool:
        """Return whether both may record the same hand: they differ at most in whether the strain is noted."""
        return self.level == other.level and (self.strain == other.strain or None in (self.strain, other.strain))

    def check(self, auction: Auction) -> None:
        """Raise IllegalMove as `Auction.check` for a contract that the declarer may not name after this auction."""
        try:
            auction.check(self.highest)
        except IllegalMove as refused:
            code, params = refused.message
            raise IllegalMove(code, **{**params, "contract": self.to_text()}) from refused

    def whisting(self, answers: tuple[Answer, ...], rules: Rules) -> Whisting | None:
        """Return the answers to it by these rules; None for a mizer, never whisted. Raise IllegalMove as `Whisting`."""
        if self.level is None:
            return None
        return Whisting(
            self.level,
            self.strain,
            answers,
            half_whist=rules.half_whist,
            stalingrad=rules.stalingrad,
            ten=rules.ten.value,
        )

    def to_text(self) -> str:
        """Write `6S`, or `6` without its strain; `M`."""
        return Call.MIZER.value if self.is_mizer else f"{self.level}{self.strain or ''}"

    @classmethod
    def from_text(cls, text: str) -> Self:
        """Read the text. Raise MalformedState for any other."""
        if text not in _NAMED:
            raise MalformedState(text)
        return cls(*_NAMED[text])


MIZER: Final = Named(None)
_NAMED: Final = {
    each.to_text(): (each.level, each.strain)
    for each in (MIZER, *(Named(level, strain) for level in LEVELS for strain in (None, *Strain)))
}
