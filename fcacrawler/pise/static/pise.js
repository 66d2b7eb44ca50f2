// What is nicer with scripts: marks without a new page, one key each, figures that follow, words proposed. All works without.
"use strict";

const mark = async (form, button) => {
  const pressed = button.getAttribute("aria-pressed") === "true";
  const data = new URLSearchParams(new FormData(form));
  data.set("mark", pressed ? "none" : button.classList.contains("good") ? "good" : "bad");
  const answer = await fetch(form.action, { method: "POST", body: data, headers: { Accept: "application/json" } });
  if (!answer.ok) { form.submit(); return; }
  for (const one of form.querySelectorAll(".mark")) one.setAttribute("aria-pressed", String(one === button && !pressed));
};

document.addEventListener("submit", (event) => {
  if (!event.submitter?.classList.contains("mark")) return;
  event.preventDefault();
  mark(event.target, event.submitter);
});

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input, textarea, select")) return;
  const keyed = document.querySelector(`button[data-key="${CSS.escape(event.key)}"]`);
  if (keyed) { event.preventDefault(); keyed.click(); return; }
  const hits = [...document.querySelectorAll(".hit")];
  const here = hits.findIndex((hit) => hit.contains(document.activeElement));
  const one = hits[here] ?? document.querySelector("article");
  if (event.key === "/") { event.preventDefault(); document.querySelector("header input")?.select(); }
  if (event.key === "j") hits[Math.min(here + 1, hits.length - 1)]?.querySelector(".title").focus();
  if (event.key === "k") hits[Math.max(here - 1, 0)]?.querySelector(".title").focus();
  if (event.key === "g") one?.querySelector("button.good")?.click();
  if (event.key === "b") one?.querySelector("button.bad")?.click();
  if (event.key === "t") hits[here]?.querySelector("a.more")?.click();
  if (event.key === "m") hits[here]?.querySelector("a.like")?.click();
});

const box = document.querySelector("header input[name=q]");
box?.addEventListener("input", async () => {
  const asked = box.value;
  const job = box.form.querySelector("[name=job]")?.value ?? "";
  const answer = await fetch(`/suggest?${new URLSearchParams({ q: asked, job })}`);
  if (!answer.ok || box.value !== asked) return;
  const [, words] = await answer.json();
  box.list.replaceChildren(...words.map((word) => Object.assign(document.createElement("option"), { value: word })));
});

const figures = document.querySelector("[data-follow]");
if (figures?.dataset.follow) {
  setInterval(async () => {
    if (document.hidden || figures.contains(document.activeElement)) return;
    const answer = await fetch(figures.dataset.follow);
    if (answer.ok) figures.innerHTML = await answer.text();
  }, 2000);
}
if (document.querySelector("[data-reload]")) setTimeout(() => location.reload(), 1500);
