// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 the gst-arc authors

// What happened to a stream, newest first.

import {make} from './nodes.js';

// With those of the stream's former self, if it was started again: as many as one reads.
const MOST = 50;

function timeOfDay(ms) {
  return new Date(ms).toLocaleTimeString('en-GB');
}

export class EventList {
  constructor(parent) {
    this.events = [];
    this.known = new Set();     // what is in events
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
    this.known = new Set(this.events.map((event) => JSON.stringify(event)));
    this.show();
  }

  show() {
    this.list.replaceChildren();
    for (const event of this.events) {
      const row = make(this.list, 'li', '');
      row.dataset.kind = event.kind;
      make(row, 'time', '', timeOfDay(event.time));
      make(row, 'span', 'kind', event.kind);
      make(row, 'span', 'text', event.text);
    }
    this.node.hidden = false;
  }
}
