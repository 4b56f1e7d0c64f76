// SPDX-License-Identifier: MIT
// finding.js - a finding: the recorded run beside the violating one, what is selected in them, and its source.
"use strict";

const isRelevant = (finding, step) => finding.involved.has(step.thread) && step.kind !== "call" &&
  (!step.isDetail || finding.path.includes(step.number));

const filters = {
  near: ["Around what happened", (finding, step, order, position) => finding.near(order).has(position)],
  relevant: ["Threads that take part", isRelevant],
  accesses: ["Accesses of its variables", (finding, step) => step.noun === "variable" && finding.variables.has(step.name)],
  path: ["Conflict path only", (finding, step) => finding.path.includes(step.number)],
  all: ["All steps", () => true],
};

class Finding {
  constructor(section, entry) {
    const picture = entry.picture, trace = traces[picture.trace];
    this.id = section.id;
    this.entry = entry;
    this.trace = trace;
    this.path = picture.path.filter((number) => trace.has(number));
    const steps = this.path.map((number) => trace.event(number));
    this.fails = !this.path.length; // a run that failed: there is no other order, and no block
    this.involved = new Set(this.fails ? trace.raw.threads.keys() : steps.map((step) => step.thread));
    this.variables = new Set(steps.map((step) => step.name));
    this.violating = violatingOrder(trace, picture);
    this.begin = picture.block ? trace.first + trace.raw.block.indexOf(picture.block) : 0; // the block's first event
    this.frontiers = picture.frontiers; // by thread: first event that is not before the block, first after it
    this.filter = "near";
    this.text = "";
    this.build(section.querySelector(".diagram"), picture.block);
    this.refresh();
    this.selectEvent(this.fails ? this.violating.events[this.violating.events.length - 1] : this.path[this.path.length - 1], false);
  }

  // Positions of the steps that take part and have few others between them and the path.
  near(order) {
    const around = 10;
    if (order.near) return order.near;
    const relevant = [], marks = [];
    for (let position = 0; position < order.events.length; position++) {
      const step = order.step(position);
      if (!isRelevant(this, step)) continue;
      if (this.path.includes(step.number) || step.number === this.begin) marks.push(relevant.length);
      relevant.push(position);
    }
    if (this.fails) marks.push(relevant.length - 1, relevant.length - 1 - 2 * around);
    order.near = new Set();
    for (const mark of marks) relevant.slice(Math.max(0, mark - around), mark + around + 1).forEach((position) => order.near.add(position));
    return order.near;
  }

  // "before", "after" or "between" the block's frontiers; "" where they are not known.
  side(step) {
    const [from, to] = this.frontiers[step.thread] || [0, 0];
    if (!this.frontiers.length) return "";
    if (!from || step.number < from) return "before";
    return to && step.number >= to ? "after" : "between";
  }

  build(into, block) {
    const options = { path: this.path, block, threads: this.lanes() };
    this.panels = this.fails ? [new Panel(this, "Failing run", this.violating, options)] : [
      new Panel(this, "Recorded run", recordedOrder(this.trace), options),
      new Panel(this, "Violating run", this.violating, { ...options, drawsPath: true }),
    ];
    this.details = element("div", { class: "details", "aria-live": "polite" });
    this.source = element("div", { class: "source" });
    into.append(this.toolbar(), element("div", { class: "panels" }, ...this.panels.map((panel) => panel.node)),
      element("div", { class: "below" }, this.details, this.source), this.legend());
  }

  // The threads that have a column: first that of the block.
  lanes() {
    if (this.filter !== "all") return [...this.involved];
    return [...this.involved, ...this.trace.raw.threads.keys()].filter((thread, i, list) => list.indexOf(thread) === i);
  }

  toolbar() {
    const button = (label, title, action) => element("button", { type: "button", title, onclick: action }, label);
    const choice = element("select", { onchange: (event) => { this.filter = event.target.value; this.refresh(); } },
      ...Object.entries(filters).map(([value, [label]]) => element("option", { value }, label)));
    const search = element("input", { type: "search", placeholder: "name, place or value",
      oninput: (event) => { this.text = event.target.value.toLowerCase(); this.refresh(); } });
    const zoom = element("input", { type: "range", min: 14, max: 40, value: 24,
      oninput: (event) => this.zoom(Number(event.target.value)) });
    return element("div", { class: "toolbar", role: "group", "aria-label": "The diagram" },
      button("\u25c0 Back", this.fails ? "previous step (p)" : "previous step of the conflict path (p)", () => this.stepPath(-1)),
      button("Forward \u25b6", this.fails ? "next step (n)" : "next step of the conflict path (n)", () => this.stepPath(1)),
      element("label", {}, "Show ", choice), element("label", {}, "Find ", search), element("label", {}, "Zoom ", zoom));
  }

  legend() {
    const item = (kind, text) => element("li", {}, element("span", { class: `key ${kind}` }), text);
    const always = [item("holds", "holds a lock"), item("source", "value read by the selected step")];
    const ofBlocks = [item("on-path", "on the conflict path"), item("changed", "reads another write than recorded"),
      item("in-block", "the block is open"), item("conflict", "conflict path"),
      ...(this.frontiers.length ? [item("outside", "outside the frontiers: before or after the block in every order")] : [])];
    return element("ul", { class: "legend" }, ...(this.fails ? [] : ofBlocks), ...always,
      element("li", {}, this.fails ? "Keys: \u2191 \u2193 steps" : "Keys: \u2191 \u2193 steps, n p conflict path, \u2190 \u2192 other run"));
  }

  zoom(height) {
    for (const panel of this.panels) {
      panel.rowHeight = height;
      panel.node.style.setProperty("--row", `${height}px`);
    }
    this.refresh();
  }

  refresh() {
    const wants = filters[this.filter][1];
    const matches = (step) => !this.text ||
      `${step.number} ${this.trace.threadName(step.thread)} ${this.violating.describe(step)} ${step.location} ${step.fn}`.toLowerCase().includes(this.text);
    for (const panel of this.panels) {
      panel.threads = this.lanes();
      panel.setRows((order, position) => {
        const step = order.step(position);
        return wants(this, step, order, position) && matches(step);
      });
    }
    if (this.event) this.selectEvent(this.event, true);
  }

  // Selects a row, and the same event in the other run.
  select(panel, row) {
    const number = panel.order.events[panel.rows[row]];
    this.selectEvent(number, true, panel);
  }

  selectEvent(number, scrolls, from = this.panels[this.panels.length - 1]) {
    this.event = number;
    for (const panel of this.panels) {
      const position = panel.order.positions.get(number);
      const row = position === undefined ? -1 : panel.rowOf(position);
      panel.show(position !== undefined && panel.rows[row] === position ? row : -1, scrolls);
    }
    const position = from.order.positions.get(number);
    if (position !== undefined) this.describe(from.order, from.order.step(position));
    if (!scrolls) this.scrollToPath();
  }

  scrollToPath() {
    for (const panel of this.panels) {
      const position = panel.order.positions.get(this.fails ? this.event : this.path[0]);
      if (position !== undefined) panel.scroller.scrollTop = Math.max(0, (panel.rowOf(position) - 4) * panel.rowHeight);
      panel.draw();
    }
  }

  stepPath(by) {
    const only = this.panels[0];
    if (this.fails) return this.select(only, Math.min(only.rows.length - 1, Math.max(0, only.selected + by)));
    const at = this.path.indexOf(this.event);
    const next = at < 0 ? 0 : Math.min(this.path.length - 1, Math.max(0, at + by));
    return this.selectEvent(this.path[next], true);
  }

  focusOther(panel) {
    const other = this.panels[panel === this.panels[0] ? 1 : 0];
    other?.scroller.focus();
  }

  // What is known of the selected step, and its line of source.
  describe(order, step) {
    const rows = [["event", step.number], ["thread", this.trace.threadName(step.thread)], ["does", step.name ? `${step.verb} ${step.name}` : step.verb]];
    if (step.value !== null) rows.push(["value", step.value]);
    if (step.changed) rows.push(["recorded run", step.was ?? "another write"]);
    if (step.writer && this.trace.has(step.writer)) {
      const writer = this.trace.event(step.writer);
      rows.push(["written by", `${this.trace.threadName(writer.thread)}, event ${step.writer}, ${writer.location}`]);
    } else if (step.kind === "read") rows.push(["written by", "nobody before: the initial value"]);
    const side = { before: "before the block in every order", after: "after the block in every order" }[this.side(step)];
    if (side) rows.push(["frontier", side]);
    if (step.fn) rows.push(["function", `${step.fn}()`]);
    if (step.location) rows.push(["place", step.location]);
    const stack = this.trace.stackAt(step.number, step.thread);
    if (stack.length > 1) rows.push(["called from", stack.slice(0, -1).reverse().map((name) => `${name}()`).join(", ")]);
    const list = element("dl");
    for (const [name, value] of rows) list.append(element("dt", { text: name }), element("dd", { text: value }));
    this.details.replaceChildren(element("h3", {}, "Selected step"), list);
    this.showSource(step);
  }

  showSource(step) {
    const near = step.location ? sourceNear(step.location, 7) : null;
    const title = element("h3", {}, "Source ", element("code", { text: step.location || "" }));
    if (!near || !near.lines.length) {
      this.source.replaceChildren(title, element("p", { class: "none" }, "The source is not at hand."));
      return;
    }
    const code = element("pre", { tabindex: "0", "aria-label": `Source of ${near.file}` });
    for (const [number, text] of near.lines) {
      code.append(element("span", { class: number === near.line ? "line current" : "line" },
        element("span", { class: "number" }, String(number)), text || " "));
    }
    this.source.replaceChildren(title, code);
  }
}
