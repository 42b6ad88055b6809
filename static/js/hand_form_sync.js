// Keeps an open hand form in step with other phones: takes over what they announce into rows without a tap, and the
// number of the next hand as long as nothing is tapped. After that the live count asks about a hand that another phone
// has recorded, and the form keeps its number until that is answered.
/* global formBar */
/* exported tappedFields */
// The fields that were tapped since the form was opened, and 'line' if a line was typed. A page has one form.
const tappedFields = new Set();
{
  // live_updates.js puts the news into the form (hand_form/news.html) before it sends 'form:told'.

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

  // Take over what is noted, and return the elements with the sentences to show. A form that is asked about keeps its
  // dealer until it is answered.
  const takeOver = (form, noted, isAsked) => {
    const fields = [...noted.querySelectorAll("[data-field]")].filter(({ dataset }) =>
      !(isAsked && dataset.field === "dealer"));
    const differ = fields.filter((span) => !agrees(form, span.dataset));
    for (const { dataset: { field, value } } of differ) {
      if (!tapped.has(field)) choose(form, field, value);
    }
    hiddenField(form, "seen").value = noted.dataset.seen;
    hiddenField(form, "announced").value = "announced" in noted.dataset ? "1" : "";
    const { value: dealer } = noted.querySelector("[data-field=dealer]").dataset;
    if (!isAsked) hiddenField(form, "offered").value = dealer;
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

  const renumber = (form, { number, dealer }) => {
    form.dataset.told = number;
    if (tapped.size) return;
    for (const name of ["number", "meant"]) hiddenField(form, name).value = number;
    hiddenField(form, "another").value = "";
    hiddenField(form, "offered").value = dealer;
    form.elements.dealer.value = dealer;
  };

  // --- News from the server ---

  const onNews = (form) => {
    const told = form.querySelector("#hand-told > [data-number]");
    if (told) renumber(form, told.dataset);
    told?.remove();
    const noted = form.querySelector("#hand-noted > [data-seen]");
    const said = noted ? takeOver(form, noted, Boolean(told) && tapped.size > 0) : [];
    noted?.remove();
    const spaced = said.flatMap((span) => [span, " "]);
    if (told) document.querySelector("#hand-news > .notice")?.append(...spaced);
    else if (said.length && !formBar.isAsking()) formBar.showNotice(...spaced);
    if (said.length) formBar.makeInert();
    // Count again, as after a tap: with the count comes the question.
    form.elements.declarer[0].dispatchEvent(new Event("change", { bubbles: true }));
    if (!formBar.isAsking()) leadIfSittingOut(form);
  };

  const leadIfSittingOut = (form) => {
    if ([...form.elements.declarer].some((input) => input.checked && input.validationMessage)) {
      form.dispatchEvent(new Event("form:lead", { bubbles: true }));
    }
  };

  document.addEventListener("form:told", ({ target }) => onNews(target));

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
