#pragma once
// What the record of a warpgroup's product reads of shared memory (warpgroup_reads.h).
#include <cstdint>
#include <vector>

#include "instrumentation/trace/fragments/warpgroup_reads.h"
#include "instrumentation/trace/trace.h"

namespace tilereel {

inline constexpr std::uint32_t kWarpsOfGroup = 4;  // of a warpgroup

[[nodiscard]] inline bool is_warpgroup_product(const Trace& trace, std::uint64_t record) {
    return site_at(trace, record).operation == Operation::kMatrixProduct &&
           WarpgroupProduct::is_code(trace.records.base[record]);
}
// Byte offsets in the block's shared memory of the pieces of 16 bytes, as far as they lie in its
// arrays. `value`: index of the record's values in Trace::words. Empty without values.
[[nodiscard]] std::vector<std::uint32_t> product_reads(const Trace& trace, std::uint64_t record,
                                                       std::uint64_t value, std::uint32_t warp);
// The shared array at a byte offset in the block's shared memory; kNoArray: there is none.
[[nodiscard]] ArrayId array_at(const Trace& trace, std::uint32_t offset_bytes);

}  // namespace tilereel
