// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 the gst-arc authors

//! A receiver in Rust: it shows the picture, says when the media pauses and comes back, gives the
//! jitter buffer the latency that repair needs on this path, and prints the statistics.
//!
//!     receive [--sink NAME] PORT

use gst::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::Arc;
use std::time::{Duration, Instant};

// More than that the viewer would rather see losses.
const MOST_LATENCY_MS: u64 = 1000;

/// Names of messages and their fields: <gst/arc/arc.h>.
fn on_element(told: &gst::StructureRef, buffer: &gst::Element) {
    match told.name().as_str() {
        "GstArcSrcTimeout" => println!("no media"),
        "GstArcSrcResumed" => {
            let silence = told.get::<u64>("silence").unwrap_or(0);
            println!("media again after {:.1} s", silence as f64 / 1e9);
        }
        "GstArcReceiverLatency" => {
            let needed = told.get::<u64>("needed").unwrap_or(0);
            let latency_ms = (needed / 1_000_000 + 1).min(MOST_LATENCY_MS);
            buffer.set_property("latency", latency_ms as u32);
            println!("latency {latency_ms} ms");
        }
        _ => {}
    }
}

fn print_stats(source: &gst::Element, frames: u64) -> Result<(), Box<dyn std::error::Error>> {
    let stats = source.property::<gst::Structure>("stats");
    println!(
        "{}: {} frames, {} kbit/s, lost {}, repaired {}",
        stats.get::<String>("sender").unwrap_or("no sender".into()),
        frames,
        stats.get::<u64>("received-bitrate")? / 1000,
        stats.get::<u64>("packets-lost")?,
        stats.get::<u64>("rtx-repaired")?
    );
    Ok(())
}

/// Until an error comes.
fn watch(
    pipeline: &gst::Pipeline,
    frames: &AtomicU64,
) -> Result<(), Box<dyn std::error::Error>> {
    let source = pipeline.by_name("source").expect("named in main");
    let buffer = pipeline.by_name("buffer").expect("named in main");
    let bus = pipeline.bus().expect("a pipeline has a bus");
    let mut next = Instant::now();
    pipeline.set_state(gst::State::Playing)?;
    loop {
        if let Some(message) = bus.timed_pop(gst::ClockTime::from_mseconds(100)) {
            match message.view() {
                gst::MessageView::Element(element) => {
                    element.structure().inspect(|told| on_element(told, &buffer));
                }
                gst::MessageView::Latency(_) => pipeline.recalculate_latency()?,
                gst::MessageView::Error(error) => return Err(error.error().into()),
                _ => {}
            }
        }
        if next.elapsed() >= Duration::from_secs(1) {
            next = Instant::now();
            print_stats(&source, frames.load(Ordering::Relaxed))?;
        }
    }
}

/// autovideosink may crash where there is no display (GStreamer 1.22).
fn default_sink() -> &'static str {
    let shown = ["DISPLAY", "WAYLAND_DISPLAY"].iter().any(|name| std::env::var_os(name).is_some());
    if shown {
        "autovideosink"
    } else {
        "fakesink"
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = args.iter().map(|text| text.as_str()).collect();
    let (sink, port) = match words[..] {
        [port] => (default_sink(), port),
        ["--sink", sink, port] => (sink, port),
        _ => return Err("usage: receive [--sink NAME] PORT".into()),
    };
    gst::init()?;
    let pipeline = gst::parse::launch(&format!(
        "arcsrc name=source port={port} caps=application/x-rtp,media=video,encoding-name=H264,\
         payload=96,clock-rate=90000 ! rtpjitterbuffer name=buffer latency=100 \
         do-retransmission=true ! rtph264depay ! avdec_h264 name=decoder \
         ! videoconvert ! {sink}"
    ))?
    .downcast::<gst::Pipeline>()
    .expect("several elements");
    let decoder = pipeline.by_name("decoder").expect("named above");
    let frames = Arc::new(AtomicU64::new(0));
    let counted = frames.clone();
    let pad = decoder.static_pad("src").expect("a decoder has it");
    pad.add_probe(gst::PadProbeType::BUFFER, move |_, _| {
        counted.fetch_add(1, Ordering::Relaxed);
        gst::PadProbeReturn::Ok
    });

    let fault = watch(&pipeline, &frames);
    pipeline.set_state(gst::State::Null)?;
    fault
}
