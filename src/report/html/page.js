// SPDX-License-Identifier: MIT
// page.js - the page around the findings: overview, theme, copying. A finding is drawn when it comes into view.
"use strict";

function sum(list, of) {
  return list.reduce((total, item) => total + of(item), 0);
}

// A bar of parts: [label, count, class].
function bar(title, parts) {
  const total = sum(parts, (part) => part[1]) || 1;
  const shown = parts.filter((part) => part[1] > 0);
  return element("figure", { class: "bar" }, element("figcaption", {}, title),
    element("div", { class: "parts", role: "img", "aria-label": `${title}: ${shown.map(([label, count]) => `${count} ${label}`).join(", ") || "none"}` },
      ...shown.map(([, count, kind]) => element("span", { class: kind, style: `width:${(100 * count) / total}%` }))),
    element("ul", {}, ...shown.map(([label, count, kind]) => element("li", {}, element("span", { class: `swatch ${kind}` }), `${count.toLocaleString("en")} ${label}`))));
}

function tile(number, label) {
  return element("div", { class: "tile" }, element("strong", {}, number.toLocaleString("en")), element("span", {}, label));
}

function buildOverview() {
  const of = (status) => data.entries.filter((entry) => entry.status === status).length;
  const all = (name) => sum(data.runs, (run) => run[name]);
  const decided = all("violated") + all("proven") + all("searched");
  document.querySelector(".tiles").append(
    tile(data.entries.length, data.entries.length === 1 ? "finding" : "findings"), tile(data.runs.length, data.runs.length === 1 ? "run" : "runs"),
    tile(sum(data.runs, (run) => run.events), "events"), tile(Math.max(0, ...data.runs.map((run) => run.threads)), "threads"),
    bar("Findings", [["confirmed", of("confirmed"), "bad"], ["observed", of("observed"), "bad2"], ["predicted", of("predicted"), "warn"], ["not confirmed", of("not confirmed"), "dim"]]),
    bar("Blocks of all runs, by what settled them", [["can be violated", all("violated"), "bad"], ["undecided or skipped", Math.max(0, all("blocks") - decided), "warn"],
      ["searched in full", all("searched"), "good2"], ["proven without a search", all("proven"), "good"]]));
}

function buildTheme() {
  const root = document.documentElement;
  const stored = () => { try { return localStorage.getItem("seriatim-theme"); } catch { return null; } };
  const dark = () => (root.dataset.theme || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
  if (stored()) root.dataset.theme = stored();
  const button = element("button", { type: "button", onclick: () => {
    root.dataset.theme = dark() ? "light" : "dark";
    try { localStorage.setItem("seriatim-theme", root.dataset.theme); } catch { /* a file without storage */ }
    label();
  } });
  const label = () => { button.textContent = dark() ? "Light" : "Dark"; };
  label();
  document.querySelector(".tools").append(button);
}

function buildCopying() {
  for (const line of document.querySelectorAll(".replay")) {
    const command = line.querySelector("code").textContent;
    const button = element("button", { type: "button", onclick: () => navigator.clipboard?.writeText(command).then(() => { button.textContent = "Copied"; }) }, "Copy");
    line.append(" ", button);
  }
}

function build(section) {
  const entry = data.entries[Number(section.dataset.index)];
  if (entry.picture && !section.finding) section.finding = new Finding(section, entry);
}

function buildFindings() {
  const observer = new IntersectionObserver((seen) => seen.filter((item) => item.isIntersecting).forEach((item) => {
    observer.unobserve(item.target);
    build(item.target);
  }), { rootMargin: "400px" });
  document.querySelectorAll(".finding").forEach((section, i) => (i ? observer.observe(section) : build(section)));
}

// Paper shows the interleaving as text: a closed part would not be printed.
function buildPrinting() {
  const opened = [];
  addEventListener("beforeprint", () => document.querySelectorAll("details:not([open])").forEach((part) => {
    part.open = true;
    opened.push(part);
  }));
  addEventListener("afterprint", () => opened.splice(0).forEach((part) => { part.open = false; }));
}

document.documentElement.classList.add("scripted");
buildTheme();
buildOverview();
buildCopying();
buildPrinting();
buildFindings();
