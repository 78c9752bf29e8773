#pragma once
// A trace on its way from one process of Tilereel to another, in a memory file: the columns as they
// lie in memory, without checksums. A trace from anywhere else comes as a file (trace_file.h).
#include <cstdint>

#include "instrumentation/base/result.h"
#include "instrumentation/trace/trace.h"

namespace tilereel {

// Memory that processes share through its descriptor. The system frees it when the last process has
// closed it.
class MemoryFile {
  public:
    // kFailed where the system gives none.
    static Result<MemoryFile> make();
    MemoryFile(MemoryFile&& other) noexcept;
    MemoryFile& operator=(MemoryFile&&) = delete;
    ~MemoryFile();
    [[nodiscard]] int descriptor() const { return descriptor_; }

  private:
    explicit MemoryFile(int descriptor) : descriptor_(descriptor) {}
    int descriptor_;
};

// Writes the trace and frees each column that has been written.
Status hand_over(Trace trace, int descriptor);
// Reads what hand_over() has written, and frees it there. Checks that every column is whole, but
// not what it holds. kFailed: the other process has not finished, or the trace takes more than
// `memory_bytes`.
Result<Trace> take_over(int descriptor, std::uint64_t memory_bytes);

}  // namespace tilereel
