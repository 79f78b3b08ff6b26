// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 the gst-arc authors

// How a stream is at one glance, and which alarms of the guide say so.

import {make} from './nodes.js';

const WORDS = {green: 'good', amber: 'look at it', red: 'act now'};
export const WORST_FIRST = ['red', 'amber', 'green'];

let alarms = {};

// What each means, as the monitor's table has it.
fetch('alarms.json').then((answer) => answer.json()).then((told) => { alarms = told; });

export function alarmText(name) {
  return alarms[name]?.text ?? '';
}

export class Health {
  // head: of the card, for the sign; parent: for the alarms.
  constructor(head, parent) {
    this.sign = make(head, 'span', 'health');
    this.list = make(parent, 'ul', 'alarms');
    this.shown = null;
  }

  // Anew only if it changes: a reader may be at it.
  show(health, names, more = '') {
    this.health = health;
    const rows = names.map((name) => [name, alarmText(name), alarms[name]?.health ?? health]);
    if (more) rows.push(['Viewers', more, health]);
    if (this.shown === JSON.stringify([health, rows])) return;
    this.shown = JSON.stringify([health, rows]);
    this.sign.textContent = WORDS[health] ?? '';
    this.sign.dataset.health = health;
    this.list.replaceChildren();
    for (const [name, text, level] of rows) {
      const row = make(this.list, 'li', '');
      row.dataset.health = level;
      make(row, 'b', '', name);
      make(row, 'span', '', text);
    }
  }
}
