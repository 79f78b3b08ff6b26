/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What is said of keys that cannot be, at both elements; and that no key can be read back. */

#include "securefixture.h"

typedef struct
{
  const gchar *cipher, *key, *mki, *error;
} Wrong;

static const Wrong wrongs[] = {
  {"aes-128-icm", "0011", NULL, "srtp-key has 2 bytes, but srtp-cipher=aes-128-icm needs 30 bytes: "
        "16 of the master key and then 14 of the salt. On a command line give them as 60 "
        "hexadecimal digits"},
  {"aes-256-icm", SECURE_TEST_KEY, NULL, "srtp-key has 30 bytes, but srtp-cipher=aes-256-icm needs "
        "46 bytes: 32 of the master key and then 14 of the salt. On a command line give them as "
        "92 hexadecimal digits"},
  {"aes-128-gcm", SECURE_TEST_KEY, NULL, "srtp-key has 30 bytes, but srtp-cipher=aes-128-gcm needs "
        "28 bytes: 16 of the master key and then 12 of the salt. On a command line give them as "
        "56 hexadecimal digits"},
  /* "AAECAwQF", the beginning of a key in base64, as bytes */
  {"aes-128-icm", "4141454341775146", NULL, "srtp-key has 8 characters of text, but "
        "srtp-cipher=aes-128-icm needs 30 bytes: 16 of the master key and then 14 of the salt. On "
        "a command line give them as 60 hexadecimal digits"},
  {"aes-128-icm", SECURE_TEST_KEY, "000102030405060708090a0b0c0d0e0f10", "srtp-mki has 17 bytes; "
        "it may have 1 to 16, on a command line as hexadecimal digits"},
};

static const gchar *const factories[] = { "rmcsink", "arcsrc" };

static gchar *
pop_text (GstBus * bus, GstMessageType type)
{
  GstMessage *message = gst_bus_timed_pop_filtered (bus, 0, type);
  GError *error = NULL;
  gchar *text;

  fail_unless (message != NULL, "nothing is said");
  if (type == GST_MESSAGE_ERROR)
    gst_message_parse_error (message, &error, NULL);
  else
    gst_message_parse_warning (message, &error, NULL);
  text = g_strdup (error->message);
  g_error_free (error);
  gst_message_unref (message);
  return text;
}

static GstElement *
element_of (const gchar * factory, GstBus ** bus)
{
  GstElement *element = gst_element_factory_make (factory, NULL);

  fail_unless (element != NULL);
  *bus = gst_bus_new ();
  gst_element_set_bus (element, *bus);
  if (g_str_equal (factory, "arcsrc"))
    g_object_set (element, "port", 0, NULL);
  return element;
}

static void
element_end (GstElement * element, GstBus * bus)
{
  gst_element_set_state (element, GST_STATE_NULL);
  gst_element_set_bus (element, NULL);
  gst_object_unref (element);
  gst_object_unref (bus);
}

GST_START_TEST (test_error_about_a_key_says_what_is_right)
{
  for (guint i = 0; i < G_N_ELEMENTS (factories); i++) {
    const Wrong *wrong = &wrongs[__i__];
    GstBus *bus;
    GstElement *element = element_of (factories[i], &bus);
    gchar *text;

    gst_util_set_object_arg (G_OBJECT (element), "srtp-cipher", wrong->cipher);
    gst_util_set_object_arg (G_OBJECT (element), "srtp-key", wrong->key);
    if (wrong->mki)
      gst_util_set_object_arg (G_OBJECT (element), "srtp-mki", wrong->mki);
    fail_unless_equals_int (gst_element_set_state (element, GST_STATE_PAUSED),
        GST_STATE_CHANGE_FAILURE);
    text = pop_text (bus, GST_MESSAGE_ERROR);
    fail_unless_equals_string (text, wrong->error);
    g_free (text);
    /* With a right one it starts after all. */
    g_object_set (element, "srtp-mki", NULL, NULL);
    gst_util_set_object_arg (G_OBJECT (element), "srtp-cipher", "aes-128-icm");
    gst_util_set_object_arg (G_OBJECT (element), "srtp-key", SECURE_TEST_KEY);
    fail_unless (gst_element_set_state (element, GST_STATE_PAUSED) != GST_STATE_CHANGE_FAILURE);
    element_end (element, bus);
  }
}

GST_END_TEST;

GST_START_TEST (test_wrong_key_while_playing_keeps_the_old_one)
{
  for (guint i = 0; i < G_N_ELEMENTS (factories); i++) {
    GstBus *bus;
    GstElement *element = element_of (factories[i], &bus);
    gchar *text;

    gst_util_set_object_arg (G_OBJECT (element), "srtp-key", SECURE_TEST_KEY);
    gst_element_set_state (element, GST_STATE_PAUSED);
    gst_util_set_object_arg (G_OBJECT (element), "srtp-key", "00");
    text = pop_text (bus, GST_MESSAGE_WARNING);
    fail_unless (g_str_has_suffix (text, "60 hexadecimal digits. The old key stays"));
    g_free (text);
    element_end (element, bus);
  }
}

GST_END_TEST;

/* Media would be in the clear, and its user would not know. */
GST_START_TEST (test_key_that_comes_too_late_is_told)
{
  for (guint i = 0; i < G_N_ELEMENTS (factories); i++) {
    GstBus *bus;
    GstElement *element = element_of (factories[i], &bus);
    gchar *text;

    gst_element_set_state (element, GST_STATE_PAUSED);
    gst_util_set_object_arg (G_OBJECT (element), "srtp-key", SECURE_TEST_KEY);
    text = pop_text (bus, GST_MESSAGE_WARNING);
    fail_unless (strstr (text, "in the clear: it holds from the next start") != NULL);
    g_free (text);
    element_end (element, bus);
  }
}

GST_END_TEST;

static void
on_notify (GObject * object, GParamSpec * pspec, gpointer user_data)
{
  fail ("%s is told", pspec->name);
}

GST_START_TEST (test_key_can_be_set_and_not_read)
{
  for (guint i = 0; i < G_N_ELEMENTS (factories); i++) {
    GstBus *bus;
    GstElement *element = element_of (factories[i], &bus);
    GParamSpec *pspec = g_object_class_find_property (G_OBJECT_GET_CLASS (element), "srtp-key");
    GstStructure *stats;
    gchar *text;

    fail_if (pspec->flags & G_PARAM_READABLE);
    g_signal_connect (element, "notify::srtp-key", G_CALLBACK (on_notify), NULL);
    gst_util_set_object_arg (G_OBJECT (element), "srtp-key", SECURE_TEST_KEY);
    gst_element_set_state (element, GST_STATE_PAUSED);
    g_object_get (element, "stats", &stats, NULL);
    text = gst_structure_to_string (stats);
    fail_unless (strstr (text, "srtp=(string)aes-128-icm") != NULL);
    fail_if (strstr (text, "00010203") != NULL);
    g_free (text);
    gst_structure_free (stats);
    element_end (element, bus);
  }
}

GST_END_TEST;

static Suite *
securekey_suite (void)
{
  Suite *s = suite_create ("securekey");
  TCase *t = tcase_create ("general");

  suite_add_tcase (s, t);
  tcase_add_loop_test (t, test_error_about_a_key_says_what_is_right, 0, G_N_ELEMENTS (wrongs));
  tcase_add_test (t, test_wrong_key_while_playing_keeps_the_old_one);
  tcase_add_test (t, test_key_that_comes_too_late_is_told);
  tcase_add_test (t, test_key_can_be_set_and_not_read);
  return s;
}

GST_CHECK_MAIN (securekey);
