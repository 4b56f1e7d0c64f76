// SPDX-License-Identifier: MIT
// model.js - the data of the page. Texts are put into the page as text only, never as HTML.
"use strict";

const data = JSON.parse(document.getElementById("data").textContent);

function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "text") made.textContent = value;
    else if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value !== false && value !== null) made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children);
  return made;
}

function vector(tag, attributes) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
}

// What an operation looks like.
const kinds = {
  r: "read", w: "write", rmw: "write", free: "write", acq: "lock", rel: "lock", racq: "lock", rrel: "lock", tryfail: "lock",
  begin: "block", end: "block", call: "call", ret: "call",
};

// A recorded run: columns of numbers; events are named by their number in the trace.
class Trace {
  constructor(raw) {
    this.raw = raw;
    this.first = raw.first;
    this.count = raw.thread.length;
  }
  has(number) {
    return number >= this.first && number < this.first + this.count;
  }
  event(number) {
    const raw = this.raw, i = number - this.first;
    const [short, verb, noun] = raw.operations[raw.operation[i]];
    const [location, fn] = raw.site[i] ? raw.sites[raw.site[i] - 1] : ["", ""];
    return {
      number, verb, noun, short, location, fn,
      kind: kinds[short] || "other",
      thread: raw.thread[i],
      name: raw.names[raw.name[i]],
      value: raw.value[i] ? raw.values[raw.value[i]] : null,
      writer: raw.writer[i],
      block: raw.block[i],
      isDetail: Boolean(raw.detail[i]), // of one thread alone, or of the C++ library
    };
  }
  // Functions that the thread is in at an event, the outermost first, as far as the trace has them.
  stackAt(number, thread) {
    const raw = this.raw, stack = [];
    for (let i = 0; i < number - this.first; i++) {
      if (raw.thread[i] !== thread) continue;
      const short = raw.operations[raw.operation[i]][0];
      if (short === "call") stack.push(raw.names[raw.name[i]]);
      else if (short === "ret") stack.pop();
    }
    return stack;
  }
  threadName(thread) {
    return this.raw.threads[thread];
  }
}

const traces = data.traces.map((raw) => new Trace(raw));

// An order of events of a trace: the recorded one, or the violating one.
class Order {
  constructor(trace, events, differs = []) {
    this.trace = trace;
    this.events = events;
    this.positions = new Map();
    events.forEach((number, position) => this.positions.set(number, position));
    this.differs = new Map(differs.map(([position, value, was, writer, changed]) => [position, { value, was, writer, changed }]));
  }
  // The step at a position: an event, with what it reads or writes in this order.
  step(position) {
    const step = this.trace.event(this.events[position]);
    const other = this.differs.get(position);
    return other ? { ...step, value: other.value, was: other.was, writer: other.writer, changed: other.changed } : step;
  }
  describe(step) {
    let text = step.name ? `${step.verb} ${step.name}` : step.verb;
    if (step.value !== null) text += ` = ${step.value}`;
    return text;
  }
}

function recordedOrder(trace) {
  const events = [];
  for (let i = 0; i < trace.count; i++) {
    if (trace.raw.operations[trace.raw.operation[i]][0] !== "skip") events.push(trace.first + i);
  }
  return new Order(trace, events);
}

function violatingOrder(trace, picture) {
  const events = [], differs = [], byPosition = new Map(picture.differs.map((item) => [item[0], item]));
  picture.steps.forEach((number, position) => {
    if (!trace.has(number)) return;
    const other = byPosition.get(position);
    if (other) differs.push([events.length, ...other.slice(1)]);
    events.push(number);
  });
  return new Order(trace, events, differs);
}

// The lines of source near a location: { file, line, lines: [[number, text]] }.
function sourceNear(location, around) {
  const match = /^(.*?):(\d+)(?::\d+)?$/.exec(location);
  if (!match) return null;
  const line = Number(match[2]);
  const known = Object.hasOwn(data.sources, match[1]) ? data.sources[match[1]] : [];
  return { file: match[1], line, lines: known.filter(([number]) => Math.abs(number - line) <= around) };
}
