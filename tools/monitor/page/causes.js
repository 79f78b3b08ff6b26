// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 the gst-arc authors

// Why a rate is what it is, over time: a strip whose colours are causes. Green grows, red is the
// network, violet is other flows, blue and grey are limits beside the network.

import {make} from './nodes.js';

const COLOURS = {
  start: '#a6d96a', growth: '#1a9850', 'known-capacity': '#66bd63',
  queue: '#e34a33', fall: '#99000d', loss: '#ff7f00', mark: '#fdbf6f', drain: '#fc8d8d',
  timeout: '#555555', breaker: '#000000',
  'trial-low': '#cab2d6', 'trial-high': '#b07fc7', competing: '#6a3d9a',
  user: '#1f78b4', receiver: '#33a3c9', relay: '#0b5c6b', 'other-sink': '#e377c2',
  picture: '#a6cee3', application: '#c7c7c7',
};
const UNKNOWN = '#80808060';
const LEAST_SHARE = 0.001;      // of the strip: less is not to be seen

const MOST_BESIDE = 6;          // letters of a label; a longer one is above its strip

let texts = {};

// What each means, as the law has it.
fetch('causes.json').then((answer) => answer.json()).then((told) => { texts = told; });

export function colourOf(cause) {
  return COLOURS[cause] ?? UNKNOWN;
}

export function textOf(cause) {
  return texts[cause] ? `${cause}: ${texts[cause]}` : cause;
}

// points: [{t, ...}], the last one is now; cause: of a point, or undefined; gap: beyond so many
// seconds between two nothing is known. [{from, to, cause}], in seconds before now.
export function segmentsOf(points, cause, window, gap) {
  const now = points.at(-1)?.t;
  const segments = [];
  points.forEach((point, i) => {
    const is = cause(point), from = point.t - now, last = segments.at(-1);
    const to = i + 1 < points.length ? points[i + 1].t - now : 0;
    if (!is || to < -window || to - from > gap) return;
    if (last?.cause === is && last.to === from) last.to = to;
    else segments.push({from: Math.max(from, -window), to, cause: is});
  });
  return segments;
}

function gradient(segments, window) {
  const percent = (x) => `${(100 * (1 + x / window)).toFixed(2)}%`;
  const stops = [];
  let end = -window;
  for (const {from, to, cause} of segments) {
    if (to - from < LEAST_SHARE * window && to < 0) continue;
    stops.push(`transparent ${percent(end)} ${percent(from)}`,
      `${colourOf(cause)} ${percent(from)} ${percent(to)}`);
    end = to;
  }
  return `linear-gradient(to right, ${stops.join(', ')}, transparent ${percent(end)} 100%)`;
}

export class CauseStrip {
  constructor(parent, label) {
    this.node = make(parent, 'div', label?.length > MOST_BESIDE ? 'cause named' : 'cause');
    if (label) make(this.node, 'span', '', label);
    this.bar = make(this.node, 'div', 'bar');
    this.segments = [];
    this.bar.onmousemove = (event) => {
      const x = (event.offsetX / this.bar.clientWidth - 1) * this.window;
      const at = this.segments.find(({from, to}) => from <= x && x < to);
      this.bar.title = at ? `${x.toFixed(1)} s: ${textOf(at.cause)}` : '';
    };
  }

  draw(segments, window) {
    this.segments = segments;
    this.window = window;
    this.bar.style.backgroundImage = segments.length ? gradient(segments, window) : 'none';
    this.bar.dataset.cause = segments.at(-1)?.cause ?? '';
  }
}

// The strips below a chart, and what their colours are.
export class CauseBlock {
  constructor(parent) {
    this.node = make(parent, 'div', 'causes');
    this.rows = make(this.node, 'div', '');
    this.legend = make(this.node, 'div', 'legend');
    this.strips = new Map();
  }

  // lines: {label: segments}; area: of the chart above.
  draw(lines, window, area) {
    this.node.style.setProperty('--left', `${area.left}px`);
    this.node.style.setProperty('--width', `${area.right - area.left}px`);
    for (const [label, strip] of this.strips) {
      if (label in lines) continue;
      strip.node.remove();
      this.strips.delete(label);
    }
    for (const [label, segments] of Object.entries(lines)) {
      if (!this.strips.has(label)) this.strips.set(label, new CauseStrip(this.rows, label));
      this.strips.get(label).draw(segments, window);
    }
    this.showLegend(new Set(Object.values(lines).flat().map(({cause}) => cause)));
  }

  // Anew only if it changes: a tooltip of the browser stays.
  showLegend(present) {
    const shown = [...Object.keys(COLOURS), 'unknown'].filter((cause) => present.has(cause));
    if (this.shown === shown.join()) return;
    this.shown = shown.join();
    this.legend.replaceChildren();
    for (const cause of shown) {
      const item = make(this.legend, 'span', '', cause);
      item.title = textOf(cause);
      item.dataset.cause = cause;
      item.style.setProperty('--is', colourOf(cause));
    }
  }
}
