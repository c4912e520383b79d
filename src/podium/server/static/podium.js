// What the pages do while they are looked at: they follow their study, take files that are
// dropped on them, send forms when a choice is made, and draw charts. All of it can be missed.
"use strict";

const PAUSE = 250; // milliseconds between two updates, at the least

/** Put the live parts of a fresh copy of the page in the place of those that changed. */
function swap(fresh) {
  for (const part of document.querySelectorAll("[data-live]")) {
    const other = fresh.getElementById(part.id);
    if (!other || other.outerHTML === part.outerHTML) continue;
    const focus = document.activeElement;
    const place = part.contains(focus) ? [...part.querySelectorAll("*")].indexOf(focus) : -1;
    const opened = [...part.querySelectorAll("details")].map((one) => one.open);
    const scrolled = [...part.querySelectorAll(".sheet")].map((one) => [one.scrollLeft, one.scrollTop]);
    const mine = document.importNode(other, true);
    part.replaceWith(mine);
    mine.querySelectorAll("details").forEach((one, at) => { one.open = opened[at] ?? one.open; });
    mine.querySelectorAll(".sheet").forEach((one, at) => {
      if (scrolled[at]) [one.scrollLeft, one.scrollTop] = scrolled[at];
    });
    if (place >= 0) mine.querySelectorAll("*")[place]?.focus?.({ preventScroll: true });
  }
}

/** Follow a study: fetch the page again when something happened, never twice at a time. */
function follow(address, after) {
  let wanted = false;
  let busy = false;
  const update = async () => {
    if (busy || !wanted || document.hidden) return;
    busy = true;
    wanted = false;
    const begun = performance.now();
    try {
      const answer = await fetch(location.href, { headers: { accept: "text/html" } });
      if (answer.ok) swap(new DOMParser().parseFromString(await answer.text(), "text/html"));
    } catch {
      wanted = true; // the server is away; events begin anew when it is back
    }
    const took = performance.now() - begun;
    setTimeout(() => { busy = false; update(); }, Math.max(PAUSE, took));
  };
  let last = after;
  let source = null;
  const listen = () => {
    source?.close(); // a page in the background keeps no connection
    source = document.hidden ? null : new EventSource(`${address}?after=${last}`);
    if (!source) return;
    source.onmessage = (event) => { last = event.lastEventId; wanted = true; update(); };
  };
  document.addEventListener("visibilitychange", listen);
  addEventListener("pagehide", () => source?.close());
  addEventListener("pageshow", (event) => { if (event.persisted) listen(); });
  listen();
}

/** Send a form when a choice is made, without a button. */
function automatic(form) {
  form.classList.add("auto");
  form.addEventListener("change", () => form.requestSubmit());
  addEventListener("pageshow", () => form.reset()); // the address says what holds, also after going back
  form.addEventListener("formdata", (event) => {
    for (const [name, value] of [...event.formData]) if (value === "") event.formData.delete(name);
  });
}

/** Take a file that is dropped anywhere on the page. */
function droppable(form) {
  const field = form.querySelector("input[type=file]");
  const send = () => { document.body.classList.add("busy"); form.requestSubmit(); };
  let depth = 0;
  const over = (change) => {
    depth = Math.max(0, depth + change);
    document.body.classList.toggle("over", depth > 0);
  };
  addEventListener("dragenter", (event) => { event.preventDefault(); over(1); });
  addEventListener("dragleave", () => over(-1));
  addEventListener("dragover", (event) => event.preventDefault());
  addEventListener("drop", (event) => {
    event.preventDefault();
    over(-depth);
    if (!event.dataTransfer.files.length) return;
    field.files = event.dataTransfer.files;
    send();
  });
  field.addEventListener("change", () => { if (field.files.length) send(); });
}

/** Load the library of charts, once. */
let library;
function charts() {
  library ??= new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = document.querySelector("link[rel=podium-charts]").href;
    script.onload = resolve;
    script.onerror = reject;
    document.head.append(script);
  });
  return library;
}

/** Draw a chart, in the colours of the page. */
async function draw(place) {
  const [answer] = await Promise.all([fetch(place.dataset.chart), charts()]);
  if (!answer.ok) { place.textContent = (await answer.json()).error.message; return; }
  const chart = await answer.json();
  const ink = getComputedStyle(document.body).color;
  const words = { labelColor: ink, titleColor: ink };
  chart.background = null;
  chart.config = { ...chart.config, axis: { ...chart.config?.axis, ...words }, title: { color: ink, subtitleColor: ink } };
  if (chart.title) delete chart.title.subtitleColor;
  await vegaEmbed(place, chart, {
    ast: true, defaultStyle: false, actions: false, renderer: "svg", tooltip: { disableDefaultStyle: true },
  });
}

/** Copy a command by a click or the return key. */
function copy(event) {
  const code = event.target.closest?.("code.copied");
  if (!code || (event.type === "keydown" && event.key !== "Enter")) return;
  if (String(getSelection())) return; // somebody marks a part of it
  navigator.clipboard?.writeText(code.textContent).then(() => {
    code.classList.add("done");
    setTimeout(() => code.classList.remove("done"), 1200);
  });
}

document.querySelectorAll(".tabs").forEach((tabs) => { // on a narrow screen, show where one is
  const here = tabs.querySelector("[aria-current]");
  if (here) tabs.scrollLeft = here.offsetLeft - (tabs.clientWidth - here.offsetWidth) / 2;
});
document.querySelectorAll("[data-events]").forEach((one) => follow(one.dataset.events, one.dataset.after));
document.querySelectorAll("form[data-auto]").forEach(automatic);
document.querySelectorAll("form[data-drop]").forEach(droppable);
document.querySelectorAll("[data-chart]").forEach((one) => {
  const details = one.closest("details");
  if (!details) draw(one);
  else details.addEventListener("toggle", () => draw(one), { once: true });
});
document.addEventListener("click", copy);
document.addEventListener("keydown", copy);
