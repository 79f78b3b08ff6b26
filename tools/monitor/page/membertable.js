// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 the gst-arc authors

// The members of a list in `stats`, a row each.

import {make} from './nodes.js';

export class MemberTable {
  // columns: [heading, text of a member]; the first one is its name.
  constructor(parent, className, columns) {
    this.columns = columns;
    this.node = make(parent, 'table', `members ${className}`);
    this.node.hidden = true;
    const row = make(make(this.node, 'thead', ''), 'tr', '');
    for (const [heading] of columns) make(row, 'th', '', heading);
    this.body = make(this.node, 'tbody', '');
  }

  // members: no list, or an empty one: there is no table.
  take(members) {
    this.node.hidden = !Array.isArray(members) || !members.length;
    if (this.node.hidden) return;
    this.body.replaceChildren();
    for (const member of members) {
      const row = make(this.body, 'tr', '');
      for (const [, text] of this.columns) make(row, 'td', '', text(member));
      row.dataset.member = row.firstChild.textContent;
    }
  }
}
