#pragma once
// Whether the values that a trace keeps agree with each other, and whether a trace that calls
// itself complete is: what check_trace() cannot tell, because it looks at one record at a time.
#include <cstdint>
#include <string>

#include "instrumentation/base/result.h"
#include "instrumentation/trace/trace.h"

namespace tilereel {

// Only products of float matrices by a kernel of the ladder are judged; of other programs nothing
// is counted and nothing is wrong.
//
// Records whose values do not follow from what the same threads did before. A value stored must be
// one that the thread has loaded, one of its sums, or 0; a sum must be the former sum plus the
// product of two values that the thread has loaded. What threads do in unknown order is not judged.
// A kernel may compute otherwise (C = alpha * A B): then its own recording has such records, too.
struct ValueCount {
    std::uint64_t explained = 0, unexplained = 0;
    std::string first;  // of the unexplained ones: "thread (0,1) of block 3 stores 7 on line 20"
};
[[nodiscard]] ValueCount count_values(const Trace& trace);

// What must hold whatever the kernel computes: every block of a complete trace is there, C holds
// what was stored last, an asynchronous copy stores what it loads. The error completes "it ...".
Status check_stores(const Trace& trace);

// check_stores(), and: no more values are unexplained than were when it was recorded
// (Trace::unexplained_values). Where nobody has counted then, few among many explained ones are
// taken for damage. Takes a small multiple of the time that reading the trace takes.
Status check_values(const Trace& trace);

}  // namespace tilereel
