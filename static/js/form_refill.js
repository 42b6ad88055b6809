// Puts the typed values of a form back into the HTML of its page, for the service worker, which has no document.
// Regular expressions are enough: the pages are the server's own, and no attribute of theirs holds a bare < or >.
/* exported formRefill */
const formRefill = (() => {
  const CHARS = { "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#x27;": "'", "&#39;": "'" };
  const ENTITIES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
  const CSRF = "csrfmiddlewaretoken";

  const escapeHtml = (text) => text.replace(/[&<>"]/g, (char) => ENTITIES[char]);
  const unescapeHtml = (text) => text.replace(/&(amp|lt|gt|quot|#x27|#39);/g, (entity) => CHARS[entity]);

  const valueIn = (tag, name) => {
    const found = tag.match(new RegExp(`\\s${name}="([^"]*)"`));
    return found && unescapeHtml(found[1]);
  };
  const withoutAttribute = (tag, name) => tag.replace(new RegExp(`\\s${name}(="[^"]*")?(?=[\\s/>])`), "");
  const withAttribute = (tag, added) => tag.replace(/\s*\/?>$/, ` ${added}>`);
  const withFlag = (tag, name, isSet) => {
    const bare = withoutAttribute(tag, name);
    return isSet ? withAttribute(bare, name) : bare;
  };

  const refillInput = (tag, fields) => {
    const name = valueIn(tag, "name");
    const type = valueIn(tag, "type") ?? "text";
    const values = fields.filter(([one]) => one === name).map(([, value]) => value);
    if (type === "checkbox") return withFlag(tag, "checked", values.includes(valueIn(tag, "value") ?? "on"));
    if (!values.length || name === CSRF) return tag;
    if (type === "radio") return withFlag(tag, "checked", values.includes(valueIn(tag, "value")));
    return withAttribute(withoutAttribute(tag, "value"), `value="${escapeHtml(values[0])}"`);
  };

  const refillSelect = (whole, fields) => {
    const values = fields.filter(([one]) => one === valueIn(whole, "name")).map(([, value]) => value);
    const option = (tag) => withFlag(tag, "selected", values.includes(valueIn(tag, "value")));
    return values.length ? whole.replace(/<option\b[^>]*>/g, option) : whole;
  };

  const isSentTo = (form, path) => form.includes(`action="${path}"`) || form.includes(`action="${path}?`);

  const refillForm = (form, fields) => form
    .replace(/<input\b[^>]*>/g, (tag) => refillInput(tag, fields))
    .replace(/<select\b[^]*?<\/select>/g, (whole) => refillSelect(whole, fields));

  // Show the sentence that there was no answer, which every page contains hidden.
  const withNotice = (html) => html
    .replace(/(<div id="no-network"[^>]*)\shidden>/, "$1>")
    .replace(/<body(?=\s)/, "<body data-typed");

  return {
    // Return the page with the fields filled into its forms that are sent to this path; null if it has no such form.
    refill: (html, path, fields) => {
      let isThere = false;
      const page = html.replace(/<form\b[^]*?<\/form>/g, (form) => {
        if (!isSentTo(form, path)) return form;
        isThere = true;
        return refillForm(form, fields);
      });
      return isThere ? withNotice(page) : null;
    },

    // Return the offline page with a form that sends all the fields again.
    resendPage: (html, address, fields) => html.replace(
      /<div id="send-again" hidden>([^]*?)<\/div>/,
      (_whole, words) => {
        const hidden = fields.map(([name, value]) =>
          `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`);
        const form = `<form class="send-again" method="post" action="${escapeHtml(address)}">`;
        return `${form}${hidden.join("")}${words}</form>`;
      },
    ),
  };
})();
