/* SPDX-License-Identifier: LGPL-2.1-or-later
 * Copyright (C) 2026 the gst-arc authors */

/* The fields of a session's statistics (rmcstats.c), for gst-inspect-1.0 and the reference. */
#pragma once

#include "base/description.h"

#define RMC_FIELDS_RATES \
    DESCRIPTION_FIELD ("target-bitrate", "uint, bit/s", "what the encoders are told, of media") \
    DESCRIPTION_FIELD ("rate", "uint64, bit/s", "what the law allows, on the network") \
    DESCRIPTION_FIELD ("encoder-bitrate", "uint, bit/s", "RTP that came in, over the last second") \
    DESCRIPTION_FIELD ("sent-bitrate", "uint, bit/s", "what left, with headers, over the last " \
        "second") \
    DESCRIPTION_FIELD ("bandwidth", "uint64, bit/s", "what arrived at the receiver, as reported") \
    DESCRIPTION_FIELD ("queue-time", "uint64, ns", "how long the media that waits here takes to " \
        "leave") \
    DESCRIPTION_FIELD ("queue-bytes", "uint64, bytes", "media that waits here") \
    DESCRIPTION_FIELD ("rtt", "uint64, ns", "round trip, smoothed; 0: unknown") \
    DESCRIPTION_FIELD ("queueing-delay", "uint64, ns", "time in the queues of the network; 0: " \
        "unknown or none")

#define RMC_FIELDS_MEDIA \
    DESCRIPTION_FIELD ("packets-sent", "uint64", "packets that left, repairs and probes too") \
    DESCRIPTION_FIELD ("bytes-sent", "uint64, bytes", "the same, with headers") \
    DESCRIPTION_FIELD ("frames-in", "uint64", "frames that came in") \
    DESCRIPTION_FIELD ("frames-dropped", "uint64", "frames dropped here, since the queue was " \
        "full") \
    DESCRIPTION_FIELD ("packets-dropped", "uint64", "packets of these frames, and fec-dropped") \
    DESCRIPTION_FIELD ("fec-packets", "uint64", "packets of FEC that came in") \
    DESCRIPTION_FIELD ("fec-dropped", "uint64", "of these: dropped, since what they protect left " \
        "in part or changed") \
    DESCRIPTION_FIELD ("packets-lost", "uint64", "packets lost on the way, as reported") \
    DESCRIPTION_FIELD ("packets-untracked", "uint64", "sent, but of more SSRCs than reports can " \
        "be checked for") \
    DESCRIPTION_FIELD ("send-again", "uint64", "times that a packet could not leave and was kept") \
    DESCRIPTION_FIELD ("non-rtp-buffers", "uint64", "buffers that were no RTP packets, not sent")

#define RMC_FIELDS_REPORTS \
    DESCRIPTION_FIELD ("reports-received", "uint64", "reports that hold") \
    DESCRIPTION_FIELD ("reports-old", "uint64", "refused: older than one before") \
    DESCRIPTION_FIELD ("reports-never-sent", "uint64", "refused: of packets that never left") \
    DESCRIPTION_FIELD ("reports-impossible", "uint64", "refused: what they say cannot be") \
    DESCRIPTION_FIELD ("reports-restarts", "uint64", "refused: the receiver began anew too often") \
    DESCRIPTION_FIELD ("reports-ignored", "uint64", "in a worse format than the one in use") \
    DESCRIPTION_FIELD ("receiver-reports", "uint64", "plain ones of RTP, among those received") \
    DESCRIPTION_FIELD ("receiver-bound", "uint64, bit/s", "most that the receiver wants (REMB); " \
        "0: it says nothing") \
    DESCRIPTION_FIELD ("arrivals-refused", "uint64", "entries of lists of packets that cannot be") \
    DESCRIPTION_FIELD ("keyframe-requests", "uint64", "told to encoders") \
    DESCRIPTION_FIELD ("keyframe-requests-received", "uint64", "PLI and FIR that came") \
    DESCRIPTION_FIELD ("keyframe-requests-suppressed", "uint64", "of these: a keyframe was on " \
        "its " \
        "way") \
    DESCRIPTION_FIELD ("keyframe-requests-unknown", "uint64", "of these: for no SSRC of ours")

#define RMC_FIELDS_STATE \
    DESCRIPTION_FIELD ("state", "string", "running, or stopped: nobody answers, no media leaves") \
    DESCRIPTION_FIELD ("feedback-format", "string", "none, arc, ccfb (RFC 8888), twcc, or rr " \
        "(receiver reports)") \
    DESCRIPTION_FIELD ("congestion-control", "string", "law that decides now") \
    DESCRIPTION_FIELD ("encoders", "string", "names of the encoders that follow, with commas")

/* Only of what has a socket. */
#define RMC_FIELDS_SOCKET \
    DESCRIPTION_FIELD ("ecn", "string", "off, unknown (the receiver tells no ECN bits), trial, " \
        "on (ECT(0)), l4s (ECT(1)), or failed (the path loses them)") \
    DESCRIPTION_FIELD ("packets-ce", "uint64", "packets that routers marked, as reported") \
    DESCRIPTION_FIELD ("reports-foreign", "uint64", "refused: of an SSRC that is not ours") \
    DESCRIPTION_FIELD ("rtcp-malformed", "uint64", "RTCP that could not be read") \
    DESCRIPTION_FIELD ("not-rtcp", "uint64", "datagrams that were no RTCP") \
    DESCRIPTION_FIELD ("send-errors", "uint64", "packets that the system did not send") \
    DESCRIPTION_FIELD ("refused", "uint64", "answers that nobody listens at the port") \
    DESCRIPTION_FIELD ("path-changes", "uint64", "times that another address of either end came " \
        "into use")

/* Only of what sends again by itself. */
#define RMC_FIELDS_RETRANSMISSION \
    DESCRIPTION_FIELD ("rtx-nacks", "uint64", "messages that ask for packets") \
    DESCRIPTION_FIELD ("rtx-asked", "uint64", "packets that they ask for") \
    DESCRIPTION_FIELD ("rtx-resent", "uint64", "packets sent again, each time that one was") \
    DESCRIPTION_FIELD ("rtx-bytes", "uint64, bytes", "the same, with headers; also in bytes-sent") \
    DESCRIPTION_FIELD ("rtx-too-old", "uint64", "not sent again: left longer ago than rtx-time") \
    DESCRIPTION_FIELD ("rtx-never-sent", "uint64", "not sent again: never left") \
    DESCRIPTION_FIELD ("rtx-over-budget", "uint64", "not sent again: more than repair may take") \
    DESCRIPTION_FIELD ("rtx-repeated", "uint64", "asked for again within a round trip") \
    DESCRIPTION_FIELD ("rtx-ssrcs", "structure", "SSRC of the media, and the SSRC that its " \
        "repairs have (RFC 4588)")

/* Of the law that decides now; others have none of these. */
#define RMC_FIELDS_LAW \
    DESCRIPTION_FIELD ("law-bandwidth-bps", "double, bit/s", "B, used bandwidth") \
    DESCRIPTION_FIELD ("law-backlog-bits", "double, bits", "q, our bits in the queue") \
    DESCRIPTION_FIELD ("law-base-rtt-s", "double, s", "least round trip of late") \
    DESCRIPTION_FIELD ("law-loss-ratio", "double, 0 to 1", "share of the packets that is lost") \
    DESCRIPTION_FIELD ("law-timeouts", "double", "times that reports stayed out") \
    DESCRIPTION_FIELD ("law-state", "double", "arc: number of its state (arclive.h)") \
    DESCRIPTION_FIELD ("law-drain-free-bps", "double, bit/s", "arc: x, the rate without what " \
        "drains the queue") \
    DESCRIPTION_FIELD ("law-delay-noise-s", "double, s", "arc: n, how much delays scatter") \
    DESCRIPTION_FIELD ("law-threshold-s", "double, s", "arc: queueing delay that is congestion") \
    DESCRIPTION_FIELD ("law-growth-gain", "double", "arc: how much faster than usual it grows") \
    DESCRIPTION_FIELD ("law-mark-share", "double, 0 to 1", "arc: smoothed share of marked " \
        "packets; " \
        "below 0: no queue marks") \
    DESCRIPTION_FIELD ("law-known-bps", "double, bit/s", "arc: K, capacity as seen last, until " \
        "the rate is back there; 0: unknown") \
    DESCRIPTION_FIELD ("law-route-changes", "double", "arc: longer routes that were found") \
    DESCRIPTION_FIELD ("law-window-bits", "double, bits", "arc as published: w, the window") \
    DESCRIPTION_FIELD ("law-outstanding-bits", "double, bits", "arc as published: in flight") \
    DESCRIPTION_FIELD ("law-explicit-rate-bps", "double, bit/s", "RCP: rate of the relays; 0: " \
        "none") \
    DESCRIPTION_FIELD ("law-approach-bps", "double, bit/s", "RCP: rate on its way to that") \
    DESCRIPTION_FIELD ("law-arc-rate-bps", "double, bit/s", "RCP: rate that ARC would allow") \
    DESCRIPTION_FIELD ("law-arrived-bps", "double, bit/s", "slow: B between the last two reports") \
    DESCRIPTION_FIELD ("law-report-interval-s", "double, s", "slow: between reports; 0: unknown") \
    DESCRIPTION_FIELD ("law-ceiling-bps", "double, bit/s", "slow: rate of the last congestion; " \
        "0: " \
        "none yet") \
    DESCRIPTION_FIELD ("law-loss-event-ratio", "double, 0 to 1", "tfrc: p") \
    DESCRIPTION_FIELD ("law-equation-bps", "double, bit/s", "tfrc: rate of the equation; 0: no " \
        "loss yet") \
    DESCRIPTION_FIELD ("law-receive-rate-bps", "double, bit/s", "tfrc: X_recv") \
    DESCRIPTION_FIELD ("law-packet-bits", "double, bits", "tfrc: s, mean size of a packet") \
    DESCRIPTION_FIELD ("law-starting", "double, 0 or 1", "tfrc: no loss yet") \
    DESCRIPTION_FIELD ("law-data-limited", "double, 0 or 1", "tfrc: less is sent than allowed")

#define RMC_FIELDS \
    RMC_FIELDS_RATES RMC_FIELDS_MEDIA RMC_FIELDS_REPORTS RMC_FIELDS_STATE
