// Keeps half-filled forms in sessionStorage: a hand, or agreed entries, from the first tap until it is saved or another
// one is begun, so that a look at the sheet, F5 and a tab that the phone has discarded lose nothing. Never the CSRF
// token or a password.
/* global formBar, tappedFields, words */
/* exported halfFilled */
const halfFilled = (() => {
  // Hidden fields are kept along, so a hand goes on as if its form had stayed open. Its token makes one hand however
  // often it is sent; its number, and what it has seen, tell what other phones did meanwhile.
  const KEY = "half-filled";
  const MOST = 9;
  const KEPT = "#hand-form[data-session], #entries-form";
  const LIVE = "#hand-form[data-live]";  // hand_saving.js may make it ready for another hand first
  const LEFT_OUT = ["submit", "button", "reset", "image", "password", "file", "fieldset", "output"];
  // The fields that follow the seats: after a change others sit there.
  const OF_SEATS = ["seating", "dealer", "offered"];

  const fields = (form) => [...form.elements].filter(
    ({ name, type }) => name && name !== "csrfmiddlewaretoken" && !LEFT_OUT.includes(type));
  const isChoice = ({ type }) => type === "radio" || type === "checkbox";
  const folds = (form) => [...form.querySelectorAll("details")];
  const valueOf = (was, name) => was.fields.find((field) => field.name === name)?.value;

  // A hand that waits in the outbox is corrected at the same address as the next one is entered.
  const corrected = () => new URLSearchParams(location.search).get("outbox") ?? "";
  const keyOf = (form) => [form.id, form.getAttribute("action"), corrected()].filter(Boolean).join(" ");

  // --- In sessionStorage ---

  const read = () => {
    try {
      return JSON.parse(sessionStorage.getItem(KEY) ?? "[]");
    } catch {
      return [];
    }
  };

  const write = (all) => {
    try {
      if (all.length) sessionStorage.setItem(KEY, JSON.stringify(all.slice(-MOST)));
      else sessionStorage.removeItem(KEY);
    } catch {
      // Without storage nothing is kept.
    }
  };

  const contents = (form) => ({
    fields: fields(form).map((field) => ({
      name: field.name,
      value: field.value,
      ...(isChoice(field) ? { checked: field.checked } : {}),
    })),
    folds: folds(form).map(({ open }) => open),
    tapped: [...tappedFields],
  });

  const find = (form) => read().find(({ key }) => key === keyOf(form));

  const forget = (form) => write(read().filter(({ key }) => key !== keyOf(form)));

  const keep = (form) => {
    forget(form);
    write([...read(), { key: keyOf(form), ...contents(form) }]);
  };

  // --- While a form is filled in ---

  let isOpen = false;  // the form has what was kept of it: before, a tap would overwrite that

  const onTap = ({ isTrusted, type, target }) => {
    if (!isTrusted) return;
    incomplete = [];
    if (isOpen && target.form?.matches(KEPT) && (type === "change" || target.type === "text")) keep(target.form);
  };

  document.addEventListener("input", onTap);
  document.addEventListener("change", onTap);

  document.addEventListener("click", ({ target }) => {
    const form = document.querySelector(KEPT);
    if (form && target.closest("[data-drop]")) forget(form);
  }, true);

  // The server has recorded it. In the history the next page takes the place of a correction: Back leads past it.
  document.addEventListener("htmx:after:request", (event) => {
    const { sourceElement, response } = event.detail.ctx;
    const form = sourceElement.closest?.(KEPT);
    const next = response.headers.get("HX-Redirect");
    if (!form || !next) return;
    forget(form);
    if (!form.elements.revision?.value) return;
    event.preventDefault();
    location.replace(next);
  });
  document.addEventListener("form:cleared", ({ target }) => forget(target), true);
  // The server's answer may have made it the form of the next hand.
  document.addEventListener("htmx:after:swap", ({ detail }) => {
    const form = document.querySelector(KEPT);
    if (detail?.ctx?.target?.id === form?.id && form && find(form)) keep(form);
  });

  // --- When it is opened again ---

  let incomplete = [];  // those whose form had fields that this page's form does not have yet
  // By Back or F5, or because the phone had discarded the tab
  let isReturn = ["reload", "back_forward"].includes(performance.getEntriesByType("navigation")[0]?.type);

  const isSeatedAnew = (form, was) => valueOf(was, "seating") !== form.elements.seating?.value;

  // Return whether the form is that of the hand that was kept: by a link only if it is still the next one.
  const goesOn = (form, was) => {
    if ("typed" in document.body.dataset || (isSeatedAnew(form, was) && !form.dataset.people)) return false;
    const isNext = !form.elements.revision?.value && !corrected();
    return isReturn || (isNext && valueOf(was, "number") === form.elements.number.value);
  };

  const setField = (form, { name, value, checked }) => {
    const field = fields(form).find((one) => one.name === name && (checked === undefined || one.value === value));
    if (!field || (checked === undefined ? field.value === value : field.checked === checked)) return;
    if (checked === undefined) field.value = value;
    else field.checked = checked;
    // Tell other scripts, as a tap would; an unchecked box fires no event. In a hand form that would clear other rows.
    if (field.type === "hidden" || !(checked ?? true) || form.matches("#hand-form")) return;
    field.dispatchEvent(new Event("change", { bubbles: true }));
  };

  // Fill in all fields but those that are tapped already, and those that name others since the seats were changed.
  const fillIn = (form, was) => {
    const moved = isSeatedAnew(form, was) ? [...OF_SEATS, ...(form.dataset.people ?? "").split(" ")] : [];
    const left = new Set([...tappedFields, ...moved]);
    folds(form).forEach((fold, position) => { fold.open = was.folds[position] ?? fold.open; });
    for (const field of was.fields) if (!left.has(field.name)) setField(form, field);
    const detail = was.tapped.filter((name) => !left.has(name));
    form.dispatchEvent(new CustomEvent("form:filled", { bubbles: true, detail }));
    form.dispatchEvent(new Event("form:renewed", { bubbles: true }));
    if (moved.length) formBar.notify(words("seats"));
    // By then htmx listens, and counts.
    setTimeout(() => form.dispatchEvent(new Event("change", { bubbles: true })));
  };

  const fillInComplete = () => {
    for (const was of incomplete) {
      const form = [...document.forms].find((one) => keyOf(one) === was.key);
      if (form) fillIn(form, was);
    }
  };

  // A choice may decide which fields a form has: the server sends them, and then they are filled in too.
  const fillInLater = (was) => {
    incomplete.push(was);
    document.addEventListener("htmx:after:swap", fillInComplete, { once: true });
    setTimeout(fillInComplete);  // by then htmx listens
  };

  const open = (form) => {
    const was = find(form);
    if (!was) return;
    if (!goesOn(form, was)) forget(form);
    else if (was.fields.some(({ name }) => !form.elements[name])) fillInLater(was);
    else fillIn(form, was);
  };

  const openAll = () => {
    isOpen = !document.querySelector(LIVE);
    for (const form of document.querySelectorAll(KEPT)) if (!form.matches(LIVE)) open(form);
  };

  document.addEventListener("DOMContentLoaded", openAll);
  document.addEventListener("page:shown", () => {
    isReturn = false;
    openAll();
  });
  document.addEventListener("form:opened", ({ target }) => {
    open(target);
    isOpen = true;
  });

  return {
    forget,
    // Return the number of the hand that is half filled in, in the form at this address; NaN if none is.
    number: (path) => {
      const was = read().find(({ key }) => key === `hand-form ${path}`);
      return Number(was && valueOf(was, "number"));
    },
  };
})();
