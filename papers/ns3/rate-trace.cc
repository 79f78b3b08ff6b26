/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "rate-trace.h"

#include <stdexcept>

namespace arc {

RateTrace::RateTrace (const std::string &path, const std::string &title)
: m_file (path, std::ios::binary)
{
  RcQlogHead head = {};

  if (!m_file)
    throw std::runtime_error ("cannot write " + path);
  head.title = title.c_str ();
  head.vantage_point = "sender";
  head.code_version = "";
  rc_eventtrace_init (&m_events);
  Write (rc_qlog_begin (&m_qlog, &head, 0, m_line));
}

void
RateTrace::Look (RcSender &sender, RcLane &lane, RcTime now)
{
  RcTraceRecord record;

  if (rc_eventtrace_look (&m_events, &sender, 0, &lane, 0, now, &record))
    Write (rc_qlog_write (&m_qlog, &record, m_line));
}

void
RateTrace::Write (size_t n)
{
  m_file.write (m_line, static_cast<std::streamsize> (n));
}

}
