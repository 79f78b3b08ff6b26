#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""Pictures of an OpenCV program to HOST, by cv2.VideoWriter.

    opencv.py HOST PORT [SECONDS]        camera 0, or moving bars where there is none

Debian: apt-get install python3-opencv. OpenCV's packages of PyPI have no GStreamer."""

import sys
import time

import cv2
import numpy

WIDTH, HEIGHT, FPS = 640, 360, 30
LINE = ("appsrc ! videoconvert ! video/x-raw,format=I420 "
        "! x264enc tune=zerolatency speed-preset=superfast key-int-max=300 "
        "! rtph264pay config-interval=-1 aggregate-mode=zero-latency mtu=1200 "
        "! rmcsink host={host} port={port} max-bitrate=4000000")


def bars():
    """For a machine without a camera."""
    picture = numpy.zeros((HEIGHT, WIDTH, 3), numpy.uint8)
    picture[:, ::80] = picture[:, 1::80] = 255
    while True:
        picture = numpy.roll(picture, 3, axis=1)
        time.sleep(1 / FPS)
        yield picture


def pictures_of(camera):
    while True:
        came, picture = camera.read()
        if not came:
            return
        yield cv2.resize(picture, (WIDTH, HEIGHT))


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    camera = cv2.VideoCapture(0)
    line = LINE.format(host=sys.argv[1], port=sys.argv[2])
    writer = cv2.VideoWriter(line, cv2.CAP_GSTREAMER, 0, FPS, (WIDTH, HEIGHT), True)
    if not writer.isOpened():
        sys.exit("VideoWriter does not open: has this OpenCV GStreamer (cv2.getBuildInformation), "
                 "and is GST_PLUGIN_PATH set?")
    end = time.monotonic() + float(sys.argv[3]) if len(sys.argv) > 3 else float("inf")
    for picture in pictures_of(camera) if camera.isOpened() else bars():
        writer.write(picture)       # does not wait for the network
        if time.monotonic() > end:
            break
    writer.release()


main()
