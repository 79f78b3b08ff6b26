// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 the gst-arc authors

// What happened to a stream, newest first.

import {visible} from './formats.js';
import {adviceOf} from './guide.js';
import {make} from './nodes.js';

// With those of the stream's former self, if it was started again: as many as one reads.
const MOST = 50;

function timeOfDay(ms) {
  return new Date(ms).toLocaleTimeString('en-GB');
}

export class EventList {
  constructor(parent) {
    this.events = [];
    this.known = new Map();     // rows of events, by their JSON
    this.node = make(parent, 'details', 'log');
    this.node.open = true;
    this.node.hidden = true;
    make(this.node, 'summary', '', 'what happened');
    this.list = make(this.node, 'ol', '');
  }

  // log: newest first, as the monitor tells it. One that was started again tells once more what it
  // hears from the processes.
  take(log) {
    const unseen = log.filter((event) => !this.known.has(JSON.stringify(event)));
    if (!unseen.length) return;
    this.events = [...unseen, ...this.events].sort((a, b) => b.time - a.time).slice(0, MOST);
    this.known = new Map(this.events.map((event) => JSON.stringify(event))
      .map((key, i) => [key, this.known.get(key) ?? this.makeRow(this.events[i])]));
    this.list.replaceChildren(...this.known.values());
    this.node.hidden = false;
  }

  makeRow(event) {
    const row = make(this.list, 'li', '');
    row.dataset.kind = event.kind;
    make(row, 'time', '', timeOfDay(event.time));
    make(row, 'span', 'kind', event.kind);
    const text = make(row, 'span', 'text', visible(event.text));
    const advice = adviceOf(event.text);
    if (!advice) return row;
    const more = make(text.parentNode, 'details', 'advice');
    make(more, 'summary', '', 'cause and cure');
    for (const paragraph of advice.split('\n\n')) make(more, 'p', '', paragraph);
    make(more, 'p', '', 'From the guide, page Troubleshooting.');
    return row;
  }
}
