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

  // While nothing is chosen, the hand of another number is dealt by whose turn it then is.
  const deal = (form) => {
    const { dealer } = form.elements.number.dataset;
    const begun = "dealt" in form.dataset || form.querySelector("[required]:checked:not([name=dealer])");
    if (dealer !== undefined && !begun) form.elements.dealer.value = dealer;
  };

  const start = () => {
    const form = document.getElementById("hand-form");
    if (form) { offer(form); label(form); }
  };

  document.addEventListener("change", (event) => {
    if (event.target.name === "dealer") event.target.form.dataset.dealt = "";
    if (event.target.name === "tricks") {
      // A split belongs to the number of tricks it was noted for.
      for (const input of event.target.form.elements["opponent_tricks"]) input.checked = false;
    }
    start();
  }, true);
  document.addEventListener("htmx:after:swap", () => {
    const form = document.getElementById("hand-form");
    if (form) deal(form);
    start();
  });
  document.addEventListener("form:renewed", start);
  document.addEventListener("DOMContentLoaded", start);
  window.addEventListener("pageshow", start);
}
