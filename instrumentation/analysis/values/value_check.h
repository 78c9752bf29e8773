#pragma once
// Checks that the values in a trace agree with each other, and that a trace marked as complete is
// complete. check_trace() cannot tell this, because it looks at one record at a time.
#include <cstdint>
#include <string>

#include "instrumentation/base/result.h"
#include "instrumentation/trace/trace.h"

namespace tilereel {

// All functions here check only products of float matrices by a ladder kernel. For other programs
// the counts are 0 and the checks succeed.
//
// Counts records. A record is unexplained if its values do not follow from earlier operations of
// the same threads: a stored value must be 0, one of the thread's loaded values or one of its sums,
// and a sum must be the previous sum plus the product of two loaded values. Operations in unknown
// order are not checked. A correct recording of a kernel that computes differently (C = alpha * A
// B) also has unexplained records.
struct ValueCount {
    std::uint64_t explained = 0, unexplained = 0;
    std::string first;  // of the unexplained ones: "thread (0,1) of block 3 stores 7 on line 20"
};
[[nodiscard]] ValueCount count_values(const Trace& trace);

// Checks what holds for any kernel: a complete trace has every block, C contains the values that
// were stored last, an asynchronous copy stores what it loads. The error begins with its subject:
// "its C[0][1] is 3, which is not what was stored there last".
Status check_stores(const Trace& trace);

// check_stores(), and checks that the number of unexplained values equals that at the time of
// recording (Trace::unexplained_values). If that is unknown, a few unexplained values among many
// explained ones of a site count as damage. Takes a small multiple of the time to read the trace.
Status check_values(const Trace& trace);

}  // namespace tilereel
