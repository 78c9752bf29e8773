#pragma once
// Whether a trace keeps every promise that trace.h makes, so that whoever reads it need not look.
#include "instrumentation/base/result.h"
#include "instrumentation/trace/trace.h"

namespace tilereel {

// The error completes "it ...": "it has a record of a site that does not exist".
Status check_trace(const Trace& trace);

// The two halves: everything but the bulk, then segments and records (which needs the first).
Status check_tables(const Trace& trace);
Status check_records(const Trace& trace);

}  // namespace tilereel
