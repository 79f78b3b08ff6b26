/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* A plugin of QEMU's user mode emulation: how many instructions the program executed, in all of its
 * threads, as one number in the file of the argument `out`. Debian has neither QEMU's own counter
 * nor the header qemu-plugin.h, so what is used of that interface (version 1) is declared here.
 *
 *   qemu-aarch64 -plugin libinsncount.so,out=FILE PROGRAM */
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define EXPORT __attribute__ ((visibility ("default")))

typedef uint64_t PluginId;
typedef struct qemu_plugin_tb Block;
typedef struct qemu_info_t Info;

enum { NO_REGISTERS };

void qemu_plugin_register_vcpu_tb_trans_cb (PluginId id, void (*translated) (PluginId, Block *));
void qemu_plugin_register_vcpu_tb_exec_cb (Block * block, void (*executed) (unsigned, void *),
    int registers, void *user_data);
void qemu_plugin_register_atexit_cb (PluginId id, void (*ended) (PluginId, void *),
    void *user_data);
size_t qemu_plugin_tb_n_insns (const Block * block);

EXPORT int qemu_plugin_version = 1;
EXPORT int qemu_plugin_install (PluginId id, const Info * info, int argc, char **argv);

static atomic_uint_fast64_t n_instructions;
static char out[4096];

static void
on_executed (unsigned vcpu, void *instructions)
{
  atomic_fetch_add_explicit (&n_instructions, (uintptr_t) instructions, memory_order_relaxed);
}

static void
on_translated (PluginId id, Block * block)
{
  qemu_plugin_register_vcpu_tb_exec_cb (block, on_executed, NO_REGISTERS,
      (void *) (uintptr_t) qemu_plugin_tb_n_insns (block));
}

static void
on_ended (PluginId id, void *user_data)
{
  FILE *file = fopen (out, "w");

  if (!file)
    return;
  fprintf (file, "%llu\n", (unsigned long long) n_instructions);
  fclose (file);
}

int
qemu_plugin_install (PluginId id, const Info * info, int argc, char **argv)
{
  if (argc != 1 || strncmp (argv[0], "out=", 4) || strlen (argv[0]) - 4 >= sizeof out)
    return -1;
  strcpy (out, argv[0] + 4);
  qemu_plugin_register_vcpu_tb_trans_cb (id, on_translated);
  qemu_plugin_register_atexit_cb (id, on_ended, NULL);
  return 0;
}
