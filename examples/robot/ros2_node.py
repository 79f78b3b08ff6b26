#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-arc authors

"""A ROS 2 node that sends an image topic to a ground station.

    ros2_node.py --ros-args -r image:=/camera/image_raw -p host:=192.0.2.1 -p port:=5004

It subscribes to `image` (sensor_msgs/Image: rgb8, bgr8, rgba8, bgra8, mono8) and publishes on
`bitrate` (std_msgs/UInt32, bit/s) once a second what the network carries, for a node that lowers
the camera's size. It needs python3-gi and gir1.2-gst-plugins-base-1.0."""

import gi
import rclpy
from rclpy.node import Node
from rclpy.qos import qos_profile_sensor_data
from sensor_msgs.msg import Image
from std_msgs.msg import UInt32

gi.require_version("Gst", "1.0")
gi.require_version("GstApp", "1.0")
from gi.repository import Gst, GstApp  # noqa: E402, F401

FORMATS = {"rgb8": "RGB", "bgr8": "BGR", "rgba8": "RGBA", "bgra8": "BGRA", "mono8": "GRAY8"}
LINE = ("appsrc name=source is-live=true do-timestamp=true format=time leaky-type=downstream "
        "max-buffers=2 ! videoconvert ! video/x-raw,format=I420 "
        "! x264enc tune=zerolatency speed-preset=superfast key-int-max=300 "
        "! rtph264pay config-interval=-1 aggregate-mode=zero-latency mtu=1200 "
        "! rmcsink name=sink")


class Sender(Node):
    def __init__(self):
        super().__init__("gst_arc_sender")
        self.pipeline = Gst.parse_launch(LINE)
        self.source = self.pipeline.get_by_name("source")
        self.sink = self.pipeline.get_by_name("sink")
        self.sink.set_property("host", self.declare_parameter("host", "127.0.0.1").value)
        self.sink.set_property("port", self.declare_parameter("port", 5004).value)
        self.sink.set_property("max-bitrate",
                               self.declare_parameter("max_bitrate", 4000000).value)
        self.pipeline.set_state(Gst.State.PLAYING)
        self.bitrate = self.create_publisher(UInt32, "bitrate", 10)
        self.create_subscription(Image, "image", self.on_image, qos_profile_sensor_data)
        self.create_timer(1.0, self.on_second)

    def on_image(self, image):
        if image.encoding not in FORMATS:
            self.get_logger().error(f"{image.encoding} is not sent, only {', '.join(FORMATS)}",
                                    once=True)
            return
        # The rows of a picture that OpenCV cut out may be further apart than they are long.
        channels = {"RGB": 3, "BGR": 3, "GRAY8": 1}.get(FORMATS[image.encoding], 4)
        used, padded = image.width * channels, (image.width * channels + 3) & ~3
        data, stride = bytes(image.data), image.step
        if stride != padded:
            data = b"".join(data[row * stride:row * stride + used].ljust(padded, b"\0")
                            for row in range(image.height))
        caps = Gst.Caps.from_string(
            f"video/x-raw,format={FORMATS[image.encoding]},width={image.width},"
            f"height={image.height},framerate=0/1")
        self.source.push_sample(Gst.Sample.new(Gst.Buffer.new_wrapped(data), caps, None, None))

    def on_second(self):
        stats = self.sink.get_property("stats")
        self.bitrate.publish(UInt32(data=stats.get_value("target-bitrate")))
        message = self.pipeline.get_bus().pop_filtered(Gst.MessageType.ERROR)
        if message:
            raise RuntimeError(message.parse_error().gerror.message)

    def stop(self):
        self.pipeline.set_state(Gst.State.NULL)


def main():
    Gst.init(None)
    rclpy.init()
    node = Sender()
    try:
        rclpy.spin(node)
    except KeyboardInterrupt:
        pass
    finally:
        node.stop()
        node.destroy_node()
        rclpy.try_shutdown()


if __name__ == "__main__":
    main()
