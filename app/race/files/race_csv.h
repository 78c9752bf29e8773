#pragma once
// A race as a table for other programs: one row for each sample, and one row without a speed for
// each contender and size that was skipped, failed or gave a wrong C.
#include <string>

#include "app/race/race.h"

namespace tilereel {

// A header line, then kernel,tile,pad,m,n,k,repeat,launches,milliseconds,gflops,sm_clock_mhz,
// temperature_c,power_w,outcome,worst_error,checked,sentence,device,date. Quoted by RFC 4180.
[[nodiscard]] std::string race_csv(const Race& race);

}  // namespace tilereel
