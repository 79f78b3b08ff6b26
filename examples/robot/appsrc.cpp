// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 the gst-arc authors

// Pictures that a C++ program makes, to HOST.
//
//     c++ -std=c++17 appsrc.cpp -o appsrc $(pkg-config --cflags --libs gstreamer-app-1.0)
//     ./appsrc HOST PORT [SECONDS]

#include <gst/app/gstappsrc.h>
#include <gst/gst.h>

#include <chrono>
#include <cstdint>
#include <iostream>
#include <string>
#include <thread>
#include <vector>

namespace
{
constexpr int width = 640, height = 360, fps = 30;
constexpr const char *line =
    "appsrc name=source is-live=true do-timestamp=true format=time leaky-type=downstream "
    "max-buffers=2 caps=video/x-raw,format=RGB,width=640,height=360,framerate=30/1 "
    "! videoconvert ! video/x-raw,format=I420 "
    "! x264enc tune=zerolatency speed-preset=superfast key-int-max=300 "
    "! rtph264pay config-interval=-1 aggregate-mode=zero-latency mtu=1200 "
    "! rmcsink name=sink max-bitrate=4000000";

// Where a robot's camera or its map would be drawn.
std::vector<std::uint8_t> picture(int n)
{
  std::vector<std::uint8_t> rgb(width * height * 3);
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++)
      rgb[3 * (y * width + x) + 1] = static_cast<std::uint8_t>(x + 3 * n);
  return rgb;
}

// False: the pipeline has ended, and why was printed.
bool is_well(GstElement *pipeline)
{
  GstBus *bus = gst_element_get_bus(pipeline);
  GstMessage *message = gst_bus_pop_filtered(bus, GST_MESSAGE_ERROR);
  gst_object_unref(bus);
  if (!message)
    return true;
  GError *error = nullptr;
  gst_message_parse_error(message, &error, nullptr);
  std::cerr << error->message << "\n";
  g_error_free(error);
  gst_message_unref(message);
  return false;
}

void print_rate(GstElement *sink)
{
  GstStructure *stats = nullptr;
  guint target = 0;
  g_object_get(sink, "stats", &stats, nullptr);
  gst_structure_get_uint(stats, "target-bitrate", &target);
  gst_structure_free(stats);
  std::cout << "target " << target / 1000 << " kbit/s" << std::endl;
}
}  // namespace

int main(int argc, char **argv)
{
  gst_init(&argc, &argv);
  if (argc < 3) {
    std::cerr << "usage: appsrc HOST PORT [SECONDS]\n";
    return 2;
  }
  GError *error = nullptr;
  GstElement *pipeline = gst_parse_launch(line, &error);
  if (error) {
    std::cerr << error->message << "\n";
    return 1;
  }
  GstElement *source = gst_bin_get_by_name(GST_BIN(pipeline), "source");
  GstElement *sink = gst_bin_get_by_name(GST_BIN(pipeline), "sink");
  g_object_set(sink, "host", argv[1], "port", std::stoi(argv[2]), nullptr);
  gst_element_set_state(pipeline, GST_STATE_PLAYING);
  const int frames = argc > 3 ? std::stoi(argv[3]) * fps : INT32_MAX;
  bool well = true;
  auto next = std::chrono::steady_clock::now();
  for (int n = 0; n < frames && (well = is_well(pipeline)); n++) {
    const auto rgb = picture(n);
    gst_app_src_push_buffer(GST_APP_SRC(source), gst_buffer_new_memdup(rgb.data(), rgb.size()));
    if (n % fps == fps - 1)
      print_rate(sink);
    std::this_thread::sleep_until(next += std::chrono::milliseconds(1000 / fps));
  }
  gst_element_set_state(pipeline, GST_STATE_NULL);
  gst_object_unref(sink);
  gst_object_unref(source);
  gst_object_unref(pipeline);
  return well ? 0 : 1;
}
