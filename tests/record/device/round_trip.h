#pragma once
// Traces turned into device records and back.
#include <string_view>

#include "instrumentation/record/record.h"
#include "tests/record/device/converted.h"

namespace tilereel::testing {

Trace recorded(std::string_view kernel, const KernelParameters& parameters,
               std::uint32_t interval = 1);
// Both ways of running, several scatterings.
void expect_round_trip(const Trace& trace);
// Wherever a segment ends, up to `most_room` records, what precedes is whole and sound.
void expect_sound_wherever_cut(const Trace& trace, std::uint32_t most_room);

}  // namespace tilereel::testing
