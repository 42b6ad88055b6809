// Counts the hands that wait on this phone, and shows the balances with them, marked as provisional. No rule of a game
// is known here: the form names the address of lookup tables (their shape: faces/<game>/provisional.py).
/* global outbox, words */
/* exported provisional */
const provisional = (() => {
  const MARK = "data-changed-here";
  const originals = new WeakMap();

  // --- The tables of a form ---

  const tablesAt = new Map();  // by their address; null while they are on their way

  // Fetch the tables that the form of a page names, unless this page has them: by plain http nothing else keeps them
  // for when there is no network. Without an answer they are asked for again.
  const fetchTables = async (page) => {
    const address = page.getElementById("hand-form")?.dataset.tables;
    if (!address || tablesAt.has(address)) return;
    tablesAt.set(address, null);
    try {
      const response = await fetch(address, { signal: AbortSignal.timeout(outbox.TIMEOUT) });
      if (!outbox.isFromServer(response)) throw new Error("somebody else has answered");
      if (response.ok) tablesAt.set(address, await response.json());
    } catch {
      tablesAt.delete(address);
    }
  };

  // --- In the form: count a hand ---

  const key = (fields, names) => names.map((name) => fields.get(name) ?? "").join(",");

  const factor = ({ by, values }, fields) => values[key(fields, by)] ?? values["*"];

  const points = (terms, fields) =>
    terms.reduce((sum, term) => sum + term.reduce((product, table) => product * factor(table, fields), 1), 0);

  // Return {amounts} of each seat by tables whose factors are multiplied; undefined where a table lacks the choice.
  const multiplied = (tables, fields) => {
    const total = points(tables.points, fields);
    const ways = tables.amounts[key(fields, ["dealer", "declarer"])];
    return { amounts: Number.isInteger(total) ? ways?.map((way) => total * way) : undefined };
  };

  // The same by tables in which the amounts are looked up, in n-ths of a point. A hand that continues a row
  // (`in_a_row`) also has the amounts `each` per point of the price, which depends on how many hands stand in the row
  // before it. Any other hand ends the row, or leaves it as it is.
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

  const amountsOf = (tables, fields) => {
    const { nths, prices } = tables;
    if (fields.get("redeal")) return { nths, prices, amounts: tables.first.map(() => 0) };
    if (fields.get("line")) return {};
    return tables.ways ? lookedUp(tables, fields) : multiplied(tables, fields);
  };

  const dealer = (form, seat) => form.querySelector(`[name=dealer][value="${seat}"]`);

  // Return whether the same player deals again: after a deal that was thrown in so, and after an agreed entry.
  const dealerStays = (form, fields) => {
    const { staysWith } = form.dataset;
    const line = (fields.get("line") ?? "").trim();
    return fields.get("redeal") === "stays" || Boolean(staysWith && line.startsWith(staysWith));
  };

  // Return the next hand's dealer, its first speaker, and the sentence about them.
  const nextDeal = (form, tables, fields) => {
    const dealt = fields.get("dealer");
    const next = dealerStays(form, fields) ? dealt : dealer(form, dealt).dataset.next;
    return { dealer: Number(next), first: tables.first[next], words: dealer(form, next).dataset.summary };
  };

  // Return what an entry of the outbox stores of its dealer and its count: {turns, stays, counts}, and of `counts` what
  // is of its own dealer. `turns` are the name and the next dealer of each dealer, `stays` is whether the same deals
  // again, and `counts` for each dealer {amounts, after} and what `lookedUp` returns; {} if the form names no tables,
  // or they are not here yet.
  const countHand = (form, fields) => {
    const tables = tablesAt.get(form.dataset.tables);
    const dealers = [...form.querySelectorAll("[name=dealer]")].filter(({ type }) => type === "radio");
    const turns = dealers.map(({ value, dataset: { said: name, next } }) => [value, { name, next }]);
    const counts = (tables ? dealers : []).map(({ value }) => {
      const dealt = new Map([...fields, ["dealer", value]]);
      return [value, { ...amountsOf(tables, dealt), after: nextDeal(form, tables, dealt) }];
    });
    const each = Object.fromEntries(counts);
    const stays = dealerStays(form, fields);
    return { turns: Object.fromEntries(turns), stays, counts: each, ...each[fields.get("dealer")] };
  };

  // --- On the sheet ---

  // Change an element, and mark it. A newer version from the server has no mark, and undoes the change.
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

  // Write a figure as the server does (words/wording.py).
  const PARTS = { "1/2": "½", "2/4": "½", "1/3": "⅓", "2/3": "⅔", "1/4": "¼", "3/4": "¾" };
  const unsigned = (number, nths) => {
    const [whole, rest] = [Math.floor(number / nths), number % nths];
    const part = rest ? (PARTS[`${rest}/${nths}`] ?? ` ${rest}/${nths}`) : "";
    return whole || !part ? `${whole}${part}` : part;
  };
  const signed = (number, nths) =>
    (number ? `${number > 0 ? "+" : "−"}${unsigned(Math.abs(number), nths)}` : "0");
  // A fraction in one character is as wide as two digits.
  const width = (figure) => figure.length + [...figure].filter((char) => "½⅓⅔¼¾".includes(char)).length;
  const tone = (number) => (number > 0 ? "plus" : number < 0 ? "minus" : "");

  // Convert a balance of the server to n-ths: '12', '448/3'.
  const inNths = (balance, nths) => {
    const [number, part = "1"] = balance.split("/");
    return (Number(number) * nths) / Number(part);
  };

  // Mark the next dealer and the first to speak; nobody where the last hand does not say it, or one of them has
  // left the evening.
  const showTurn = (seats, last) => {
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
    const chip = { className: `dealer-chip dealer-${next?.dealer}`, hidden: !next };
    change(document.querySelector("#state .dealer-chip"), chip);
    const line = [words("hand", last.number + 1), next?.words].filter(Boolean).join(" · ");
    change(document.querySelector("[data-turn]"), { text: line });
    // The announced hand has been played.
    change(document.getElementById("open-hand"), { hidden: true });
  };

  // Return the amounts of each entry, and the price of the next hand in the row. The page says how many hands stand in
  // the row so far.
  const resolveRow = (entries) => {
    let row = Number(document.querySelector("[data-in-a-row]")?.dataset.inARow ?? 0);
    const wons = entries.map((entry) => {
      const price = entry.prices?.[row];
      if (entry.row === "on") row += 1;
      if (entry.row === "ends") row = 0;
      return entry.each ? entry.amounts.map((fixed, seat) => fixed + entry.each[seat] * price) : entry.amounts;
    });
    return { wons, price: entries.at(-1).prices?.[row] };
  };

  const showBalances = (seats, wons, nths) => {
    const figures = seats.map(({ dataset }) => wons.reduce(
      (sum, won) => sum + won[Number(dataset.seat)], inNths(dataset.balance, nths)));
    const widest = Math.max(...figures.map((figure) => width(signed(figure, nths))));
    const list = seats[0].parentElement;
    change(list, { className: list.className.replace(/figures-\d+/, `figures-${widest}`) });
    seats.forEach((seat, place) => {
      const figure = figures[place];
      const text = signed(figure, nths);
      change(seat.querySelector(".figure"), { text, className: `figure ${tone(figure)}`.trim() });
      // Only the server computes money.
      change(seat.querySelector(".money"), { text: "\u00a0" });
      const mark = { className: "provisional", textContent: words("provisional") };
      seat.append(Object.assign(document.createElement("small"), mark));
    });
  };

  // Return whether only the server can count it: typed as a line, or of a game or house rules without tables.
  const isUncounted = ({ amounts }) => !amounts;

  // Return whether the page says that the game is over.
  const isOver = () => Boolean(document.querySelector("[data-over]"));

  // Show the entries of this evening, whose next hand is `number` on the server. True if the balances include them.
  const show = (entries, number) => {
    restore();
    const seats = [...document.querySelectorAll("#state .seat[data-balance]")];
    const last = entries.at(-1);
    // The form checks the same before it goes on after the last hand (hand_saving.js).
    if (!last || !seats.length || !(last.number >= number)) return false;
    showTurn(seats, last);
    const follow = entries.every((entry, place) => entry.state !== "refused" &&
      entry.number === number + place && entry.amounts?.length === seats.length);
    if (!follow || isOver()) return false;
    const { wons, price } = resolveRow(entries);
    if (!wons.flat().every(Number.isInteger)) return false;
    showBalances(seats, wons, last.nths ?? 1);
    if (price) change(document.querySelector("[data-next-price]"), { text: price });
    change(document.querySelector("[data-while-waiting]"), { hidden: false, text: words("without-waiting") });
    return true;
  };

  const prepare = () => fetchTables(document);

  // Not before the page is complete: they are for later.
  window.addEventListener("load", prepare);
  document.addEventListener("page:shown", prepare);
  document.addEventListener("htmx:after:swap", prepare);

  return { fetchTables, countHand, show, dealerStays, isUncounted };
})();
