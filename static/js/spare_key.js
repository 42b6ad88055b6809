// Fills the words of a spare key in, from the part of the address that the QR code adds. They are taken off the address
// at once, so that neither the history nor a shared link has them.
{
  const initialise = () => {
    const form = document.querySelector("[data-spare-key]");
    if (!form || location.hash.length < 2) return;
    form.elements.link.value = location.hash.slice(1).replaceAll("-", " ");
    history.replaceState(history.state, "", location.pathname);
    form.querySelector(".primary").focus();
  };

  initialise();
  document.addEventListener("page:shown", initialise);
}
