// Carries half-filled forms along when the language is switched, which loads another page: stored in sessionStorage
// before, filled in again after. Hidden fields go along too, but never the CSRF token or a password.
{
  const KEY = "half-filled";
  const LEFT_OUT = ["submit", "button", "reset", "image", "password", "file", "fieldset", "output"];

  const fields = (form) => [...form.elements].filter(
    ({ name, type }) => name && name !== "csrfmiddlewaretoken" && !LEFT_OUT.includes(type));
  const isChoice = ({ type }) => type === "radio" || type === "checkbox";
  const key = (form) => `${form.id} ${form.getAttribute("action")}`;
  const folds = (form) => [...form.querySelectorAll("details")];

  // --- Before the switch ---

  const contents = (form) => ({
    key: key(form),
    fields: fields(form).map((field) => ({
      name: field.name,
      value: field.value,
      ...(isChoice(field) ? { checked: field.checked } : {}),
    })),
    folds: folds(form).map(({ open }) => open),
  });

  const store = () => {
    const forms = [...document.forms].filter((form) => fields(form).some(({ type }) => type !== "hidden"));
    try {
      sessionStorage.setItem(KEY, JSON.stringify(forms.map(contents)));
    } catch {
      // Without storage the language is switched all the same.
    }
  };

  document.addEventListener("click", (event) => {
    const button = event.target.closest("button[name=language]");
    if (!button) return;
    // Without scripts the button sends the fields of the page's form; with them it sends its own form.
    button.removeAttribute("form");
    store();
  }, true);
  // Typing in this page means that the switch did not happen.
  document.addEventListener("input", ({ isTrusted }) => {
    if (!isTrusted) return;
    incomplete = [];
    try { sessionStorage.removeItem(KEY); } catch { /* nothing was stored */ }
  }, true);

  // --- After the switch ---

  // Return what the former page has stored, and remove it.
  const takeStored = () => {
    try {
      const text = sessionStorage.getItem(KEY) ?? "[]";
      sessionStorage.removeItem(KEY);
      return JSON.parse(text);
    } catch {
      return [];
    }
  };

  let stored = takeStored();
  let incomplete = [];  // those whose form had fields that this page's form does not have yet

  const fillIn = (form, was) => {
    folds(form).forEach((fold, position) => { fold.open = was.folds[position] ?? fold.open; });
    const filled = [];
    for (const { name, value, checked } of was.fields) {
      const field = fields(form).find((one) => one.name === name && (checked === undefined || one.value === value));
      if (!field || (checked === undefined ? field.value === value : field.checked === checked)) continue;
      if (checked === undefined) field.value = value;
      else field.checked = checked;
      // Tell other scripts, as a tap would; an unchecked box fires no event.
      if (field.type === "hidden" || !(checked ?? true)) continue;
      filled.push(name);
      field.dispatchEvent(new Event("change", { bubbles: true }));
    }
    if (filled.length) form.dispatchEvent(new CustomEvent("form:filled", { bubbles: true, detail: filled }));
  };

  const formOf = (was) => [...document.forms].find((form) => key(form) === was.key);
  const lacksFields = (was) => was.fields.some(({ name }) => !formOf(was)?.elements[name]);

  const fillInAll = (all) => {
    for (const was of all.filter(formOf)) fillIn(formOf(was), was);
  };

  // A choice may decide which fields a form has: the server sends them, and then they are filled in too.
  const fillInLater = () => {
    if (!incomplete.length) return;
    document.addEventListener("htmx:after:swap", () => fillInAll(incomplete), { once: true });
    setTimeout(() => fillInAll(incomplete));  // by then htmx listens
  };

  document.addEventListener("DOMContentLoaded", () => {
    incomplete = stored.filter((was) => formOf(was) && lacksFields(was));
    fillInAll(stored.filter((was) => !incomplete.includes(was)));
    fillInLater();
  });
  // hand_saving.js may have made the form ready for another hand.
  document.addEventListener("form:opened", ({ target }) => {
    fillInAll(stored);
    // By now htmx listens, and counts.
    if (stored.length) target.dispatchEvent(new Event("change", { bubbles: true }));
    stored = [];
  });
}
