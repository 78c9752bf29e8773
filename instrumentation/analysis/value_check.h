#pragma once
// Checks that the values in a trace agree with each other, and that a trace marked as complete is
// complete. check_trace() cannot tell this, because it looks at one record at a time.
#include <cstdint>
#include <string>

#include "instrumentation/base/result.h"
#include "instrumentation/trace/trace.h"

namespace tilereel {

// All functions here judge only products of float matrices by a kernel of the ladder. For other
// programs the counts are 0 and the checks succeed.
//
// Counts records. A record is unexplained if its values do not follow from what the same threads
// did before. A value stored must be one that the thread has loaded, one of its sums, or 0. A sum
// must be the former sum plus the product of two values that the thread has loaded. What threads do
// in unknown order is not judged. If a kernel computes otherwise (C = alpha * A B), a correct
// recording of it has unexplained records, too.
struct ValueCount {
    std::uint64_t explained = 0, unexplained = 0;
    std::string first;  // of the unexplained ones: "thread (0,1) of block 3 stores 7 on line 20"
};
[[nodiscard]] ValueCount count_values(const Trace& trace);

// What must hold whatever the kernel computes: every block of a complete trace is there, C holds
// what was stored last, an asynchronous copy stores what it loads. The error completes "it ...".
Status check_stores(const Trace& trace);

// check_stores(), and: exactly as many values are unexplained as when the trace was recorded
// (Trace::unexplained_values). If they were not counted then, a few unexplained values among many
// explained ones of a site are taken for damage. Takes a small multiple of the time that reading
// the trace takes.
Status check_values(const Trace& trace);

}  // namespace tilereel
