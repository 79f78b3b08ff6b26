// SPDX-License-Identifier: LGPL-2.1-or-later
// Copyright (C) 2026 the gst-arc authors

//! A sender in Rust: rmcsink steers the encoder by itself; the program prints its statistics.
//!
//!     send HOST PORT [SECONDS]

use gst::prelude::*;
use std::time::{Duration, Instant};

const PIPELINE: &str = "videotestsrc is-live=true pattern=smpte horizontal-speed=3 \
    ! video/x-raw,width=640,height=360,framerate=30/1 \
    ! x264enc tune=zerolatency speed-preset=superfast key-int-max=300 \
    ! rtph264pay config-interval=-1 aggregate-mode=zero-latency mtu=1200 \
    ! rmcsink name=sink max-bitrate=4000000";

fn print_stats(sink: &gst::Element) -> Result<(), Box<dyn std::error::Error>> {
    let stats = sink.property::<gst::Structure>("stats");
    println!(
        "{}: target {} kbit/s, sent {} kbit/s, RTT {} ms, lost {}",
        stats.get::<String>("state")?,
        stats.get::<u32>("target-bitrate")? / 1000,
        stats.get::<u64>("sent-bitrate")? / 1000,
        stats.get::<u64>("rtt")? / 1_000_000,
        stats.get::<u64>("packets-lost")?
    );
    Ok(())
}

/// Until an error comes or the time is over.
fn watch(pipeline: &gst::Pipeline, seconds: u64) -> Result<(), Box<dyn std::error::Error>> {
    let sink = pipeline.by_name("sink").expect("named above");
    let bus = pipeline.bus().expect("a pipeline has a bus");
    let begin = Instant::now();
    let mut next = begin;
    pipeline.set_state(gst::State::Playing)?;
    while begin.elapsed() < Duration::from_secs(seconds) {
        if let Some(message) = bus.timed_pop(gst::ClockTime::from_mseconds(100)) {
            if let gst::MessageView::Error(error) = message.view() {
                return Err(error.error().into());
            }
        }
        if next.elapsed() >= Duration::from_secs(1) {
            next = Instant::now();
            print_stats(&sink)?;
        }
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().collect();
    if args.len() < 3 {
        return Err("usage: send HOST PORT [SECONDS]".into());
    }
    let seconds = args.get(3).map_or(Ok(u64::MAX), |text| text.parse())?;
    gst::init()?;
    let pipeline = gst::parse::launch(PIPELINE)?
        .downcast::<gst::Pipeline>()
        .expect("several elements");
    let sink = pipeline.by_name("sink").expect("named above");
    sink.set_property("host", &args[1]);
    sink.set_property("port", args[2].parse::<u32>()?);
    let fault = watch(&pipeline, seconds);
    pipeline.set_state(gst::State::Null)?;
    fault
}
