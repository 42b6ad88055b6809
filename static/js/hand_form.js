// Updates the hand form after each tap: disables what contradicts a choice, updates labels, names what is missing.
// The server says in data- attributes which choices exclude each other; no rule of a game is known here.
/* global formBar, words */
{
  const ROWS = "[data-unless], [data-needs], [data-required-at]";

  // The fields by name, as `update` has found them: looking one up in the form costs more than all the rest of it.
  const fields = new Map();
  // The inputs that `update` disables or enables. They are written at its end, and only those that change: the style of
  // the whole form is computed again after each.
  const disabled = new Map();

  const isDisabled = (input) => disabled.get(input) ?? input.disabled;

  // Return a field of the form, the list of its choices if it has several.
  const fieldOf = (form, name) => {
    if (!fields.has(name)) {
      const field = form.elements[name];
      fields.set(name, field instanceof RadioNodeList ? [...field] : field);
    }
    return fields.get(name);
  };

  // Return the value of a field: undefined for a checkbox that is not ticked, '' where the chosen radio is disabled.
  const chosen = (form, name) => {
    const field = fieldOf(form, name);
    if (Array.isArray(field)) return field.find((one) => one.checked && !isDisabled(one))?.value ?? "";
    return field?.type === "checkbox" && (!field.checked || isDisabled(field)) ? undefined : field?.value;
  };

  // The same, but a field with data-rest-of that counts the rest of a sum gives what it leaves of the sum.
  const read = (form, name) => {
    const value = chosen(form, name) ?? "";
    const { restOf, restAt } = fieldOf(form, name)?.dataset ?? {};
    return restOf && /^\d+$/.test(value) && holds(form, restAt) ? String(restOf - value) : value;
  };

  // Compare with a value, or with a range of numbers: '0..23'.
  const isOne = (value, wanted) => {
    if (!wanted.includes("..")) return value === wanted;
    const [low, high] = wanted.split("..");
    return /^-?\d+$/.test(value) && Number(low) <= Number(value) && Number(value) <= Number(high);
  };

  // True if one of the conditions holds: 'field=value field=value …'; in 'field=value|value&field=value' both must.
  const holds = (form, pairs, value = (name) => read(form, name)) => (pairs ?? "").split(" ").some((all) =>
    all.split("&").every((pair) => {
      const [name, wanted] = pair.split("=");
      return name !== "" && wanted.split("|").some((one) => isOne(value(name), one));
    }));

  // Return the conditions that exclude each choice, by 'field=value', of a text in which each alternative names choices
  // that exclude each other.
  const conditionsIn = (text) => {
    const found = new Map();
    for (const all of text.split(" ")) {
      const pairs = all.split("&");
      for (const pair of pairs) {
        const [name, values] = pair.split("=");
        const others = pairs.filter((other) => other !== pair).join("&");
        for (const value of values.split("|")) {
          const choice = `${name}=${value}`;
          found.set(choice, [...(found.get(choice) ?? []), others]);
        }
      }
    }
    return found;
  };

  let known = { text: "", conditions: new Map() };

  // Return a function that returns what excludes an input: what it names itself, and what the form names.
  const exclusionsOf = (form) => {
    const text = form.dataset.exclusions;
    if (text && text !== known.text) known = { text, conditions: conditionsIn(text) };
    return ({ name, type, value, dataset: { excluded = "" } }) => {
      const isTapped = text && ["radio", "checkbox"].includes(type);
      const conditions = (isTapped && known.conditions.get(`${name}=${value}`)) || [];
      return [excluded, ...conditions].join(" ");
    };
  };

  // Return a function like `read` that looks up each field once.
  const cachedRead = (form) => {
    const known = new Map();
    return (name) => known.get(name) ?? known.set(name, read(form, name)).get(name);
  };

  // Return whether a row is in use, and each row that contains it.
  const isInUse = (form, row) => {
    const { unless, needs } = row.dataset;
    if ((unless && holds(form, unless)) || (needs && !holds(form, needs))) return false;
    const around = row.parentElement.closest(ROWS);
    return !around || isInUse(form, around);
  };

  // True if this number makes a sum from data-least to data-most impossible, together with the rows of data-with.
  const breaksSum = (form, input, value) => {
    const { least = 0, most, with: names } = input.closest("[data-most]")?.dataset ?? {};
    if (!most) return false;
    const others = names.split(" ").filter((name) => name !== input.name && isAsked(form, name));
    const sum = others.reduce((before, name) => before + Number(value(name)), Number(input.value));
    return sum > Number(most) || (sum < Number(least) && others.every((name) => value(name)));
  };
  const isAsked = (form, name) => isInUse(form, form.querySelector(`#field-${name}`));

  const disableExcluded = (form) => {
    const line = chosen(form, "line")?.trim();
    for (const row of form.querySelectorAll(ROWS)) {
      const { requiredAt } = row.dataset;
      const there = isInUse(form, row);
      for (const input of row.querySelectorAll("input")) {
        disabled.set(input, !there);
        input.required = !line && Boolean(requiredAt) && holds(form, requiredAt);
      }
    }
    const [value, exclusions] = [cachedRead(form), exclusionsOf(form)];
    for (const input of form.querySelectorAll("input")) {
      const excludedBy = exclusions(input);
      if (!excludedBy && !input.closest("[data-most]")) continue;
      const row = input.closest(ROWS);
      const excluded = holds(form, excludedBy, value) || breaksSum(form, input, value);
      // A choice that is already made stays enabled, to be changed: the live count says what is wrong with it. That
      // does not hold in a row that depends on another choice.
      const stays = input.checked && !(row?.dataset.needs && !row.dataset.unless);
      disabled.set(input, Boolean(row && !isInUse(form, row)) || (excluded && !stays));
      input.setCustomValidity(excluded && stays ? words("clash") : "");
    }
    for (const [input, isOff] of disabled) if (input.disabled !== isOff) input.disabled = isOff;
    disabled.clear();
    for (const input of form.querySelectorAll("[data-asked]")) {
      input.required = !line || ["dealer", "declarer"].includes(input.name);
    }
  };

  const setText = (element, text) => { if (element.textContent !== text) element.textContent = text; };

  const updateLabels = (form) => {
    const dealer = form.querySelector("[name=dealer]:checked");
    const number = chosen(form, "number");
    if (dealer) setText(form.querySelector(".who-deals"), dealer.dataset.summary);
    for (const which of document.querySelectorAll(".which")) {
      // The text beside it was about the former number.
      const marked = which.textContent !== words("hand", number) && document.getElementById("next-hand");
      if (marked) marked.textContent = "";
      setText(which, words("hand", number));
    }
    const save = document.getElementById("save-label");
    if (save) setText(save, words("save", number));
  };

  // Figures that are asked for a place in the hand belong to another player once the dealer or the declarer changes:
  // the row then names the new player, clears what was tapped for the former one, and says so.
  const updatePlaceRow = (form) => {
    const declarer = form.querySelector("[name=declarer]:checked");
    const hint = form.querySelector("fieldset legend small");
    const whose = declarer?.dataset.hint && JSON.parse(declarer.dataset.hint)[chosen(form, "dealer")];
    if (!hint || !whose) return;
    hint.textContent = whose;
    const before = form.elements.tapped_for.value;
    form.elements.tapped_for.value = whose;
    const tapped = hint.closest("fieldset").querySelector("input:checked");
    if (!tapped || !before || before === whose) return;
    tapped.checked = false;
    if (isInUse(form, hint.closest("fieldset"))) formBar.notify(words("tap-again", whose));
  };

  // Mark a chosen declarer as invalid who sits out with the chosen dealer.
  const checkDeclarer = (form) => {
    for (const input of form.querySelectorAll("[name=declarer]")) {
      const excluded = (input.dataset.excluded ?? "").split(" ").includes(`dealer=${chosen(form, "dealer")}`);
      input.setCustomValidity(input.checked && excluded ? form.dataset.sitsOut : "");
    }
  };

  const update = () => {
    const form = document.getElementById("hand-form");
    if (!form) return;
    fields.clear();
    updatePlaceRow(form);
    disableExcluded(form);
    checkDeclarer(form);
    updateLabels(form);
    // The rules' trial form has no button that saves.
    form.querySelector(".save")?.classList.toggle("unready", !form.matches(":valid"));
  };

  const ASKED = "fieldset:has(:invalid), label[data-called]:has(:invalid)";
  const invalidRows = (form) => [...form.querySelectorAll(ASKED)];
  // As words of a sentence: 'declarer', 'card points'; an abbreviation keeps its capitals. The name that a fieldset
  // gives itself is such words already, and may begin with a player's name.
  const nameOf = (row) => {
    const { called } = row.dataset;
    if (called && row.matches("fieldset")) return called;
    const label = called ?? row.querySelector("legend").firstChild.textContent.trim();
    return label.replace(/^\p{Lu}(?!\p{Lu})/u, (capital) => capital.toLowerCase());
  };

  // Name the rows that are missing or impossible; mark, focus and show the first.
  const leadToInvalid = (form) => {
    const [row] = invalidRows(form);
    const fold = row.closest("details");
    if (fold) fold.open = true;
    const wrong = [...form.querySelectorAll("[name=declarer]")]
      .find((input) => input.validationMessage && input.checked);
    const typed = [...form.querySelectorAll("[data-refusal]")].find(({ validity }) => validity.patternMismatch);
    for (const other of form.querySelectorAll(".wanted")) other.classList.remove("wanted");
    row.classList.add("wanted");
    (wrong ?? typed ?? row.querySelector("input:enabled")).focus({ preventScroll: true });
    row.scrollIntoView({ block: "nearest" });
    const names = (those) => those.map(nameOf).join(", ");
    const isWrong = (one) => [...one.querySelectorAll("input")].some((input) => input.validity.customError);
    const clashing = invalidRows(form).filter(isWrong);
    if (wrong) formBar.notify(wrong.validationMessage);
    else if (typed) formBar.notify(typed.dataset.refusal);
    else if (clashing.length) formBar.notify(words("clash"), names(clashing));
    else formBar.notify(words("missing"), names(invalidRows(form)));
  };

  // Clear the rows that depend on the changed choice: data-cleared-by is 'field', or 'field=value …'.
  const clearDependents = (by) => {
    if (by.type === "text" && !by.value) return;
    const said = [by.name, `${by.name}=${by.value}`];
    for (const place of by.form.querySelectorAll("[data-cleared-by]")) {
      if (!place.dataset.clearedBy.split(" ").some((one) => said.includes(one))) continue;
      for (const input of place.matches("input") ? [place] : place.querySelectorAll("input")) {
        if (input.type === "text") input.value = "";
        else input.checked = false;
      }
    }
  };

  document.addEventListener("click", (event) => {
    const save = event.target.closest("#hand-form .save.unready");
    if (!save) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    leadToInvalid(save.form);
  }, true);
  document.addEventListener("form:lead", ({ target }) => leadToInvalid(target));

  document.addEventListener("change", (event) => {
    const { target } = event;
    if (!target.form?.matches("#hand-form")) return;
    target.closest(".wanted")?.classList.remove("wanted");
    clearDependents(target);
    update();
    // The row that a box opens may be further up.
    const { opens } = target.dataset;
    if (opens && target.checked) document.getElementById(opens).scrollIntoView({ block: "nearest" });
    // The change may have made other rows valid.
    for (const row of target.form.querySelectorAll(".wanted:not(:has(:invalid))")) row.classList.remove("wanted");
  }, true);
  // Count while text is typed.
  let typing;
  document.addEventListener("input", ({ target }) => {
    if (!target.form?.matches("#hand-form, #entries-form") || target.type !== "text") return;
    clearTimeout(typing);
    typing = setTimeout(() => target.dispatchEvent(new Event("change", { bubbles: true })), 300);
  });
  document.addEventListener("htmx:after:swap", update);
  document.addEventListener("form:renewed", update);
  document.addEventListener("DOMContentLoaded", update);
  window.addEventListener("pageshow", update);
}
