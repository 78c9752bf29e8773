#include "instrumentation/cuda/runtime/barriers/bulk_checks.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "instrumentation/base/format/with_commas.h"
#include "instrumentation/cuda/runtime/barriers/barrier_place.h"
#include "instrumentation/cuda/runtime/block/async_copies.h"
#include "instrumentation/cuda/runtime/block/thread_findings.h"
#include "instrumentation/cuda/runtime/block/worker.h"
#include "instrumentation/cuda/runtime/outside_text.h"

namespace tilereel::runtime {
namespace {

// The farthest byte of the pieces that lies outside of the array, in words; empty: all lie inside.
// `address`: BoxPiece::from or BoxPiece::to.
std::string outside_of(const MemoryArray* array, const BoxCopy& copy,
                       std::uint64_t BoxPiece::*address) {
    if (array == nullptr) return "outside of all arrays";
    std::uint64_t before = 0, beyond = 0;
    for (const BoxBatch& batch : copy.batches)
        for (std::uint32_t i = 0; i < batch.count; ++i) {
            const std::uint64_t from = copy.pieces[batch.first + i].*address;
            if (batch.outside && address == &BoxPiece::from) continue;
            const std::uint64_t until = from + batch.width_bytes, end = array->base + array->bytes;
            if (from < array->base) before = std::max(before, array->base - from);
            if (until > end) beyond = std::max(beyond, until - end);
        }
    if (before == 0 && beyond == 0) return {};
    const std::uint64_t farthest =
        beyond > 0 ? array->base + array->bytes + beyond - 1 : array->base - before;
    return "up to " + distance_text(*array, farthest) + " the array, which has " +
           with_commas(array->bytes);
}

}  // namespace

void check_source(BoxCopy& copy, std::uint64_t first) {
    copy.from = DeviceMemory::instance().find(first);
    if (const std::string where = outside_of(copy.from, copy, &BoxPiece::from); !where.empty())
        end_at_call("copies bytes of global memory, " + where, cudaErrorIllegalAddress,
                    RecordedFindingKind::kOutOfBounds);
}

void check_target(BoxCopy& copy, RunningBlock& block, std::uint64_t to, std::uint32_t unit) {
    if (to % unit != 0)
        end_at_call("copies to an address in shared memory that is no multiple of " +
                        std::to_string(unit) + " bytes",
                    cudaErrorMisalignedAddress, RecordedFindingKind::kMisaligned);
    const Worker* const worker = Worker::current();
    if (worker == nullptr) return;
    copy.to = const_cast<MemoryArray*>(shared_array(static_cast<const Worker&>(block), to));
    if (const std::string where = outside_of(copy.to, copy, &BoxPiece::to); !where.empty())
        end_at_call("copies bytes of shared memory, " + where, cudaErrorIllegalAddress,
                    RecordedFindingKind::kOutOfBounds);
}

ElementOfCopy element_of(const TensorMap& map) {
    return {map.is_floating != 0 ? Scalar::kFloating : Scalar::kUnsigned, map.element_bytes,
            map.is_bfloat16 != 0 ? "__nv_bfloat16" : nullptr};
}

void set_sites(BoxCopy& copy, const Site& call, const ElementOfCopy& element, CopyKind kind) {
    for (BoxBatch& batch : copy.batches) {
        CopySites& sites = copy_sites(call, batch.width_bytes, kind != CopyKind::kStore,
                                      kind == CopyKind::kOfOtherBlock);
        for (Site* const site : {&sites.load, &sites.store}) {
            if (kind == CopyKind::kStore) site->callee = kBulkStore;
            site->scalar = element.scalar;
            site->scalar_bytes = element.bytes;
            site->type = element.name;
        }
        batch.load = &sites.load;
        batch.store = &sites.store;
    }
}

TensorMap tensor_map(const void* map_address, const int* coordinates, unsigned rank) {
    TensorMap map;
    std::memcpy(&map, map_address, sizeof map);
    if (map.magic != TensorMap::kMagic)
        end_at_call(
            "copies a box with a map that is not a tensor map: make one with "
            "cuTensorMapEncodeTiled");
    if (map.rank != rank)
        end_at_call("copies a box of " + std::to_string(rank) + " dimensions by a tensor map of " +
                    std::to_string(map.rank));
    // Measured on an H100: a box that does not begin at a multiple of 16 bytes is an illegal
    // instruction.
    constexpr int kBegin = 16;
    if (const int begin = coordinates[0] * map.element_bytes; begin % kBegin != 0)
        end_at_call("copies a box that begins at element " + std::to_string(coordinates[0]) +
                        " of a row, byte " + std::to_string(begin) +
                        ": a bulk copy begins at a multiple of 16 bytes",
                    cudaErrorIllegalInstruction, RecordedFindingKind::kMisaligned);
    return map;
}

void check_bulk(unsigned bytes, std::uint64_t address) {
    if (bytes % kBulkUnit != 0 || address % kBulkUnit != 0)
        end_at_call(
            "copies bytes in bulk, but their address or their number is not a multiple of 16",
            cudaErrorMisalignedAddress, RecordedFindingKind::kMisaligned);
}

}  // namespace tilereel::runtime
