#pragma once
// Trace files. A program that hands its trace over in memory is linked without this, libzip and
// zlib: ProgramRequest::hands_trace_over.
#include "instrumentation/base/result.h"
#include "instrumentation/trace/trace.h"

// write_trace() without compression. nullptr: not linked. The linker takes it where it is asked for
// it by this name (compile.cpp).
extern "C" [[gnu::weak]] void tilereel_write_trace(const tilereel::Trace& trace, const char* path,
                                                   tilereel::Status& written);
