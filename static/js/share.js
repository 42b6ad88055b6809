// What is on its way to another phone, a link or the result of an evening: the platform's own share sheet, and the
// clipboard. Each is offered only where it works; the field with the link or the text is there for all.
for (const box of document.querySelectorAll("[data-share]")) {
  const field = box.querySelector("input[readonly], textarea[readonly]");
  const done = box.querySelector("[data-done]");
  const shared = field.matches("textarea") ? "text" : "url";

  const ways = {
    share: {
      works: () => Boolean(navigator.share),
      // Who closes the sheet without sharing has not failed at anything.
      go: (button) => navigator.share({ title: button.dataset.title, [shared]: field.value }).catch(() => {}),
    },
    copy: {
      // On plain http there is no clipboard but the old one.
      works: () => Boolean(navigator.clipboard?.writeText) || document.queryCommandSupported?.("copy"),
      go: async () => {
        const copied = await (navigator.clipboard?.writeText(field.value).then(() => true, () => false) ?? false);
        if (copied || oldCopy()) done.textContent = done.dataset.done;
      },
    },
  };

  const oldCopy = () => {
    field.focus();
    field.select();
    return document.execCommand("copy");
  };

  for (const button of box.querySelectorAll("[data-way]")) {
    const way = ways[button.dataset.way];
    button.hidden = !way.works();
    button.addEventListener("click", () => way.go(button));
  }
  field.addEventListener("focus", () => field.select());
}
