// Another language is another page. What is half tapped or typed in the forms of this one goes along and is put back
// there: number, token and all that a form knows besides its fields too, for it is still the same form, and the server
// says what has changed since. A check of the server's own (csrf) is never kept, nor is a password.
{
  const KEY = "half-filled";
  const LEFT_OUT = ["submit", "button", "reset", "image", "password", "file", "fieldset", "output"];

  const fields = (form) => [...form.elements].filter(
    ({ name, type }) => name && name !== "csrfmiddlewaretoken" && !LEFT_OUT.includes(type));
  const isChoice = ({ type }) => type === "radio" || type === "checkbox";
  const key = (form) => `${form.id} ${form.getAttribute("action")}`;
  const folds = (form) => [...form.querySelectorAll("details")];

  // --- Before ---

  const halfFilled = (form) => ({
    key: key(form),
    fields: fields(form).map((field) => ({
      name: field.name,
      value: field.value,
      ...(isChoice(field) ? { checked: field.checked } : {}),
    })),
    folds: folds(form).map(({ open }) => open),
  });

  const keep = () => {
    const forms = [...document.forms].filter((form) => fields(form).some(({ type }) => type !== "hidden"));
    try {
      sessionStorage.setItem(KEY, JSON.stringify(forms.map(halfFilled)));
    } catch {
      // A browser that keeps nothing switches all the same.
    }
  };

  document.addEventListener("click", (event) => {
    const button = event.target.closest("button[name=language]");
    if (!button) return;
    // Where there are no scripts it sends the form of the page; here it sends its own.
    button.removeAttribute("form");
    keep();
  }, true);
  // Who goes on in this page has not come to the other.
  document.addEventListener("input", ({ isTrusted }) => {
    if (!isTrusted) return;
    lacking = [];
    try { sessionStorage.removeItem(KEY); } catch { /* nothing was kept */ }
  }, true);

  // --- After ---

  // What the page in the other language has kept: it is taken once.
  const taken = () => {
    try {
      const text = sessionStorage.getItem(KEY) ?? "[]";
      sessionStorage.removeItem(KEY);
      return JSON.parse(text);
    } catch {
      return [];
    }
  };

  let kept = taken();
  let lacking = [];  // those of them whose form had more fields than this page's

  const putBack = (form, was) => {
    folds(form).forEach((fold, position) => { fold.open = was.folds[position] ?? fold.open; });
    const filled = [];
    for (const { name, value, checked } of was.fields) {
      const field = fields(form).find((one) => one.name === name && (checked === undefined || one.value === value));
      if (!field || (checked === undefined ? field.value === value : field.checked === checked)) continue;
      if (checked === undefined) field.value = value;
      else field.checked = checked;
      // As a tap would: a choice that another one has ended says nothing.
      if (field.type === "hidden" || !(checked ?? true)) continue;
      filled.push(name);
      field.dispatchEvent(new Event("change", { bubbles: true }));
    }
    if (filled.length) form.dispatchEvent(new CustomEvent("form:filled", { bubbles: true, detail: filled }));
  };

  const formOf = (was) => [...document.forms].find((form) => key(form) === was.key);
  const lacks = (was) => was.fields.some(({ name }) => !formOf(was)?.elements[name]);

  const putAllBack = (all) => {
    for (const was of all.filter(formOf)) putBack(formOf(was), was);
  };

  // What is chosen in a form may decide which fields it has: the server brings them, and then they are put back too.
  const putBackWhatComes = () => {
    if (!lacking.length) return;
    document.addEventListener("htmx:after:swap", () => putAllBack(lacking), { once: true });
    setTimeout(() => putAllBack(lacking));  // by then htmx listens
  };

  document.addEventListener("DOMContentLoaded", () => {
    lacking = kept.filter((was) => formOf(was) && lacks(was));
    putAllBack(kept.filter((was) => !lacking.includes(was)));
    putBackWhatComes();
  });
  // The form of a hand has looked into the outbox first, and may have been made ready for another hand.
  document.addEventListener("form:opened", ({ target }) => {
    putAllBack(kept);
    // By now somebody listens who counts it.
    if (kept.length) target.dispatchEvent(new Event("change", { bubbles: true }));
    kept = [];
  });
}
