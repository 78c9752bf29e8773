#pragma once
// What limits an estimated launch and what to try, as one sentence each.
#include <functional>
#include <string_view>

#include "app/replay/sentence/sentence.h"
#include "app/workbench/time/time_bench.h"

namespace tilereel {

using ToneOfArray = std::function<Tone(std::string_view name)>;
// "Shared memory is the limit: accesses to As and Bs keep the memory pipe 88 % busy, the FMA pipe
// 14 %. 15 register_tile would be about 3.9 times as fast."
[[nodiscard]] Sentence time_sentence(const TimeAnswer& answer, const GpuModel& gpu,
                                     const ToneOfArray& tone_of);

}  // namespace tilereel
