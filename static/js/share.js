// An invite link on its way to another phone: the platform's own share sheet, and the clipboard. Each is offered only
// where it works; the field with the link is there for all.
{
  const box = document.querySelector("[data-share]");
  const field = box.querySelector("input");
  const done = box.querySelector("[data-done]");

  const ways = {
    share: {
      works: () => Boolean(navigator.share),
      // Who closes the sheet without sharing has not failed at anything.
      go: (button) => navigator.share({ title: button.dataset.title, url: field.value }).catch(() => {}),
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
