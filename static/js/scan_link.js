// Reads the QR code of an invite link into the field for a pasted link, where the browser can. Nothing is opened by it:
// the form is sent, and checked by the server, as if the link had been pasted. The camera is off once the code is read,
// the page is hidden, left or replaced, or the user stops it.
{
  const EVERY = 200;
  const CAMERA = { video: { facingMode: "environment" } };
  let running = null;

  const canScan = async () => {
    if (!navigator.mediaDevices?.getUserMedia || !window.BarcodeDetector) return false;
    const formats = await window.BarcodeDetector.getSupportedFormats().catch(() => []);
    return formats.includes("qr_code");
  };

  const show = (box, isOn) => {
    for (const part of box.querySelectorAll("[data-while]")) part.hidden = (part.dataset.while === "on") !== isOn;
  };

  const say = (box, words = "") => {
    box.querySelector("[role=status]").textContent = words;
  };

  const release = (stream) => stream?.getTracks().forEach((track) => track.stop());

  const stop = () => {
    if (!running) return;
    const { box, stream } = running;
    running = null;
    release(stream);
    box.querySelector("video").srcObject = null;
    show(box, false);
  };

  const fill = (box, text) => {
    stop();
    const form = box.closest("form");
    form.elements.link.value = text;
    say(box, box.dataset.found);
    form.querySelector(".primary").focus();
  };

  const watch = async (scan, video) => {
    const detector = new window.BarcodeDetector({ formats: ["qr_code"] });
    while (running === scan) {
      const [code] = await detector.detect(video).catch(() => []);
      if (code && running === scan) fill(scan.box, code.rawValue);
      await new Promise((resolve) => setTimeout(resolve, EVERY));
    }
  };

  const start = async (box) => {
    stop();
    const scan = { box, stream: null };
    running = scan;
    say(box);
    show(box, true);
    const stream = await navigator.mediaDevices.getUserMedia(CAMERA).catch(() => null);
    // The user may have stopped it, or left the page, while the browser asked for the camera.
    if (running !== scan) return release(stream);
    if (!stream) {
      stop();
      return say(box, box.dataset.refused);
    }
    scan.stream = stream;
    const video = box.querySelector("video");
    video.srcObject = stream;
    return watch(scan, video);
  };

  const initialise = async () => {
    const box = document.querySelector("[data-scan]");
    if (!box || !(await canScan())) return;
    const [begin, end] = box.querySelectorAll("button");
    begin.addEventListener("click", () => start(box));
    end.addEventListener("click", stop);
    box.hidden = false;
  };

  initialise();
  window.addEventListener("pagehide", stop);
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) stop();
  });
  document.addEventListener("page:shown", () => {
    stop();
    initialise();
  });
}
