// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 the gst-arc authors

// How numbers of `stats` are written for people. Each takes the value as it is in `stats`.

const NONE = '–';

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
  return value === '' ? NONE : String(value);
}

export function ratio(value) {
  return `${(100 * value).toFixed(1)} %`;
}

// Of the frames that go into each encoder.
export function sizes(frames) {
  return frames.map((f) => `${f.width}×${f.height}, ${+f.framerate.toFixed(2)}/s`).join(' + ')
    || NONE;
}

// Each path, with what it sends now and its state.
export function paths(list) {
  return list.map((p) => `${p.path} ${p.state} ${rate(p['sent-bitrate'])}`).join(' · ');
}
