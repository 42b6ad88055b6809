// Keeps an open hand form in step with other phones: takes over what they announce into rows without a tap, and
// asks whether it is the same hand when another phone has recorded one under the form's number.
/* global formBar */
/* exported tappedFields */
// The fields that were tapped since the form was opened, and 'line' if a line was typed. A page has one form.
const tappedFields = new Set();
{
  // live_updates.js puts the news into the form (hand_form/live.html) before it sends 'form:told'.

  const tapped = tappedFields;

  const hiddenField = (form, name) => form.querySelector(`input[type=hidden][name="${name}"]`);
  const chosen = (form, name) => form.querySelector(`[name="${name}"]:checked`)?.value ?? "";

  // An empty value unchecks all.
  const choose = (form, name, value) => {
    const choices = form.querySelectorAll(`:is([type=radio], [type=checkbox])[name="${name}"]`);
    for (const choice of choices) choice.checked = choice.value === value;
  };

  // Return whether the form agrees with what is noted; a noted '' agrees with every choice but `but`.
  const agrees = (form, { field, value, but }) => {
    const mine = chosen(form, field);
    return mine === value || (but !== undefined && value === "" && mine !== but);
  };

  // --- The announced hand ---

  // Take over what is noted, and return the elements with the sentences to show.
  const takeOver = (form, noted) => {
    const fields = [...noted.querySelectorAll("[data-field]")];
    const differ = fields.filter((span) => !agrees(form, span.dataset));
    for (const { dataset: { field, value } } of differ) {
      if (!tapped.has(field)) choose(form, field, value);
    }
    hiddenField(form, "seen").value = noted.dataset.seen;
    hiddenField(form, "announced").value = "announced" in noted.dataset ? "1" : "";
    hiddenField(form, "offered").value = noted.querySelector("[data-field=dealer]").dataset.value;
    for (const name of noted.dataset.must.split(" ").filter(Boolean)) {
      for (const input of form.querySelectorAll(`[name="${name}"]`)) input.required = "announced" in noted.dataset;
    }
    if (!tapped.size && noted.dataset.token) form.elements.token.value = noted.dataset.token;
    return sentencesFor(noted, differ);
  };

  const sentencesFor = (noted, differ) => {
    const { begun, back, announced, headline } = noted.dataset;
    const said = noted.querySelector(".said");
    if (begun !== undefined || back !== undefined) return [said];
    if (announced === undefined) return [];
    // Some fields are taken over without a sentence.
    const telling = differ.filter(({ dataset }) => !("untold" in dataset));
    const more = telling.filter(({ dataset }) => !headline.split(" ").includes(dataset.field));
    return more.length < telling.length ? [said, ...more] : more;
  };

  // --- A hand that another phone recorded ---

  // Return whether all that is tapped or typed so far agrees with the recorded hand.
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
      hiddenField(form, "offered").value = number.dataset.dealer;
    }
    delete number.dataset.dealer;
    hiddenField(form, "another").value = "";
    if (!tapped.size) {
      hiddenField(form, "meant").value = number.value;
      document.getElementById("hand-question").replaceChildren();
      return;
    }
    const recorded = [...form.querySelectorAll("#hand-news [data-recorded]")];
    const same = recorded.some((span) => isSame(form, span.dataset));
    const [leave, another] = document.getElementById("hand-question").children;
    leave.classList.toggle("primary", same);
    another.classList.toggle("primary", !same);
    formBar.beginQuestion();
  };

  // --- News from the server ---

  const onNews = (form) => {
    const number = form.elements.number;
    const moved = "dealer" in number.dataset;
    if (moved) renumber(form, number);
    const noted = form.querySelector("#hand-noted > [data-seen]");
    const said = noted ? takeOver(form, noted) : [];
    noted?.remove();
    const spaced = said.flatMap((span) => [span, " "]);
    if (moved) document.querySelector("#hand-news > .notice")?.append(...spaced);
    else if (said.length && !formBar.isAsking()) formBar.showNotice(...spaced);
    if (said.length) formBar.makeInert();
    // Count again, as after a tap.
    form.elements.declarer[0].dispatchEvent(new Event("change", { bubbles: true }));
    if (!formBar.isAsking()) leadIfSittingOut(form);
  };

  const leadIfSittingOut = (form) => {
    if ([...form.elements.declarer].some((input) => input.checked && input.validationMessage)) {
      form.dispatchEvent(new Event("form:lead", { bubbles: true }));
    }
  };

  document.addEventListener("form:told", ({ target }) => onNews(target));

  document.addEventListener("click", (event) => {
    if (!event.target.closest("[data-another]")) return;
    const form = document.getElementById("hand-form");
    hiddenField(form, "another").value = "1";
    hiddenField(form, "meant").value = form.elements.number.value;
    formBar.clear();
    leadIfSittingOut(form);
  });

  document.addEventListener("change", ({ isTrusted, target }) => {
    if (isTrusted && target.form?.matches("#hand-form")) tapped.add(target.name);
  }, true);
  // A text field fires `change` only when it loses the focus.
  document.addEventListener("input", ({ isTrusted, target }) => {
    if (isTrusted && target.name === "line" && target.form?.matches("#hand-form")) tapped.add("line");
  });
  for (const anew of ["form:cleared", "page:shown"]) document.addEventListener(anew, () => tapped.clear(), true);
  document.addEventListener("form:filled", ({ detail }) => {
    for (const name of detail) tapped.add(name);
  }, true);
}
