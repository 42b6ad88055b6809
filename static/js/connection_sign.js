// Shows in the header whether this phone's hands are saved, how many wait, or that the server is unreachable.
/* global outbox, words */
/* exported connectionSign */
const connectionSign = (() => {
  // The service worker serves a kept page only when the server has not answered.
  let unreachable = "kept" in document.body.dataset;
  let unsent = 0;

  const show = () => {
    const element = document.getElementById("sign");
    if (!element) return;
    const state = unsent ? "waiting" : unreachable ? "offline" : "saved";
    if (element.dataset.state !== `${state} ${unsent}`) {
      element.dataset.state = `${state} ${unsent}`;
      element.className = `sign ${state}`;
      element.textContent = words(state, unsent);
    }
    // Outside an evening's pages the sign is shown only while something waits.
    element.hidden = !document.body.dataset.session && !unsent;
  };

  const showUnsent = async () => {
    unsent = (await outbox.all()).length;
    show();
  };

  outbox.listen(showUnsent);
  window.addEventListener("pageshow", showUnsent);

  return {
    // To be called when the server has answered.
    answered: () => {
      unreachable = false;
      show();
      document.dispatchEvent(new Event("server:answered"));
    },
    // To be called when it has not.
    unanswered: () => { unreachable = true; show(); },
    isUnreachable: () => unreachable,
  };
})();
