// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 the gst-arc authors

// The viewers of a server: what each gets, those in trouble first.

import {WORST_FIRST, alarmText} from './alarms.js';
import {CauseStrip, segmentsOf, textOf} from './causes.js';
import * as formats from './formats.js';
import {make} from './nodes.js';

// Of three hundred viewers nobody reads more; a phone shows a row in the height of five.
const MOST_ROWS = 50;
const MOST_ROWS_PHONE = 12;
const PHONE = matchMedia('(max-width: 48rem)');
const COLUMNS = ['viewer', 'since', 'rate', 'rendition', 'round trip', 'queueing', 'lost in 10 s',
  'state', 'why'];
const STATE = COLUMNS.indexOf('state');
const WINDOW_S = 60;            // of the strip of causes
const LOSS_S = 10;
const GAP_S = 2;

// By rates that differ by a fifth, or rows would change places all the time.
function troubleOf({health, sink}) {
  return [WORST_FIRST.indexOf(health ?? 'green'), sink.state === 'stopped' ? 0 : 1,
    Math.round(4 * Math.log2(1 + sink.rate))];
}

function byTrouble(a, b) {
  const [one, other] = [troubleOf(a), troubleOf(b)];
  const i = one.findIndex((value, at) => value !== other[at]);
  return i < 0 ? a.address.localeCompare(b.address) : one[i] - other[i];
}

// What the ladder sends it; ladder: `stats` of arcladder, or undefined.
function renditionOf(pad, ladder) {
  const viewer = ladder?.['viewer-list']?.find((one) => one.pad === pad);
  if (!viewer) return '';
  const rung = ladder.rungs.find((one) => one.pad === viewer.rung);
  if (!rung) return 'none';
  return `${formats.rate(rung.bitrate)}${viewer.thinned ? ', thinned' : ''}`;
}

export class ViewerTable {
  constructor(parent) {
    this.node = make(parent, 'div', 'viewers');
    this.node.hidden = true;
    const head = make(this.node, 'div', 'many');
    this.find = make(head, 'input', '');
    this.find.type = 'search';
    this.find.placeholder = 'find a viewer';
    this.find.oninput = () => this.take(...this.taken);
    this.count = make(head, 'span', '');
    const table = make(this.node, 'table', 'members');
    const row = make(make(table, 'thead', ''), 'tr', '');
    for (const name of COLUMNS) make(row, 'th', '', name);
    this.body = make(table, 'tbody', '');
    this.rows = new Map();      // of those that are shown, by address
  }

  // A row stays while its viewer is shown, and with it what was its cause when.
  rowOf(address) {
    let row = this.rows.get(address);
    if (!row) {
      row = {node: document.createElement('tr'), points: []};
      row.cells = COLUMNS.slice(0, -1).map((name) => {
        const cell = make(row.node, 'td', '');
        cell.dataset.column = name;
        return cell;
      });
      row.strip = new CauseStrip(make(row.node, 'td', 'why'));
      row.cause = make(row.node.lastChild, 'span', '');
      this.rows.set(address, row);
    }
    return row;
  }

  showCause(row, cause) {
    row.strip.draw(segmentsOf(row.points, (point) => point.cause, WINDOW_S, GAP_S), WINDOW_S);
    row.cause.textContent = cause ?? '';
    row.cause.title = cause ? textOf(cause) : '';
  }

  // Since the row is shown, of the last LOSS_S.
  lossOf(row, sink) {
    const last = row.points.at(-1);
    const from = row.points.find(({t}) => t >= last.t - LOSS_S);
    const sent = sink['packets-sent'] - from.sent;
    return sent > 0 ? formats.ratio(Math.max(sink['packets-lost'] - from.lost, 0) / sent) : '';
  }

  showRow({address, streamid, sink, pad, health, alarms = [], ...viewer}, ladder, t) {
    const row = this.rowOf(address);
    row.node.dataset.health = health ?? 'green';
    row.points.push({t, cause: sink['rate-cause'], sent: sink['packets-sent'],
      lost: sink['packets-lost']});
    while (row.points[0].t < t - WINDOW_S - 1) row.points.shift();
    [formats.name(streamid || address), formats.span(viewer['served-for']), formats.rate(sink.rate),
      renditionOf(pad, ladder), formats.time(sink.rtt), formats.time(sink['queueing-delay']),
      this.lossOf(row, sink), [sink.state, ...alarms].join(', ')]
      .forEach((text, i) => { row.cells[i].textContent = text; });
    row.cells[0].title = formats.name(address);
    row.cells[STATE].title = alarms.map((name) => `${name}: ${alarmText(name)}`).join('\n');
    this.showCause(row, sink['rate-cause']);
    return row.node;
  }

  // ladder: `stats` of the one that encodes for them, if any; t: seconds.
  take(stats, ladder, t) {
    this.taken = [stats, ladder, t];
    const viewers = Array.isArray(stats.viewers) ? stats.viewers.filter(({sink}) => sink) : [];
    this.node.hidden = !viewers.length;
    if (this.node.hidden) return;
    const wanted = this.find.value.toLowerCase();
    const found = viewers.filter(({address, streamid}) => `${streamid} ${address}`.toLowerCase()
      .includes(wanted)).sort(byTrouble);
    const shown = found.slice(0, PHONE.matches ? MOST_ROWS_PHONE : MOST_ROWS);
    this.body.replaceChildren(...shown.map((viewer) => this.showRow(viewer, ladder, t)));
    const kept = new Set(shown.map(({address}) => address));
    for (const address of this.rows.keys()) if (!kept.has(address)) this.rows.delete(address);
    this.node.classList.toggle('few', viewers.length < MOST_ROWS / 5);
    this.count.textContent = shown.length < stats['viewers-now']
      ? `${shown.length} of ${stats['viewers-now']} viewers, those in trouble first` : '';
  }
}
