// The sign in the header: whether this phone's hands are saved, waiting (2), or the server is out of reach.
/* global outbox, words */
/* exported connectionSign */
const connectionSign = (() => {
  // A page that the worker kept is shown when the server has not answered.
  let silent = "kept" in document.body.dataset;
  let unsent = 0;

  const show = () => {
    const element = document.getElementById("sign");
    if (!element) return;
    const state = unsent ? "waiting" : silent ? "offline" : "saved";
    if (element.dataset.state !== `${state} ${unsent}`) {
      element.dataset.state = `${state} ${unsent}`;
      element.className = `sign ${state}`;
      element.textContent = words(state, unsent);
    }
    // Away from the table's pages there is nothing to say until something waits.
    element.hidden = !document.body.dataset.session && !unsent;
  };

  const count = async () => {
    unsent = (await outbox.all()).length;
    show();
  };

  outbox.listen(count);
  window.addEventListener("pageshow", count);

  return {
    // The server has answered.
    heard: () => {
      silent = false;
      show();
      document.dispatchEvent(new Event("server:heard"));
    },
    // It has not.
    silent: () => { silent = true; show(); },
    isSilent: () => silent,
  };
})();
