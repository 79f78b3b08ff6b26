// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 the gst-arc authors

// The page: a card for each stream that the monitor tells of, five times a second.

import {StreamCard} from './streamcard.js';

// How long a stream that ended stays on the page, folded away, for the case that it comes back; and
// how many do.
const ENDED_MS = 3600000;
const MOST_ENDED = 50;

const place = document.getElementById('streams');
const ended = document.getElementById('ended');
const endedPlace = document.getElementById('ended-streams');
const span = document.getElementById('span');
const cards = new Map();        // by key

// A stream that was started again takes the place of its former self, charts included.
function cardOf(stream) {
  if (cards.has(stream.key)) return cards.get(stream.key);
  const slot = StreamCard.slot(stream);
  const former = [...cards.values()].find((card) => card.slot === slot && card.endedAt !== null);
  const card = former ?? new StreamCard(place);
  if (former) cards.delete(former.key);
  card.showSpan(span.value);
  cards.set(stream.key, card);
  return card;
}

function remove(key, card) {
  card.remove();
  cards.delete(key);
}

// The latest first; the oldest go.
function foldAway(now) {
  const gone = [...cards].filter(([, card]) => card.endedAt !== null)
    .sort(([, a], [, b]) => b.endedAt - a.endedAt);
  gone.forEach(([key, card], i) => {
    if (i >= MOST_ENDED || now - card.endedAt > ENDED_MS) remove(key, card);
    else if (card.node.parentNode !== endedPlace) endedPlace.prepend(card.node);
  });
  const left = endedPlace.childElementCount;
  ended.hidden = left === 0;
  ended.firstElementChild.textContent = `${left} ${left === 1 ? 'stream' : 'streams'} ended`;
}

const LOOPBACK = /^(127\.|localhost$|\[?::1\]?$)/;

function hostAndPort(address) {
  const [, host, port] = /^(.*):(\d+)$/.exec(address ?? '') ?? [];
  return {host, port};
}

// The other end of a stream on this machine: what a sender sends to itself, and what comes from
// there. Elsewhere a port says nothing.
function receiverOf(sender) {
  const {host, port} = hostAndPort(sender.address);
  if (!sender.sends || !LOOPBACK.test(host ?? '')) return null;
  return [...cards.values()].find((card) => card.endedAt === null && card.sender
    && hostAndPort(card.address).port === port
    && LOOPBACK.test(hostAndPort(card.sender).host ?? '')) ?? null;
}

// What is inside of another element, such as the ladder of a server.
function partOf(owner) {
  return [...cards.values()].find((card) => card.endedAt === null && card.owner === owner.name)
    ?? null;
}

// Both ends of a stream are one card, and a server and its ladder.
function joinEnds() {
  const joined = new Set();
  for (const card of cards.values()) {
    const receiver = card.endedAt === null ? partOf(card) ?? receiverOf(card) : null;
    if (!receiver || joined.has(receiver)) continue;
    joined.add(receiver);
    if (card.node.nextElementSibling !== receiver.node) card.node.after(receiver.node);
  }
  for (const card of cards.values()) card.node.classList.toggle('joined', joined.has(card));
}

function take(streams) {
  const now = Date.now();
  const present = new Set(streams.map((stream) => stream.key));
  for (const [key, card] of cards) {
    if (present.has(key)) continue;
    card.end(now);
  }
  const ladders = new Map(streams.filter(({factory, owner}) => factory === 'arcladder' && owner)
    .map(({run, owner, stats}) => [`${run} ${owner}`, stats]));
  for (const stream of streams) {
    const card = cardOf(stream);
    if (card.node.parentNode !== place) place.append(card.node);
    card.take(stream, ladders.get(`${stream.run} ${stream.element}`));
  }
  foldAway(now);
  joinEnds();
  document.getElementById('count').textContent =
    `${streams.length} ${streams.length === 1 ? 'stream' : 'streams'}`;
  for (const node of document.querySelectorAll('#health [data-health]')) {
    const n = streams.filter(({health}) => health === node.dataset.health).length;
    node.hidden = n === 0;
    node.textContent = n;
  }
  document.getElementById('no-streams').hidden = cards.size > 0;
}

function showConnection(connected) {
  const node = document.getElementById('connection');
  node.dataset.connected = connected;
  node.textContent = connected ? 'live' : 'the monitor does not answer, trying again';
}

span.onchange = () => {
  for (const card of cards.values()) card.showSpan(span.value);
};
document.getElementById('no-charts').hidden = typeof Chart !== 'undefined';
// The browser connects again by itself, also to a monitor that was started again.
const events = new EventSource('events');
events.onopen = () => showConnection(true);
events.onerror = () => {
  showConnection(false);
  for (const card of cards.values()) card.thumbnail.hide();
};
events.onmessage = (event) => take(JSON.parse(event.data));
