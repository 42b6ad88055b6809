// Lists the hands and payments of the outbox on the page: those that wait, and those that were refused with the reason,
// or with the question which reading of a hand is right. The user can answer it, correct an entry, drop it after a
// question, or put it aside. Of a payment that another phone has booked already the list says so, until the user has
// read it.
/* global entryWords, halfFilled, outbox, provisional, refusalReason, words */
{
  const INERT = 500;  // ms in which changed rows ignore a tap that was aimed at what stood there before
  let shown = "";
  let place = null;  // the list in which it is shown: pages.js may have replaced the page since
  let settling;
  let asked = null;  // the token of the hand of which the page asks whether to drop it

  const make = (tag, text = "", attributes = {}) => {
    const element = Object.assign(document.createElement(tag), attributes);
    element.textContent = text;
    return element;
  };

  const plainButton = (text, act) => make("button", text, { type: "button", className: "button", onclick: act });

  const button = (name, act) => plainButton(words(name), act);

  const askToDrop = (token) => { asked = token; render(); };

  const putAsideOrRetry = async (entry) => {
    if (!entry.kept) return outbox.putAside(entry.token);
    // A hand goes on behind the last one.
    const last = entry.session && (await outbox.lastInLine(entry.session));
    const number = last ? last.number + 1 : entry.number;
    if (entry.session) await outbox.put({ ...entry, number });
    return outbox.flush({ again: true });
  };

  // Send it with the answer to the question about it.
  const answer = async (entry, name, value) => {
    await outbox.put(outbox.withAnswer(entry, name, value));
    await outbox.flush();
  };

  // Buttons for the answers to a question about a payment; none may be meant.
  const answersTo = (entry) => {
    const send = (chosen) => outbox.putAnswered(entry, chosen).then(() => outbox.flush());
    const buttons = entry.answers.map((chosen) => plainButton(chosen.words, () => send(chosen)));
    const correct = entry.free ? [make("a", words("correct"), { className: "button", href: formOf(entry) })] : [];
    return [...buttons, ...correct, button("payment-none", () => outbox.drop(entry.token))];
  };

  // The question as the server asks it, of a hand whose row has its answers.
  const questionOf = (entry) => {
    const question = make("div", "", { className: "conflict" });
    question.innerHTML = entry.question;
    question.addEventListener("click", (event) => {
      const said = event.target.closest("[data-drop], [name=correct], [name=another]");
      if (!said) return;
      event.preventDefault();
      if ("drop" in said.dataset) outbox.drop(entry.token);
      else answer(entry, said.name, said.value);
    });
    return question;
  };

  // A form for the same evenings as the payment offers them.
  const formOf = ({ url, token, circle, fields }) => {
    const evenings = fields.filter(([name, value]) => circle && name === "for" && value);
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
    if (entry.answers) return answersTo(entry);
    const chosen = entry.question ? [] : [button("drop", () => askToDrop(entry.token))];
    // A suggested payment is booked as it is.
    if (entry.session || entry.free) {
      chosen.unshift(make("a", words("correct"), { className: "button", href: formOf(entry) }));
    }
    if (entry.another) {
      const name = entry.circle ? "payment-another" : "another";
      chosen.unshift(button(name, () => answer(entry, "another", "1")));
    }
    const isAside = entry.kept && entry.question;
    if (entry.state === "refused" && !isAside) {
      chosen.push(button(entry.kept ? "again" : "keep", () => putAsideOrRetry(entry)));
    }
    return chosen;
  };

  // Return the question or the reason of a refusal, what is to be told, how to go on with a hand that a form holds, who
  // deals by now, or the note that only the server can count it.
  const note = (entry, held) => {
    if (entry.state === "refused" && entry.question) return [questionOf(entry)];
    if (entry.state === "refused") return [make("p", refusalReason(entry), { className: "why" })];
    if (entry.circle) return entry.sentence ? [make("p", entry.sentence, { className: "why" })] : [];
    const deals = entry.deals && words("deals-now", entry.deals);
    const goOn = held.has(entry.token) && words("held-go-on");
    const notes = [goOn, deals, provisional.isUncounted(entry) && words("uncounted")];
    return notes.filter(Boolean).map((text) => make("p", text, { className: "why" }));
  };

  // Return what is said of an entry beside its words: of a waiting hand also for which other one, or that its form is
  // open (`held` are the tokens of such hands).
  const tagOf = (entry, state, entries, held) => {
    if (entry.state === "waiting" && held.has(entry.token)) return words("held");
    const unsent = (one) => one.session && one.session === entry.session && one.state !== "sent" && !one.kept;
    const first = entries.find(unsent);
    const isStuck = first?.state === "refused" || held.has(first?.token);
    return entry.state === "waiting" && isStuck ? words("waits-for", first.number) : words(state);
  };

  const named = ({ circle, kind, number, label }) =>
    (circle ? [make("bdi", words(kind, label))] : [make("span", number, { className: "number" }), make("bdi", label)]);

  // A refused entry is unfolded: the user has to decide. So is one with something to be told, or held by its form.
  const row = (entry, entries, held) => {
    const state = entry.state === "refused" ? (entry.kept ? "is-kept" : "is-refused") : `is-${entry.state}`;
    const line = make("summary");
    line.append(...named(entry), make("span", tagOf(entry, state, entries, held), { className: "tag" }));
    const answers = make("div", "", { className: "answers" });
    answers.append(...choices(entry));
    const isTold = entry.state === "sent" && Boolean(entry.sentence);
    const isMarked = isTold || held.has(entry.token) || Boolean(entry.deals);
    const isOpen = isMarked || state === "is-refused" || asked === entry.token;
    const fold = make("details", "", { open: isOpen });
    fold.append(line, ...note(entry, held), answers);
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

  const settle = (section) => {
    section.classList.add("settling");
    clearTimeout(settling);
    settling = setTimeout(() => section.classList.remove("settling"), INERT);
  };

  const render = async () => {
    const section = document.getElementById("waiting");
    if (!section) return;
    const link = document.querySelector("[data-next-hand]");
    const entries = await entriesToShow(document.body.dataset, link);
    const line = entries.filter((entry) => !entry.kept);
    if (link) labelLink(link, line.at(-1));
    const isCounted = provisional.show(line, Number(link?.dataset.nextHand));
    const held = await outbox.lockedTokens();
    const state = JSON.stringify([entries, asked, isCounted, [...held]]);
    if (state === shown && section === place) return;
    place = section;
    // Other rows may stand under a thumb now.
    if (shown) settle(section);
    shown = state;
    // Any change here has the style of the whole page computed again.
    if (section.hidden && !entries.length) return;
    // What is to be decided first, then the latest, as on the sheet.
    const isOpen = ({ state, kept }) => state === "refused" && !kept;
    const rows = entries.toReversed().toSorted((one, other) => isOpen(other) - isOpen(one));
    section.querySelector("ol").replaceChildren(...rows.map((entry) => row(entry, entries, held)));
    section.querySelector("h2").textContent = words(heading(entries, isCounted));
    section.hidden = entries.length === 0;
  };

  outbox.listen(render);
  document.addEventListener("htmx:after:swap", render);
  window.addEventListener("pageshow", render);
  // The tab with a hand's form may have been closed.
  document.addEventListener("visibilitychange", render);
}
