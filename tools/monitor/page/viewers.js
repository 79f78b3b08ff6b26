// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 the gst-arc authors

// The viewers of a server: what each gets.

import {CauseStrip, segmentsOf, textOf} from './causes.js';
import * as formats from './formats.js';
import {make} from './nodes.js';

const MOST_ROWS = 50;
const COLUMNS = ['viewer', 'rate', 'sent', 'round trip', 'queueing delay', 'lost', 'state', 'why'];
const WINDOW_S = 60;            // of the strip of causes
const GAP_S = 2;

export class ViewerTable {
  constructor(parent) {
    this.node = make(parent, 'table', 'members viewers');
    this.node.hidden = true;
    const row = make(make(this.node, 'thead', ''), 'tr', '');
    for (const name of COLUMNS) make(row, 'th', '', name);
    this.body = make(this.node, 'tbody', '');
    this.rows = new Map();      // of those that are shown, by address
  }

  // A row stays while its viewer is shown, and with it what was its cause when.
  rowOf(address) {
    let row = this.rows.get(address);
    if (!row) {
      row = {node: document.createElement('tr'), points: []};
      row.cells = COLUMNS.slice(0, -1).map(() => make(row.node, 'td', ''));
      row.strip = new CauseStrip(make(row.node, 'td', 'why'));
      row.cause = make(row.node.lastChild, 'span', '');
      this.rows.set(address, row);
    }
    return row;
  }

  showCause(row, cause, t) {
    row.points.push({t, cause});
    while (row.points[0].t < t - WINDOW_S - 1) row.points.shift();
    row.strip.draw(segmentsOf(row.points, (point) => point.cause, WINDOW_S, GAP_S), WINDOW_S);
    row.cause.textContent = cause ?? '';
    row.cause.title = cause ? textOf(cause) : '';
  }

  // Of many the slowest are shown. t: seconds.
  take(stats, t) {
    this.node.hidden = !Array.isArray(stats.viewers) || !stats.viewers.length;
    if (this.node.hidden) return;
    const slowest = [...stats.viewers].sort((a, b) => a.sink.rate - b.sink.rate)
      .slice(0, MOST_ROWS);
    for (const {address, streamid, sink} of slowest) {
      const row = this.rowOf(address);
      [streamid ? `${streamid} (${address})` : address,
        formats.rate(sink.rate), formats.rate(sink['sent-bitrate']), formats.time(sink.rtt),
        formats.time(sink['queueing-delay']), formats.count(sink['packets-lost']),
        sink.state].forEach((text, i) => { row.cells[i].textContent = text; });
      this.showCause(row, sink['rate-cause'], t);
    }
    const shown = new Set(slowest.map(({address}) => address));
    for (const address of this.rows.keys()) if (!shown.has(address)) this.rows.delete(address);
    this.body.replaceChildren(...slowest.map(({address}) => this.rows.get(address).node));
  }
}
