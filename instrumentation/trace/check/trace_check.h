#pragma once
// Checks that a trace conforms to trace.h, so that code that reads a trace need not check it again.
#include "instrumentation/base/result.h"
#include "instrumentation/trace/trace.h"

namespace tilereel {

// The error completes "it ...": "it has a record of a site that does not exist".
Status check_trace(const Trace& trace);
// Shortens the names that check_trace() refuses for their length: the name of a kernel with many
// template arguments, or the path of a file in many folders, whose end is kept.
void shorten_names(Trace& trace);

// The two halves of check_trace(). check_records() checks segments and records, check_tables()
// everything else. Call check_records() only after check_tables() has succeeded.
Status check_tables(const Trace& trace);
Status check_records(const Trace& trace);

}  // namespace tilereel
