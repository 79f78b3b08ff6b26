/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What is said of keys that cannot be, at both elements; and that no key can be read back. */

#include "securefixture.h"
#include "srtp/secureproof.h"
#include "srtp/secureproperties.h"
#include "bustext.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <malloc.h>
#include <stdio.h>
#include <unistd.h>

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
  {"auto", "4141454341775146", NULL, "srtp-key has 8 characters of text, and it needs 28 bytes for "
        "aes-128-gcm, 30 for aes-128-icm, 44 for aes-256-gcm or 46 for aes-256-icm: the master key "
        "and then the salt. On a command line give them as twice as many hexadecimal digits"},
  {"aes-128-icm", SECURE_TEST_KEY, "000102030405060708090a0b0c0d0e0f10", "srtp-mki has 17 bytes; "
        "it may have 1 to 16, on a command line as hexadecimal digits"},
};

static const gchar *const factories[] = { "rmcsink", "arcsrc" };

static gchar *
pop_text (GstBus * bus, GstMessageType type)
{
  gchar *text = bus_text (bus, 0, type);

  fail_unless (text != NULL, "nothing is said");
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

CLAIMS (test_error_about_a_key_says_what_is_right, G_N_ELEMENTS (wrongs))
{
  for (guint i = 0; i < G_N_ELEMENTS (factories); i++) {
    const Wrong *wrong = &wrongs[__i__];
    GstBus *bus;
    GstElement *element = element_of (factories[i], &bus);
    g_autofree gchar *text = NULL;

    gst_util_set_object_arg (G_OBJECT (element), "srtp-cipher", wrong->cipher);
    gst_util_set_object_arg (G_OBJECT (element), "srtp-key", wrong->key);
    if (wrong->mki)
      gst_util_set_object_arg (G_OBJECT (element), "srtp-mki", wrong->mki);
    fail_unless_equals_int (gst_element_set_state (element, GST_STATE_PAUSED),
        GST_STATE_CHANGE_FAILURE);
    text = pop_text (bus, GST_MESSAGE_ERROR);
    fail_unless_equals_string (text, wrong->error);
    /* With a right one it starts after all. */
    g_object_set (element, "srtp-mki", NULL, NULL);
    gst_util_set_object_arg (G_OBJECT (element), "srtp-cipher", "aes-128-icm");
    gst_util_set_object_arg (G_OBJECT (element), "srtp-key", SECURE_TEST_KEY);
    fail_unless (gst_element_set_state (element, GST_STATE_PAUSED) != GST_STATE_CHANGE_FAILURE);
    element_end (element, bus);
  }
}

static const struct
{
  guint key_bytes;
  const gchar *cipher;
} lengths[] = {
  {28, "aes-128-gcm"}, {30, "aes-128-icm"}, {44, "aes-256-gcm"}, {46, "aes-256-icm"},
};

CLAIMS (test_cipher_is_that_of_the_length_of_the_key, G_N_ELEMENTS (lengths))
{
  for (guint i = 0; i < G_N_ELEMENTS (factories); i++) {
    GstBus *bus;
    GstElement *element = element_of (factories[i], &bus);
    g_autoptr (GstBuffer) key = key_of_bytes (lengths[__i__].key_bytes);
    g_autoptr (GstStructure) stats = NULL;

    g_object_set (element, "srtp-key", key, NULL);
    fail_unless (gst_element_set_state (element, GST_STATE_PAUSED) != GST_STATE_CHANGE_FAILURE);
    g_object_get (element, "stats", &stats, NULL);
    fail_unless_equals_string (gst_structure_get_string (stats, "srtp"), lengths[__i__].cipher);
    element_end (element, bus);
  }
}

/* One end names its cipher, and the other leaves that to the key. */
CLAIMS (test_proof_is_about_the_cipher_that_is_used, G_N_ELEMENTS (lengths))
{
  SecureSettings settings = {.cipher = SECURE_CIPHER_AUTO };
  RcCall call = {.number = 7,.cookie = 8 };

  settings.key = key_of_bytes (lengths[__i__].key_bytes);
  secure_proof_write (&settings, &call);
  for (SecureCipher cipher = SECURE_CIPHER_AES_128_ICM; cipher <= SECURE_CIPHER_AUTO; cipher++) {
    gboolean same = cipher == SECURE_CIPHER_AUTO
        || g_str_equal (secure_cipher_name (cipher), lengths[__i__].cipher);

    settings.cipher = cipher;
    fail_unless_equals_int (secure_proof_check (&settings, &call) == NULL, same);
  }
  gst_buffer_unref (settings.key);
}

CLAIM (test_wrong_key_while_playing_keeps_the_old_one)
{
  for (guint i = 0; i < G_N_ELEMENTS (factories); i++) {
    GstBus *bus;
    GstElement *element = element_of (factories[i], &bus);
    g_autofree gchar *text = NULL;

    gst_util_set_object_arg (G_OBJECT (element), "srtp-key", SECURE_TEST_KEY);
    gst_element_set_state (element, GST_STATE_PAUSED);
    gst_util_set_object_arg (G_OBJECT (element), "srtp-key", "00");
    text = pop_text (bus, GST_MESSAGE_WARNING);
    fail_unless (g_str_has_suffix (text, "60 hexadecimal digits. The old key stays"));
    element_end (element, bus);
  }
}

/* Media would be in the clear, and its user would not know. */
CLAIM (test_key_that_comes_too_late_is_told)
{
  for (guint i = 0; i < G_N_ELEMENTS (factories); i++) {
    GstBus *bus;
    GstElement *element = element_of (factories[i], &bus);
    g_autofree gchar *text = NULL;

    gst_element_set_state (element, GST_STATE_PAUSED);
    gst_util_set_object_arg (G_OBJECT (element), "srtp-key", SECURE_TEST_KEY);
    text = pop_text (bus, GST_MESSAGE_WARNING);
    fail_unless (strstr (text, "in the clear: it holds from the next start") != NULL);
    element_end (element, bus);
  }
}

static void
on_notify (GObject * object, GParamSpec * pspec, gpointer user_data)
{
  fail ("%s is told", pspec->name);
}

CLAIM (test_key_can_be_set_and_not_read)
{
  for (guint i = 0; i < G_N_ELEMENTS (factories); i++) {
    GstBus *bus;
    GstElement *element = element_of (factories[i], &bus);
    GParamSpec *pspec = g_object_class_find_property (G_OBJECT_GET_CLASS (element), "srtp-key");
    g_autoptr (GstStructure) stats = NULL;
    g_autofree gchar *text = NULL;

    fail_if (pspec->flags & G_PARAM_READABLE);
    g_signal_connect (element, "notify::srtp-key", G_CALLBACK (on_notify), NULL);
    gst_util_set_object_arg (G_OBJECT (element), "srtp-key", SECURE_TEST_KEY);
    gst_element_set_state (element, GST_STATE_PAUSED);
    g_object_get (element, "stats", &stats, NULL);
    text = gst_structure_to_string (stats);
    fail_unless (strstr (text, "srtp=(string)aes-128-icm") != NULL);
    fail_if (strstr (text, "00010203") != NULL);
    element_end (element, bus);
  }
}

/* --- no key stays in memory --- */

#define LONGEST_KEY_BYTES 46
#define TRACE_BYTES 8           /* so many of a key in a row are no chance */

static const struct
{
  const gchar *cipher;
  guint key_bytes;
} ciphers[] = { {"aes-128-icm", 30}, {"aes-256-icm", 46}, {"aes-128-gcm", 28},
  {"aes-256-gcm", 44} };

/* Not stored anywhere, or it would be found there. */
static guint8
byte_of (guint key, guint i)
{
  return (guint8) ((i + 1) * (101 + 2 * key) ^ (i + 7) * (i + key));
}

static gboolean
is_trace (const guint8 * at, guint key, guint key_bytes)
{
  guint from, i = 0;

  for (from = 0; from + TRACE_BYTES <= key_bytes && i < TRACE_BYTES; from++)
    for (i = 0; i < TRACE_BYTES && at[i] == byte_of (key, from + i); i++);
  return i == TRACE_BYTES;
}

static guint
count_in (const guint8 *bytes, gsize size, guint key, guint key_bytes)
{
  guint n = 0;

  for (gsize i = 0; i + TRACE_BYTES <= size; i++)
    n += is_trace (bytes + i, key, key_bytes);
  return n;
}

/* In the heap; a sanitizer has another one, where nothing is found. Read as a file: another thread
 * may give back the heap's end meanwhile, and then a read is short. */
static guint
count_traces (guint key, guint key_bytes)
{
  static guint8 bytes[1 << 16]; /* not in the heap */
  FILE *maps = fopen ("/proc/self/maps", "r");
  gint memory = open ("/proc/self/mem", O_RDONLY | O_CLOEXEC);
  gchar line[512];
  gulong from, to;
  gssize size;
  guint n = 0;

  fail_unless (maps != NULL && memory >= 0);
  while (fgets (line, sizeof line, maps))
    if (strstr (line, "[heap]") && sscanf (line, "%lx-%lx", &from, &to) == 2)
      for (; from < to; from += size - TRACE_BYTES + 1) {
        size = pread (memory, bytes, MIN (sizeof bytes, to - from), from);
        if (size < TRACE_BYTES)
          break;
        n += count_in (bytes, size, key, key_bytes);
      }
  fclose (maps);
  close (memory);
  memset (bytes, 0, sizeof bytes);
  return n;
}

static void
set_key (GstElement * element, guint key, guint key_bytes)
{
  static guint8 bytes[LONGEST_KEY_BYTES];       /* not in the heap */
  GstBuffer *buffer = gst_buffer_new_wrapped_full (0, bytes, key_bytes, 0, key_bytes, NULL, NULL);

  for (guint i = 0; i < key_bytes; i++)
    bytes[i] = byte_of (key, i);
  g_object_set (element, "srtp-key", buffer, NULL);
  gst_buffer_unref (buffer);
  memset (bytes, 0, sizeof bytes);
}

CLAIMS (test_no_trace_of_a_key_is_left_when_the_element_is_gone, 2 * G_N_ELEMENTS (ciphers))
{
  const guint key_bytes = ciphers[__i__ / 2].key_bytes;
  GstBus *bus;
  GstElement *element;
  guint before;

  mallopt (M_PERTURB, 0);       /* or free() would do our work */
  element = element_of (factories[__i__ % 2], &bus);
  gst_util_set_object_arg (G_OBJECT (element), "srtp-cipher", ciphers[__i__ / 2].cipher);
  set_key (element, 1, key_bytes);
  before = count_traces (1, key_bytes);
  fail_unless (gst_element_set_state (element, GST_STATE_PAUSED) != GST_STATE_CHANGE_FAILURE);
  set_key (element, 2, key_bytes);
  set_key (element, 3, key_bytes);
  gst_element_set_state (element, GST_STATE_NULL);
  element_end (element, bus);
  for (guint key = 1; key <= 3; key++)
    fail_unless_equals_int (count_traces (key, key_bytes), 0);
  if (before == 0)
    g_print ("the heap cannot be searched here\n");
}

/* --- a key in a file --- */

/* In a folder of its own, which is the test's. */
static gchar *
write_file (const gchar * text, gint mode)
{
  gchar *folder = g_dir_make_tmp ("securekeyXXXXXX", NULL), *path;

  fail_unless (folder != NULL);
  path = g_build_filename (folder, "key", NULL);
  fail_unless (g_file_set_contents (path, text, -1, NULL));
  fail_unless_equals_int (g_chmod (path, mode), 0);
  g_free (folder);
  return path;
}

static void
remove_file (gchar * path)
{
  g_autofree gchar *folder = g_path_get_dirname (path);

  g_remove (path);
  g_rmdir (folder);
  g_free (path);
}

static GstStateChangeReturn
start_with_file (GstElement * element, const gchar * path)
{
  g_object_set (element, "srtp-key-file", path, NULL);
  return gst_element_set_state (element, GST_STATE_PAUSED);
}

CLAIMS (test_key_comes_from_a_file, 3)
{
  static const gchar *const texts[] = { SECURE_TEST_KEY, SECURE_TEST_KEY "\n",
    "  0001020304050607 08090A0B0C0D0E0F\r\n101112131415161718191a1b1c1d\n\n" };
  gchar *path = write_file (texts[__i__], 0600), *warning;
  SecureSettings settings = {.key_file = g_strdup (path) };
  SecureContext *context = context_of (SECURE_TEST_KEY, TRUE);
  GError *error = NULL;

  fail_unless (secure_settings_find_key (&settings, &warning, &error), "%s",
      error ? error->message : "");
  fail_if (warning != NULL);
  fail_unless (secure_context_fits (context, &settings));
  secure_settings_clear (&settings);
  secure_context_unref (context);
  remove_file (path);
}

static const struct
{
  const gchar *text, *has;      /* NULL: there is no file */
} wrong_files[] = {
  {NULL, "cannot open the srtp-key-file"},
  {"", "holds no key"},
  {"000102030", "holds no key"},
  {"AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwd", "holds no key"},
  {SECURE_TEST_KEY "\nof the camera\n", "holds no key"},
  {SECURE_LONGEST_KEY SECURE_LONGEST_KEY SECURE_LONGEST_KEY, "holds no key"},
  {"0011", "srtp-key has 2 bytes"},
};

/* And nothing is sent or taken in the clear. */
CLAIMS (test_file_without_a_key_is_an_error, 2 * G_N_ELEMENTS (wrong_files))
{
  gchar *path = write_file (wrong_files[__i__ / 2].text ? wrong_files[__i__ / 2].text : "", 0600);
  GstBus *bus;
  GstElement *element = element_of (factories[__i__ % 2], &bus);
  g_autofree gchar *text = NULL;

  if (!wrong_files[__i__ / 2].text)
    g_remove (path);
  fail_unless_equals_int (start_with_file (element, path), GST_STATE_CHANGE_FAILURE);
  text = pop_text (bus, GST_MESSAGE_ERROR);
  fail_unless (strstr (text, wrong_files[__i__ / 2].has) != NULL, "%s", text);
  element_end (element, bus);
  remove_file (path);
}

CLAIMS (test_folder_is_no_key_file, G_N_ELEMENTS (factories))
{
  GstBus *bus;
  GstElement *element = element_of (factories[__i__], &bus);
  g_autofree gchar *text = NULL;

  fail_unless_equals_int (start_with_file (element, "/"), GST_STATE_CHANGE_FAILURE);
  text = pop_text (bus, GST_MESSAGE_ERROR);
  fail_unless (strstr (text, "is not a regular file") != NULL, "%s", text);
  element_end (element, bus);
}

CLAIMS (test_key_and_file_at_once_is_an_error, G_N_ELEMENTS (factories))
{
  gchar *path = write_file (SECURE_TEST_KEY, 0600), *text;
  GstBus *bus;
  GstElement *element = element_of (factories[__i__], &bus);

  gst_util_set_object_arg (G_OBJECT (element), "srtp-key", SECURE_TEST_KEY);
  fail_unless_equals_int (start_with_file (element, path), GST_STATE_CHANGE_FAILURE);
  text = pop_text (bus, GST_MESSAGE_ERROR);
  fail_unless (strstr (text, "are both set") != NULL, "%s", text);
  g_free (text);
  element_end (element, bus);
  remove_file (path);
}

static const gint open_modes[] = { 0640, 0604, 0622 };

CLAIMS (test_file_that_others_can_read_is_told, 2 * G_N_ELEMENTS (open_modes))
{
  gchar *path = write_file (SECURE_TEST_KEY, open_modes[__i__ / 2]), *text;
  GstBus *bus;
  GstElement *element = element_of (factories[__i__ % 2], &bus);

  fail_if (start_with_file (element, path) == GST_STATE_CHANGE_FAILURE);
  text = pop_text (bus, GST_MESSAGE_WARNING);
  fail_unless (strstr (text, "chmod 600") != NULL, "%s", text);
  g_free (text);
  element_end (element, bus);
  remove_file (path);
}

/* What was used cannot come back, which shows that the new one is in use. */
CLAIMS (test_file_is_read_again_when_it_is_set_while_playing, G_N_ELEMENTS (factories))
{
  gchar *path = write_file (SECURE_TEST_KEY, 0600), *text;
  GstBus *bus;
  GstElement *element = element_of (factories[__i__], &bus);

  fail_if (start_with_file (element, path) == GST_STATE_CHANGE_FAILURE);
  fail_unless (g_file_set_contents_full (path, SECURE_OTHER_KEY, -1, G_FILE_SET_CONTENTS_CONSISTENT,
          0600, NULL));
  g_object_set (element, "srtp-key-file", path, NULL);
  fail_if (gst_bus_have_pending (bus) && gst_bus_pop_filtered (bus, GST_MESSAGE_WARNING));
  fail_unless (g_file_set_contents_full (path, SECURE_TEST_KEY, -1, G_FILE_SET_CONTENTS_CONSISTENT,
          0600, NULL));
  g_object_set (element, "srtp-key-file", path, NULL);
  text = pop_text (bus, GST_MESSAGE_WARNING);
  fail_unless (strstr (text, "used in this session before") != NULL, "%s", text);
  g_free (text);
  element_end (element, bus);
  remove_file (path);
}

static void
check_wiped (const SecureKey * key)
{
  for (gsize i = 0; i < sizeof *key; i++)
    fail_unless_equals_int (((const guint8 *) key)[i], 0);
}

/* What is left in memory after its use is found in a core dump. */
CLAIM (test_nothing_of_a_wiped_key_stays)
{
  SecureSettings settings = {.cipher = SECURE_CIPHER_AES_128_ICM };
  guint8 bytes[30];
  SecureKey key;

  memset (bytes, 0xa5, sizeof bytes);
  settings.key = gst_buffer_new_memdup (bytes, sizeof bytes);
  settings.mki = gst_buffer_new_memdup (bytes, SECURE_MKI_MAX_BYTES);
  fail_unless (secure_key_read (&key, &settings, NULL));
  fail_unless_equals_int (key.bytes[29], 0xa5);
  secure_key_wipe (&key);
  check_wiped (&key);

  gst_buffer_unref (settings.mki);
  settings.mki = gst_buffer_new_memdup (bytes, SECURE_MKI_MAX_BYTES + 1);
  fail_if (secure_key_read (&key, &settings, NULL));
  check_wiped (&key);
  gst_buffer_unref (settings.key);
  gst_buffer_unref (settings.mki);
}
