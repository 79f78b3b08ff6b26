// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 the gst-arc authors

// How numbers of `stats` are written for people. Each takes the value as it is in `stats`.

const NONE = '–';
const MOST_LETTERS = 64;

export function rate(bps) {
  return bps >= 1e6 ? `${(bps / 1e6).toFixed(2)} Mbit/s` : `${(bps / 1e3).toFixed(0)} kbit/s`;
}

// 0 stands for "unknown" in round-trip times and delays.
export function time(ns) {
  return ns > 0 ? `${(ns / 1e6).toFixed(ns < 1e7 ? 1 : 0)} ms` : NONE;
}

export function count(number) {
  return number.toLocaleString('en');
}

export function text(value) {
  return value === '' ? NONE : name(value);
}

// A span in ns as people say it.
export function span(ns) {
  if (!(ns > 0)) return NONE;
  const s = Math.floor(ns / 1e9);
  if (s < 60) return `${s} s`;
  if (s < 3600) return `${Math.floor(s / 60)} min`;
  return s < 86400 ? `${Math.floor(s / 3600)} h ${Math.floor(s % 3600 / 60)} min`
    : `${Math.floor(s / 86400)} d ${Math.floor(s % 86400 / 3600)} h`;
}

// Without signs that are not seen, or that turn the direction of what follows.
export function visible(text) {
  return text.replace(/\s/g, ' ').replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}]/gu, '\uFFFD');
}

// What others have chosen, as long as one reads.
export function name(value) {
  const signs = [...String(value ?? '').slice(0, 4 * MOST_LETTERS)];
  const cut = signs.length > MOST_LETTERS;
  return visible(signs.slice(0, cut ? MOST_LETTERS - 1 : MOST_LETTERS).join('')) + (cut ? '…' : '');
}

export function ratio(value) {
  return `${(100 * value).toFixed(1)} %`;
}

// Of the frames that go into each encoder.
export function sizes(frames) {
  return frames.map((f) => `${f.width}×${f.height}, ${+f.framerate.toFixed(2)}/s`).join(' + ')
    || NONE;
}
