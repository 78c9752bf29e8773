#pragma once
// Writes trace files. A program that hands its trace over in memory
// (ProgramRequest::hands_trace_over) is linked without this file, libzip and zlib.
#include "instrumentation/base/result.h"
#include "instrumentation/trace/trace.h"

// write_trace() without compression. nullptr in a program that is linked without it. A weak
// reference alone does not make the linker take it from the library, so Toolchain::link_command()
// names it with `-u`.
extern "C" [[gnu::weak]] void tilereel_write_trace(const tilereel::Trace& trace, const char* path,
                                                   tilereel::Status& written);
