// Shares a link or the result of an evening by the platform's share sheet or the clipboard: each button is shown only
// where it works. The field with the link or the text is always there. A picture goes along where files can be shared:
// it is fetched before the tap, as a share sheet opens only at once.
{
  // Keeps the picture that the form asks for. Returns a function that returns it as a file, null while there is none.
  const fetched = (form) => {
    const dark = matchMedia("(prefers-color-scheme: dark)");
    let file = null;
    let asked = "";
    const renew = async () => {
      form.elements.theme.value = dark.matches ? "dark" : "light";
      const address = asked = `${form.action}?${new URLSearchParams(new FormData(form))}`;
      file = null;
      const answer = await fetch(address).catch(() => null);
      const blob = answer?.ok && answer.headers.get("Content-Type") === "image/png" ? await answer.blob() : null;
      if (blob && address === asked) file = new window.File([blob], "strigula.png", { type: blob.type });
    };
    form.addEventListener("change", renew);
    dark.addEventListener("change", renew);
    // A payment that is booked meanwhile changes who pays whom.
    const money = document.querySelector("#money");
    if (money) new MutationObserver(renew).observe(money, { attributeFilter: ["data-version"] });
    renew();
    return () => file;
  };

  const sharesFiles = () =>
    Boolean(navigator.canShare?.({ files: [new window.File([""], "strigula.png", { type: "image/png" })] }));

  const initialise = (box) => {
    const field = box.querySelector("input[readonly], textarea[readonly]");
    const done = box.querySelector("[data-done]");
    const shared = field.matches("textarea") ? "text" : "url";
    const form = box.querySelector("form[data-picture]");
    const picture = form && sharesFiles() ? fetched(form) : () => null;

    const ways = {
      share: {
        works: () => Boolean(navigator.share),
        // Closing the share sheet rejects: that is no error.
        run: (button) => {
          const files = [picture()].filter(Boolean);
          const shares = { title: button.dataset.title, [shared]: field.value, ...(files.length && { files }) };
          return navigator.share(shares).catch(() => {});
        },
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
