// What is wrong in a form is not folded away. An answer is morphed into the page, and what was open or shut there stays
// so: where that hides a sentence beside a field, it is unfolded and brought to sight.
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
