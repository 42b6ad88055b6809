// For the service worker, which has no document: what was typed into a form is put back into the HTML of its page. The
// pages are the server's own, so no attribute of theirs holds a bare < or >. No script of the page is needed for it:
// perhaps none ran.
/* exported formRefill */
const formRefill = (() => {
  const NAMES = { "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#x27;": "'", "&#39;": "'" };
  const SIGNS = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
  const OWN = "csrfmiddlewaretoken";

  const escaped = (text) => text.replace(/[&<>"]/g, (sign) => SIGNS[sign]);
  const plain = (text) => text.replace(/&(amp|lt|gt|quot|#x27|#39);/g, (name) => NAMES[name]);

  const on = (tag, name) => {
    const found = tag.match(new RegExp(`\\s${name}="([^"]*)"`));
    return found && plain(found[1]);
  };
  const without = (tag, name) => tag.replace(new RegExp(`\\s${name}(="[^"]*")?(?=[\\s/>])`), "");
  const having = (tag, attribute) => tag.replace(/\s*\/?>$/, ` ${attribute}>`);
  const chosen = (tag, name, isChosen) => (isChosen ? having(without(tag, name), name) : without(tag, name));

  const input = (tag, fields) => {
    const name = on(tag, "name");
    const type = on(tag, "type") ?? "text";
    const values = fields.filter(([one]) => one === name).map(([, value]) => value);
    if (type === "checkbox") return chosen(tag, "checked", values.includes(on(tag, "value") ?? "on"));
    if (!values.length || name === OWN) return tag;
    if (type === "radio") return chosen(tag, "checked", values.includes(on(tag, "value")));
    return having(without(tag, "value"), `value="${escaped(values[0])}"`);
  };

  const select = (whole, fields) => {
    const values = fields.filter(([one]) => one === on(whole, "name")).map(([, value]) => value);
    const option = (tag) => chosen(tag, "selected", values.includes(on(tag, "value")));
    return values.length ? whole.replace(/<option\b[^>]*>/g, option) : whole;
  };

  const isSentTo = (form, path) => form.includes(`action="${path}"`) || form.includes(`action="${path}?`);

  const filled = (form, fields) => form
    .replace(/<input\b[^>]*>/g, (tag) => input(tag, fields))
    .replace(/<select\b[^]*?<\/select>/g, (whole) => select(whole, fields));

  // With the sentence that there was no answer, which stands in every page.
  const said = (html) => html
    .replace(/(<div id="no-network"[^>]*)\shidden>/, "$1>")
    .replace(/<body(?=\s)/, "<body data-typed");

  return {
    // The page with what was typed in those of its forms that are sent to this path; null if it has none.
    putBack: (html, path, fields) => {
      let isThere = false;
      const page = html.replace(/<form\b[^]*?<\/form>/g, (form) => {
        if (!isSentTo(form, path)) return form;
        isThere = true;
        return filled(form, fields);
      });
      return isThere ? said(page) : null;
    },

    // The page for no network, whose form sends all of it again.
    sendAgain: (html, address, fields) => html.replace(
      /<div id="send-again" hidden>([^]*?)<\/div>/,
      (_whole, words) => {
        const hidden = fields.map(([name, value]) =>
          `<input type="hidden" name="${escaped(name)}" value="${escaped(value)}">`);
        return `<form class="send-again" method="post" action="${escaped(address)}">${hidden.join("")}${words}</form>`;
      },
    ),
  };
})();
