# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""A stand-in for what examples/robot/ros2_node.py uses of ROS 2, which Debian does not have:
pictures at 30 frames/s, of two sizes in turn, one with padded rows, and a subscriber that prints
the bitrate.

Usage: rosstub.py NODE NAME:=VALUE..., parameters whose value is an integer"""

import runpy
import sys
import time
import types
from types import SimpleNamespace

FPS = 30
CHANGE = 45     # pictures


class Node:
    """It has one subscription and one timer, each a function."""

    def __init__(self, name):
        self.name = name

    def declare_parameter(self, name, default):
        given = dict(word.split(":=") for word in sys.argv[1:])
        return SimpleNamespace(value=int(given[name]) if name in given else default)

    def create_publisher(self, _kind, topic, _depth):
        return SimpleNamespace(publish=lambda message: print(
            f"{topic}: target {message.data // 1000} kbit/s", flush=True))

    def create_subscription(self, _kind, _topic, on_message, _qos):
        self.on_message = on_message

    def create_timer(self, _seconds, on_time):
        self.on_time = on_time

    def get_logger(self):
        return SimpleNamespace(error=lambda text, once: print(text))

    def destroy_node(self):
        pass


def picture(n):
    width, height, padding = (320, 240, 0) if n // CHANGE % 2 == 0 else (202, 120, 10)
    row = bytes((3 * n + x) % 256 for x in range(3 * width)) + bytes(padding)
    return SimpleNamespace(encoding="bgr8", width=width, height=height, step=3 * width + padding,
                           data=row * height)


def spin(node):
    n = 0
    while True:
        node.on_message(picture(n))
        n += 1
        if n % FPS == 0:
            node.on_time()
        time.sleep(1 / FPS)


def stand_in(name, **members):
    module = types.ModuleType(name)
    vars(module).update(members)
    sys.modules[name] = module


stand_in("rclpy", init=lambda: None, spin=spin, try_shutdown=lambda: None)
stand_in("rclpy.node", Node=Node)
stand_in("rclpy.qos", qos_profile_sensor_data=None)
stand_in("sensor_msgs")
stand_in("sensor_msgs.msg", Image=None)
stand_in("std_msgs")
stand_in("std_msgs.msg", UInt32=SimpleNamespace)
del sys.argv[0]
runpy.run_path(sys.argv[0], run_name="__main__")
