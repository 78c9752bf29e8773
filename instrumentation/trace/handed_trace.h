#pragma once
// Transfers a trace from one process of Tilereel to another in a memory file: the raw columns,
// without checksums. Traces from other sources are files (trace_file.h).
#include <cstdint>

#include "instrumentation/base/result.h"
#include "instrumentation/trace/trace.h"

namespace tilereel {

// Memory that processes share through its descriptor. The system frees it when the last process has
// closed it.
class MemoryFile {
  public:
    // kFailed if the system cannot create one.
    static Result<MemoryFile> make();
    MemoryFile(MemoryFile&& other) noexcept;
    MemoryFile& operator=(MemoryFile&&) = delete;
    ~MemoryFile();
    [[nodiscard]] int descriptor() const { return descriptor_; }

  private:
    explicit MemoryFile(int descriptor) : descriptor_(descriptor) {}
    int descriptor_;
};

// Writes the trace and frees each column after writing it.
Status hand_over(Trace trace, int descriptor);
// Reads the trace that hand_over() wrote, and frees the memory file's pages. Checks that every
// column is complete, but not its content. kFailed: the other process has not finished, or the
// trace exceeds `memory_bytes`.
Result<Trace> take_over(int descriptor, std::uint64_t memory_bytes);

}  // namespace tilereel
