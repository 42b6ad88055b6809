// The texts that the scripts show, in the page's language: they stand in the page (base/_script_messages.html).
/* exported entryWords, refusalReason, words */
const words = (name, number) =>
  document.getElementById("words").getAttribute(`data-${name}`).replace("#", () => number);

// The same of what is in the outbox: a hand, or an entry that the table has agreed on.
const entryWords = (name, { agreed, number }) => words(agreed ? `agreed-${name}` : name, number);

// Why a hand of the outbox was refused: the server's sentence, or ours for its reason.
const refusalReason = (entry) => entry.sentence || words(entry.reason);
