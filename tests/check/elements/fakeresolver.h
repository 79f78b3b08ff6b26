/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* A resolver of names that asks fake_lookup of the file that includes this. */
#pragma once

#include <gio/gio.h>

typedef GResolver FakeResolver;
typedef GResolverClass FakeResolverClass;

static GType fake_resolver_get_type (void);
G_DEFINE_TYPE (FakeResolver, fake_resolver, G_TYPE_RESOLVER)

static GList *fake_lookup (GResolver * resolver, const gchar * name, GCancellable * cancellable,
    GError ** error);

static GList *
fake_lookup_with_flags (GResolver * resolver, const gchar * name, GResolverNameLookupFlags flags,
    GCancellable * cancellable, GError ** error)
{
  return fake_lookup (resolver, name, cancellable, error);
}

static void
fake_resolver_class_init (FakeResolverClass * klass)
{
  klass->lookup_by_name = fake_lookup;
  klass->lookup_by_name_with_flags = fake_lookup_with_flags;
}

static void
fake_resolver_init (FakeResolver * self)
{
}
