// Lists the hands and payments of the outbox on the page: those that wait, and those that were refused with the reason.
// The user can correct an entry, drop it after a question, or keep it for later. Of a payment that another phone has
// booked already the list says so, until the user has read it.
/* global entryWords, halfFilled, outbox, provisional, refusalReason, words */
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

  // A form for the same evenings as the payment offers them.
  const formOf = ({ url, token, circle, fields }) => {
    const evenings = fields.filter(([name, value]) => circle && name === "evening" && value);
    return `${url}?${new URLSearchParams([...evenings, ["outbox", token]])}`;
  };

  const choices = (entry) => {
    if (entry.state === "sent") return entry.sentence ? [button("read", () => outbox.drop(entry.token))] : [];
    if (asked === entry.token) {
      return [
        make("p", entryWords("drop-sure", entry)),
        button("drop-yes", () => outbox.drop(entry.token)),
        button("drop-no", () => askToDrop(null)),
      ];
    }
    const chosen = [button("drop", () => askToDrop(entry.token))];
    // A suggested payment is booked as it is.
    if (entry.session || entry.free) {
      chosen.unshift(make("a", words("correct"), { className: "button", href: formOf(entry) }));
    }
    if (entry.another) {
      const name = entry.circle ? "payment-another" : "another";
      chosen.unshift(button(name, () => sendAsAnother(entry)));
    }
    if (entry.state === "refused") chosen.push(button(entry.kept ? "again" : "keep", () => keepOrRetry(entry)));
    return chosen;
  };

  // Return the reason of a refusal, what is to be told, or the note that only the server can count it.
  const note = (entry) => {
    if (entry.state === "refused") return [make("p", refusalReason(entry), { className: "why" })];
    if (entry.circle) return entry.sentence ? [make("p", entry.sentence, { className: "why" })] : [];
    return provisional.isUncounted(entry) ? [make("p", words("uncounted"), { className: "why" })] : [];
  };

  const named = ({ circle, kind, number, label }) =>
    (circle ? [make("bdi", words(kind, label))] : [make("span", number, { className: "number" }), make("bdi", label)]);

  // A refused entry is unfolded: the user has to decide. So is one with something to be told.
  const row = (entry) => {
    const state = entry.state === "refused" ? (entry.kept ? "is-kept" : "is-refused") : `is-${entry.state}`;
    const line = make("summary");
    line.append(...named(entry), make("span", words(state), { className: "tag" }));
    const answers = make("div", "", { className: "answers" });
    answers.append(...choices(entry));
    const isTold = entry.state === "sent" && Boolean(entry.sentence);
    const fold = make("details", "", { open: isTold || state === "is-refused" || asked === entry.token });
    fold.append(line, ...note(entry), answers);
    const item = make("li", "", { className: `waiting-hand ${state}` });
    item.append(fold);
    return item;
  };

  // Label the link to the form with the number after those that wait, and say if that hand is half filled in.
  const labelLink = (link, last) => {
    const next = Number(link.dataset.nextHand);
    const behind = last && last.number >= next;
    const number = behind ? last.number + 1 : next;
    const word = behind ? "enter" : link.dataset.word;
    // Not beside the form itself, nor once the game is over
    const isHalf = halfFilled.number(link.getAttribute("href")) === number && !link.matches(".beside *, .quiet");
    const label = words(isHalf ? "half" : word, number);
    if (link.textContent.trim() !== label) link.textContent = label;
  };

  // On the sheet the hands of the evening, also the sent ones that it does not show yet: a kept page is older than they
  // are. On other pages of an evening its hands, and the payments of the circle that the page names; elsewhere all.
  // A page that the server has just made shows the payments that were sent before.
  const entriesToShow = async ({ session, circle, kept }, link) => {
    if (link) {
      await outbox.markSeen(session, Number(link.dataset.nextHand) - 1);
      return outbox.ahead(session);
    }
    const entries = await outbox.withSentPayments(kept === undefined ? performance.timeOrigin : 0);
    return entries.filter((one) => !session || one.session === session || (one.circle && one.circle === circle));
  };

  const heading = (entries, isCounted) => {
    if (entries.every(({ state, sentence }) => state === "sent" && sentence)) return "told";
    if (entries.every(({ state }) => state === "sent")) return "not-here";
    return isCounted ? "counted" : "only-here";
  };

  const render = async () => {
    const section = document.getElementById("waiting");
    if (!section) return;
    const link = document.querySelector("[data-next-hand]");
    const entries = await entriesToShow(document.body.dataset, link);
    if (link) labelLink(link, entries.at(-1));
    const isCounted = provisional.show(entries, Number(link?.dataset.nextHand));
    const state = JSON.stringify([entries, asked, isCounted]);
    if (state === shown) return;
    shown = state;
    // Any change here has the style of the whole page computed again.
    if (section.hidden && !entries.length) return;
    // The latest first, as on the sheet.
    section.querySelector("ol").replaceChildren(...entries.toReversed().map(row));
    section.querySelector("h2").textContent = words(heading(entries, isCounted));
    section.hidden = entries.length === 0;
  };

  outbox.listen(render);
  document.addEventListener("htmx:after:swap", render);
  window.addEventListener("pageshow", render);
}
