/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* What ships, for C++: the laws, the pacing, the ledger, the receiver and the wire format of
 * lib/rc. */
#pragma once

extern "C" {
#include <rc/law/arc.h>
#include <rc/law/controller.h>
#include <rc/ledger/ledger.h>
#include <rc/receiver/receiver.h>
#include <rc/router/rcprouter.h>
#include <rc/sender/sender.h>
#include <rc/trace/qlog.h>
#include <aimd.h>
#include <lossevents.h>
#include <tfrc.h>
}
