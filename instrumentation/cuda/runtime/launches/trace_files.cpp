#include "instrumentation/cuda/runtime/launches/trace_files.h"

#include "instrumentation/trace/file/trace_file.h"

void tilereel_write_trace(const tilereel::Trace& trace, const char* path,
                          tilereel::Status& written) {
    written = tilereel::write_trace(trace, path, tilereel::Compression::kNone,
                                    tilereel::FileSync::kUnsynced);
}
