// The hands that wait on this phone, counted on its page before the server has them, and marked as provisional. No rule
// is known here: the form brings tables that the game has made (faces/<game>/provisional.py says their shape), by which
// a hand is counted when it is saved; the page adds up. Where one could not be counted, the count waits.
const provisional = (() => {
  const MARK = "data-changed-here";
  const originals = new WeakMap();

  // --- In the form: what a hand comes to ---

  const key = (fields, names) => names.map((name) => fields.get(name) ?? "").join(",");

  const factor = ({ by, values }, fields) => values[key(fields, by)] ?? values["*"];

  const points = (terms, fields) =>
    terms.reduce((sum, term) => sum + term.reduce((product, table) => product * factor(table, fields), 1), 0);

  // What each seat wins or loses; undefined where a table does not know what was chosen.
  const amounts = (tables, fields) => {
    if (fields.get("redeal")) return tables.first.map(() => 0);
    if (fields.get("line")) return undefined;
    const total = points(tables.points, fields);
    const ways = tables.amounts[key(fields, ["dealer", "declarer"])];
    return Number.isInteger(total) ? ways?.map((way) => total * way) : undefined;
  };

  const dealer = (form, seat) => form.querySelector(`[name=dealer][value="${seat}"]`);

  // Whether the same deals again after it: it was thrown in so, or what was typed is no hand.
  const stays = (form, fields) => {
    const { staysWith } = form.dataset;
    const line = (fields.get("line") ?? "").trim();
    return fields.get("redeal") === "stays" || Boolean(staysWith && line.startsWith(staysWith));
  };

  // Who deals the hand after it, and what follows from that.
  const after = (form, tables, fields) => {
    const dealt = fields.get("dealer");
    const next = stays(form, fields) ? dealt : dealer(form, dealt).dataset.next;
    return { dealer: Number(next), first: tables.first[next], words: dealer(form, next).dataset.summary };
  };

  // What an entry of the outbox knows of its hand: {amounts, after}, or nothing where the form brings no tables.
  const of = (form, fields) => {
    const text = form.querySelector("[data-tables]")?.dataset.tables;
    if (!text) return {};
    const tables = JSON.parse(text);
    return { amounts: amounts(tables, fields), after: after(form, tables, fields) };
  };

  // --- On the sheet ---

  // An element of the server's that is changed here. When the server renews it the mark goes, and so does the change.
  const change = (element, { text, ...attributes }) => {
    if (!element) return;
    if (!element.hasAttribute(MARK)) {
      const { className, hidden } = element;
      originals.set(element, { className, hidden, html: text === undefined ? undefined : element.innerHTML });
    }
    element.setAttribute(MARK, "");
    if (text !== undefined) element.textContent = text;
    Object.assign(element, attributes);
  };

  const restore = () => {
    for (const element of document.querySelectorAll(`[${MARK}]`)) {
      const { html, ...attributes } = originals.get(element) ?? {};
      element.removeAttribute(MARK);
      if (html !== undefined) element.innerHTML = html;
      Object.assign(element, attributes);
    }
    for (const tag of document.querySelectorAll(".seat > .provisional")) tag.remove();
  };

  // As the server writes a figure.
  const signed = (number) => (number > 0 ? `+${number}` : String(number).replace("-", "−"));
  const tone = (number) => (number > 0 ? "plus" : number < 0 ? "minus" : "");

  // Who deals the next hand and speaks first in it; nothing where the last hand does not tell, or tells of somebody who
  // has gone home since.
  const turn = (seats, last) => {
    const here = seats.filter((seat) => !seat.classList.contains("gone"));
    const isHere = (position) => here.some(({ dataset }) => Number(dataset.seat) === position);
    const next = isHere(last.after?.dealer) && isHere(last.after.first) ? last.after : undefined;
    const duty = (seat) => ({ [next?.dealer]: words("deals"), [next?.first]: words("speaks-first") })[seat] ?? "\u00a0";
    for (const seat of here) {
      const position = Number(seat.dataset.seat);
      const [, ...others] = seat.className.replace(/\bdeals\b/, "").trim().split(/\s+/);
      change(seat, { className: ["seat", ...(position === next?.dealer ? ["deals"] : []), ...others].join(" ") });
      change(seat.querySelector(".duty"), { text: duty(position) });
    }
    const line = [words("hand", last.number + 1), next?.words].filter(Boolean).join(" · ");
    change(document.querySelector("[data-turn]"), { text: line });
    // The hand that was announced has been played.
    change(document.getElementById("open-hand"), { hidden: true });
  };

  const balances = (seats, entries) => {
    const figures = seats.map((seat) => entries.reduce(
      (sum, { amounts: won }) => sum + won[Number(seat.dataset.seat)], Number(seat.dataset.balance)));
    const widest = Math.max(...figures.map((figure) => signed(figure).length));
    const list = seats[0].parentElement;
    change(list, { className: list.className.replace(/figures-\d+/, `figures-${widest}`) });
    seats.forEach((seat, place) => {
      const figure = figures[place];
      change(seat.querySelector(".figure"), { text: signed(figure), className: `figure ${tone(figure)}`.trim() });
      // Money is the server's to reckon.
      change(seat.querySelector(".money"), { text: "\u00a0" });
      const mark = { className: "provisional", textContent: words("provisional") };
      seat.append(Object.assign(document.createElement("small"), mark));
    });
  };

  // Put the entries of this session on the page, of which the server's next hand is `number`. True if they are counted.
  const show = (entries, number) => {
    restore();
    const seats = [...document.querySelectorAll("#state .seat[data-balance]")];
    const last = entries.at(-1);
    // The same as the form asks before it goes on after the last (saving.js).
    if (!last || !seats.length || !(last.number >= number)) return false;
    turn(seats, last);
    const isCounted = entries.every((entry, place) => entry.state !== "refused" &&
      entry.number === number + place && entry.amounts?.length === seats.length);
    if (isCounted) balances(seats, entries);
    return isCounted;
  };

  return { of, show, stays };
})();
