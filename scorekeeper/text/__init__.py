"""Text as people search and sort it: folded, and in Hungarian order. Pure, standard library only."""
