// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 the gst-arc authors

// The viewers of a server: what each gets.

import * as formats from './formats.js';
import {make} from './nodes.js';

const MOST_ROWS = 50;
const COLUMNS = ['viewer', 'rate', 'sent', 'round trip', 'queueing delay', 'lost', 'state'];

export class ViewerTable {
  constructor(parent) {
    this.node = make(parent, 'table', 'members viewers');
    this.node.hidden = true;
    const row = make(make(this.node, 'thead', ''), 'tr', '');
    for (const name of COLUMNS) make(row, 'th', '', name);
    this.body = make(this.node, 'tbody', '');
  }

  // Of many the slowest are shown.
  take(stats) {
    this.node.hidden = !Array.isArray(stats.viewers) || !stats.viewers.length;
    this.body.replaceChildren();
    if (this.node.hidden) return;
    const slowest = [...stats.viewers].sort((a, b) => a.sink.rate - b.sink.rate);
    for (const {address, streamid, sink} of slowest.slice(0, MOST_ROWS)) {
      const row = make(this.body, 'tr', '');
      for (const text of [streamid ? `${streamid} (${address})` : address,
        formats.rate(sink.rate), formats.rate(sink['sent-bitrate']), formats.time(sink.rtt),
        formats.time(sink['queueing-delay']), formats.count(sink['packets-lost']),
        sink.state]) make(row, 'td', '', text);
    }
  }
}
