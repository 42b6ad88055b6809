// The hands that wait on this phone, counted on its page before the server has them, and marked as provisional. No rule
// is known here: the form brings tables that the game has made (faces/<game>/provisional.py says their shape), by which
// a hand is counted when it is saved; the page adds up. Where one could not be counted, the count waits.
/* global words */
/* exported provisional */
const provisional = (() => {
  const MARK = "data-changed-here";
  const originals = new WeakMap();

  // --- In the form: what a hand comes to ---

  const key = (fields, names) => names.map((name) => fields.get(name) ?? "").join(",");

  const factor = ({ by, values }, fields) => values[key(fields, by)] ?? values["*"];

  const points = (terms, fields) =>
    terms.reduce((sum, term) => sum + term.reduce((product, table) => product * factor(table, fields), 1), 0);

  // What each seat wins or loses by tables that are multiplied; undefined where one does not know what was chosen.
  const multiplied = (tables, fields) => {
    const total = points(tables.points, fields);
    const ways = tables.amounts[key(fields, ["dealer", "declarer"])];
    return { amounts: Number.isInteger(total) ? ways?.map((way) => total * way) : undefined };
  };

  // The same where it is looked up, in n-ths of a point: of a hand that is one of a row, its amounts `each` for a point
  // of the price, which depends on how many stand in the row before it. Any other ends the row, or leaves it as it is.
  const lookedUp = ({ nths, ways, tables, prices }, fields) => {
    const way = ways[key(fields, ["dealer", "declarer"])];
    const found = way?.by.reduce((node, name) => {
      const value = fields.get(name) ?? "";
      return Number.isInteger(node?.[0]) ? node : node?.[way.as[value] ?? value];
    }, tables[way.table]);
    if (!Number.isInteger(found?.[0])) return {};
    const count = way.seats.length;
    const bySeat = (start) => way.seats.map((_seat, seat) => found[start + way.seats.indexOf(seat)] ?? 0);
    if (way.in_a_row) return { nths, prices, row: "on", each: bySeat(0), amounts: bySeat(count) };
    return { nths, prices, row: found[count] ? "" : "ends", amounts: bySeat(0) };
  };

  const counted = (tables, fields) => {
    const { nths, prices } = tables;
    if (fields.get("redeal")) return { nths, prices, amounts: tables.first.map(() => 0) };
    if (fields.get("line")) return {};
    return tables.ways ? lookedUp(tables, fields) : multiplied(tables, fields);
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

  // What an entry of the outbox knows of its hand: {amounts, after} and what `lookedUp` says, or nothing where the form
  // brings no tables.
  const of = (form, fields) => {
    const text = form.querySelector("[data-tables]")?.dataset.tables;
    if (!text) return {};
    const tables = JSON.parse(text);
    return { ...counted(tables, fields), after: after(form, tables, fields) };
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

  // As the server writes a figure (figures.py).
  const PARTS = { "1/2": "½", "2/4": "½", "1/3": "⅓", "2/3": "⅔", "1/4": "¼", "3/4": "¾" };
  const unsigned = (number, nths) => {
    const [whole, rest] = [Math.floor(number / nths), number % nths];
    const part = rest ? (PARTS[`${rest}/${nths}`] ?? ` ${rest}/${nths}`) : "";
    return whole || !part ? `${whole}${part}` : part;
  };
  const signed = (number, nths) =>
    (number ? `${number > 0 ? "+" : "−"}${unsigned(Math.abs(number), nths)}` : "0");
  // A fraction that is one sign is as wide as two digits.
  const width = (figure) => figure.length + [...figure].filter((char) => "½⅓⅔¼¾".includes(char)).length;
  const tone = (number) => (number > 0 ? "plus" : number < 0 ? "minus" : "");

  // A balance of the server's, in n-ths: '12', '448/3'.
  const inNths = (balance, nths) => {
    const [number, part = "1"] = balance.split("/");
    return (Number(number) * nths) / Number(part);
  };

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

  // What each of the entries comes to, and what a hand of a row would cost after them: the page says how many stand in
  // the row by now.
  const reckoned = (entries) => {
    let row = Number(document.querySelector("[data-in-a-row]")?.dataset.inARow ?? 0);
    const wons = entries.map((entry) => {
      const price = entry.prices?.[row];
      if (entry.row === "on") row += 1;
      if (entry.row === "ends") row = 0;
      return entry.each ? entry.amounts.map((fixed, seat) => fixed + entry.each[seat] * price) : entry.amounts;
    });
    return { wons, price: entries.at(-1).prices?.[row] };
  };

  const balances = (seats, wons, nths) => {
    const figures = seats.map(({ dataset }) => wons.reduce(
      (sum, won) => sum + won[Number(dataset.seat)], inNths(dataset.balance, nths)));
    const widest = Math.max(...figures.map((figure) => width(signed(figure, nths))));
    const list = seats[0].parentElement;
    change(list, { className: list.className.replace(/figures-\d+/, `figures-${widest}`) });
    seats.forEach((seat, place) => {
      const figure = figures[place];
      const text = signed(figure, nths);
      change(seat.querySelector(".figure"), { text, className: `figure ${tone(figure)}`.trim() });
      // Money is the server's to reckon.
      change(seat.querySelector(".money"), { text: "\u00a0" });
      const mark = { className: "provisional", textContent: words("provisional") };
      seat.append(Object.assign(document.createElement("small"), mark));
    });
  };

  // What cannot be counted before the server has it: typed as a line, or of a game or a house without tables.
  const isUnknown = ({ amounts }) => !amounts;

  // Whether the page of the server says that the game takes no further hand.
  const isOver = () => Boolean(document.querySelector("[data-over]"));

  // Put the entries of this session on the page, of which the server's next hand is `number`. True if they are counted.
  const show = (entries, number) => {
    restore();
    const seats = [...document.querySelectorAll("#state .seat[data-balance]")];
    const last = entries.at(-1);
    // The same as the form asks before it goes on after the last (hand_saving.js).
    if (!last || !seats.length || !(last.number >= number)) return false;
    turn(seats, last);
    const follow = entries.every((entry, place) => entry.state !== "refused" &&
      entry.number === number + place && entry.amounts?.length === seats.length);
    if (!follow || isOver()) return false;
    const { wons, price } = reckoned(entries);
    if (!wons.flat().every(Number.isInteger)) return false;
    balances(seats, wons, last.nths ?? 1);
    if (price) change(document.querySelector("[data-next-price]"), { text: price });
    for (const note of document.querySelectorAll("[data-while-waiting]")) change(note, { hidden: false });
    return true;
  };

  return { of, show, stays, isUnknown };
})();
