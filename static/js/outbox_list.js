// The hands in the outbox, as rows of the page: what waits, what was refused and why, and what the user may do about
// it: correct it, drop it (asked once more), keep it for better times.
/* global entryWords, outbox, provisional, refusalReason, words */
{
  let shown = "";
  let asked = null;  // the token of the hand of which it is asked whether it shall be dropped

  const make = (tag, text = "", attributes = {}) => {
    const element = Object.assign(document.createElement(tag), attributes);
    element.textContent = text;
    return element;
  };

  const button = (name, act) => make("button", words(name), { type: "button", className: "button", onclick: act });

  const ask = (token) => { asked = token; render(); };

  const keep = async (entry) => {
    if (entry.kept) outbox.flush({ again: true });
    else await outbox.change(entry.token, { kept: true });
  };

  // It reads like a hand of another phone, and is none of theirs.
  const another = async (entry) => {
    const fields = [...entry.fields.filter(([name]) => name !== "another"), ["another", "1"]];
    await outbox.put({ ...entry, fields, number: entry.next_number ?? entry.number });
    await outbox.flush();
  };

  const choices = (entry) => {
    if (asked === entry.token) {
      return [
        make("p", entryWords("drop-sure", entry)),
        button("drop-yes", () => outbox.drop(entry.token)),
        button("drop-no", () => ask(null)),
      ];
    }
    const correct = make("a", words("correct"), { className: "button", href: `${entry.url}?outbox=${entry.token}` });
    const chosen = [correct, button("drop", () => ask(entry.token))];
    if (entry.another) chosen.unshift(button("another", () => another(entry)));
    if (entry.state === "refused") chosen.push(button(entry.kept ? "again" : "keep", () => keep(entry)));
    return chosen;
  };

  // Why it was refused, or that it is not counted before the server has it.
  const note = (entry) => {
    if (entry.state === "refused") return [make("p", refusalReason(entry), { className: "why" })];
    return provisional.isUnknown(entry) ? [make("p", words("uncounted"), { className: "why" })] : [];
  };

  // What waits needs nothing done about it; what was refused is unfolded.
  const row = (entry) => {
    const state = entry.state === "refused" ? (entry.kept ? "is-kept" : "is-refused") : `is-${entry.state}`;
    const line = make("summary");
    line.append(
      make("span", entry.number, { className: "number" }),
      make("bdi", entry.label),
      make("span", words(state), { className: "tag" }),
    );
    const answers = make("div", "", { className: "answers" });
    if (entry.state !== "sent") answers.append(...choices(entry));
    const hand = make("details", "", { open: state === "is-refused" || asked === entry.token });
    hand.append(line, ...note(entry), answers);
    const item = make("li", "", { className: `waiting-hand ${state}` });
    item.append(hand);
    return item;
  };

  // The next hand is the one after those that wait: so say the button, the turn and the form.
  const number = (link, last) => {
    const next = Number(link.dataset.nextHand);
    const behind = last && last.number >= next;
    link.textContent = behind ? words("enter", last.number + 1) : words(link.dataset.word, next);
  };

  // On the sheet also what was sent, until the sheet has it: it may be one that was kept.
  const toShow = async (session, link) => {
    if (!session) return outbox.all();
    if (!link) return outbox.of(session);
    await outbox.seen(session, Number(link.dataset.nextHand) - 1);
    return outbox.ahead(session);
  };

  const render = async () => {
    const section = document.getElementById("waiting");
    if (!section) return;
    const link = document.querySelector("[data-next-hand]");
    const entries = await toShow(document.body.dataset.session, link);
    if (link) number(link, entries.at(-1));
    const isCounted = provisional.show(entries, Number(link?.dataset.nextHand));
    const state = JSON.stringify([entries, asked, isCounted]);
    if (state === shown) return;
    shown = state;
    // As on the sheet: the latest first.
    section.querySelector("ol").replaceChildren(...entries.toReversed().map(row));
    const isSaved = entries.every(({ state }) => state === "sent");
    section.querySelector("h2").textContent = words(isSaved ? "not-here" : isCounted ? "counted" : "only-here");
    section.hidden = entries.length === 0;
  };

  outbox.listen(render);
  document.addEventListener("htmx:after:swap", render);
  window.addEventListener("pageshow", render);
}
