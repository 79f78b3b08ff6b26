/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* A claim is a test: CLAIM (test_rate_falls_when_queue_delay_rises) { ... } is run by the main
 * function of claim.c, in the order of the lines. The environment of gst-check holds:
 * GST_CHECKS=NAME runs one, CK_FORK=no runs all in one process. */
#pragma once

#include <gst/check/gstcheck.h>
#include <gst/check/gstharness.h>

typedef struct _Claim Claim;
struct _Claim
{
  const gchar *name, *file;
  gint line;
  gint (*times) (void);
  void (*run) (gint i);
  /* NULL: run once; otherwise what repeats the body until it is judged. */
  void (*repeat) (const gchar * name, void (*body) (gint i), gint i);
  gint signal;                  /* that ends it; 0: none */
  Claim *next;
};

typedef enum
{
  CLAIM_BEFORE_ALL,
  CLAIM_BEFORE_EACH,
  CLAIM_AFTER_EACH,
  CLAIM_N_HOOKS
} ClaimHook;

void claim_add (Claim * self);
void claim_run (const Claim * self, void (*body) (gint i), gint i);
void claim_hook (ClaimHook when, void (*hook) (void));
void claim_set_timeout_s (gint timeout_s);
/* The main function where a file has none. */
int claim_main (int argc, char **argv);

#define CLAIM_DEFINE(test, n, repeat_, signal_)                                \
static void test (gint);                                                       \
static gint test##_times (void) { return n; }                                  \
static void test##_run (gint);                                                 \
static Claim test##_claim = { .name = #test, .file = __FILE__,                 \
  .line = __LINE__, .times = test##_times, .run = test##_run,                  \
  .repeat = repeat_, .signal = signal_ };                                      \
static void test##_run (gint i) { claim_run (&test##_claim, test, i); }        \
static void __attribute__ ((constructor))                                      \
test##_add (void) { claim_add (&test##_claim); }                               \
static void test (gint G_GNUC_UNUSED __i__)

/* The body follows. */
#define CLAIM(test) CLAIM_DEFINE (test, 1, NULL, 0)
/* For each __i__ from 0 to n - 1; n may be any expression, such as is_there ("x264enc"). */
#define CLAIMS(test, n) CLAIM_DEFINE (test, n, NULL, 0)
#define CLAIM_OF_SIGNAL(test, signal) CLAIM_DEFINE (test, 1, NULL, signal)

/* About something that is made before and goes after, to which the body has a pointer:
 * CLAIM_ON (test, Type, pointer, made, gone). A fixture names all but the test:
 * #define QUEUE(size) Queue, queue, queue_init (queue, size), queue_clear (queue) */
#define CLAIM_ON(test, ...) CLAIM_ABOUT (CLAIM, test, __VA_ARGS__)
#define CLAIM_ABOUT(claim, test, ...) CLAIM_ABOUT_ (claim, test, __VA_ARGS__)
#define CLAIM_ABOUT_(claim, test, Type, pointer, made, gone)                   \
static void test##_about (Type *, gint);                                       \
claim (test) {                                                                 \
  Type thing, *pointer = &thing;                                               \
  made;                                                                        \
  test##_about (pointer, __i__);                                               \
  gone;                                                                        \
}                                                                              \
static void test##_about (Type G_GNUC_UNUSED * pointer, gint G_GNUC_UNUSED __i__)

#define CLAIM_HOOK(name, when)                                                 \
static void name (void);                                                       \
static void __attribute__ ((constructor))                                      \
name##_add (void) { claim_hook (when, name); }                       \
static void name (void)

/* Once, after gst_init; and around each claim of the file. The body follows. */
#define BEFORE_ALL CLAIM_HOOK (claim_before_all, CLAIM_BEFORE_ALL)
#define BEFORE_EACH CLAIM_HOOK (claim_before_each, CLAIM_BEFORE_EACH)
#define AFTER_EACH CLAIM_HOOK (claim_after_each, CLAIM_AFTER_EACH)

/* What ends a variable with its scope, as g_autoptr does for types that GLib knows:
 * AT_END (fixture_clear) Fixture f; STOPPED GstElement *pipeline = gst_pipeline_new (NULL);
 * A function that takes a thing itself, and not a pointer to it, is first made one of those:
 * POINTER_END (thing_free, Thing), then AT_END (thing_free_at) Thing *thing = thing_new (); */
#define AT_END(end) __attribute__ ((cleanup (end)))
#define POINTER_END(end, Type)                                                 \
static inline void end##_at (Type **thing) { if (*thing) end (*thing); }
#define STOPPED AT_END (claim_stop_at)
#define TORN_DOWN AT_END (gst_harness_teardown_at)

static inline void
claim_stop (GstElement * element)
{
  gst_element_set_state (element, GST_STATE_NULL);
  gst_object_unref (element);
}

POINTER_END (claim_stop, GstElement)
POINTER_END (gst_harness_teardown, GstHarness)

/* In place of a minute, for each claim of the file. */
#define CLAIM_TIMEOUT_S(timeout_s)                                             \
static void __attribute__ ((constructor))                                      \
claim_timeout_add (void) { claim_set_timeout_s (timeout_s); }
