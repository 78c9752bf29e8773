#pragma once
// Device records in host memory, converted as the recorder does.
#include <vector>

#include "instrumentation/record/device/device_blocks.h"
#include "tests/record/device/device_trace_writer.h"

namespace tilereel::testing {

// A trace of the same launch as `like`, made of these records and nothing else of it but what a
// recorder knows besides. Segments are cut to `room` records.
Result<Trace> convert(const Trace& like, const std::vector<WarpRecords>& warps,
                      std::uint32_t interval = 1, unsigned workers = 1,
                      std::uint32_t room = 0xffffffff);

// The first column in which two traces differ, leaving out who recorded them, clocks and
// multiprocessors; "" if none.
std::string difference_but_for_time(Trace one, Trace other);

}  // namespace tilereel::testing
