#pragma once
// The trace file: a strict subset of NPZ, so that numpy.load opens it.
#include <cstdint>
#include <filesystem>

#include "instrumentation/base/result.h"
#include "instrumentation/trace/trace.h"

namespace tilereel {

enum class Compression : std::uint8_t {
    kDeflate = 0,  // by all cores
    kNone = 1,     // for a file that is read once and deleted
};
// Writes to a temporary file beside `path`, syncs and renames: on any failure nothing is left
// there. Format 3; the same trace gives the same bytes.
Status write_trace(const Trace& trace, const std::filesystem::path& path,
                   Compression compression = Compression::kDeflate);

struct TraceReadLimits {
    std::uint64_t memory_bytes = std::uint64_t{4} << 30;  // refused beyond, before allocating
};
// Every member name, dtype, size, CRC and index range is checked before use; a foreign, truncated
// or corrupt file is one sentence (kFailed).
Result<Trace> read_trace(const std::filesystem::path& path, const TraceReadLimits& limits = {});

struct Matrix {
    std::uint32_t rows = 0, columns = 0;
    std::vector<float> values;  // row-major
};
// A user's matrix: .npy, version 1-3, float32 or float64 little-endian, C order, 1 or 2 dimensions
// (1 becomes one row). Anything else is a sentence (kWrongCall).
Result<Matrix> read_npy_matrix(const std::filesystem::path& path);

}  // namespace tilereel
