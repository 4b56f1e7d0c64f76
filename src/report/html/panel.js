// SPDX-License-Identifier: MIT
// panel.js - one run as lanes: a column per thread, a row per step. Only the rows that can be seen are in the page,
// whatever the length of the run. The panel is a list box: one tab stop, arrows move within it.
"use strict";

const overscan = 12;

class Panel {
  constructor(finding, name, order, options) {
    this.finding = finding;
    this.order = order;
    this.name = name;
    this.path = options.path;
    this.drawsPath = options.drawsPath; // in the recorded run these steps are in another order
    this.block = options.block;
    this.threads = options.threads;
    this.rowHeight = 24;
    this.rows = []; // positions in the order
    this.selected = -1; // index in rows
    this.spans = this.findSpans();
    this.build(name);
  }

  build(name) {
    this.head = element("div", { class: "lanes head", "aria-hidden": "true" });
    this.canvas = element("div", { class: "canvas" });
    this.arrows = vector("svg", { class: "arrows", "aria-hidden": "true" });
    this.scroller = element("div", {
      class: "scroller", tabindex: "0", role: "listbox", "aria-label": name,
      onscroll: () => this.drawSoon(), onkeydown: (event) => this.onKey(event), onfocus: () => this.onFocus(),
    }, this.head, this.canvas);
    this.count = element("span", { class: "count" });
    this.node = element("div", { class: "panel" }, element("h3", {}, name, " ", this.count), this.scroller);
    new ResizeObserver(() => this.drawSoon()).observe(this.scroller);
  }

  // Once a frame at most.
  drawSoon() {
    if (this.pending) return;
    this.pending = requestAnimationFrame(() => {
      this.pending = 0;
      this.draw();
    });
  }

  // By thread: where locks are held and where a block is open, as [position, locks, block] at each change.
  findSpans() {
    const spans = new Map(), locks = new Map();
    for (let position = 0; position < this.order.events.length; position++) {
      const raw = this.order.trace.raw, i = this.order.events[position] - raw.first;
      const thread = raw.thread[i], short = raw.operations[raw.operation[i]][0];
      const own = spans.get(thread) || [];
      spans.set(thread, own);
      let held = locks.get(thread) || 0;
      if (short === "acq" || short === "racq") held++;
      if (short === "rel" || short === "rrel") held = Math.max(0, held - 1);
      locks.set(thread, held);
      const last = own[own.length - 1], block = raw.block[i];
      if (!last || last[1] !== held || last[2] !== block) own.push([position, held, block]);
    }
    return spans;
  }

  // What its thread is in after the step at a position: [locks held, block].
  stateAt(thread, position) {
    const own = this.spans.get(thread) || [];
    let low = 0, high = own.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (own[middle][0] <= position) low = middle + 1;
      else high = middle;
    }
    if (!low) return [0, 0];
    const [, held, block] = own[low - 1];
    return [held, block && this.isOpen(block, thread, position) ? block : 0];
  }

  // A block ends with its last step, if that is in this order.
  isOpen(block, thread, position) {
    this.ends ||= this.findEnds();
    const end = this.ends.get(block);
    return end === undefined || position <= end.last || end.more;
  }

  findEnds() {
    const ends = new Map(), raw = this.order.trace.raw, total = new Map();
    for (let i = 0; i < raw.block.length; i++) if (raw.block[i]) total.set(raw.block[i], i + raw.first);
    this.order.events.forEach((number, position) => {
      const block = raw.block[number - raw.first];
      if (block) ends.set(block, { last: position, more: total.get(block) !== number });
    });
    return ends;
  }

  // Chooses the rows; wanted is a function of the step's position.
  setRows(wanted) {
    const at = this.selected >= 0 ? this.rows[this.selected] : -1;
    this.rows = [];
    for (let position = 0; position < this.order.events.length; position++) if (wanted(this.order, position)) this.rows.push(position);
    this.selected = this.rows.indexOf(at);
    this.count.textContent = `${this.rows.length.toLocaleString("en")} of ${this.order.events.length.toLocaleString("en")} steps`;
    this.drawHead();
    this.canvas.style.height = `${this.rows.length * this.rowHeight + 8}px`;
    this.draw();
  }

  drawHead() {
    this.head.style.setProperty("--lanes", this.threads.length);
    this.canvas.style.setProperty("--lanes", this.threads.length);
    this.head.replaceChildren(element("span", { class: "number" }),
      ...this.threads.map((thread) => element("span", { class: "lane" }, this.order.trace.threadName(thread))));
  }

  draw() {
    const height = this.scroller.clientHeight || 400; // sizes are asked for before anything changes
    this.width = this.canvas.clientWidth;
    const top = Math.max(0, this.scroller.scrollTop - this.head.offsetHeight);
    const from = Math.max(0, Math.floor(top / this.rowHeight) - overscan);
    const to = Math.min(this.rows.length, Math.ceil((top + height) / this.rowHeight) + overscan);
    const drawn = [];
    for (let row = from; row < to; row++) drawn.push(this.drawRow(row));
    this.canvas.replaceChildren(...drawn, this.arrows);
    this.drawArrows(from, to);
  }

  drawRow(row) {
    const position = this.rows[row], step = this.order.step(position);
    const onPath = this.path.includes(step.number);
    const switched = row > 0 && this.order.step(this.rows[row - 1]).thread !== step.thread;
    const gap = row > 0 && this.rows[row] - this.rows[row - 1] > 1;
    const classes = ["row", step.kind, onPath && "on-path", step.changed && "changed", row === this.selected && "selected",
      switched && "switched", gap && "gap", ["before", "after"].includes(this.finding.side(step)) && "outside", this.isFrontier(row, step) && "frontier"].filter(Boolean).join(" ");
    const sentence = this.sentence(step, onPath);
    const made = element("div", {
      class: classes, role: "option", id: `${this.finding.id}-${this.name[0]}-${row}`, "aria-selected": String(row === this.selected),
      "aria-label": sentence, "aria-posinset": row + 1, "aria-setsize": this.rows.length,
      style: `top:${row * this.rowHeight}px;height:${this.rowHeight}px`, onclick: () => this.finding.select(this, row),
      title: sentence,
    }, element("span", { class: "number", text: step.number }), " ");
    this.threads.forEach((thread) => made.append(this.drawCell(thread, position, step)));
    return made;
  }

  // Is the step on another side of the block's frontiers than its thread's step above?
  isFrontier(row, step) {
    for (let above = row - 1; above >= 0 && above > row - 40; above--) {
      const other = this.order.step(this.rows[above]);
      if (other.thread === step.thread) return this.finding.side(other) !== this.finding.side(step);
    }
    return false;
  }

  drawCell(thread, position, step) {
    const [held, block] = this.stateAt(thread, position);
    const cell = element("span", {
      class: ["lane", step.thread === thread && "own", block && (block === this.block ? "in-block" : "in-other"), held && "holds"].filter(Boolean).join(" "),
    });
    if (step.thread === thread) {
      // Where there is little room, the front of the name is cut, which many names share; its end and the value stay.
      const words = this.order.describe(step), cut = words.lastIndexOf(" = ");
      const name = cut < 0 ? words : words.slice(0, cut), value = cut < 0 ? "" : words.slice(cut);
      const end = Math.max(name.search(/(\.|->)[^.>]*$/), name.indexOf(" ") + 1);
      cell.append(element("span", { class: "step" }, element("span", { class: "front", text: name.slice(0, end), style: `min-width:${Math.min(end, 12)}ch` }),
        element("span", { class: "what", text: name.slice(end) }), element("span", { class: "value" }, value,
          step.changed && step.was !== null && step.was !== step.value ? element("s", { text: ` ${step.was}` }) : "")));
    }
    return cell;
  }

  // What a screen reader says of a row: what can be seen comes first.
  sentence(step, onPath) {
    const parts = [`${step.number} ${this.order.describe(step)}`];
    if (step.changed) parts[0] += step.was !== null ? ` ${step.was} in the recorded run` : ", a different write than in the recorded run";
    parts.push(`by ${this.order.trace.threadName(step.thread)}`);
    if (step.location) parts.push(step.location);
    if (onPath) parts.push("on the conflict path");
    return parts.join(", ");
  }

  // Left and right edge and the middle of a step's cell, in the coordinates of the canvas.
  place(position) {
    const gutter = 56, width = (this.width - gutter) / this.threads.length;
    const left = gutter + width * this.threads.indexOf(this.order.step(position).thread);
    return { left: left + 5, right: left + width - 8, y: (this.rowOf(position) + 0.5) * this.rowHeight };
  }

  // From cell to cell through the space between them; within a lane, around its right side.
  curve(one, other) {
    const from = this.place(one), to = this.place(other);
    if (from.left === to.left) return `M${from.right - 20},${from.y} C${from.right + 12},${from.y} ${from.right + 12},${to.y} ${to.right - 20},${to.y}`;
    const forward = from.left < to.left;
    const x1 = forward ? from.right - 20 : from.left, x2 = forward ? to.left : to.right - 20, bend = forward ? 50 : -50;
    return `M${x1},${from.y} C${x1 + bend},${from.y} ${x2 - bend},${to.y} ${x2},${to.y}`;
  }

  // The row of a position, or the one after it.
  rowOf(position) {
    let low = 0, high = this.rows.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.rows[middle] < position) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  drawArrows(from, to) {
    const arrows = [];
    const add = (one, other, kind) => {
      if (one === undefined || other === undefined) return;
      const first = this.rowOf(Math.min(one, other)), last = this.rowOf(Math.max(one, other));
      if (last < from || first > to || first >= this.rows.length || last >= this.rows.length) return;
      const d = this.curve(one, other);
      arrows.push(vector("path", { d, class: kind, "marker-end": `url(#${this.finding.id}-${kind})` }));
    };
    for (let i = 0; this.drawsPath && i + 1 < this.path.length; i++) add(this.order.positions.get(this.path[i]), this.order.positions.get(this.path[i + 1]), "conflict");
    if (this.selected >= 0) {
      const step = this.order.step(this.rows[this.selected]);
      if (step.writer) add(this.order.positions.get(step.writer), this.rows[this.selected], "source");
    }
    const defs = vector("defs", {});
    for (const kind of ["conflict", "source"]) {
      const marker = vector("marker", { id: `${this.finding.id}-${kind}`, class: kind, viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto" });
      marker.append(vector("path", { d: "M0,0 L8,4 L0,8 z" }));
      defs.append(marker);
    }
    this.arrows.setAttribute("height", this.rows.length * this.rowHeight);
    this.arrows.replaceChildren(defs, ...arrows);
  }

  // Makes a row the selected one, and visible.
  show(row, scrolls = true) {
    this.selected = row;
    if (scrolls && row >= 0) {
      const top = row * this.rowHeight, room = this.scroller.clientHeight - this.head.offsetHeight;
      const at = this.scroller.scrollTop;
      if (top < at + this.rowHeight || top + 2 * this.rowHeight > at + room) this.scroller.scrollTop = Math.max(0, top - room / 2);
    }
    this.draw();
    if (row >= 0) this.scroller.setAttribute("aria-activedescendant", `${this.finding.id}-${this.name[0]}-${row}`);
    else this.scroller.removeAttribute("aria-activedescendant");
  }

  onFocus() {
    if (this.selected < 0 && this.rows.length) this.finding.select(this, Math.max(0, this.rowOf(this.order.positions.get(this.path[0]) ?? 0)));
  }

  onKey(event) {
    const page = Math.max(1, Math.floor(this.scroller.clientHeight / this.rowHeight) - 2), last = this.rows.length - 1;
    const moves = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity };
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key in moves) this.finding.select(this, Math.min(last, Math.max(0, this.selected + moves[event.key])));
    else if (event.key === "n" || event.key === "p") this.finding.stepPath(event.key === "n" ? 1 : -1);
    else if (event.key === "ArrowLeft" || event.key === "ArrowRight") this.finding.focusOther(this);
    else return;
    event.preventDefault();
  }
}
