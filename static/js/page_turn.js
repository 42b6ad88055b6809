// Keeps the log clean of a page turn that the browser gives up: the new page does not fade, and that is no error.
addEventListener("unhandledrejection", (event) => {
  if (event.reason?.message?.includes("ViewTransition")) event.preventDefault();
});
