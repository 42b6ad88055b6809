"""The worked hands of Tarokk's rules, with the rule that each shows (docs/rules/tarokk.md §11)."""

from typing import Final

from django.utils.translation import gettext_lazy as _

from sessions_app.faces.rules_page import WorkedHand

WORKED_HANDS: Final = (
    WorkedHand("2+2 75", _("A silent dupla, which replaces the game.")),
    WorkedHand("2+3 86 D v", _("The announced dupla, and next to it a silent volát.")),
    WorkedHand("2+2 65 D", _("The dupla was missed: the game is won but pays nothing.")),
    WorkedHand("2+1 19 K", _("The opponents have 75: the game under kontra, and next to it a silent dupla.")),
    WorkedHand("2+1 19", _("The same without kontra: the dupla only.")),
    WorkedHand("3+2 89 v", _("A silent volát; silent tuletroá and kings are not paid beside it.")),
    WorkedHand("2+2 61", _("A plain kettes.")),
    WorkedHand("1?", _("A próbaegy with no honour in the talon.")),
    WorkedHand("3+1 47", _("At 47 each the opponents win.")),
    WorkedHand("1+2 40 D", _("The dupla was missed, and the opponents win the game too.")),
    WorkedHand("s= 66", _("Alone: each of the three pays.")),
    WorkedHand("3= 44 K", _("The called card was in a skart: obligatory kontra, alone, and lost.")),
    WorkedHand("2+2 + N -n", _("Négy király was announced, and the opponents made it: they are paid for both.")),
    WorkedHand("3+1 52 U b", _("The announced ultimó was beaten: only the announcement is lost.")),
    WorkedHand("2+3 52 -b", _("The opponents' silent pagát was beaten in the last trick.")),
    WorkedHand(
        "2+2 58 UK u 8@0", _("An ultimó under kontra; nyolc tarokk is paid by each of the three, the partner too.")
    ),
    WorkedHand("3+2 61 9@1", _("Kilenc tarokk of an opponent: everybody pays that player.")),
    WorkedHand("1+3 60 -x", _("A silent fogás by the opponents.")),
    WorkedHand("2+2 53 XR x", _("An announced fogás under rekontra.")),
    WorkedHand("3+2 75 t n", _("Silent dupla, tuletroá and kings: giving away one trick earns more than volát.")),
    WorkedHand("2+1 80 V", _("Volát announced and missed: no dupla either.")),
    WorkedHand("2+1 20 V", _("The same, and the opponents have a silent dupla.")),
    WorkedHand("2+2 73 D V", _("The dupla was done, the volát missed.")),
    WorkedHand("2+2 50 K -D", _("The game under kontra; the opponents missed their dupla.")),
    WorkedHand("2+2 45 -D", _("The opponents won the game, but not their dupla: no game is paid.")),
    WorkedHand("1+2 72 R DK T -UK t -b 8@1", _("Everything at once.")),
)
