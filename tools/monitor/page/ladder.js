// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 the gst-arc authors

// The encodings of an arcladder: where they are, beside what the viewers' networks
// carry.

import * as formats from './formats.js';

// Each has a line of its own; of more the tenth, the half and the nine tenths are drawn.
const MOST_LINES = 12;
const COLOURS = ['--rate', '--target', '--encoder', '--delay', '--loss'];
export const RUNG_COLUMNS = [
  ['encoding', (rung) => formats.name(rung.pad)],
  ['bitrate', (rung) => rung.bitrate > 0 ? formats.rate(rung.bitrate) : 'stopped'],
  ['viewers', (rung) => formats.count(rung.viewers)],
  ['keyframes', (rung) => formats.count(rung.keyframes)],
  ['asked for', (rung) => formats.count(rung['keyframe-requests'])],
];

function quantiles(sorted) {
  const at = (share) => sorted[Math.floor(share * (sorted.length - 1))];
  return {'viewers, lowest tenth': at(0.1), 'viewers, median': at(0.5),
    'viewers, highest tenth': at(0.9)};
}

// {name: bit/s} of what stands still in `stats` now; null: the element has no encodings.
export function rungsOf(stats) {
  if (!Array.isArray(stats.rungs)) return null;
  return Object.fromEntries(stats.rungs.map((rung) => [rung.pad, rung.bitrate]));
}

export function targetsOf(stats) {
  const told = (stats['viewer-list'] ?? []).filter((viewer) => viewer['target-bitrate'] > 0);
  if (told.length <= MOST_LINES) {
    return Object.fromEntries(told.map((viewer) => [viewer.pad, viewer['target-bitrate']]));
  }
  return quantiles(told.map((viewer) => viewer['target-bitrate']).sort((a, b) => a - b));
}

function names(points, key) {
  return [...new Set(points.flatMap((point) => Object.keys(point[key] ?? {})))].sort();
}

// points: of the card; series: makes the line of a value of theirs; colour: of a CSS variable.
export function datasetsOf(points, series, colour) {
  const line = (key, name) => series((point) => (point[key]?.[name] ?? NaN) / 1e6);
  const viewers = names(points, 'targets').map((name) => ({label: name, viewer: true,
    data: line('targets', name), borderColor: `${colour('--sent')}99`, borderWidth: 1}));
  const rungs = names(points, 'rungs').map((name, i) => ({label: name,
    data: line('rungs', name), borderColor: colour(COLOURS[i % COLOURS.length]),
    borderWidth: 2.5, stepped: true}));
  return [...rungs, ...viewers];
}
