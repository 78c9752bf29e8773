#pragma once
// Checks that arrays in global memory end as the records of the launch say.
#include "instrumentation/base/result.h"
#include "instrumentation/trace/trace.h"

namespace tilereel {

// After a launch that was recorded whole, an array holds what was stored last, and where nothing
// was stored what it held before. A byte is not checked if it is unknown which store was the last:
// - two blocks stored different values to it;
// - two warps of a block did so between the same barriers;
// - two lanes did so at once.
// A trace without some records or contents is sound. Arrays of more than 512 MiB are not checked.
// The error begins with its subject: "its array element c[3] is not what was stored there last".
// Needs six times the memory of the largest array.
Status check_last_content(const Trace& trace);

}  // namespace tilereel
