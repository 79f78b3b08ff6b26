/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What the event trace writes. That whole files are JSON is tests/docs/eventtrace.py. */
#include <math.h>
#include <rc/law/controller.h>
#include <rc/trace/qlog.h>

#include "claim.h"

static RcQlog qlog;
static char line[RC_QLOG_MOST_BYTES + 1];

static const char *
ended (size_t n)
{
  fail_unless (n <= RC_QLOG_MOST_BYTES);
  line[n] = '\0';
  return line;
}

static const char *
event_with (RcQlogField field)
{
  return ended (rc_qlog_event (&qlog, "arc:test", 2, &field, 1, 1500 * RC_USEC, line));
}

BEFORE_EACH
{
  const RcQlogHead head = {.title = "t",.vantage_point = "v",.code_version = "c" };

  rc_qlog_begin (&qlog, &head, RC_MSEC, line);
}

CLAIM (test_event_is_a_record_of_a_text_sequence)
{
  fail_unless_equals_string (event_with ((RcQlogField) {.name = "a-b",.suffix = "_ms",.number = 3}),
      "\x1e{\"time\":0.5,\"name\":\"arc:test\",\"path\":\"2\",\"data\":{\"a_b_ms\":3}}\n");
}

static const struct
{
  double number;
  unsigned decimals;
  const char *text;
} numbers[] = {
  {0, 3, "0"}, {1, 0, "1"}, {-1, 4, "-1"}, {0.5, 0, "1"}, {0.05, 3, "0.05"}, {1.2345, 3, "1.235"},
  {-0.0001, 3, "0"}, {12.3, 3, "12.3"}, {4294967296.0, 0, "4294967296"}, {999999999999.999, 3,
      "999999999999.999"}, {NAN, 3, "null"}, {INFINITY, 0, "null"}, {-1e300, 0, "null"},
};

CLAIMS (test_number, G_N_ELEMENTS (numbers))
{
  g_autofree char *end = g_strdup_printf ("\"n\":%s}}\n", numbers[__i__].text);

  fail_unless (g_str_has_suffix (event_with ((RcQlogField) {.name = "n",.suffix = "",
                .number = numbers[__i__].number,.decimals = numbers[__i__].decimals}), end),
      "%s instead of %s", line, end);
}

CLAIM (test_text_is_escaped)
{
  fail_unless (strstr (event_with ((RcQlogField) {.name = "n",.suffix = "",
                .text = "a\"b\\c\n\xc3\xa4"}), "\"n\":\"a\\\"b\\\\c\\u000a\xc3\xa4\""), "%s", line);
}

CLAIM (test_endless_text_does_not_overflow)
{
  char text[8192] = "";

  memset (text, 1, sizeof text - 1);
  fail_unless (g_str_has_suffix (event_with ((RcQlogField) {.name = "n",.suffix = "",
                .text = text}), "\\u0001\"}}\n"));
}

static RcTraceRecord
record_of (const char *law)
{
  RcTraceRecord record = {.at = RC_SECOND,.law = rc_law_find (law),.state = "avoid",
    .reported = true,.cause = RC_CAUSE_QUEUE,.rate_bps = 1000000,
    .smoothed_rtt = 50 * RC_MSEC,.latest_rtt = 60 * RC_MSEC,.least_rtt = 40 * RC_MSEC
  };

  while (rc_law_fact (record.law, record.n_facts))
    record.facts[record.n_facts++] = 1e14;
  return record;
}

CLAIM (test_what_did_not_change_is_left_out)
{
  RcTraceRecord record = record_of ("arc");

  fail_unless (strstr (ended (rc_qlog_write (&qlog, &record, line)), "\"law\":\"arc\""));
  record.lost_pkts = 3;
  fail_unless_equals_string (ended (rc_qlog_write (&qlog, &record, line)),
      "\x1e{\"time\":999,\"name\":\"arc:rate\",\"path\":\"0\",\"data\":{\"cause\":\"queue\","
      "\"rate_bps\":1000000,\"lost_pkts\":3}}\n");
}

CLAIM (test_another_state_is_an_event)
{
  RcTraceRecord record = record_of ("arc");

  rc_qlog_write (&qlog, &record, line);
  record.state = "yield";
  fail_unless (strstr (ended (rc_qlog_write (&qlog, &record, line)),
          "\"recovery:congestion_state_updated\",\"path\":\"0\","
          "\"data\":{\"old\":\"avoid\",\"new\":\"yield\"}}\n"), "%s", line);
}

CLAIM (test_fact_of_words_is_a_text)
{
  static const char *const words[] = { "none", "shared" };
  static const RcFact facts[] = { {"trial", "", "", words}, {NULL} };
  RcLaw law = {.name = "other",.facts = facts };
  RcTraceRecord record = record_of ("arc");

  record.law = &law;
  record.n_facts = 1;
  record.facts[0] = 1;
  fail_unless (strstr (ended (rc_qlog_write (&qlog, &record, line)), "\"trial\":\"shared\""));
}

CLAIMS (test_record_of_each_law_fits, 6)
{
  RcTraceRecord record = record_of (rc_laws[__i__]->name);
  size_t n = rc_qlog_write (&qlog, &record, line);

  fail_unless (n < RC_QLOG_MOST_BYTES / 2, "%zu bytes", n);
  fail_unless (g_str_has_suffix (ended (n), "}}\n"));
}
