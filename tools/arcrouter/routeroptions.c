/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

#include "routeroptions.h"

#include <gio/gio.h>
#include <string.h>

#define STAMP_ID 12             /* gst/rtp/ratestamp.h */
#define MOST_ID 255
#define MOST_BPS 1e12           /* stamps are of 32 bits, kbit/s */

static const struct
{
  const gchar *name;
  RcRouterLaw law;
  gdouble gamma_ratio;
} laws[] = {
  {"piqi-rcp", RC_ROUTER_PIQI_RCP, 0.95},
  {"qi-rcp", RC_ROUTER_QI_RCP, 0.95},
  {"rcp", RC_ROUTER_RCP, 1},    /* its own term for the queue keeps that short */
};

/* As GOption delivers them. */
typedef struct
{
  gchar *interface, *capacity, *law;
  gdouble gamma_ratio, alpha_gain, beta_gain, kappa_ratio, others_ratio, stats_s;
  gint stamp_id;
  gboolean verbose;
} Raw;

static gboolean
refuse (GError **error, const gchar *option, const gchar *why)
{
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "%s: %s", option, why);
  return FALSE;
}

static gboolean
read_capacity (const gchar *text, guint64 *bps, GError **error)
{
  gchar *end = NULL;
  gdouble value = text ? g_ascii_strtod (text, &end) : 0;
  static const gchar units[] = "kMG";
  const gchar *unit;

  if (!text)
    return refuse (error, "--capacity", "it is missing: the rate of the link, such as 20M");
  unit = strchr (units, *end);  /* at its end without a unit */
  if (end == text || !unit || (*unit && end[1]))
    return refuse (error, "--capacity", "a rate such as 20M is wanted");
  if (*unit)
    for (const gchar *each = units; each <= unit; each++)
      value *= 1000;
  if (!(value >= 1e4 && value <= MOST_BPS))
    return refuse (error, "--capacity", "not within 10k and 1000G");
  *bps = (guint64) value;
  return TRUE;
}

static gboolean
read_law (const Raw *raw, RouterOptions *self, GError **error)
{
  for (guint i = 0; i < G_N_ELEMENTS (laws); i++) {
    if (raw->law && !g_str_equal (raw->law, laws[i].name))
      continue;
    self->law = laws[i].law;
    self->gamma_ratio = raw->gamma_ratio > 0 ? raw->gamma_ratio : laws[i].gamma_ratio;
    return TRUE;
  }
  return refuse (error, "--law", "piqi-rcp, qi-rcp or rcp is wanted");
}

/* NaN fails too. */
static gboolean
check_gains (const Raw *raw, GError **error)
{
  if (!(raw->alpha_gain >= RC_ROUTER_LEAST_GAIN && raw->alpha_gain <= RC_ROUTER_MOST_GAIN))
    return refuse (error, "--alpha", "not within 0.001 and 10");
  if (!(raw->beta_gain >= RC_ROUTER_LEAST_GAIN && raw->beta_gain <= RC_ROUTER_MOST_GAIN))
    return refuse (error, "--beta", "not within 0.001 and 10");
  if (!(raw->kappa_ratio >= RC_ROUTER_LEAST_KAPPA && raw->kappa_ratio <= RC_ROUTER_MOST_KAPPA))
    return refuse (error, "--kappa", "not within 0.01 and 3");
  return TRUE;
}

static gboolean
check (const Raw *raw, GError **error)
{
  if (!raw->interface)
    return refuse (error, "--interface", "it is missing: where packets leave, such as eth0");
  if (!(raw->gamma_ratio >= 0 && raw->gamma_ratio <= 1))
    return refuse (error, "--gamma", "not within 0 and 1");
  if (!(raw->others_ratio >= 0 && raw->others_ratio <= 1))
    return refuse (error, "--others", "not within 0 and 1");
  if (!(raw->stats_s >= 0 && raw->stats_s <= 1e6))
    return refuse (error, "--stats", "not within 0 and 1000000");
  if (raw->stamp_id < 0 || raw->stamp_id > MOST_ID)
    return refuse (error, "--extension-id", "not within 0 and 255");
  return TRUE;
}

static GOptionContext *
context_new (Raw *raw)
{
  const GOptionEntry entries[] = {
    {"interface", 'i', 0, G_OPTION_ARG_STRING, &raw->interface, "Where packets leave", "NAME"},
    {"capacity", 'c', 0, G_OPTION_ARG_STRING, &raw->capacity,
        "Of its link in bit/s, as tc counts them", "BPS[k|M|G]"},
    {"law", 0, 0, G_OPTION_ARG_STRING, &raw->law, "piqi-rcp, qi-rcp or rcp (piqi-rcp)", "NAME"},
    {"gamma", 0, 0, G_OPTION_ARG_DOUBLE, &raw->gamma_ratio,
        "Share of the capacity to use (0.95; rcp: 1)", "RATIO"},
    {"alpha", 0, 0, G_OPTION_ARG_DOUBLE, &raw->alpha_gain,
        "rcp: gain for spare capacity (0.4)", "GAIN"},
    {"beta", 0, 0, G_OPTION_ARG_DOUBLE, &raw->beta_gain, "rcp: gain for the queue (1)", "GAIN"},
    {"kappa", 0, 0, G_OPTION_ARG_DOUBLE, &raw->kappa_ratio,
        "piqi-rcp, qi-rcp: gain, of the largest that is stable (0.95)", "RATIO"},
    {"others", 0, 0, G_OPTION_ARG_DOUBLE, &raw->others_ratio,
        "Other traffic counts at most as this share of the capacity (1)", "RATIO"},
    {"extension-id", 0, 0, G_OPTION_ARG_INT, &raw->stamp_id,
        "Of the stamp's RTP header extension, 0: stamps behind SRTP only (12)", "N"},
    {"stats", 0, 0, G_OPTION_ARG_DOUBLE, &raw->stats_s,
        "A line of CSV each so many seconds (0: none)", "S"},
    {"verbose", 0, 0, G_OPTION_ARG_NONE, &raw->verbose, "What libbpf says", NULL},
    {NULL}
  };
  GOptionContext *context = g_option_context_new (NULL);

  g_option_context_set_summary (context, "Stamps the rate that an interface offers to each flow "
      "into passing RTP packets of rmcsink (congestion-control=piqi-rcp).");
  g_option_context_add_main_entries (context, entries, NULL);
  return context;
}

gboolean
router_options_parse (RouterOptions *self, int *argc, char ***argv, GError **error)
{
  const RcRouterParams usual = RC_ROUTER_PARAMS_DEFAULT;
  Raw raw = {.others_ratio = 1,.stamp_id = STAMP_ID,.alpha_gain = usual.alpha_gain,
    .beta_gain = usual.beta_gain,.kappa_ratio = usual.kappa_ratio };
  GOptionContext *context = context_new (&raw);
  gboolean ok = g_option_context_parse (context, argc, argv, error);

  g_option_context_free (context);
  *self = (RouterOptions) {.interface = raw.interface,.others_ratio = raw.others_ratio,
    .alpha_gain = raw.alpha_gain,.beta_gain = raw.beta_gain,.kappa_ratio = raw.kappa_ratio,
    .stamp_id = (guint8) raw.stamp_id,.verbose = raw.verbose };
  if (ok && *argc > 1)
    ok = refuse (error, (*argv)[1], "not an option");
  ok = ok && check (&raw, error) && check_gains (&raw, error)
      && read_capacity (raw.capacity, &self->capacity_bps, error)
      && read_law (&raw, self, error);
  self->stats = ok ? rc_time_from_s (raw.stats_s) : 0;
  g_free (raw.capacity);
  g_free (raw.law);
  if (!ok)
    router_options_clear (self);
  return ok;
}

void
router_options_clear (RouterOptions *self)
{
  g_clear_pointer (&self->interface, g_free);
}
