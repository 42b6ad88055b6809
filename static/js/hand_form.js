// The hand form between two answers of the server: what cannot be together with what is chosen is not offered, and what
// is written of the number and the dealer follows them. Which choices exclude each other the server says, in
// data-excluded ("field=value …"), and what follows from a dealer in data-summary; nothing is known here of the game.
/* global formBar, words */
{
  const ROWS = "[data-unless], [data-needs], [data-required-at]";

  // A box that is not ticked says nothing, nor does what was chosen in a row that is not there any more.
  const chosen = (form, name) => {
    const field = form.elements[name];
    if (field instanceof RadioNodeList) return [...field].find((one) => one.checked && !one.disabled)?.value ?? "";
    return field?.type === "checkbox" && (!field.checked || field.disabled) ? undefined : field?.value;
  };

  // The same of a number that counts what another leaves of a sum: what it leaves.
  const read = (form, name) => {
    const value = chosen(form, name) ?? "";
    const { restOf, restAt } = form.elements[name]?.dataset ?? {};
    return restOf && /^\d+$/.test(value) && holds(form, restAt) ? String(restOf - value) : value;
  };

  // A value, or a range of numbers: '0..23'.
  const isOne = (value, wanted) => {
    const [, low, high] = /^(\d+)\.\.(\d+)$/.exec(wanted) ?? [];
    if (high === undefined) return value === wanted;
    return /^-?\d+$/.test(value) && Number(low) <= Number(value) && Number(value) <= Number(high);
  };

  // Whether one of these is chosen: 'field=value field=value …', of 'field=value|value&field=value' both must be.
  const holds = (form, pairs, value = (name) => read(form, name)) => (pairs ?? "").split(" ").some((all) =>
    all.split("&").every((pair) => {
      const [name, wanted] = pair.split("=");
      return name !== "" && wanted.split("|").some((one) => isOne(value(name), one));
    }));

  // What is chosen in each row, looked up once.
  const lookedUp = (form) => {
    const known = new Map();
    return (name) => known.get(name) ?? known.set(name, read(form, name)).get(name);
  };

  // Whether a row is there, and each that it stands in.
  const isThere = (form, row) => {
    const { unless, needs } = row.dataset;
    if ((unless && holds(form, unless)) || (needs && !holds(form, needs))) return false;
    const around = row.parentElement.closest(ROWS);
    return !around || isThere(form, around);
  };

  // Whether a number leaves the rows that it is counted 'with' no sum from 'least' to 'most', these included.
  const isNoSum = (form, input, value) => {
    const { least = 0, most, with: names } = input.closest("[data-most]")?.dataset ?? {};
    if (!most) return false;
    const others = names.split(" ").filter((name) => name !== input.name && isAsked(form, name));
    const sum = others.reduce((before, name) => before + Number(value(name)), Number(input.value));
    return sum > Number(most) || (sum < Number(least) && others.every((name) => value(name)));
  };
  const isAsked = (form, name) => isThere(form, form.querySelector(`#field-${name}`));

  const offer = (form) => {
    const line = chosen(form, "line")?.trim();
    for (const row of form.querySelectorAll(ROWS)) {
      const { requiredAt } = row.dataset;
      const there = isThere(form, row);
      for (const input of row.querySelectorAll("input")) {
        input.disabled = !there;
        input.required = !line && Boolean(requiredAt) && holds(form, requiredAt);
      }
    }
    const value = lookedUp(form);
    for (const input of form.querySelectorAll("[data-excluded], [data-most] input")) {
      const row = input.closest(ROWS);
      const excluded = holds(form, input.dataset.excluded, value) || isNoSum(form, input, value);
      // What is already chosen stays as it is, to be tapped anew: the count says in words what is wrong with it. Not so
      // in a row that is only there for something else.
      const stays = input.checked && !(row?.dataset.needs && !row.dataset.unless);
      input.disabled = Boolean(row && !isThere(form, row)) || (excluded && !stays);
      input.setCustomValidity(excluded && stays ? words("clash") : "");
    }
    for (const input of form.querySelectorAll("[data-asked]")) {
      input.required = !line || ["dealer", "declarer"].includes(input.name);
    }
  };

  const label = (form) => {
    const dealer = form.querySelector("[name=dealer]:checked");
    const number = chosen(form, "number");
    if (dealer) form.querySelector(".who-deals").textContent = dealer.dataset.summary;
    for (const which of document.querySelectorAll(".which")) {
      // What was said of another hand is not known of this one.
      const marked = which.textContent !== words("hand", number) && document.getElementById("next-hand");
      if (marked) marked.textContent = "";
      which.textContent = words("hand", number);
    }
    const save = document.getElementById("save-label");
    if (save) save.textContent = words("save", number);
  };

  // Figures that are asked for by a place in the hand are another player's with another dealer or declarer: what was
  // tapped for one is taken back, and said, and the row asks for the other's.
  const ask = (form) => {
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
    if (isThere(form, hint.closest("fieldset"))) formBar.say(words("tap-again", whose));
  };

  // Whoever was tapped to play and sits out by now is not silently let play.
  const settle = (form) => {
    for (const input of form.querySelectorAll("[name=declarer]")) {
      const excluded = (input.dataset.excluded ?? "").split(" ").includes(`dealer=${chosen(form, "dealer")}`);
      input.setCustomValidity(input.checked && excluded ? form.dataset.sitsOut : "");
    }
  };

  const start = () => {
    const form = document.getElementById("hand-form");
    if (!form) return;
    ask(form);
    offer(form);
    settle(form);
    label(form);
    // Where a hand is only counted there is nothing that saves it.
    form.querySelector(".save")?.classList.toggle("unready", !form.matches(":valid"));
  };

  const ASKED = "fieldset:has(:invalid), label[data-called]:has(:invalid)";
  const rows = (form) => [...form.querySelectorAll(ASKED)];
  const called = (row) => row.dataset.called ?? row.querySelector("legend").firstChild.textContent.trim();

  // What is missing, or cannot stand: its first row is marked and made ready to be tapped.
  const lead = (form) => {
    const [row] = rows(form);
    const fold = row.closest("details");
    if (fold) fold.open = true;
    const wrong = [...form.querySelectorAll("[name=declarer]")]
      .find((input) => input.validationMessage && input.checked);
    const typed = [...form.querySelectorAll("[data-refusal]")].find(({ validity }) => validity.patternMismatch);
    for (const other of form.querySelectorAll(".wanted")) other.classList.remove("wanted");
    row.classList.add("wanted");
    (wrong ?? typed ?? row.querySelector("input:enabled")).focus({ preventScroll: true });
    row.scrollIntoView({ block: "nearest" });
    const names = (those) => those.map(called).join(", ");
    const isWrong = (one) => [...one.querySelectorAll("input")].some((input) => input.validity.customError);
    const clashing = rows(form).filter(isWrong);
    if (wrong) formBar.say(wrong.validationMessage);
    else if (typed) formBar.say(typed.dataset.refusal);
    else if (clashing.length) formBar.say(words("clash"), names(clashing));
    else formBar.say(words("missing"), names(rows(form)));
  };

  // What a row says belongs to the choice for which it was said ('field', or 'field=value …').
  const clear = (by) => {
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
    lead(save.form);
  }, true);
  document.addEventListener("form:lead", ({ target }) => lead(target));

  document.addEventListener("change", (event) => {
    const { target } = event;
    if (!target.form?.matches("#hand-form")) return;
    target.closest(".wanted")?.classList.remove("wanted");
    clear(target);
    start();
    // Another row may have said it.
    for (const row of target.form.querySelectorAll(".wanted:not(:has(:invalid))")) row.classList.remove("wanted");
  }, true);
  // What is typed is counted as it is typed.
  let typing;
  document.addEventListener("input", ({ target }) => {
    if (!target.form?.matches("#hand-form, #entries-form") || target.type !== "text") return;
    clearTimeout(typing);
    typing = setTimeout(() => target.dispatchEvent(new Event("change", { bubbles: true })), 300);
  });
  document.addEventListener("htmx:after:swap", start);
  document.addEventListener("form:renewed", start);
  document.addEventListener("DOMContentLoaded", start);
  window.addEventListener("pageshow", start);
}
