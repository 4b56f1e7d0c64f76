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

// Columns of [label, height], the highest as high as the plot; what it says stands below, and is read out.
function columns(title, list, words) {
  const most = Math.max(1, ...list.map(([, height]) => height));
  return element("figure", { class: "plot" }, element("figcaption", {}, title),
    element("div", { class: "columns", role: "img", "aria-label": `${title}: ${words}` },
      ...list.map(([label, height]) => element("span", { title: label, style: `height:${height ? Math.max(4, (100 * height) / most) : 0}%` }))),
    element("p", {}, words));
}

const sizeClass = (bits) => (bits < 2 ? "1" : `${2 ** (bits - 1)}\u2013${2 ** bits - 1}`);

// How large the part of the run is that a block needs looking at.
function segmentPlot() {
  const counts = [];
  for (const run of data.runs) run.segments.forEach((count, bits) => { counts[bits] = (counts[bits] || 0) + count; });
  const used = [...counts.keys()].filter((bits) => counts[bits]);
  if (!used.length) return null;
  const from = used[0], to = used[used.length - 1], list = [];
  for (let bits = from; bits <= to; bits++) list.push([`${sizeClass(bits)} events: ${counts[bits] || 0} blocks`, counts[bits] || 0]);
  const words = from === to ? `${sizeClass(from)} events` : `${sizeClass(from)} to ${sizeClass(to)} events`;
  return columns("Segments of searched blocks, by size", list, words);
}

// Orders of conflicting places that the runs have covered so far; at most as many columns as can be seen.
function orderPlot() {
  const counts = data.runs.map((run) => run.orders).filter((orders) => orders > 0);
  if (counts.length < 2) return null;
  const every = Math.ceil(counts.length / 100);
  const list = counts.map((orders, i) => [`after ${i + 1} runs: ${orders} orders`, orders]).filter((item, i) => i % every === 0 || i === counts.length - 1);
  return columns("Orders of conflicting places, by run", list, `${counts[0]} in the first run, ${counts[counts.length - 1]} after ${counts.length}`);
}

const settlers = { static: ["no search needed", "good"], states: ["search of states", "good2"], dpor: ["partial order reduction", "warn"], smt: ["solver", "bad2"], other: ["otherwise", "dim"] };

function settledBar() {
  const names = new Set([...Object.keys(settlers), ...data.runs.flatMap((run) => Object.keys(run.settled))]);
  const parts = [...names].map((name) => {
    const [label, kind] = settlers[name] || [name, "dim"];
    return [label, sum(data.runs, (run) => run.settled[name] || 0), kind];
  });
  return sum(parts, (part) => part[1]) ? bar("Blocks, by the step that settled them", parts) : null;
}

function buildOverview() {
  const of = (status) => data.entries.filter((entry) => entry.status === status).length;
  const all = (name) => sum(data.runs, (run) => run[name]);
  const decided = all("violated") + all("proven") + all("searched");
  document.querySelector(".tiles").append(
    tile(data.entries.length, data.entries.length === 1 ? "finding" : "findings"), tile(data.runs.length, data.runs.length === 1 ? "run" : "runs"),
    tile(sum(data.runs, (run) => run.events), "events"), tile(Math.max(0, ...data.runs.map((run) => run.threads)), "threads"),
    bar("Findings", [["confirmed", of("confirmed"), "bad"], ["observed", of("observed"), "bad2"], ["predicted", of("predicted"), "warn"], ["not confirmed", of("not confirmed"), "dim"]]),
    bar("Blocks of all runs, by verdict", [["can be violated", all("violated"), "bad"], ["undecided or skipped", Math.max(0, all("blocks") - decided), "warn"],
      ["searched in full", all("searched"), "good2"], ["proven without a search", all("proven"), "good"]]),
    ...[settledBar(), segmentPlot(), orderPlot()].filter(Boolean));
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
  addEventListener("beforeprint", () => document.querySelectorAll(".as-text:not([open])").forEach((part) => {
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
