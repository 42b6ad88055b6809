// Shares a link or the result of an evening by the platform's share sheet or the clipboard: each button is shown only
// where it works. The field with the link or the text is always there.
{
  const initialise = (box) => {
    const field = box.querySelector("input[readonly], textarea[readonly]");
    const done = box.querySelector("[data-done]");
    const shared = field.matches("textarea") ? "text" : "url";

    const ways = {
      share: {
        works: () => Boolean(navigator.share),
        // Closing the share sheet rejects: that is no error.
        run: (button) => navigator.share({ title: button.dataset.title, [shared]: field.value }).catch(() => {}),
      },
      copy: {
        // On plain http only execCommand can copy.
        works: () => Boolean(navigator.clipboard?.writeText) || document.queryCommandSupported?.("copy"),
        run: async () => {
          const copied = await (navigator.clipboard?.writeText(field.value).then(() => true, () => false) ?? false);
          if (copied || copyByCommand()) done.textContent = done.dataset.done;
        },
      },
    };

    const copyByCommand = () => {
      field.focus();
      field.select();
      return document.execCommand("copy");
    };

    for (const button of box.querySelectorAll("[data-way]")) {
      const way = ways[button.dataset.way];
      button.hidden = !way.works();
      button.addEventListener("click", () => way.run(button));
    }
    field.addEventListener("focus", () => field.select());
  };

  const initialiseAll = () => document.querySelectorAll("[data-share]").forEach(initialise);

  initialiseAll();
  document.addEventListener("page:shown", initialiseAll);
}
