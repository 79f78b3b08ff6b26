/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* rcp-parking [LAW [SECONDS [TOLERANCE]]]: a parking lot of two relays on loopback. Flow 1
 * crosses both, flow 2 only the first (20 Mbit/s), flow 3 only the second (10 Mbit/s). Prints
 * each flow's rate beside the max-min one and ends with 1 if one is further off than the
 * tolerance (0.03) or a packet was dropped. */
#include <math.h>
#include <stdlib.h>

#include "flows.h"

#define FIRST_BPS 20e6
#define SECOND_BPS 10e6
#define GAMMA 0.95              /* of RC_ROUTER_PARAMS_DEFAULT, by which the relay goes */
#define SETTLE_US (8 * G_USEC_PER_SEC)
#define DEFAULT_TOLERANCE 0.03
/* A relay forwards its k-th port to the receiver's k-th: first: 25101, 25102 -> 26101, 26102;
 * second: 26100, 26101 -> 27100, 27101. */
#define FIRST_PORT 25101
#define FIRST_HOST_PORT 26101
#define SECOND_PORT 26100
#define SECOND_HOST_PORT 27100
#define FLOWS 3

static const guint sender_ports[FLOWS] = { FIRST_PORT, FIRST_PORT + 1, SECOND_PORT };
static const guint receiver_ports[FLOWS] = { SECOND_HOST_PORT + 1, FIRST_HOST_PORT + 1,
    SECOND_HOST_PORT };

static GstElement *
relay (guint port, guint host_port, gdouble capacity_bps, const gchar * law)
{
  return flows_launch ("rcprelay address=127.0.0.1 port=%u n-ports=2 host=127.0.0.1 host-port=%u "
      "capacity=%.0f algorithm=%s", port, host_port, capacity_bps, law);
}

static gint
print_rates (GstElement ** senders, GstElement ** relays, gulong span_us, gdouble tolerance)
{
  const gdouble shared = GAMMA * SECOND_BPS / 2;
  const gdouble wanted[FLOWS] = { shared, GAMMA * FIRST_BPS - shared, shared };
  guint64 sent[FLOWS];
  gint64 began = g_get_monotonic_time ();
  gint status = 0;

  for (guint i = 0; i < FLOWS; i++)
    sent[i] = flows_sink_stat (senders[i], "bytes-sent");
  g_usleep (span_us);
  for (guint i = 0; i < FLOWS; i++) {
    gdouble span_s = (gdouble) (g_get_monotonic_time () - began) / G_USEC_PER_SEC;
    gdouble bps = (gdouble) (flows_sink_stat (senders[i], "bytes-sent") - sent[i]) * 8 / span_s;
    gdouble error = bps / wanted[i] - 1;

    g_print ("flow %u: %.3f Mbit/s, max-min %.3f, %+.2f %%; lost %" G_GUINT64_FORMAT "\n", i + 1,
        bps / 1e6, wanted[i] / 1e6, error * 100, flows_sink_stat (senders[i], "packets-lost"));
    if (!(fabs (error) <= tolerance))
      status = 1;
  }
  for (guint i = 0; i < 2; i++) {
    g_print ("relay %u: queue up to %" G_GUINT64_FORMAT " packets, dropped %" G_GUINT64_FORMAT "\n",
        i + 1,
        flows_stat (relays[i], "max-queue-packets"), flows_stat (relays[i], "packets-dropped"));
    if (flows_stat (relays[i], "packets-dropped") > 0)
      status = 1;
  }
  return status;
}

int
main (int argc, char **argv)
{
  const gchar *law;
  GstElement *relays[2], *senders[FLOWS] = { NULL }, *receivers[FLOWS] = { NULL };
  gdouble seconds, tolerance;
  gint status = 1;

  gst_init (&argc, &argv);
  law = argc > 1 ? argv[1] : "piqi-rcp";
  seconds = argc > 2 ? g_ascii_strtod (argv[2], NULL) : 20;
  tolerance = argc > 3 ? g_ascii_strtod (argv[3], NULL) : DEFAULT_TOLERANCE;
  relays[0] = relay (FIRST_PORT, FIRST_HOST_PORT, FIRST_BPS, law);
  relays[1] = relay (SECOND_PORT, SECOND_HOST_PORT, SECOND_BPS, law);
  for (guint i = 0; i < FLOWS && relays[0] && relays[1]; i++) {
    receivers[i] = flows_receiver (receiver_ports[i]);
    senders[i] = flows_sender (sender_ports[i], law, (guint64) FIRST_BPS, "");
  }
  if (senders[0] && senders[1] && senders[2]) {
    g_usleep (SETTLE_US);
    status = print_rates (senders, relays, (gulong) (seconds * G_USEC_PER_SEC), tolerance);
  }
  for (guint i = 0; i < FLOWS; i++) {
    flows_stop (&senders[i]);
    flows_stop (&receivers[i]);
  }
  flows_stop (&relays[0]);
  flows_stop (&relays[1]);
  return status;
}
