#pragma once
// The trace file: a strict subset of NPZ, which numpy.load opens.
#include <cstdint>
#include <filesystem>

#include "instrumentation/base/files/replacing_file.h"
#include "instrumentation/base/result.h"
#include "instrumentation/trace/trace.h"

namespace tilereel {

enum class Compression : std::uint8_t {
    kDeflate = 0,  // by all cores
    kNone = 1,     // for a file that is read once and deleted
};
// Writes a file of format 4. The file appears complete or not at all (ReplacingFile). Equal traces
// give equal bytes. A file that is kept (kDeflate) has a digest of its members.
Status write_trace(const Trace& trace, const std::filesystem::path& path,
                   Compression compression = Compression::kDeflate,
                   FileSync sync = FileSync::kSynced);

struct TraceReadLimits {
    std::uint64_t memory_bytes = std::uint64_t{4} << 30;  // larger traces are refused
};
// Checks every member name, dtype, size, CRC and index range before use. kFailed for a foreign,
// truncated or corrupt file. Values that are possible, but not those that were written, are no
// error: they set Trace::changed_file where the file has a digest.
Result<Trace> read_trace(const std::filesystem::path& path, const TraceReadLimits& limits = {});

struct Matrix {
    std::uint32_t rows = 0, columns = 0;
    std::vector<float> values;  // row-major
};
// Reads a user's matrix: .npy, version 1 to 3, little-endian float32 or float64, C order, 1 or 2
// dimensions (1 becomes one row). kWrongCall for anything else.
Result<Matrix> read_npy_matrix(const std::filesystem::path& path);

}  // namespace tilereel
