// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 the gst-arc authors

// One stream on the page: its figures, its charts, what happened to it, and all of its statistics.

import {Health} from './alarms.js';
import {CauseBlock, segmentsOf, textOf} from './causes.js';
import {EventList} from './eventlist.js';
import * as formats from './formats.js';
import {History, HOUR_S, STEP_S} from './history.js';
import {RUNG_COLUMNS, datasetsOf, rungsOf, targetsOf} from './ladder.js';
import {MemberTable} from './membertable.js';
import {make} from './nodes.js';
import {Thumbnail} from './thumbnail.js';
import {ViewerTable} from './viewers.js';

const WINDOW_S = 60;
// What the charts show: so many seconds, a label each so many, a gap in the lines beyond so many
// between two points.
const SPANS = {
  minute: {window: WINDOW_S, tick: 10, label: (x) => `${x} s`, gap: 2.5},
  hour: {window: HOUR_S, tick: 600, label: (x) => `${x / 60} min`, gap: 2.5 * STEP_S},
};

// What is shown first, where the stream has it: [field of stats, label, format]; `frames` is of the
// snapshot, and `loss` is made here.
const FIGURES = [
  ['rate', 'rate on the network', formats.rate],
  ['rate-cause', 'why this rate', formats.text],
  ['target-bitrate', 'target for the encoder', formats.rate],
  ['target-cause', 'why this target', formats.text],
  ['input-bitrate', 'encoder output', formats.rate],
  ['sent-bitrate', 'sent', formats.rate],
  ['received-bitrate', 'received', formats.rate],
  ['arrival-bitrate', 'arriving', formats.rate],
  ['budget', 'budget', formats.rate],
  ['requirement', 'requirement', formats.rate],
  ['queueing-delay', 'queueing delay', formats.time],
  ['rtt', 'round trip', formats.time],
  ['queue-time', 'waits in the sender', formats.time],
  ['frame-hold-p95', 'a frame waits here (p95)', formats.time],
  ['frame-delay-p95', 'frames late by (p95)', formats.time],
  ['loss', 'loss in 1 s', formats.ratio],
  ['packets-lost', 'packets lost', formats.count],
  ['frames', 'frame size', formats.sizes],
  ['packets-sent', 'packets sent', formats.count],
  ['packets-received', 'packets received', formats.count],
  ['frames-dropped', 'frames dropped', formats.count],
  ['keyframe-requests', 'keyframe requests', formats.count],
  ['flows', 'flows', formats.count],
  ['viewers', 'viewers', formats.count],
  ['viewers-now', 'viewers', formats.count],
  ['viewers-served', 'viewers served', formats.count],
  ['calls-refused', 'calls refused', formats.count],
  ['calls-full', 'put off, no place', formats.count],
  ['calls-put-off', 'put off, CPU full', formats.count],
  ['last-refusal', 'refused last', formats.text],
  ['switches', 'switches', formats.count],
  ['current-width', 'width', formats.count],
  ['current-height', 'height', formats.count],
  ['current-framerate', 'frames a second', formats.count],
  ['size-changes', 'changes of size', formats.count],
  ['reason', 'reason', formats.text],
  ['congestion-control', 'congestion control', formats.text],
  ['feedback-format', 'feedback', formats.text],
  ['feedback', 'feedback', formats.text],
  ['ecn', 'ECN', formats.text],
  ['encoders', 'encoders', formats.text],
  ['sender', 'sender', formats.text],
];

// [field, label, colour, unit of the axis in that of the field, drawn as]
const RATES = [
  ['rate', 'rate', '--rate', 1e6, {borderWidth: 2}],
  ['target-bitrate', 'target', '--target', 1e6, {borderWidth: 1.5}],
  ['input-bitrate', 'encoder output', '--encoder', 1e6, {borderWidth: 1.5, borderDash: [5, 3]}],
  ['sent-bitrate', 'sent', '--sent', 1e6, {borderWidth: 1}],
  ['received-bitrate', 'received', '--encoder', 1e6, {borderWidth: 1.5, of: 'receivers'}],
  ['arrival-bitrate', 'arriving', '--encoder', 1e6, {borderWidth: 1.5}],
  ['budget', 'budget', '--rate', 1e6, {borderWidth: 2}],
  ['requirement', 'requirement', '--target', 1e6, {borderWidth: 1.5}],
];
const DELAYS = [
  ['queueing-delay', 'queueing delay', '--delay', 1e6, {borderWidth: 2, fill: 'origin'}],
  ['rtt', 'round trip', '--rtt', 1e6, {borderWidth: 1}],
  ['loss', 'loss in 1 s (%)', '--loss', 0.01, {borderWidth: 1.5, yAxisID: 'loss'}],
];

const PATH_COLUMNS = [
  ['path', (path) => formats.name(path.path)],
  ['state', (path) => path.state],
  ['rate', (path) => formats.rate(path.rate)],
  ['sent', (path) => formats.rate(path['sent-bitrate'])],
  ['round trip', (path) => formats.time(path.rtt)],
  ['queueing', (path) => formats.time(path['queueing-delay'])],
  ['lost', (path) => formats.ratio(path['loss-ratio'])],
  ['why', (path) => path['rate-cause'] ?? ''],
];

// As many as rmcsink has paths; a name keeps its colour.
const PATH_COLOURS = ['--rate', '--target', '--encoder', '--delay'];

function colour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

function axis(title, more = {}) {
  return {
    beginAtZero: true,
    title: {display: true, text: title, color: colour('--faint')},
    ticks: {color: colour('--faint'), maxTicksLimit: 6},
    grid: {color: colour('--line')},
    ...more,
  };
}

function chartOptions(span, scales) {
  return {
    animation: false,
    parsing: false,
    normalized: true,
    spanGaps: false,
    maintainAspectRatio: false,
    interaction: {mode: 'nearest', axis: 'x', intersect: false},
    elements: {point: {radius: 0}},
    scales: {
      x: {
        type: 'linear',
        min: -span.window,
        max: 0,
        ticks: {color: colour('--faint'), stepSize: span.tick, callback: span.label},
        grid: {color: colour('--line')},
      },
      ...scales,
    },
    plugins: {
      legend: {labels: {color: colour('--text'), boxWidth: 14, boxHeight: 1}},
      tooltip: {callbacks: {title: (items) => `${items[0].parsed.x.toFixed(1)} s`}},
    },
  };
}

// All fields of a structure, those of inner ones by "outer.inner".
export function* flat(structure, prefix = '') {
  for (const [name, value] of Object.entries(structure)) {
    if (value !== null && typeof value === 'object') yield* flat(value, `${prefix}${name}.`);
    else yield [prefix + name, value];
  }
}

export class StreamCard {
  constructor(parent) {
    this.points = [];
    this.history = new History(DELAYS.map(([field]) => field));
    this.span = 'minute';
    this.node = make(parent, 'section', 'stream');
    const head = make(this.node, 'div', 'head');
    this.title = make(head, 'h2', '');
    this.where = make(head, 'span', 'where');
    this.state = make(head, 'span', 'state');
    this.health = new Health(head, this.node);
    const overview = make(this.node, 'div', 'overview');
    this.thumbnail = new Thumbnail(overview);
    this.figures = make(overview, 'div', 'figures');
    this.chartsNode = make(this.node, 'div', 'charts');
    this.rungs = new MemberTable(this.node, 'rungs', RUNG_COLUMNS);
    this.pathTable = new MemberTable(this.node, 'paths', PATH_COLUMNS);
    this.viewers = new ViewerTable(this.node);
    this.log = new EventList(this.node);
    this.details = make(this.node, 'details', '');
    make(this.details, 'summary', '', 'all statistics (bit/s, ns, bytes, as in stats)');
    this.table = make(make(this.details, 'table', ''), 'tbody', '');
    this.outputs = new Map();
    this.cells = new Map();
    this.charts = [];
    this.visible = false;
    this.observer = new IntersectionObserver((entries) => {
      this.visible = entries.at(-1).isIntersecting;
    });
    this.observer.observe(this.node);
  }

  remove() {
    this.observer.disconnect();
    this.removeCharts();
    this.node.remove();
  }

  removeCharts() {
    for (const {chart} of this.charts) chart.destroy();
    this.paths?.destroy();
    this.why = this.pathsWhy = null;
    this.ladder?.destroy();
    this.charts = [];
    this.paths = this.ladder = null;
    this.chartsNode.replaceChildren();
  }

  // 'minute' or 'hour'.
  showSpan(span) {
    if (span === this.span) return;
    this.span = span;
    this.removeCharts();
    if (this.points.length) this.draw();
  }

  // What the charts draw.
  drawn() {
    return this.span === 'hour' ? this.history.points : this.points;
  }

  // The stream as the monitor tells it; the page looks for `key` and `data-field`. ladder: `stats` of
  // the one inside, if any.
  take(stream, ladder) {
    this.key = stream.key;
    this.slot = StreamCard.slot(stream);
    this.endedAt = null;
    this.address = stream.address;
    this.owner = stream.owner && `${stream.run} ${stream.owner}`;
    this.name = `${stream.run} ${stream.element}`;
    this.sends = 'packets-sent' in (stream.stats ?? {});
    this.sender = stream.stats?.sender;         // of a receiver: whose media it takes
    const isNew = this.at !== stream.at;
    this.at = stream.at;
    this.node.dataset.key = stream.key;
    this.node.dataset.at = stream.at;
    this.node.classList.remove('ended');
    this.title.textContent = formats.name(stream.element);
    this.where.textContent = [stream.address, stream.process, `process ${stream.pid}`,
      stream.pipeline].filter((s) => s).map(formats.name).join(' · ');
    if (!stream.owner) this.log.take(stream.log);       // which has its messages too
    this.showHealth(stream);
    if (this.visible) this.thumbnail.take(stream.key, stream.thumbnail);
    this.showState(stream['element-state'] === 'PLAYING' ? stream.stats?.state ?? 'playing'
      : stream['element-state'].toLowerCase());
    if (!isNew) return;
    const values = {...stream.stats};   // empty: an element that never played may have none
    if ('packets-lost' in values) values.loss = this.loss(values, stream.at / 1e9);
    if (stream.frames?.length) values.frames = stream.frames;
    if (Array.isArray(values.viewers)) delete values.viewers;   // which are a table
    this.showFigures(values);
    this.rungs.take(stream.stats?.rungs);
    this.pathTable.take(stream.stats?.paths);
    this.viewers.take(stream.stats ?? {}, ladder, stream.at / 1e9);
    this.showTable(stream.stats ?? {});
    this.addPoint(values, stream.at / 1e9);
    if (this.visible) this.draw();
  }

  showHealth(stream) {
    const bad = stream['viewers-in-trouble'];
    this.health.show(stream.health, stream.alarms,
      bad ? `${bad} of ${stream.stats['viewers-now']} have an alarm, and come first below` : '');
  }

  static slot(stream) {
    return JSON.stringify([stream.process, stream.pipeline, stream.element]);
  }

  end(now) {
    if (this.endedAt !== null) return;
    this.endedAt = now;
    this.node.classList.add('ended');
    this.thumbnail.hide();
    this.health.show('', []);
    this.showState('ended');
  }

  showState(state) {
    this.state.textContent = state;
    this.state.dataset.state = state;
  }

  show(field, label, value, text) {
    let output = this.outputs.get(field);
    if (!output) {
      const figure = make(this.figures, 'div', 'figure');
      make(figure, 'span', '', label);
      output = make(figure, 'output', '');
      output.dataset.field = field;
      this.outputs.set(field, output);
    }
    output.dataset.value = typeof value === 'object' ? JSON.stringify(value) : value;
    output.classList.toggle('text', typeof value === 'string');
    output.textContent = text;
    if (field.endsWith('-cause')) output.title = textOf(value);
  }

  showFigures(values) {
    for (const [field, label, format] of FIGURES) {
      if (field in values) this.show(field, label, values[field], format(values[field]));
    }
  }

  // Lost among those that left, or came and were lost, within the last second.
  loss(values, t) {
    const before = this.points.findLast((p) => p.t <= t - 1) ?? this.points[0];
    if (!before || before.lost > values['packets-lost']) return 0;
    const lost = values['packets-lost'] - before.lost;
    const all = 'packets-sent' in values ? values['packets-sent'] - before.all
      : values['packets-received'] - before.all + lost;
    return all > 0 ? Math.min(lost / all, 1) : 0;
  }

  showTable(stats) {
    if (!this.details.open) return;
    for (const [name, value] of flat(stats)) {
      let cell = this.cells.get(name);
      if (!cell) {
        const row = make(this.table, 'tr', '');
        make(row, 'td', '', name);
        cell = make(row, 'td', '');
        cell.dataset.stat = name;
        this.cells.set(name, cell);
      }
      cell.textContent = value;
    }
  }

  // Of a minute, and only what is drawn: a page may show many streams.
  addPoint(values, t) {
    const point = {
      t,
      lost: values['packets-lost'] ?? 0,
      all: values['packets-sent'] ?? values['packets-received'] ?? 0,
    };
    for (const [field] of [...RATES, ...DELAYS]) {
      if (field in values) point[field] = values[field];
    }
    const paths = Array.isArray(values.paths) && values.paths.length ? values.paths : null;
    if (paths) point.paths = Object.fromEntries(paths.map((p) => [p.path, p['sent-bitrate']]));
    point.causes = {rate: values['rate-cause'], target: values['target-cause']};
    for (const path of paths ?? []) point.causes[`path ${path.path}`] = path['rate-cause'];
    const rungs = rungsOf(values);
    if (rungs) Object.assign(point, {rungs, targets: targetsOf(values)});
    this.points.push(point);
    this.history.add(point);
    while (this.points[0].t < t - WINDOW_S - 1) this.points.shift();
  }

  // value: of a point.
  series(value) {
    const points = this.drawn();
    const {gap} = SPANS[this.span];
    const now = points.at(-1).t;
    const line = [];
    let before = null;
    for (const point of points) {
      if (before !== null && point.t - before > gap) line.push({x: point.t - now, y: NaN});
      line.push({x: point.t - now, y: value(point)});
      before = point.t;
    }
    return line;
  }

  // With room for strips below it.
  makeCanvas(kind) {
    return make(make(make(this.chartsNode, 'div', ''), 'div', kind), 'canvas', '');
  }

  // keys: {label: key in `causes` of a point}; what was never known is left out.
  drawCauses(block, chart, keys) {
    const {window, gap} = SPANS[this.span];
    const lines = Object.entries(keys).map(([label, key]) =>
      [label, segmentsOf(this.drawn(), (point) => point.causes?.[key], window, gap)]);
    const known = lines.filter(([, segments]) => segments.length);
    if (!block && !known.length) return null;
    block ??= new CauseBlock(chart.canvas.parentNode.parentNode);
    block.draw(Object.fromEntries(known), window, chart.chartArea);
    return block;
  }

  // The target has a strip of its own where something else than the rate bound it.
  drawWhy() {
    const differs = this.drawn().some(({causes}) => causes?.target && causes.target !== causes.rate);
    this.why = this.drawCauses(this.why, this.charts[0].chart,
      differs ? {rate: 'rate', target: 'target'} : {why: 'rate'});
  }

  makeChart(rows, scales) {
    const last = this.points.at(-1);
    const shown = rows.filter(([field, , , , style]) => field in last
      && !(style.of === 'receivers' && 'rate' in last));
    if (!shown.length) return null;
    const canvas = this.makeCanvas('chart');
    const datasets = shown.map(([, label, name, , style]) => ({
      label,
      data: [],
      borderColor: colour(name),
      backgroundColor: `${colour(name)}33`,
      ...style,
    }));
    const chart = new Chart(canvas, {type: 'line', data: {datasets},
      options: chartOptions(SPANS[this.span], scales)});
    return {chart, rows: shown};
  }

  makePathsChart() {
    const canvas = this.makeCanvas('chart paths');
    return new Chart(canvas, {type: 'line', data: {datasets: []},
      options: chartOptions(SPANS[this.span], {y: axis('sent, Mbit/s', {stacked: true})})});
  }

  // What each path carries, one on the other: the upper edge is their sum. A path that has gone
  // stays until its last point has.
  drawPaths() {
    const names = new Set(this.drawn().flatMap((point) => Object.keys(point.paths ?? {})));
    if (!names.size && !this.paths) return;
    this.paths ??= this.makePathsChart();
    const datasets = this.paths.data.datasets.filter((dataset) => names.has(dataset.label));
    this.paths.data.datasets = datasets;
    for (const name of names) {
      if (datasets.some((dataset) => dataset.label === name)) continue;
      const shade = colour(PATH_COLOURS[datasets.length % PATH_COLOURS.length]);
      datasets.push({label: name, borderColor: shade, backgroundColor: `${shade}66`,
        borderWidth: 1, fill: 'stack'});
    }
    for (const dataset of datasets) {
      dataset.data = this.series((point) => (point.paths?.[dataset.label] ?? 0) / 1e6);
    }
    this.paths.update('none');
    this.pathsWhy = this.drawCauses(this.pathsWhy, this.paths,
      Object.fromEntries([...names].map((name) => [name, `path ${name}`])));
  }

  // Thick the encodings, thin the viewers, of which the legend says nothing.
  makeLadderChart() {
    const canvas = this.makeCanvas('chart ladder');
    const options = chartOptions(SPANS[this.span], {y: axis('encodings and viewers, Mbit/s')});
    options.plugins.legend.labels.filter = (item, data) => !data.datasets[item.datasetIndex].viewer;
    return new Chart(canvas, {type: 'line', data: {datasets: []}, options});
  }

  drawLadder() {
    if (!this.points.at(-1).rungs) return;
    this.ladder ??= this.makeLadderChart();
    this.ladder.data.datasets = datasetsOf(this.drawn(), (value) => this.series(value), colour);
    this.ladder.update('none');
  }

  draw() {
    if (typeof Chart === 'undefined') return;
    // An element that never played has no statistics yet.
    if (!this.charts.length) {
      this.charts = [
        this.makeChart(RATES, {y: axis('Mbit/s')}),
        this.makeChart(DELAYS, {
          y: axis('ms', {display: 'auto'}),
          loss: axis('% lost', {position: 'right', suggestedMax: 5,
            grid: {display: !('rtt' in this.points.at(-1)), color: colour('--line')}}),
        }),
      ].filter((c) => c);
    }
    for (const {chart, rows} of this.charts) {
      rows.forEach(([field, , , unit], i) => {
        chart.data.datasets[i].data = this.series((point) => point[field] / unit);
      });
      chart.update('none');
    }
    if (this.charts.length) this.drawWhy();
    this.drawPaths();
    this.drawLadder();
  }
}
