/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "effects.h"

/* A machine that stalls makes the sender careful, too. */
#define LOWER_RATE 0.5
/* Packets and infos that are on their way at a snapshot, or come during the attack. */
#define UNDER_WAY 25
#define HONEST_INFOS 50         /* the sender sends some itself while so many forged ones come */

static const gchar *const sender_fields[] = {
  "packets-lost", "reports-old", "reports-never-sent", "reports-impossible", "reports-restarts",
  "reports-foreign", "reports-ignored", "receiver-reports", "arrivals-rejected", "rtcp-malformed",
  "not-rtcp", "rtx-resent", "keyframe-requests-received"
};

static const gchar *const receiver_fields[] = {
  "packets-foreign", "sender-changes", "packets-lost", "packets-duplicate", "packets-stray",
  "packets-reordered", "rtcp-other", "rtcp-malformed", "invalid-packets", "sources-evicted",
  "sources-refused", "notices-sent", "packets-withheld"
};

static void G_GNUC_PRINTF (2, 3)
say (GString * text, const gchar * format, ...)
{
  va_list args;

  if (text->len > 0)
    g_string_append (text, "; ");
  va_start (args, format);
  g_string_append_vprintf (text, format, args);
  va_end (args);
}

static guint64
rise (const GstStructure * before, const GstStructure * after, const gchar * name)
{
  return snapshot_get (after, name) - snapshot_get (before, name);
}

static void
say_fields (GString * text, const gchar * who, const GstStructure * before,
    const GstStructure * after, const gchar * const *names, guint n)
{
  for (guint i = 0; i < n; i++) {
    gint64 by = (gint64) rise (before, after, names[i]);

    if (by != 0)
      say (text, "%s's %s %+" G_GINT64_FORMAT, who, names[i], by);
  }
}

static void
say_rate (GString * text, const Snapshot * before, const Snapshot * after, guint n)
{
  guint64 was = snapshot_get (before->sender, "rate"), is = snapshot_get (after->sender, "rate");
  guint64 reports = rise (before->sender, after->sender, "reports-received"),
      true_reports = rise (before->receiver, after->receiver, "reports-sent");
  const gchar *state = gst_structure_get_string (after->sender, "state");

  if ((gdouble) is < LOWER_RATE * (gdouble) was)
    say (text, "rate from %" G_GUINT64_FORMAT " to %" G_GUINT64_FORMAT " kbit/s", was / 1000,
        is / 1000);
  if (reports > true_reports + UNDER_WAY)
    say (text, "%" G_GUINT64_FORMAT " of %u reports believed", reports - true_reports, n);
  if (g_strcmp0 (state, gst_structure_get_string (before->sender, "state")) != 0)
    say (text, "sender is %s", state);
}

static void
say_latch (GString * text, const Snapshot * before, const Snapshot * after)
{
  const gchar *was = gst_structure_get_string (before->receiver, "sender"),
      *is = gst_structure_get_string (after->receiver, "sender");

  if (g_strcmp0 (was, is) != 0)
    say (text, "receiver's sender is %s, was %s", is ? is : "none", was ? was : "none");
}

/* What rmcsink got meanwhile, what it sent, and what arcsrc let through. */
static void
say_media (GString * text, const Snapshot * before, const Snapshot * after)
{
  gint64 sent = (gint64) rise (before->sender, after->sender, "packets-sent");
  gint64 sent_first = sent - (gint64) rise (before->sender, after->sender, "rtx-resent");
  gint made = after->made - before->made, delivered = after->delivered - before->delivered;
  gint false_media = after->false_media - before->false_media;

  if (after->sender && made > sent_first + UNDER_WAY)
    say (text, "%d of %d packets of the media not sent", (gint) (made - sent_first), made);
  if (false_media > 0)
    say (text, "%d false packets delivered", false_media);
  if (delivered - false_media > sent + UNDER_WAY)
    say (text, "%d more delivered than were sent", (gint) (delivered - false_media - sent));
  if (sent > delivered - false_media + UNDER_WAY)
    say (text, "%d of %d packets of the media not delivered",
        (gint) (sent - delivered + false_media), (gint) sent);
}

gchar *
effects_describe (const Snapshot * before, const Snapshot * after, guint n)
{
  GString *text = g_string_new (NULL);
  guint64 infos = rise (before->receiver, after->receiver, "sender-infos");

  if (before->sender && after->sender)
    say_rate (text, before, after, n);
  say_latch (text, before, after);
  say_media (text, before, after);
  if (infos > UNDER_WAY + n / HONEST_INFOS)
    say (text, "%" G_GUINT64_FORMAT " infos believed", infos);
  say_fields (text, "sender", before->sender, after->sender, sender_fields,
      G_N_ELEMENTS (sender_fields));
  say_fields (text, "receiver", before->receiver, after->receiver, receiver_fields,
      G_N_ELEMENTS (receiver_fields));
  return g_string_free (text, FALSE);
}

guint64
effects_rejected (const Snapshot * before, const Snapshot * after)
{
  return rise (before->sender, after->sender, "rejected")
      + rise (before->receiver, after->receiver, "rejected");
}
