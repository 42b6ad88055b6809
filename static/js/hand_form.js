// The hand form between two answers of the server: what cannot be together with what is chosen is not offered, and what
// is written of the number and the dealer follows them. Which choices exclude each other the server says, in
// data-excluded ("field=value …"), and what follows from a dealer in data-summary; nothing is known here of the game.
{
  const chosen = (form, name) => form.elements[name]?.value;

  const offer = (form) => {
    for (const input of form.querySelectorAll("[data-excluded]")) {
      const excluded = input.dataset.excluded.split(" ").some((pair) => {
        const [name, value] = pair.split("=");
        return chosen(form, name) === value;
      });
      // What is already chosen stays as it is: the count says in words what is wrong with it.
      input.disabled = excluded && !input.checked;
    }
    const unannounced = chosen(form, "arrivazs") === "none";
    for (const input of form.elements["arrivazs_kontra"]) input.disabled = unannounced;
    const split = chosen(form, "tricks") === "6" || form.elements["note_split"].checked;
    const left = 11 - Number(chosen(form, "tricks") || 0);
    for (const input of form.elements["opponent_tricks"]) {
      input.disabled = !split || Number(input.value) > left;
      input.required = chosen(form, "tricks") === "6";
    }
  };

  const label = (form) => {
    const declarer = form.querySelector("[name=declarer]:checked");
    const hint = form.querySelector(".split legend small");
    if (declarer && hint) hint.textContent = declarer.dataset.opponents ?? hint.textContent;
    const number = chosen(form, "number");
    const dealer = form.querySelector("[name=dealer]:checked");
    if (dealer) form.querySelector(".who-deals").textContent = dealer.dataset.summary;
    for (const which of document.querySelectorAll(".which")) which.textContent = words("hand", number);
    const save = document.getElementById("save-label");
    if (save) save.textContent = words("save", number);
  };

  // Whoever was tapped to play and sits out by now is not silently let play.
  const settle = (form) => {
    for (const input of form.elements["declarer"]) {
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
    const wrong = [...form.elements["declarer"]].find((input) => input.validationMessage && input.checked);
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
    if (target.name === "tricks") {
      // A split belongs to the number of tricks it was noted for.
      for (const input of target.form.elements["opponent_tricks"]) input.checked = false;
    }
    start();
  }, true);
  document.addEventListener("htmx:after:swap", start);
  document.addEventListener("form:renewed", start);
  document.addEventListener("DOMContentLoaded", start);
  window.addEventListener("pageshow", start);
}
