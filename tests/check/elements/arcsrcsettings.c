/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What arcsrc makes of its properties and its URI, and the errors when it cannot open its
 * socket. */
#include "arcsrcfixture.h"
#include "bustext.h"

/* The error on the bus of an arcsrc that cannot start: its text must hold these. */
static void
check_error (GstElement * src, GstResourceError code, const gchar * part1, const gchar * part2)
{
  g_autoptr (GstBus) bus = gst_bus_new ();
  GstMessage *message;
  g_autoptr (GError) error = NULL;

  gst_element_set_bus (src, bus);
  fail_unless_equals_int (gst_element_set_state (src, GST_STATE_PLAYING), GST_STATE_CHANGE_FAILURE);
  message = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR);
  fail_unless (message != NULL);
  gst_message_parse_error (message, &error, NULL);
  fail_unless (g_error_matches (error, GST_RESOURCE_ERROR, (gint) code), "%s %d: %s",
      g_quark_to_string (error->domain), error->code, error->message);
  fail_unless (strstr (error->message, part1) && strstr (error->message, part2),
      "%s", error->message);
  gst_message_unref (message);
  fail_unless (gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR | GST_MESSAGE_WARNING) == NULL);

  gst_element_set_state (src, GST_STATE_NULL);
  gst_element_set_bus (src, NULL);
  gst_object_unref (src);
}

static void
check_fails_to_start (GstElement * src, const gchar * part1, const gchar * part2)
{
  check_error (src, GST_RESOURCE_ERROR_OPEN_READ, part1, part2);
}

CLAIM (test_busy_port_is_one_clear_error)
{
  g_autoptr (GSocket) holder = sender_new ("127.0.0.1");
  GstElement *src = gst_element_factory_make ("arcsrc", NULL);
  g_autofree gchar *port = g_strdup_printf ("port %d", sender_port (holder));

  g_object_set (src, "address", "127.0.0.1", "port", sender_port (holder), NULL);
  check_fails_to_start (src, port, "127.0.0.1");
}

CLAIM (test_two_receivers_do_not_share_a_port)
{
  STOPPED GstElement *holder = gst_element_factory_make ("arcsrc", NULL);
  GstElement *src = gst_element_factory_make ("arcsrc", NULL);
  gint port;

  g_object_set (holder, "address", "127.0.0.1", "port", 0, NULL);
  gst_element_set_state (holder, GST_STATE_READY);
  g_object_get (holder, "port", &port, NULL);
  g_object_set (src, "address", "127.0.0.1", "port", port, NULL);
  check_fails_to_start (src, "in use", "another port");
}

CLAIM (test_address_of_another_machine_is_one_clear_error)
{
  GstElement *src = gst_element_factory_make ("arcsrc", NULL);

  g_object_set (src, "address", "192.0.2.1", "port", 5432, NULL);
  check_fails_to_start (src, "192.0.2.1", "mode=caller");
}

CLAIM (test_bad_uri_property_is_one_clear_error)
{
  GstElement *src = gst_element_factory_make ("arcsrc", NULL);

  g_object_set (src, "uri", "arc://127.0.0.1:0?codec=H264", NULL);
  check_error (src, GST_RESOURCE_ERROR_SETTINGS, "codec", "encoding-name");
}

CLAIM (test_uri_property_of_another_scheme_is_one_clear_error)
{
  GstElement *src = gst_element_factory_make ("arcsrc", NULL);

  g_object_set (src, "uri", "udp://127.0.0.1:0", NULL);
  check_error (src, GST_RESOURCE_ERROR_SETTINGS, "udp://", "arc://");
}

/* What the socket needs cannot change once it is open, on the way to READY. */
CLAIM (test_properties_of_the_socket_are_not_flagged_as_changeable_in_ready)
{
  const gchar *names[] = { "address", "port", "uri", "buffer-size" };
  g_autoptr (GstElement) src = gst_element_factory_make ("arcsrc", NULL);

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    fail_if (g_object_class_find_property (G_OBJECT_GET_CLASS (src),
            names[i])->flags & (GST_PARAM_MUTABLE_READY
            | GST_PARAM_MUTABLE_PAUSED | GST_PARAM_MUTABLE_PLAYING), "%s", names[i]);
}

CLAIM (test_good_uri_mends_a_bad_one)
{
  STOPPED GstElement *src = gst_element_factory_make ("arcsrc", NULL);

  g_object_set (src, "uri", "arc://127.0.0.1:0?codec=H264", NULL);
  g_object_set (src, "uri", "arc://127.0.0.1:0", NULL);
  fail_unless_equals_int (gst_element_set_state (src, GST_STATE_READY), GST_STATE_CHANGE_SUCCESS);
}

CLAIM (test_free_port_is_told_while_open)
{
  g_autoptr (GstElement) src = gst_element_factory_make ("arcsrc", NULL);
  gint port;

  g_object_set (src, "address", "127.0.0.1", "port", 0, NULL);
  gst_element_set_state (src, GST_STATE_READY);
  g_object_get (src, "port", &port, NULL);
  fail_unless (port > 0);
  gst_element_set_state (src, GST_STATE_NULL);
  g_object_get (src, "port", &port, NULL);
  fail_unless_equals_int (port, 0);
}

CLAIM (test_granted_receive_buffer_is_told)
{
  STOPPED GstElement *src = gst_element_factory_make ("arcsrc", NULL);
  g_autoptr (GstStructure) stats = NULL;
  guint bytes;

  g_object_set (src, "address", "127.0.0.1", "port", 0, "buffer-size", 65536, NULL);
  gst_element_set_state (src, GST_STATE_READY);
  g_object_get (src, "stats", &stats, NULL);
  fail_unless (gst_structure_get_uint (stats, "buffer-size", &bytes));
  fail_unless (bytes == 65536, "%u", bytes);
}

static const struct
{
  const gchar *text, *address;
  guint16 port;
  const gchar *caps;            /* NULL: none */
} good_uris[] = {
  {"arc://192.0.2.1:5002", "192.0.2.1", 5002, NULL},
  {"arc://:5006", "0.0.0.0", 5006, NULL},
  {"arc://", "0.0.0.0", 5004, NULL},
  {"arc://:5006?", "0.0.0.0", 5006, NULL},
  {"arc://host.example", "host.example", 5004, NULL},
  {"arc://:0", "0.0.0.0", 0, NULL},
  {"arc://:65535/", "0.0.0.0", 65535, NULL},
  {"arc://[::1]:5006", "::1", 5006, NULL},
  {"arc://[fe80::1%25eth0]:5006", "fe80::1%eth0", 5006, NULL},
  {"arc://[::]?payload=0", "::", 5004, "application/x-rtp,media=video,clock-rate=90000,payload=0"},
  {"arc://:5004?payload=96&encoding-name=H264", "0.0.0.0", 5004,
      "application/x-rtp,media=video,clock-rate=90000,payload=96,encoding-name=H264"},
  {"arc://:5004?payload=127&encoding-name=OPUS&clock-rate=48000&media=audio", "0.0.0.0", 5004,
      "application/x-rtp,media=audio,clock-rate=48000,payload=127,encoding-name=OPUS"},
  {"arc://:5004?latency=80", "0.0.0.0", 5004, NULL},
  {"arc://:5004?latency=80&payload=96", "0.0.0.0", 5004,
      "application/x-rtp,media=video,clock-rate=90000,payload=96"},
  {"arc://:5004?paths=wwan0,wwan1", "0.0.0.0", 5004, NULL},
  {"arc://:5004?encoding-name=VP8%2DDRAFT-IETF-01", "0.0.0.0", 5004,
      "application/x-rtp,media=video,clock-rate=90000,encoding-name=VP8-DRAFT-IETF-01"},
};

CLAIMS (test_uri_is_understood, G_N_ELEMENTS (good_uris))
{
  g_autoptr (GstCaps) wanted =
      good_uris[__i__].caps ? gst_caps_from_string (good_uris[__i__].caps) : NULL, caps = NULL;
  g_autoptr (GstElement) src = gst_element_factory_make ("arcsrc", NULL);
  g_autofree gchar *address = NULL;
  GError *error = NULL;
  gint port;

  fail_unless (gst_uri_handler_set_uri (GST_URI_HANDLER (src), good_uris[__i__].text, &error),
      "%s", error ? error->message : "");
  g_object_get (src, "address", &address, "port", &port, "caps", &caps, NULL);
  fail_unless_equals_string (address, good_uris[__i__].address);
  fail_unless_equals_int (port, good_uris[__i__].port);
  fail_unless_equals_int (caps != NULL, wanted != NULL);
  if (wanted)
    fail_unless (gst_caps_is_equal (caps, wanted), "%" GST_PTR_FORMAT, caps);
}

static const struct
{
  const gchar *text, *complaint;
} bad_uris[] = {
  {"", "arc://ADDRESS:PORT"},
  {"arc", "arc://ADDRESS:PORT"},
  {"arc:5000", "arc://ADDRESS:PORT"},
  {"udp://:5000", "arc://ADDRESS:PORT"},
  {"arc://:70000", "70000"},
  {"arc://:-1", "-1"},
  {"arc://host:port", "port"},
  {"arc://::1:5000", "::1"},
  {"arc://me@host:5000", "nothing else"},
  {"arc://host:5000/path", "nothing else"},
  {"arc://host:5000#part", "nothing else"},
  {"arc://:5006?codec=H264", "encoding-name"},
  {"arc://:5006?payload", "key=value"},
  {"arc://:5006?payload=", "no value"},
  {"arc://:5006?payload=128", "127"},
  {"arc://:5006?payload=-1", "127"},
  {"arc://:5006?payload=x", "payload=x"},
  {"arc://:5006?clock-rate=0", "clock-rate=0"},
  {"arc://:5006?clock-rate=99999999999", "clock-rate"},
  {"arc://:5006?encoding-name=", "no value"},
  {"arc://:5006?latency=", "latency="},
  {"arc://:5006?latency=60001", "60000"},
  {"arc://h:25?mode=caller&streamid=%0D%0AHELO%20x%0D%0A", "control characters"},
  {"arc://h:25?mode=caller&streamid=%C2%9B31m", "control characters"},
};

/* As a URI and as a property, which may be no URI at all; nothing of it is taken. */
CLAIMS (test_bad_uri_is_refused_with_a_reason, G_N_ELEMENTS (bad_uris))
{
  const gchar *text = bad_uris[__i__].text, *complaint = bad_uris[__i__].complaint;
  GstElement *src = gst_element_factory_make ("arcsrc", NULL);
  g_autofree gchar *address = NULL;
  g_autoptr (GstCaps) caps = NULL;
  g_autoptr (GError) error = NULL;

  if (g_str_has_prefix (text, "arc://")) {
    fail_if (gst_uri_handler_set_uri (GST_URI_HANDLER (src), text, &error), "%s", text);
    fail_unless (g_error_matches (error, GST_URI_ERROR, GST_URI_ERROR_BAD_URI));
    fail_unless (strstr (error->message, complaint), "%s: %s", text, error->message);
  }
  g_object_set (src, "uri", text, NULL);
  g_object_get (src, "address", &address, "caps", &caps, NULL);
  fail_unless_equals_string (address, "0.0.0.0");
  fail_unless (caps == NULL);
  check_error (src, GST_RESOURCE_ERROR_SETTINGS, complaint, complaint);
}

CLAIM (test_uri_survives_a_round_trip)
{
  static const gchar *const texts[] = {
    "arc://127.0.0.1:5002", "arc://[fe80::1%25eth0]:5000",
    "arc://127.0.0.1:5002?mode=caller&streamid=a%26b%3Dc%2541%20d%2B%23",
    "arc://[::1]:5000?media=video&encoding-name=H264&payload=96&clock-rate=90000"
  };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++) {
    g_autoptr (GstElement) src = gst_element_make_from_uri (GST_URI_SRC, texts[i], NULL, NULL);
    g_autofree gchar *text = gst_uri_handler_get_uri (GST_URI_HANDLER (src));

    fail_unless_equals_string (text, texts[i]);
  }
}

CLAIM (test_latency_in_milliseconds_is_one_clear_warning)
{
  g_autoptr (GstElement) src = gst_element_factory_make ("arcsrc", NULL);
  g_autoptr (GstBus) bus = gst_bus_new ();

  gst_element_set_bus (src, bus);
  g_object_set (src, "address", "127.0.0.1", "port", 0, "latency", (guint64) 200, NULL);
  gst_element_set_state (src, GST_STATE_PAUSED);
  bus_says (bus, 0, GST_MESSAGE_WARNING, "write latency=200000000 for 200 ms");
  gst_element_set_state (src, GST_STATE_NULL);
  gst_element_set_bus (src, NULL);
}

/* A URI's query is decoded once. */
CLAIM (test_stream_id_of_a_uri_may_hold_any_character)
{
  g_autoptr (GstElement) src = gst_element_make_from_uri (GST_URI_SRC,
      "arc://127.0.0.1:5002?mode=caller&streamid=a%26b%2541", NULL, NULL);
  g_autofree gchar *stream_id = NULL;

  fail_unless (src != NULL);
  g_object_get (src, "streamid", &stream_id, NULL);
  fail_unless_equals_string (stream_id, "a&b%41");
}

static void
check_payload (GstElement * src, gint expected)
{
  g_autoptr (GstCaps) caps = NULL;
  gint payload;

  g_object_get (src, "caps", &caps, NULL);
  fail_unless (gst_structure_get_int (gst_caps_get_structure (caps, 0), "payload", &payload));
  fail_unless_equals_int (payload, expected);
}

CLAIM (test_uri_is_refused_while_open)
{
  GstElement *src = gst_element_make_from_uri (GST_URI_SRC, "arc://127.0.0.1:0", NULL, NULL);
  g_autoptr (GError) error = NULL;

  gst_element_set_state (src, GST_STATE_READY);
  fail_if (gst_uri_handler_set_uri (GST_URI_HANDLER (src), "arc://:5006", &error));
  fail_unless (g_error_matches (error, GST_URI_ERROR, GST_URI_ERROR_BAD_STATE));
  gst_element_set_state (src, GST_STATE_NULL);
  fail_unless (gst_uri_handler_set_uri (GST_URI_HANDLER (src), "arc://:5006", NULL));
  gst_object_unref (src);
}

CLAIM (test_later_of_caps_and_uri_wins)
{
  g_autoptr (GstElement) src = gst_element_factory_make ("arcsrc", NULL);
  g_autoptr (GstCaps) caps = gst_caps_from_string ("application/x-rtp,payload=97");

  g_object_set (src, "caps", caps, "uri", "arc://:5006?payload=98", NULL);
  check_payload (src, 98);
  g_object_set (src, "caps", caps, NULL);
  check_payload (src, 97);
  g_object_set (src, "uri", "arc://:5006", NULL);
  check_payload (src, 97);
}
