// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 the gst-arc authors

// The picture of a stream that its application offers, and how old it is.

import {make} from './nodes.js';

export class Thumbnail {
  constructor(parent) {
    this.node = make(parent, 'figure', 'thumbnail');
    this.image = make(this.node, 'img', '');
    this.image.alt = '';
    this.image.onerror = () => {
      this.node.hidden = true;
    };
    this.age = make(this.node, 'figcaption', '');
    this.hide();
  }

  hide() {
    this.node.hidden = true;
    this.at = null;
  }

  // told: {at, age} in ms; undefined: there is none. Each picture is asked for once.
  take(key, told) {
    if (!told) {
      this.hide();
      return;
    }
    if (this.at !== told.at) {
      this.at = told.at;
      this.image.src = `thumbnail?${new URLSearchParams({key, at: told.at})}`;
      this.node.hidden = false;
    }
    this.age.textContent = `${Math.round(told.age / 1000)} s ago`;
  }
}
