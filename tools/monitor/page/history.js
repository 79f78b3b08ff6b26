// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 the gst-arc authors

// What a stream was like in the last hour, ten seconds to a point: a page may show many streams.

export const HOUR_S = 3600;
export const STEP_S = 10;
// Fields of a point that are {name: number}.
const MAPS = ['paths', 'rungs', 'targets'];

export class History {
  // most: fields of which the largest value of a step counts; of the others the mean does.
  constructor(most) {
    this.most = new Set(most);
    this.points = [];
  }

  // point: {t, field: number, ..., map: {name: number}, ...}
  add(point) {
    const t = Math.floor(point.t / STEP_S) * STEP_S;
    let step = this.points.at(-1);
    if (step?.t !== t) {
      step = {t, counts: {}, causes: {}};
      this.points.push(step);
      while (this.points[0].t < t - HOUR_S) this.points.shift();
    }
    for (const [name, value] of Object.entries(point)) {
      if (typeof value === 'number' && name !== 't') this.join(step, step.counts, name, value);
    }
    for (const [name, cause] of Object.entries(point.causes ?? {})) {
      this.joinCause(step, name, cause);
    }
    for (const map of MAPS) {
      for (const [name, value] of Object.entries(point[map] ?? {})) {
        step[map] ??= {};
        this.join(step[map], step.counts, `${map} ${name}`, value, name);
      }
    }
  }

  // The most frequent one.
  joinCause(step, name, cause) {
    if (!cause) return;
    const times = (key) => step.counts[`${name} ${key}`] ?? 0;
    step.counts[`${name} ${cause}`] = times(cause) + 1;
    if (times(cause) >= times(step.causes[name])) step.causes[name] = cause;
  }

  join(held, counts, count, value, name = count) {
    counts[count] = (counts[count] ?? 0) + 1;
    if (!(name in held)) held[name] = value;
    else if (this.most.has(name)) held[name] = Math.max(held[name], value);
    else held[name] += (value - held[name]) / counts[count];
  }
}
