// Keys of the hand form on a large screen, loaded by side_sheet.js: a choice by its data-key, in the first row that has
// it after the one in focus; Enter saves, Escape leaves, / begins a line, an arrow enters the rows. On the page of the
// session Enter opens the form. A text field, a list, a dialog and the browser's own shortcuts keep their keys.
/* global formBar, setting */
{
  const LARGE = matchMedia("(min-width: 900px) and (hover: hover) and (pointer: fine)");
  const TEXT = "input:not([type=radio], [type=checkbox]), textarea, select";
  let done = null;  // the row in which something was chosen last: the next key is for a row after it
  let former = "";  // the key that chose it
  let isTouched = false;
  let isWarned = false;

  const theForm = () => document.getElementById("hand-form");
  const box = () => document.getElementById("keys");

  const isOn = () => box()?.checked ?? setting("keys") !== "off";

  // Return the rows in use that have keys, but for those in a closed fold.
  const rowsOf = (form) => {
    const inputs = [...form.querySelectorAll("[data-key]:enabled")].filter((input) => input.checkVisibility());
    return [...new Set(inputs.map((input) => input.closest("fieldset")))];
  };

  // An optional row has an answer from the beginning.
  const isOpen = (row) => !row.querySelector(":checked") || !row.querySelector(":required");

  // Return the choice of a key: first in the rows after the last choice, then in those without an answer, then in any.
  const choiceOf = (form, key) => {
    const rows = rowsOf(form);
    const at = rows.indexOf(document.activeElement.closest("fieldset"));
    const here = rows[at];
    const find = (some, what) => some.map((row) => row.querySelector(what)).find(Boolean);
    const keyed = `[data-key="${CSS.escape(key)}"]`;
    const after = at < 0 ? [] : rows.slice(at + (here === done));
    // The second figure of a number, where no other row asks for one.
    const number = here === done && here ? [here] : [];
    return find(after, keyed) ?? find(number, `[value="${CSS.escape(former + key)}"]`) ??
      find([...rows.filter(isOpen), ...rows.slice(Math.max(at, 0)), ...rows], keyed);
  };

  const choose = (form, key) => {
    const input = choiceOf(form, key);
    if (!input || input.disabled) return Boolean(input);
    input.focus();
    input.click();
    done = input.closest("fieldset");
    former = key;
    return true;
  };

  const enter = (form) => {
    const button = form ? form.querySelector(".save") : document.querySelector("[data-next-hand]");
    // A link that has just appeared ignores a key that was meant for the one before it; so does the bar (form_bar.js).
    if (!button?.closest(".just-come")) button?.click();
    return Boolean(button);
  };

  // Ask before the choices of this form are left.
  const leave = () => {
    const back = document.querySelector("a.back");
    if (!isTouched || isWarned) back?.click();
    else if (box()) formBar.notify(box().closest("label").dataset.leaving);
    isWarned = true;
    return Boolean(back);
  };

  const firstRow = (form) => {
    if (form.contains(document.activeElement)) return false;
    const [row] = rowsOf(form);
    (row?.querySelector(":checked") ?? row?.querySelector("[data-key]:enabled"))?.focus();
    return Boolean(row);
  };

  const beginLine = (form) => {
    const line = form.elements.line;
    if (!line) return false;
    line.closest("details").open = true;
    line.focus();
    return true;
  };

  const act = (form, key) => {
    if (key === "Enter") return enter(form);
    if (!form) return false;
    if (key === "Escape") return leave();
    isWarned = false;
    if (key === "/") return beginLine(form);
    // The browser moves the arrows within the row in focus.
    if (key === "ArrowRight" || key === "ArrowLeft") return firstRow(form);
    return key.length === 1 && choose(form, key.toLowerCase());
  };

  // Some layouts have / above a digit.
  const hasModifier = ({ key, shiftKey, ctrlKey, altKey, metaKey }) =>
    ctrlKey || altKey || metaKey || (shiftKey && key !== "/");

  const isOurs = (event) =>
    LARGE.matches && isOn() && !document.querySelector("dialog[open]") &&
    !(hasModifier(event) || event.isComposing || event.defaultPrevented) &&
    !event.target.closest(TEXT) && !(event.key === "Enter" && event.target.closest("a, button, summary"));

  document.addEventListener("keydown", (event) => {
    if (!isOurs(event)) return;
    // A held Enter would submit the form by the browser's own way.
    if (event.repeat ? event.key === "Enter" : act(theForm(), event.key)) event.preventDefault();
  });
  document.addEventListener("change", ({ target, isTrusted }) => {
    if (target === box()) setting("keys", target.checked ? "on" : "off");
    else if (isTrusted && target.form && target.form === theForm()) {
      isTouched = true;
      done = target.closest("fieldset");
      former = "";
    }
  });
  document.addEventListener("form:cleared", () => { isTouched = false; }, true);

  const show = () => {
    isTouched = isWarned = false;
    if (!box()) return;
    box().closest("label").hidden = false;
    box().checked = setting("keys") !== "off";
  };
  show();
  document.addEventListener("page:shown", show);
}
