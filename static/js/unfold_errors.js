// Unfolds the errors in a form's answer, and scrolls to the first: the morph keeps each fold open or shut as it was,
// which may hide the sentence beside a field.
document.addEventListener("htmx:after:swap", ({ detail }) => {
  const form = detail?.ctx?.target;
  if (!form?.matches?.("form")) return;
  const errors = [...document.querySelectorAll("form .error[id]")];
  const hidden = errors.filter((error) => error.closest("details:not([open])"));
  for (const error of hidden) {
    for (let fold = error.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
  }
  hidden[0]?.scrollIntoView({ block: "center" });
});
