// Sends a file and shows how much of it has been sent; goes on by itself with what takes the server several requests.
// Without it the browser sends the same forms.
/* global pages */
{
  const say = (form, words) => {
    form.querySelector("[role=status]").textContent = words;
  };

  const showProgress = (form, sent) => {
    const words = sent < 100 ? `${form.dataset.sending} ${sent} %` : form.dataset.reading;
    form.querySelector("progress").value = sent;
    say(form, words);
  };

  // fetch tells nothing of how much has been sent.
  const post = (form) =>
    new Promise((resolve) => {
      const request = new XMLHttpRequest();
      request.upload.onprogress = ({ loaded, total }) => showProgress(form, Math.floor((100 * loaded) / total));
      request.onloadend = () => resolve(request);
      request.open("POST", form.action);
      request.setRequestHeader("X-Act", "1");
      request.send(new FormData(form));
    });

  const send = async (form, button) => {
    const box = form.querySelector(".upload-progress");
    button.setAttribute("aria-busy", "true");
    box.hidden = false;
    const request = await post(form);
    const next = request.getResponseHeader("X-Location");
    if (next) return location.assign(next);
    button.removeAttribute("aria-busy");
    if (!request.status) return say(form, form.dataset.failed);
    return pages.show(request.responseText, { href: location.href });
  };

  // Before form_posts.js, which sends no files.
  window.addEventListener("submit", (event) => {
    const { target: form, submitter } = event;
    if (!form.matches("[data-upload]")) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (submitter.getAttribute("aria-busy") !== "true") send(form, submitter);
  }, true);

  // Not where it was refused: the page says why, and the user decides.
  const goOn = () => document.querySelector("main:not(:has([role=alert].notice)) form[data-go-on] button")?.click();
  document.addEventListener("DOMContentLoaded", goOn);
}
