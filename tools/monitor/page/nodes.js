// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 the gst-arc authors

// A new node below another one. The content is text, whatever is in it.
export function make(parent, tag, className, content = '') {
  const node = document.createElement(tag);
  node.className = className;
  node.textContent = content;
  parent.append(node);
  return node;
}
