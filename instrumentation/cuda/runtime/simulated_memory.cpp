#include "instrumentation/cuda/runtime/simulated_memory.h"

#include <sys/mman.h>
#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdlib>

#include "instrumentation/base/reserve_column.h"
#include "instrumentation/cuda/runtime/program_state.h"

namespace tilereel::runtime {
namespace {

constexpr std::uint64_t kPage = 4096;
constexpr std::uint64_t kReserved = std::uint64_t{96} << 30;
// The same address in each run, so that a program that prints pointers prints the same.
constexpr std::uint64_t kPreferredBase = 0x200000000000;
// The content of larger variables is not kept.
constexpr std::uint64_t kLargestKeptVariable = std::uint64_t{16} << 20;
// The gap after an allocation is as long as the allocation, up to this limit, so that an access a
// little beyond its end hits no other allocation.
constexpr std::uint64_t kLargestGap = std::uint64_t{1} << 20;

std::uint64_t round_up(std::uint64_t value, std::uint64_t unit) {
    return (value + unit - 1) / unit * unit;
}

const Variable unnamed{};  // of a variable whose address host code requests

// What may be reserved, so that the limit of the address space leaves room for the program.
std::uint64_t reservable_bytes() {
    rlimit limit{};
    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return kReserved;
    constexpr std::uint64_t kRest = std::uint64_t{40} << 30;
    const std::uint64_t most = limit.rlim_cur - std::min<std::uint64_t>(limit.rlim_cur / 2, kRest);
    return std::min(kReserved, most / kPage * kPage);
}

bool is_mapped(std::uint64_t base, std::uint64_t bytes) {
    constexpr std::uint64_t kPagesAtOnce = 4096;
    unsigned char resident[kPagesAtOnce];
    for (std::uint64_t at = base; at < base + bytes; at += kPagesAtOnce * kPage)
        if (mincore(reinterpret_cast<void*>(at), std::min(base + bytes - at, kPagesAtOnce * kPage),
                    resident) != 0 &&
            errno == ENOMEM)
            return false;
    return true;
}

void make_accessible(std::uint64_t base, std::uint64_t bytes, int how = PROT_READ | PROT_WRITE) {
    if (mprotect(reinterpret_cast<void*>(base), bytes, how) == 0) return;
    if (errno == ENOMEM && !is_mapped(base, bytes))
        fail_recorder(
            "the program has removed memory of the GPU with munmap(); give it back with cudaFree() "
            "alone");
    fail_recorder("the system gives the GPU's memory no pages; close some programs");
}

// Whether it is known what the program writes: a fault must say whether it was a store.
bool can_note_writes() {
#if defined(__x86_64__)
    return options().pipe >= 0 && options().memory_file < 0;
#else
    return false;
#endif
}

std::uint64_t held_bytes(const MemoryArray& array) {
    return round_up(std::max<std::uint64_t>(array.bytes, 1), kPage);
}

}  // namespace

DeviceMemory& DeviceMemory::instance() {
    static auto* const memory = new DeviceMemory;  // outlives the program's own destructors
    return *memory;
}

DeviceMemory::DeviceMemory() : notes_writes_(can_note_writes()) {
    constexpr std::uint64_t kLeast = std::uint64_t{16} << 20;
    void* found = MAP_FAILED;
    std::uint64_t bytes = reservable_bytes();
    for (; found == MAP_FAILED && bytes >= kLeast; bytes /= 2) {
        reserved_ = bytes / kPage * kPage;
        found = mmap(reinterpret_cast<void*>(kPreferredBase), reserved_, PROT_NONE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    }
    if (found == MAP_FAILED)
        fail_recorder(
            "the limit of the address space (ulimit -v) leaves no room for the GPU's "
            "memory; raise it");
    begin_ = reinterpret_cast<std::uint64_t>(found);
    next_ = begin_ + kLargestGap;  // there is a gap before the first allocation, too
    end_ = begin_ + reserved_;
}

MemoryArray* DeviceMemory::allocate(std::uint64_t bytes, Allocation allocation,
                                    std::uint64_t capacity_bytes) {
    if (bytes > capacity_bytes || used_bytes_ + bytes > capacity_bytes) return nullptr;
    auto array = std::make_unique<MemoryArray>();
    array->bytes = bytes;
    array->allocation = allocation;
    // Host code writes other memory without telling.
    if (!is_device_only(*array) || !notes_writes_) array->written.note_all();
    const std::uint64_t held = held_bytes(*array);
    if (is_device_only(*array)) {
        const std::uint64_t gap = std::clamp(round_up(held, kPage), kPage, kLargestGap);
        if (next_ + held + gap > end_) return no_room();
        array->base = next_;
        next_ += held + gap;
        const bool read_only =
            is_kept_open_ && opened_ == 1 && notes_writes_ && !array->written.all();
        if (opened_ > 0)
            make_accessible(array->base, held, read_only ? PROT_READ : PROT_READ | PROT_WRITE);
        if (read_only) read_only_.push_back(array.get());  // addresses only grow
    } else {
        void* const memory = mmap(nullptr, held + kPage, PROT_READ | PROT_WRITE,
                                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (memory == MAP_FAILED) return no_room();
        array->base = reinterpret_cast<std::uint64_t>(memory);
    }
    used_bytes_ += bytes;
    const std::uint64_t base = array->base;
    return (arrays_[base] = std::move(array)).get();
}

// The GPU has the memory, but it may be that the limit of the address space does not allow it.
MemoryArray* DeviceMemory::no_room() const {
    if (reserved_ < kReserved)
        fail_recorder(
            "the limit of the address space (ulimit -v) is too small for what the program "
            "allocates; raise it");
    return nullptr;
}

bool DeviceMemory::release(void* address) {
    const auto found = arrays_.find(reinterpret_cast<std::uint64_t>(address));
    if (found == arrays_.end() || found->second->variable != nullptr) return false;
    MemoryArray& array = *found->second;
    used_bytes_ -= array.bytes;
    const std::uint64_t held = held_bytes(array);
    // Memory that a kernel frees is still in the trace of the launch.
    const bool kept = is_device_only(array) || array.allocation == Allocation::kDeviceHeap;
    if (is_device_only(array))
        madvise(reinterpret_cast<void*>(array.base), held, MADV_DONTNEED);
    else if (!kept)
        munmap(reinterpret_cast<void*>(array.base), held + kPage);
    array.freed = true;
    if (kept) freed_.push_back(std::move(found->second));
    arrays_.erase(found);
    return true;
}

MemoryArray* DeviceMemory::find(std::uint64_t address) {
    auto after = arrays_.upper_bound(address);
    if (after == arrays_.begin()) return nullptr;
    MemoryArray& array = *std::prev(after)->second;
    return address - array.base < array.bytes ? &array : nullptr;
}

MemoryArray* DeviceMemory::nearest(std::uint64_t address) {
    auto after = arrays_.upper_bound(address);
    MemoryArray* best = nullptr;
    std::uint64_t distance = std::uint64_t{1} << 32;
    if (after != arrays_.end() && after->first - address < distance) {
        best = after->second.get();
        distance = after->first - address;
    }
    if (after != arrays_.begin()) {
        MemoryArray& before = *std::prev(after)->second;
        if (address - (before.base + before.bytes) < distance) best = &before;
    }
    return best;
}

const MemoryArray* DeviceMemory::allocation_before(std::uint64_t address) const {
    constexpr std::uint64_t kNear = 2 * kPage;
    const auto after = arrays_.upper_bound(address);
    if (after == arrays_.begin()) return nullptr;
    const MemoryArray& before = *std::prev(after)->second;
    const bool is_near = before.variable == nullptr && distance_to(before, address) < kNear;
    return is_near ? &before : nullptr;
}

MemoryArray* DeviceMemory::variable(const Variable* variable) {
    const auto base = reinterpret_cast<std::uint64_t>(variable->address);
    std::unique_ptr<MemoryArray>& array = arrays_[base];
    // add_symbol() has added it without its name, if host code asked for its address before.
    if (array && array->variable != &unnamed) return array.get();
    if (!array) array = std::make_unique<MemoryArray>();
    array->base = base;
    array->bytes = variable->bytes;
    array->space = variable->space;
    array->variable = variable;
    array->written.note_all();
    if (variable->bytes <= kLargestKeptVariable) {
        const auto* const begin = reinterpret_cast<const std::byte*>(base);
        array->at_first_touch.assign(begin, begin + variable->bytes);
    }
    return array.get();
}

void DeviceMemory::add_symbol(const void* address, std::uint64_t bytes) {
    const auto base = reinterpret_cast<std::uint64_t>(address);
    std::unique_ptr<MemoryArray>& array = arrays_[base];
    if (array) return;
    array = std::make_unique<MemoryArray>();
    array->base = base;
    array->bytes = bytes;
    array->written.note_all();
    array->variable = &unnamed;
}

const MemoryArray* DeviceMemory::freed(std::uint64_t address) const {
    for (const std::unique_ptr<MemoryArray>& array : freed_)
        if (address - array->base < array->bytes) return array.get();
    return nullptr;
}

bool DeviceMemory::contains(std::uint64_t address) const {
    return address - begin_ < end_ - begin_;
}

std::vector<const MemoryArray*> DeviceMemory::live() const {
    std::vector<const MemoryArray*> result;
    for (const auto& [base, array] : arrays_)
        if (array->variable == nullptr) result.push_back(array.get());
    return result;
}

std::vector<const MemoryArray*> DeviceMemory::all() const {
    std::vector<const MemoryArray*> result;
    for (const auto& [base, array] : arrays_) result.push_back(array.get());
    return result;
}

void DeviceMemory::open(MemoryUse use) {
    if (opened_++ != (is_kept_open_ ? 1 : 0)) return;
    settle_stores();
    make_all_accessible(use);
}

void DeviceMemory::keep_open() {
    if (is_kept_open_) return;
    open(MemoryUse::kKernel);
    is_kept_open_ = true;
}

void DeviceMemory::make_all_accessible(MemoryUse use) {
    constexpr std::size_t kMany = 512;
    if (next_ == begin_) return;
    // A program with a signal handler of its own would see the faults.
    if (notes_writes_ && !arrays_.empty() && !catches_faults())
        give_up_noting_writes("because the program handles or blocks SIGSEGV itself",
                              "Run it without its signal handler to have them looked for.");
    const bool notices_stores = notes_writes_ && use == MemoryUse::kKernel;
    if (arrays_.size() > kMany) return open_many(notices_stores);
    for (const auto& [base, array] : arrays_) {
        if (!is_device_only(*array) || array->variable != nullptr) continue;
        const bool read_only = notices_stores && !array->written.all();
        make_accessible(base, held_bytes(*array), read_only ? PROT_READ : PROT_READ | PROT_WRITE);
        if (read_only) read_only_.push_back(array.get());
    }
}

// A call of mprotect() for each allocation would take long. So the gaps are accessible, too, as the
// allocation before them is: one call for neighbours that are alike.
void DeviceMemory::open_many(bool notices_stores) {
    constexpr std::size_t kMostRuns = 4096;
    make_accessible(begin_, next_ - begin_);
    if (!notices_stores) return;
    struct Run {
        std::uint64_t begin, end;
    };
    std::vector<Run> runs;
    bool goes_on = false;  // the last allocation is read-only
    for (const auto& [base, array] : arrays_) {
        if (!is_device_only(*array) || array->variable != nullptr) continue;
        const bool read_only = !array->written.all();
        if (read_only && !goes_on) runs.push_back({base, base});
        if (read_only) {
            runs.back().end = base + held_bytes(*array);
            read_only_.push_back(array.get());
        }
        goes_on = read_only;
    }
    if (runs.size() > kMostRuns) {
        read_only_.clear();
        return give_up_noting_writes("because the program has too many allocations",
                                     "Use fewer and larger ones to have them looked for.");
    }
    for (const Run& run : runs) make_accessible(run.begin, run.end - run.begin, PROT_READ);
}

void DeviceMemory::close() {
    if (--opened_ != (is_kept_open_ ? 1 : 0)) return;
    settle_stores();
    if (is_kept_open_)
        make_all_accessible(MemoryUse::kKernel);
    else if (next_ != begin_)
        mprotect(reinterpret_cast<void*>(begin_), next_ - begin_, PROT_NONE);
}

// An array that was stored to in a way that is not recorded counts as written.
void DeviceMemory::settle_stores() {
    for (MemoryArray* const array : read_only_) {
        if (array->is_stored_to) array->written.note_all();
        array->is_stored_to = false;
    }
    read_only_.clear();
    has_unrecorded_stores_ = false;
}

void DeviceMemory::note_written(std::uint64_t address, std::uint64_t bytes) {
    MemoryArray* const array = find(address);
    if (array == nullptr) return;
    const std::uint64_t begin = address - array->base, end = begin + bytes;
    if (begin != 0 || end < array->bytes) return array->written.note(begin, end);
    array->written.note_all();
    // The page faults of a large copy would cost more than the copy. Only for what is written
    // completely: elsewhere huge pages could hold more memory than the program touches.
    advise_pages(reinterpret_cast<const void*>(array->base), array->bytes, std::uintptr_t{2} << 20,
                 MADV_HUGEPAGE);
}

// Other threads may do the same at the same time.
bool DeviceMemory::note_store(std::uint64_t address) {
    const auto after = std::ranges::upper_bound(read_only_, address, {}, &MemoryArray::base);
    if (after == read_only_.begin()) return false;
    MemoryArray& array = **std::prev(after);
    if (address - array.base >= held_bytes(array)) return false;
    std::atomic_ref(array.is_stored_to).store(true);
    return mprotect(reinterpret_cast<void*>(array.base), held_bytes(array),
                    PROT_READ | PROT_WRITE) == 0;
}

void DeviceMemory::stop_noting_writes() {
    notes_writes_ = false;
    for (const auto& [base, array] : arrays_) array->written.note_all();
}

void DeviceMemory::give_up_noting_writes(const std::string& why, const std::string& advice) {
    send_finding(RecordedFindingKind::kOther,
                 "Reads of device memory that nothing has written are not looked for, " + why + ".",
                 advice, "", 0, 0, false);
    stop_noting_writes();
}

}  // namespace tilereel::runtime
