// A form that is open while others write. It follows what they note: rows that nobody has tapped are renewed, those
// that were tapped stay, and either way it is said what is noted. When the number moves on under a form in which
// anything is tapped, it asks whether that is the same hand. What is new stands in the form already when this hears of
// it, put there by the server (hand_form/live.html); here it is compared and chosen, and nothing is counted.
/* global formBar */
{
  // The rows that were tapped since the form was made, and the line if one was typed; there is one form on the page.
  const tapped = new Set();

  const one = (form, name) => form.querySelector(`input[type=hidden][name="${name}"]`);
  const chosen = (form, name) => form.querySelector(`[name="${name}"]:checked`)?.value ?? "";

  // Nothing, too, can be what is chosen.
  const choose = (form, name, value) => {
    const choices = form.querySelectorAll(`:is([type=radio], [type=checkbox])[name="${name}"]`);
    for (const choice of choices) choice.checked = choice.value === value;
  };

  // What is left open says the same as whatever was tapped, but for the one choice that denies it.
  const says = (form, { field, value, but }) => {
    const mine = chosen(form, field);
    return mine === value || (but !== undefined && value === "" && mine !== but);
  };

  // --- What is noted of the hand ---

  // Take over what is noted, and give back the sentences that tell of it.
  const follow = (form, noted) => {
    const fields = [...noted.querySelectorAll("[data-field]")];
    const differ = fields.filter((span) => !says(form, span.dataset));
    for (const { dataset: { field, value } } of differ) {
      if (!tapped.has(field)) choose(form, field, value);
    }
    one(form, "seen").value = noted.dataset.seen;
    one(form, "announced").value = "announced" in noted.dataset ? "1" : "";
    one(form, "offered").value = noted.querySelector("[data-field=dealer]").dataset.value;
    for (const name of noted.dataset.must.split(" ").filter(Boolean)) {
      for (const input of form.querySelectorAll(`[name="${name}"]`)) input.required = "announced" in noted.dataset;
    }
    if (!tapped.size && noted.dataset.token) form.elements.token.value = noted.dataset.token;
    return told(noted, differ);
  };

  const told = (noted, differ) => {
    const { begun, back, announced, headline } = noted.dataset;
    const said = noted.querySelector(".said");
    if (begun !== undefined || back !== undefined) return [said];
    if (announced === undefined) return [];
    // Of nobody there is nothing to be told.
    const telling = differ.filter(({ dataset }) => !("untold" in dataset));
    const more = telling.filter(({ dataset }) => !headline.split(" ").includes(dataset.field));
    return more.length < telling.length ? [said, ...more] : more;
  };

  // --- A hand that was recorded ---

  // Whether what is tapped or typed so far says nothing else than the hand that was recorded.
  const isSame = (form, { recorded, line }) => {
    const fields = recorded.trim().split(/\s+/).filter(Boolean).map((pair) => pair.split("="));
    const typed = form.elements.line.value.trim();
    const complete = !typed && form.matches(":valid");
    return fields.length > 0 && line.startsWith(typed) && fields.every(([name, value]) =>
      (complete || tapped.has(name) ? chosen(form, name) === value : true));
  };

  const renumber = (form, number) => {
    if (!tapped.has("dealer")) {
      form.elements.dealer.value = number.dataset.dealer;
      one(form, "offered").value = number.dataset.dealer;
    }
    delete number.dataset.dealer;
    one(form, "another").value = "";
    if (!tapped.size) {
      one(form, "meant").value = number.value;
      document.getElementById("hand-question").replaceChildren();
      return;
    }
    const recorded = [...form.querySelectorAll("#hand-news [data-recorded]")];
    const same = recorded.some((span) => isSame(form, span.dataset));
    const [leave, another] = document.getElementById("hand-question").children;
    leave.classList.toggle("primary", same);
    another.classList.toggle("primary", !same);
    formBar.ask();
  };

  // --- What the server has told this form ---

  const hear = (form) => {
    const number = form.elements.number;
    const moved = "dealer" in number.dataset;
    if (moved) renumber(form, number);
    const noted = form.querySelector("#hand-noted > [data-seen]");
    const said = noted ? follow(form, noted) : [];
    noted?.remove();
    const spaced = said.flatMap((span) => [span, " "]);
    if (moved) document.querySelector("#hand-news > .notice")?.append(...spaced);
    else if (said.length && !formBar.isAsking()) formBar.show(...spaced);
    if (said.length) formBar.still();
    // It is counted anew, as if somebody had tapped.
    form.elements.declarer[0].dispatchEvent(new Event("change", { bubbles: true }));
    if (!formBar.isAsking()) sitOut(form);
  };

  const sitOut = (form) => {
    if ([...form.elements.declarer].some((input) => input.checked && input.validationMessage)) {
      form.dispatchEvent(new Event("form:lead", { bubbles: true }));
    }
  };

  document.addEventListener("form:told", ({ target }) => hear(target));

  document.addEventListener("click", (event) => {
    if (!event.target.closest("[data-another]")) return;
    const form = document.getElementById("hand-form");
    one(form, "another").value = "1";
    one(form, "meant").value = form.elements.number.value;
    formBar.clear();
    sitOut(form);
  });

  document.addEventListener("change", ({ isTrusted, target }) => {
    if (isTrusted && target.form?.matches("#hand-form")) tapped.add(target.name);
  }, true);
  // A line is heard as it is typed: its `change` comes only once the thumb has left it.
  document.addEventListener("input", ({ isTrusted, target }) => {
    if (isTrusted && target.name === "line" && target.form?.matches("#hand-form")) tapped.add("line");
  });
  document.addEventListener("form:cleared", () => tapped.clear(), true);
  document.addEventListener("form:filled", ({ detail }) => {
    for (const name of detail) tapped.add(name);
  }, true);
}
