# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

# GStreamer 1.22 is in Yocto 4.2 (mickledore) and later. libsrtp, libnice and libbpf are in meta-openembedded.
SUMMARY = "Live video over RTP that adapts to the network (GStreamer plugin)"
DESCRIPTION = "The sink rmcsink measures the path, paces every packet and sets the bitrate of the encoder; \
               arcsrc receives the stream and reports."
HOMEPAGE = "https://gst-arc.invalid/"
SECTION = "multimedia"
LICENSE = "LGPL-2.1-or-later"
LIC_FILES_CHKSUM = "file://LICENSE;md5=4fbd65380cdd255951079008b364516c"

DEPENDS = "glib-2.0 glib-2.0-native gstreamer1.0 gstreamer1.0-plugins-base"

SRC_URI = "https://gst-arc.invalid/gst-arc-${PV}.tar.xz"
# The sum of the archive, which the first release has: SRC_URI[sha256sum] = "..."

inherit meson pkgconfig

EXTRA_OEMESON = "-Dtests=disabled -Devaluation=false -Dsim=disabled -Drust=disabled"

# serve needs gstreamer1.0-plugins-bad built with webrtc, dtls and srtp; arcrouter a clang that compiles for BPF.
PACKAGECONFIG ??= "srtp passphrase"
PACKAGECONFIG[srtp] = "-Dsrtp=enabled,-Dsrtp=disabled,libsrtp"
PACKAGECONFIG[passphrase] = "-Dpassphrase=enabled,-Dpassphrase=disabled,nettle"
PACKAGECONFIG[monitor] = "-Dmonitor=enabled,-Dmonitor=disabled,libsoup json-glib"
PACKAGECONFIG[serve] = "-Dserve=enabled,-Dserve=disabled,gstreamer1.0-plugins-bad libsoup,,libnice gstreamer1.0-plugins-bad"
PACKAGECONFIG[arcrouter] = "-Darcrouter=enabled,-Darcrouter=disabled,clang-native libbpf"

PACKAGES =+ "${PN}-tools"
FILES:${PN} = "${libdir}/gstreamer-1.0/libgstarc.so"
FILES:${PN}-tools = "${bindir}"

RDEPENDS:${PN}-tools = "${PN}"
RRECOMMENDS:${PN} = "gstreamer1.0-plugins-good-rtp gstreamer1.0-plugins-good-rtpmanager"
