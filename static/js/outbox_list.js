// Lists the hands of the outbox on the page: those that wait, and those that were refused with the reason.
// The user can correct a hand, drop it after a question, or keep it for later.
/* global entryWords, outbox, provisional, refusalReason, words */
{
  let shown = "";
  let asked = null;  // the token of the hand of which the page asks whether to drop it

  const make = (tag, text = "", attributes = {}) => {
    const element = Object.assign(document.createElement(tag), attributes);
    element.textContent = text;
    return element;
  };

  const button = (name, act) => make("button", words(name), { type: "button", className: "button", onclick: act });

  const askToDrop = (token) => { asked = token; render(); };

  const keepOrRetry = async (entry) => {
    if (entry.kept) outbox.flush({ again: true });
    else await outbox.change(entry.token, { kept: true });
  };

  // Send it as another hand, though it looks like one that another phone has recorded.
  const sendAsAnother = async (entry) => {
    const fields = [...entry.fields.filter(([name]) => name !== "another"), ["another", "1"]];
    await outbox.put({ ...entry, fields, number: entry.next_number ?? entry.number });
    await outbox.flush();
  };

  const choices = (entry) => {
    if (asked === entry.token) {
      return [
        make("p", entryWords("drop-sure", entry)),
        button("drop-yes", () => outbox.drop(entry.token)),
        button("drop-no", () => askToDrop(null)),
      ];
    }
    const correct = make("a", words("correct"), { className: "button", href: `${entry.url}?outbox=${entry.token}` });
    const chosen = [correct, button("drop", () => askToDrop(entry.token))];
    if (entry.another) chosen.unshift(button("another", () => sendAsAnother(entry)));
    if (entry.state === "refused") chosen.push(button(entry.kept ? "again" : "keep", () => keepOrRetry(entry)));
    return chosen;
  };

  // Return the reason of a refusal, or the note that only the server can count it.
  const note = (entry) => {
    if (entry.state === "refused") return [make("p", refusalReason(entry), { className: "why" })];
    return provisional.isUncounted(entry) ? [make("p", words("uncounted"), { className: "why" })] : [];
  };

  // A refused hand is unfolded: the user has to decide.
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

  // Label the link to the form with the number after those that wait.
  const labelLink = (link, last) => {
    const next = Number(link.dataset.nextHand);
    const behind = last && last.number >= next;
    link.textContent = behind ? words("enter", last.number + 1) : words(link.dataset.word, next);
  };

  // On the sheet also the sent hands that it does not show yet: a kept page is older than they are.
  const entriesToShow = async (session, link) => {
    if (!session) return outbox.all();
    if (!link) return outbox.ofSession(session);
    await outbox.markSeen(session, Number(link.dataset.nextHand) - 1);
    return outbox.ahead(session);
  };

  const render = async () => {
    const section = document.getElementById("waiting");
    if (!section) return;
    const link = document.querySelector("[data-next-hand]");
    const entries = await entriesToShow(document.body.dataset.session, link);
    if (link) labelLink(link, entries.at(-1));
    const isCounted = provisional.show(entries, Number(link?.dataset.nextHand));
    const state = JSON.stringify([entries, asked, isCounted]);
    if (state === shown) return;
    shown = state;
    // The latest first, as on the sheet.
    section.querySelector("ol").replaceChildren(...entries.toReversed().map(row));
    const isSaved = entries.every(({ state }) => state === "sent");
    section.querySelector("h2").textContent = words(isSaved ? "not-here" : isCounted ? "counted" : "only-here");
    section.hidden = entries.length === 0;
  };

  outbox.listen(render);
  document.addEventListener("htmx:after:swap", render);
  window.addEventListener("pageshow", render);
}
