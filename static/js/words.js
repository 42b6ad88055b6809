// Returns the texts that scripts show, in the page's language: a script of the page defines them (script_messages.py).
/* exported entryWords, refusalReason, words */
// If that script could not be loaded, all others still work.
const words = (name, number) => (self.MESSAGES?.[name] ?? "…").replace("#", () => number);

// The same for an entry of the outbox, which is a hand, an agreed entry or a payment.
const entryWords = (name, { circle, label, agreed, number }) =>
  circle ? words(`payment-${name}`, label) : words(agreed ? `agreed-${name}` : name, number);

// Return why the server refused an entry: its own sentence, or ours for the reason.
const refusalReason = (entry) => entry.sentence || words(entry.reason);
