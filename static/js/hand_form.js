// The hand form between two answers of the server: what cannot be together with what is chosen is not offered, and what
// is written of the number and the dealer follows them. Which choices exclude each other the server says, in
// data-excluded ("field=value …"), and what follows from a dealer in data-summary; nothing is known here of the game.
{
  // A box that is not ticked says nothing.
  const chosen = (form, name) => {
    const field = form.elements[name];
    return field?.type === "checkbox" && !field.checked ? undefined : field?.value;
  };

  // Whether one of these is chosen: 'field=value field=value …'.
  const holds = (form, pairs) => (pairs ?? "").split(" ").some((pair) => {
    const [name, value] = pair.split("=");
    return name !== "" && chosen(form, name) === value;
  });

  const offer = (form) => {
    const line = chosen(form, "line")?.trim();
    for (const input of form.querySelectorAll("[data-excluded]")) {
      // What is already chosen stays as it is: the count says in words what is wrong with it.
      input.disabled = holds(form, input.dataset.excluded) && !input.checked;
    }
    for (const row of form.querySelectorAll("[data-unless], [data-needs]")) {
      const { unless, needs, requiredAt } = row.dataset;
      const isThere = !(unless && holds(form, unless)) && (!needs || holds(form, needs));
      for (const input of row.querySelectorAll("input")) {
        input.disabled = !isThere || (holds(form, input.dataset.excluded) && !(unless && input.checked));
        input.required = !line && Boolean(requiredAt) && holds(form, requiredAt);
      }
    }
    for (const input of form.querySelectorAll("[data-asked]")) {
      input.required = !line || ["dealer", "declarer"].includes(input.name);
    }
  };

  const label = (form) => {
    const declarer = form.querySelector("[name=declarer]:checked");
    const hint = form.querySelector("fieldset legend small");
    if (declarer && hint) hint.textContent = declarer.dataset.hint ?? hint.textContent;
    const number = chosen(form, "number");
    const dealer = form.querySelector("[name=dealer]:checked");
    if (dealer) form.querySelector(".who-deals").textContent = dealer.dataset.summary;
    for (const which of document.querySelectorAll(".which")) which.textContent = words("hand", number);
    const save = document.getElementById("save-label");
    if (save) save.textContent = words("save", number);
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
    offer(form);
    settle(form);
    label(form);
    form.querySelector(".save").classList.toggle("unready", !form.matches(":valid"));
  };

  const rows = (form) => [...form.querySelectorAll("fieldset:has(:invalid)")];

  // What is missing, or cannot stand: its first row is marked and made ready to be tapped.
  const lead = (form) => {
    const [row] = rows(form);
    const wrong = [...form.querySelectorAll("[name=declarer]")]
      .find((input) => input.validationMessage && input.checked);
    for (const other of form.querySelectorAll(".wanted")) other.classList.remove("wanted");
    row.classList.add("wanted");
    (wrong ?? row.querySelector("input:enabled")).focus({ preventScroll: true });
    row.scrollIntoView({ block: "nearest" });
    const names = rows(form).map((one) => one.querySelector("legend").firstChild.textContent.trim()).join(", ");
    if (wrong) formBar.say(wrong.validationMessage);
    else formBar.say(words("missing"), names);
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
    // What a row says belongs to the choice for which it was said.
    for (const input of target.form.querySelectorAll(`[data-cleared-by="${target.name}"] input`)) input.checked = false;
    start();
  }, true);
  // A line is counted as it is typed.
  let typing;
  document.addEventListener("input", ({ target }) => {
    if (!target.form?.matches("#hand-form") || target.name !== "line") return;
    clearTimeout(typing);
    typing = setTimeout(() => target.dispatchEvent(new Event("change", { bubbles: true })), 300);
  });
  document.addEventListener("htmx:after:swap", start);
  document.addEventListener("form:renewed", start);
  document.addEventListener("DOMContentLoaded", start);
  window.addEventListener("pageshow", start);
}
