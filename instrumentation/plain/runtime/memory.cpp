#include "instrumentation/plain/runtime/memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>

namespace tilereel::plain {
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

bool is_device_only(const MemoryArray& array) { return array.space == ArraySpace::kGlobal; }

std::uint64_t held_bytes(const MemoryArray& array) {
    return round_up(std::max<std::uint64_t>(array.bytes, 1), kPage);
}

}  // namespace

DeviceMemory& DeviceMemory::instance() {
    static auto* const memory = new DeviceMemory;  // outlives the program's own destructors
    return *memory;
}

DeviceMemory::DeviceMemory() {
    void* const found = mmap(reinterpret_cast<void*>(kPreferredBase), kReserved, PROT_NONE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (found == MAP_FAILED) return;
    begin_ = reinterpret_cast<std::uint64_t>(found);
    next_ = begin_ + kLargestGap;  // there is a gap before the first allocation, too
    end_ = begin_ + kReserved;
}

MemoryArray* DeviceMemory::allocate(std::uint64_t bytes, ArraySpace space,
                                    std::uint64_t capacity_bytes) {
    if (bytes > capacity_bytes || used_bytes_ + bytes > capacity_bytes) return nullptr;
    auto array = std::make_unique<MemoryArray>();
    array->bytes = bytes;
    array->space = space;
    const std::uint64_t held = held_bytes(*array);
    if (space == ArraySpace::kGlobal) {
        const std::uint64_t gap = std::clamp(round_up(held, kPage), kPage, kLargestGap);
        if (next_ + held + gap > end_) return nullptr;
        array->base = next_;
        next_ += held + gap;
        if (opened_ > 0)
            mprotect(reinterpret_cast<void*>(array->base), held, PROT_READ | PROT_WRITE);
    } else {
        void* const memory = mmap(nullptr, held + kPage, PROT_READ | PROT_WRITE,
                                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (memory == MAP_FAILED) return nullptr;
        array->base = reinterpret_cast<std::uint64_t>(memory);
    }
    used_bytes_ += bytes;
    const std::uint64_t base = array->base;
    return (arrays_[base] = std::move(array)).get();
}

bool DeviceMemory::release(void* address) {
    const auto found = arrays_.find(reinterpret_cast<std::uint64_t>(address));
    if (found == arrays_.end() || found->second->variable != nullptr) return false;
    MemoryArray& array = *found->second;
    used_bytes_ -= array.bytes;
    const std::uint64_t held = held_bytes(array);
    // Memory that a kernel frees is still in the trace of the launch.
    const bool kept = is_device_only(array) || array.space == ArraySpace::kDeviceHeap;
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
    if (!array) {
        array = std::make_unique<MemoryArray>();
        array->base = base;
        array->bytes = variable->bytes;
        array->space = variable->space == VariableSpace::kConstant ? ArraySpace::kConstant
                                                                   : ArraySpace::kGlobal;
        array->variable = variable;
        if (variable->bytes <= kLargestKeptVariable) {
            const auto* const begin = reinterpret_cast<const std::byte*>(base);
            array->at_first_touch.assign(begin, begin + variable->bytes);
        }
    }
    return array.get();
}

void DeviceMemory::add_symbol(const void* address, std::uint64_t bytes) {
    const auto base = reinterpret_cast<std::uint64_t>(address);
    std::unique_ptr<MemoryArray>& array = arrays_[base];
    if (array) return;
    static const Variable unnamed{};
    array = std::make_unique<MemoryArray>();
    array->base = base;
    array->bytes = bytes;
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

// The gaps stay inaccessible, unless there are so many allocations that single calls of mprotect()
// would take long.
void DeviceMemory::open() {
    constexpr std::size_t kMany = 512;
    if (opened_++ != 0 || next_ == begin_) return;
    if (arrays_.size() > kMany) {
        mprotect(reinterpret_cast<void*>(begin_), next_ - begin_, PROT_READ | PROT_WRITE);
        return;
    }
    for (const auto& [base, array] : arrays_)
        if (is_device_only(*array) && array->variable == nullptr)
            mprotect(reinterpret_cast<void*>(base), held_bytes(*array), PROT_READ | PROT_WRITE);
}

void DeviceMemory::close() {
    if (--opened_ == 0 && next_ != begin_)
        mprotect(reinterpret_cast<void*>(begin_), next_ - begin_, PROT_NONE);
}

}  // namespace tilereel::plain
