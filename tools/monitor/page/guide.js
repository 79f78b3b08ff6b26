// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 the gst-arc authors

// What the guide says about a message: docs/guide/troubleshooting.md, which the program has inside.

// A heading is the beginning of a message, with ... for what is filled in.
function patternOf(heading) {
  const parts = heading.split('...').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*?')}`, 's');
}

// Paragraphs, without what only Markdown reads.
function plain(body) {
  return body.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/(\S)\n(?=[^\n|-])/g, '$1 ');
}

// {pattern, length, text}, longest first. Headings that follow each other have the text below the
// last one.
function entriesOf(markdown) {
  const found = [];
  let headings = [];
  for (const part of markdown.split(/^(?=##)/m)) {
    const end = part.indexOf('\n');
    const heading = /^### `(.+)`$/.exec(part.slice(0, end))?.[1];
    const text = plain(part.slice(end).trim());
    headings = heading ? [...headings, heading] : [];
    if (!text) continue;
    for (const one of headings) found.push({pattern: patternOf(one), length: one.length, text});
    headings = [];
  }
  return found.sort((a, b) => b.length - a.length);
}

// Before the first event is shown.
const entries = entriesOf(await (await fetch('troubleshooting.md')).text());

// message: with the name of an inner element before it, or not. '': there is no entry.
export function adviceOf(message) {
  const own = message.replace(/^[\w-]+: /, '');
  return entries.find(({pattern}) => pattern.test(message) || pattern.test(own))?.text ?? '';
}
