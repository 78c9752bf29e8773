// The part of Worker that hooks call: accesses, values and calls that the fast path did not expect.
#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "instrumentation/cuda/runtime/block/thread_findings.h"
#include "instrumentation/cuda/runtime/block/worker.h"
#include "instrumentation/cuda/runtime/cluster/other_block.h"
#include "instrumentation/cuda/runtime/program_image.h"
#include "instrumentation/cuda/runtime/program_state.h"
#include "instrumentation/cuda/runtime/running_kernel.h"
#include "instrumentation/cuda/runtime/warp/site_pieces.h"

namespace tilereel::runtime {
namespace {

std::uint64_t address_of(const void* pointer) { return reinterpret_cast<std::uint64_t>(pointer); }

// The block in which a shared array of the cluster lies.
std::uint32_t rank_of(const MemoryArray& array) {
    return array.bytes == 0 ? 0 : array.place_bytes / static_cast<std::uint32_t>(array.bytes);
}

// Whether this process has memory at the address, whoever may access it.
bool is_mapped(std::uint64_t address) {
    constexpr std::uint64_t page = 4096;
    unsigned char is_resident;
    return mincore(reinterpret_cast<void*>(address / page * page), page, &is_resident) == 0;
}

}  // namespace

void Worker::declare_shared(void* address, Variable* variable) {
    const std::uint64_t base = address_of(address);
    for (const MemoryArray& array : shared_)
        if (array.base == base) return;
    MemoryArray array;
    array.base = base;
    array.bytes = variable->bytes;
    array.space = Space::kShared;
    array.variable = variable;
    std::uint32_t align = std::max(variable->align_bytes, 4u);
    if (is_dynamic_shared(*variable)) {
        array.bytes = job_.dynamic_shared_bytes;
        align = std::max(align, 16u);
    }
    array.place_bytes = (static_shared_bytes_ + align - 1) / align * align;
    static_shared_bytes_ = array.place_bytes + static_cast<std::uint32_t>(array.bytes);
    std::memset(address, 0xff, array.bytes);
    shared_.reserve(256);  // rows point at them
    if (shared_.size() < 256) shared_.push_back(array);
}

MemoryArray* Worker::find_array(std::uint64_t address, const Site* site) {
    for (MemoryArray& array : shared_)
        if (address - array.base < array.bytes) return &array;
    if (in_cluster.cluster != nullptr)
        if (MemoryArray* const array = find_in_cluster(address)) return array;
    DeviceMemory& memory = DeviceMemory::instance();
    if (MemoryArray* const array = memory.find(address)) return array;
    if (site->variable == nullptr || site->variable->address == nullptr) return nullptr;
    MemoryArray* const array = memory.variable(site->variable);
    return address - array->base < array->bytes ? array : nullptr;
}

// The shared array of another block of the cluster. Its places in the trace follow one another by
// rank.
MemoryArray* Worker::find_in_cluster(std::uint64_t address) {
    const OtherBlock other = other_block_of(address);
    if (!other.exists) return nullptr;
    const auto own = std::ranges::find_if(
        shared_, [&](const MemoryArray& array) { return other.here - array.base < array.bytes; });
    const auto [entry, fresh] = of_others_.try_emplace({own->base, other.rank}, *own);
    MemoryArray& array = entry->second;
    if (fresh) {
        array.base = in_cluster.cluster->translated(own->base, in_cluster.rank, other.rank);
        array.space = Space::kSharedCluster;
        array.blocks = in_cluster.cluster->size();
        array.place_bytes = other.rank * static_cast<std::uint32_t>(array.bytes);
        array.launch = 0;
        array.number = -1;
    }
    return &array;
}

// Why the running thread must not access this array of another block.
std::optional<Fault> Worker::fault_in_cluster(const MemoryArray& array) const {
    const RunningCluster& cluster = *in_cluster.cluster;
    if (cluster.has_ended(rank_of(array))) return Fault::kEndedBlock;
    if (cluster.may_not_have_begun(in_cluster.rank)) return Fault::kBlockNotBegun;
    return std::nullopt;
}

// The shared array that ends closest before the address; null if it ends too far away.
const MemoryArray* Worker::shared_before(std::uint64_t address) const {
    constexpr std::uint64_t kNear = 4096;
    const MemoryArray* best = nullptr;
    for (const MemoryArray& array : shared_)
        if (address > array.base && address - array.base - array.bytes < kNear &&
            (best == nullptr || array.base > best->base))
            best = &array;
    return best;
}

// A fault that ends the launch on a GPU ends it here after the block, so that the trace has all
// accesses of the block, or after many such faults, because the thread may wait for ever for what
// it does not get.
void* Worker::fault(Fault fault, const Site* site, const MemoryArray* array,
                    std::uint64_t address) {
    constexpr std::uint32_t kMostFatalFaults = 100'000;
    const Site* const call = site->in_library != 0 ? call_site() : nullptr;
    // A store follows, of the same word.
    const bool is_told = !is_rest_of_word(*site);
    const bool has_offset = array != nullptr || fault == Fault::kNullPointer;
    const std::uint64_t base = array == nullptr ? 0 : array->base;
    if (job_.on_fault && is_told)
        job_.on_fault({.fault = fault,
                       .site = site,
                       .block = block_,
                       .thread = thread_,
                       .array = array,
                       .offset_bytes = has_offset ? static_cast<std::int64_t>(address - base) : 0,
                       .address = address,
                       .call = call});
    if (const cudaError_t error = error_of(fault); error != cudaSuccess) {
        if (fatal_error_ == cudaSuccess) fatal_error_ = error;
        note_fatal_fault(call != nullptr ? call->line : site->line);
        if (++fatal_faults_ > kMostFatalFaults) end_launch(fatal_error_);
    }
    scratch_.assign(std::max<std::size_t>(site->width_bytes, 256) + 2 * kBeforeScratch, 0);
    return scratch_.data() + kBeforeScratch;
}

// Whether the access is beyond all shared memory of its block. An H200 gives a block shared memory
// in units of 128 bytes, and ends the launch at an access behind them (measured: 128, 1,000, 1,024,
// 2,000, 3,000 and 5,000 bytes).
bool Worker::is_beyond_shared_memory(const MemoryArray& array, std::uint64_t address) const {
    constexpr std::uint32_t kUnitBytes = 128;
    if (address < array.base) return false;
    const Kernel* const kernel = running_kernel();
    const std::uint32_t known =
        kernel == nullptr ? 0 : state_of_kernel(kernel->entry).static_shared_bytes;
    // static_shared_bytes_ is of the arrays that have been used so far, the dynamic one included.
    const std::uint32_t most =
        std::max(static_shared_bytes_, (known + 15) / 16 * 16 + job_.dynamic_shared_bytes);
    return array.place_bytes + (address - array.base) >=
           (most + kUnitBytes - 1) / kUnitBytes * kUnitBytes;
}

// The fault of an access that lies in no array, or beyond the end of `array`.
void* Worker::fault_outside(std::uint64_t address, const Site* site, const MemoryArray* array) {
    DeviceMemory& memory = DeviceMemory::instance();
    // The access was meant for the variable that the source names; for an access through a
    // pointer, the nearest array is assumed.
    const MemoryArray* beside = array;
    if (beside == nullptr && site->variable != nullptr)
        for (const MemoryArray& shared : shared_)
            if (shared.variable == site->variable) beside = &shared;
    if (beside == nullptr && site->variable != nullptr && site->variable->address != nullptr)
        beside = memory.variable(site->variable);
    const std::uint32_t unit = std::min(site->align_bytes, 16u);
    const std::uint64_t base = beside == nullptr ? 0 : beside->base;
    if (unit > 1 && (address - base) % unit != 0)
        return fault(Fault::kMisaligned, site, beside, address);
    if (beside == nullptr && is_null_pointer(address))
        return fault(Fault::kNullPointer, site, nullptr, address);
    if (beside == nullptr && memory.contains(address)) {
        if (const MemoryArray* const freed = memory.freed(address))
            return fault(Fault::kFreed, site, freed, address);
        beside = memory.nearest(address);
        if (beside == nullptr) return fault(Fault::kNoMemory, site, nullptr, address);
    }
    if (beside == nullptr) beside = memory.allocation_before(address);
    if (beside == nullptr) beside = shared_before(address);
    if (beside == nullptr)
        return fault(is_mapped(address) ? Fault::kHostMemory : Fault::kNoMemory, site, nullptr,
                     address);
    const bool is_far = beside->space == Space::kShared
                            ? is_beyond_shared_memory(*beside, address)
                            : is_device_only(*beside) && distance_to(*beside, address) > kFarBytes;
    return fault(is_far ? Fault::kFarOutOfBounds : Fault::kOutOfBounds, site, beside, address);
}

// An access of the thread's own stack. The plugin aligns local arrays as a GPU's compiler does.
void* Worker::access_local(void* pointer, const Site* site) {
    const std::uint32_t unit = std::min(site->align_bytes, 16u);
    const std::uint64_t address = address_of(pointer);
    if (const auto sums = pending_sums().at(address, site->width_bytes))
        warn_once(site,
                  std::string(site->kind == SiteKind::kLoad ? "reads" : "writes") +
                      " sums that wgmma on line " + std::to_string(sums->line) +
                      " still computes: no wgmma.wait_group of it comes before",
                  "On a GPU they have any value until then: wait for the group first.", site->line);
    if (unit <= 1 || address % unit == 0 || (!recorded_ && !checked_)) return pointer;
    reach(site);
    return fault(Fault::kMisaligned, site, nullptr, address);
}

void Worker::keep_old_bytes(std::uint64_t address, std::uint32_t bytes) {
    for (std::uint32_t at = 0; at < bytes; at += 16) {
        // In its place: a copy of the whole would wait for the few bytes that were just written.
        OldBytes& old = old_.emplace_back();
        old.address = address + at;
        old.bytes = std::min(bytes - at, 16u);
        std::memcpy(old.value, reinterpret_cast<const void*>(old.address), old.bytes);
    }
}

void* Worker::access(void* pointer, Site* site, const std::uint32_t* words, std::uint32_t count) {
    const std::uint64_t address = address_of(pointer);
    wide_ = {};
    if (!in_thread_) return pointer;
    if (time_is_up()) end_late_launch(site);
    if (owns_stack(address)) return access_local(pointer, site);
    reach(site);
    if (lockstep_) {
        positions_[thread_].go_to(site);
        stop(Wait::kAccess);
        reach(site);  // after those of other threads
    }
    const bool stores = site->kind != SiteKind::kLoad;
    if (!recorded_ && !checked_) return pointer;
    MemoryArray* const array = find_array(address, site);
    const std::uint32_t width = site->width_bytes;
    if (array == nullptr || address - array->base + width > array->bytes) {
        if (array == nullptr && is_constant_data(address)) return pointer;
        return fault_outside(address, site, array);
    }
    const std::uint32_t unit = std::min(site->align_bytes, 16u);
    if (unit > 1 && (address - array->base) % unit != 0)
        return fault(Fault::kMisaligned, site, array, address);
    if (array->space == Space::kSharedCluster) {
        if (const std::optional<Fault> found = fault_in_cluster(*array))
            return fault(*found, site, array, address);
        if (!other_blocks_access_)
            other_blocks_access_ = {
                .fault = Fault::kMayHaveEnded,
                .site = site,
                .block = block_,
                .thread = thread_,
                .array = array,
                .offset_bytes = static_cast<std::int64_t>(address - array->base)};
    }
    if (stores && array->space == Space::kConstant)
        return fault(Fault::kConstantStore, site, array, address);
    if (!recorded_ || is_full()) return pointer;
    if (stores && !lockstep_ && array->space != Space::kShared) keep_old_bytes(address, width);
    if (array->bytes >> 32 != 0) return pointer;  // offsets have 32 bits
    Row row;
    row.site = site;
    row.array = array;
    row.base = array->base;
    row.limit = static_cast<std::uint32_t>(array->bytes - width);
    row.misaligned = static_cast<std::uint8_t>(unit - 1);
    row.words = static_cast<std::uint16_t>(1 + count);
    std::array<std::uint32_t, 65> all{static_cast<std::uint32_t>(address - array->base)};
    for (std::uint32_t i = 0; i < count; ++i) all[i + 1] = words == nullptr ? 0 : words[i];
    row.accesses = pieces_of(*site);
    row.loads = !stores;
    // access() must run for each such store, because it calls keep_old_bytes().
    row.slow = stores && array->space != Space::kShared;
    rows_.add(row, all.data());
    if (__atomic_load_n(&array->first_site, __ATOMIC_RELAXED) == nullptr)
        __atomic_store_n(&array->first_site, site, __ATOMIC_RELAXED);
    return pointer;
}

void* Worker::atomic_or_wide(void* pointer, Site* site) {
    const std::uint32_t count = std::min((site->width_bytes + 3) / 4, 64u);
    void* const target = access(pointer, site, nullptr, count);
    if (recorded_ && in_thread_ && target == pointer && !owns_stack(address_of(pointer))) {
        wide_ = rows_.latest();
        wide_.first += wide_.stride;
        wide_words_ = count;
        wide_bytes_ = site->width_bytes;
    }
    return target;
}

void Worker::stored(const void* pointer) {
    if (wide_.first == nullptr) return;
    const auto* bytes = static_cast<const unsigned char*>(pointer);
    for (std::uint32_t i = 0; i < wide_words_; ++i) {
        std::uint32_t word = 0;
        std::memcpy(&word, bytes + 4 * i, std::min(wide_bytes_ - 4 * i, 4u));
        wide_.first[i * wide_.stride] = word;
    }
    wide_ = {};
}

void Worker::value(Site* site, const std::uint32_t* words, std::uint32_t count,
                   std::uint32_t offset) {
    if (in_thread_ && time_is_up()) end_late_launch(site);
    if (!in_thread_ || !recorded_) return;
    if ((running.skips_assignments && is_only_a_value(*site)) || is_full()) return;
    Row row;
    row.site = site;
    row.base = offset;
    row.words = static_cast<std::uint16_t>(count);
    rows_.add(row, words);
}

void Worker::enter(Site* site, bool leave) {
    if (!in_thread_) return;
    if (time_is_up()) end_late_launch(site);
    if (lockstep_) {
        ProgramPosition& position = positions_[thread_];
        if (leave)
            position.leave();
        else
            position.go_to(site);
    }
    if (!recorded_ || is_full()) return;
    Row row;
    row.site = site;
    row.base = leave;
    rows_.add(row, nullptr);
}

}  // namespace tilereel::runtime
