/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* attack [--count=N] [--quick] [--only=TEXT]
 *
 * Attacks an rmcsink and an arcsrc in a network namespace of its own, and says what came of it, in
 * a table of Markdown for docs/security.md. The attacker is on the same host: he hears all that is
 * sent, and sends from the victims' addresses. Without keys the table says what he can do. With
 * keys nothing may change but the counters of what was rejected, or the exit status is 1.
 *
 * --count: packets of each attack, 10000. --quick: with keys only, one attack of each state, for
 * the suite of tests. --only: attacks whose name has this text. Exit status 77: not permitted here,
 * or built without SRTP. */

#define _GNU_SOURCE             /* unshare */
#include "effects.h"
#include "forgery.h"

#include "../check/elements/ownnetwork.h"

#include <arcreceiver/gstarcreceiver.h>
#include <arcsrc/gstarcsrc.h>
#include <arpa/inet.h>
#include <rmcsink/gstrmcsink.h>
#include <srtp/securecontext.h>
#include <srtp/secureproperties.h>
#include <stdlib.h>
#include <string.h>

#define SKIPPED 77
#define KEY "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d"
#define WARM_UP_US (1000 * 1000)        /* until rmcsink has proven its address */
#define BURST 10                        /* packets, each millisecond */
#define LONGEST_INTERVAL_MS 500 /* between two reports */
#define SETTLE_US (300 * 1000)
#define LOOKS 20
#define MIN_BPS 50000
#define QUICK_MIN_BPS 300000    /* a machine that stalls slows the sender down, too */
#define LEAST_REJECTED 0.9              /* of an attack: a socket's buffer may overflow */

typedef enum
{
  STATE_IDLE,                   /* the receiver alone; the attacker has heard a session before */
  STATE_MUTED,                  /* the sender is there, and has no media */
  STATE_PLAYING,
  STATE_RESTARTED,              /* the sender began anew; the attacker has heard both sessions */
  /* As idle, but arcsrc is another, as after a restart of its process: nothing is known of what
   * came before. It is not judged. */
  STATE_NEW,
  STATES
} State;

static const gchar *const state_names[] = { "idle", "latched", "playing", "restarted",
  "new receiver, old key"
};

static gint count = 10000;
static gboolean quick;
static gchar *only;

static Place
place (const gchar * address, guint16 port)
{
  return (Place) { ntohl (inet_addr (address)), port };
}

/* --- one attack --- */

static void
hear (Attacker * attacker)
{
  for (gint64 end = g_get_monotonic_time () + WARM_UP_US; g_get_monotonic_time () < end;) {
    g_usleep (20 * 1000);
    attacker_listen (attacker);
  }
}

static void
enter_state (Victims * victims, State state, Attacker * attacker)
{
  victims_start_receiver (victims);
  victims_start_sender (victims);
  hear (attacker);
  if (state == STATE_IDLE) {
    victims_stop_sender (victims);
    g_usleep (SETTLE_US);       /* what it did not read before it ends would be new to it */
    victims_restart_receiver (victims);
  } else if (state == STATE_MUTED) {
    victims_mute (victims);
  } else if (state == STATE_RESTARTED) {
    victims_restart_sender (victims);
    hear (attacker);
  } else if (state == STATE_NEW) {
    victims_stop (victims);
    victims_start_receiver (victims);
  }
  g_usleep (SETTLE_US);
}

static void
attack (Attacker * attacker, ForgeryKind kind)
{
  Forgery forgery = {
    .sender = place (VICTIMS_SENDER, VICTIMS_SENDER_PORT),
    .receiver = place (VICTIMS_RECEIVER, VICTIMS_RECEIVER_PORT),
    .own = place (VICTIMS_STRANGER, VICTIMS_SENDER_PORT),.heard = attacker->heard
  };

  /* A forged report goes on from the last true one. */
  attacker_listen (attacker);
  forgery_follow (&forgery);
  for (guint i = 0; i < LONGEST_INTERVAL_MS && !forgery_follow (&forgery); i++) {
    g_usleep (1000);
    attacker_listen (attacker);
  }
  if (!forgery_study (&forgery))
    g_error ("the attacker has heard no media");
  for (gint i = 0; i < count; i++) {
    if (!forgery_send (&forgery, attacker, kind, (guint) i))
      g_error ("the attacker has heard too little for %s", forgery_name (kind));
    if (i % BURST < BURST - 1)
      continue;
    g_usleep (1000);
    attacker_listen (attacker);
    forgery_follow (&forgery);
  }
}

/* Looks again while what was sent is still on its way, or in a socket of a machine that stalls. */
static gchar *
judge (Victims * victims, const Snapshot * before, gboolean harmless, guint64 * rejected)
{
  gchar *effects = NULL;

  for (guint i = 0; i < LOOKS; i++) {
    Snapshot after;

    g_usleep (SETTLE_US);
    g_free (effects);
    after = snapshot_take (victims);
    effects = effects_describe (before, &after, (guint) count);
    *rejected = effects_rejected (before, &after);
    snapshot_clear (&after);
    if (!harmless || (effects[0] == '\0' && *rejected >= (guint64) count))
      break;
  }
  return effects;
}

/* Returns what came of it; `rejected` by those who have a key. */
static gchar *
run (State state, ForgeryKind kind, const gchar * key, guint64 * rejected)
{
  gboolean harmless = key && state != STATE_NEW;
  Attacker attacker;
  Snapshot before;
  Victims victims;
  gchar *effects;

  if (!attacker_open (&attacker))
    g_error ("no raw socket");
  victims_init (&victims, key, quick ? QUICK_MIN_BPS : MIN_BPS);
  enter_state (&victims, state, &attacker);
  before = snapshot_take (&victims);
  attack (&attacker, kind);
  effects = judge (&victims, &before, harmless, rejected);
  snapshot_clear (&before);
  victims_stop (&victims);
  attacker_close (&attacker);
  return effects;
}

/* --- all of them --- */

static gboolean
has_keys (void)
{
  SecureSettings settings = SECURE_SETTINGS_DEFAULT;
  SecureContext *context;

  settings.key = gst_buffer_new_memdup (KEY, strlen (KEY) / 2);
  context = secure_context_new (&settings, TRUE, NULL);
  secure_settings_clear (&settings);
  if (context)
    secure_context_unref (context);
  return context != NULL;
}

/* A row of the table. FALSE: a key was no help. */
static gboolean
run_row (State state, ForgeryKind kind, gboolean keys)
{
  guint64 rejected;
  gboolean ok = TRUE;
  gchar *effects;

  g_print ("| %s | %s |", state_names[state], forgery_name (kind));
  if (!quick) {
    effects = run (state, kind, NULL, &rejected);
    g_print (" %s |", effects[0] ? effects : "nothing");
    g_free (effects);
  }
  if (keys) {
    effects = run (state, kind, KEY, &rejected);
    ok = state == STATE_NEW || (effects[0] == '\0' && rejected <= (guint64) count
        && (gdouble) rejected >= LEAST_REJECTED * count);
    g_print (" %s; rejected %" G_GUINT64_FORMAT " |", effects[0] ? effects : "nothing", rejected);
    g_free (effects);
  }
  g_print ("\n");
  return ok;
}

static gboolean
is_wanted (State state, ForgeryKind kind)
{
  static const ForgeryKind quick_ones[] = {
    FORGERY_OLD_RTP, FORGERY_HELLO, FORGERY_REPORTS, FORGERY_OLD_REPORTS
  };

  if (only && !strstr (forgery_name (kind), only))
    return FALSE;
  if (quick)
    return state < G_N_ELEMENTS (quick_ones) && quick_ones[state] == kind;
  if (state == STATE_NEW)
    return kind == FORGERY_OLD_RTP;
  return state != STATE_IDLE || !forgery_is_for_sender (kind);
}

static gboolean
run_all (gboolean keys)
{
  gboolean ok = TRUE;

  g_print ("| state | attack |%s%s\n|---|---|%s%s\n", quick ? "" : " without keys |",
      keys ? " with keys |" : "", quick ? "" : "---|", keys ? "---|" : "");
  for (State state = 0; state < STATES; state++)
    for (ForgeryKind kind = 0; kind < FORGERY_KINDS; kind++)
      if (is_wanted (state, kind))
        ok = run_row (state, kind, keys) && ok;
  return ok;
}

static void
read_options (int *argc, char ***argv)
{
  const GOptionEntry entries[] = {
    {"count", 'c', 0, G_OPTION_ARG_INT, &count, "packets of each attack", "N"},
    {"quick", 'q', 0, G_OPTION_ARG_NONE, &quick, "with keys only, one attack of each state", NULL},
    {"only", 'o', 0, G_OPTION_ARG_STRING, &only, "attacks whose name has this text", "TEXT"},
    G_OPTION_ENTRY_NULL
  };
  GOptionContext *context = g_option_context_new (NULL);
  GError *error = NULL;

  g_option_context_add_main_entries (context, entries, NULL);
  if (!g_option_context_parse (context, argc, argv, &error)) {
    g_printerr ("%s\n", error->message);
    exit (2);
  }
  g_option_context_free (context);
}

int
main (int argc, char **argv)
{
  gboolean keys;

  read_options (&argc, &argv);
  if (!own_network_enter (""))
    return SKIPPED;
  gst_init (NULL, NULL);
  GST_ELEMENT_REGISTER (rmcsink, NULL);
  GST_ELEMENT_REGISTER (arcreceiver, NULL);
  GST_ELEMENT_REGISTER (arcsrc, NULL);
  keys = has_keys ();
  if (quick && !keys) {
    g_printerr ("skipped: built without SRTP\n");
    return SKIPPED;
  }
  return run_all (keys) ? 0 : 1;
}
