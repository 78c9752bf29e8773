#include "instrumentation/cuda/runtime/launches/trace_arrays.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <set>

#include "instrumentation/cuda/runtime/program_state.h"
#include "instrumentation/cuda/struct_members.h"

namespace tilereel::runtime {
namespace {

// The trace keeps the content of an array of at most kKeptOfOne bytes, and kKeptOfAll bytes in all.
constexpr std::uint64_t kKeptOfOne = std::uint64_t{16} << 20;
constexpr std::uint64_t kKeptOfAll = std::uint64_t{96} << 20;

std::vector<std::byte> bytes_of(const MemoryArray& array) {
    const auto* begin = reinterpret_cast<const std::byte*>(array.base);
    return {begin, begin + array.bytes};
}

// "const float4* __restrict__" -> "float4"
std::string pointed_to(std::string_view type) {
    std::string name(type.substr(0, type.find('*')));
    for (const std::string_view word : {"const ", " const", "volatile ", "struct "})
        for (std::size_t at; (at = name.find(word)) != std::string::npos;)
            name.erase(at, word.size());
    while (!name.empty() && name.back() == ' ') name.pop_back();
    return name;
}

}  // namespace

TraceArrays::TraceArrays(std::uint64_t launch) : launch_(launch) {
    if (!options().contents) return;
    const OpenMemory open;
    std::uint64_t kept = 0;
    for (const MemoryArray* array : DeviceMemory::instance().all()) {
        if (array->bytes > kKeptOfOne || kept + array->bytes > kKeptOfAll) continue;
        kept += array->bytes;
        first_[array] = bytes_of(*array);
    }
}

ArrayId TraceArrays::number_of(MemoryArray& array, const Site& site) {
    if (array.launch != launch_) {
        array.launch = launch_;
        // Each CPU thread has its own copy of a shared array.
        for (std::size_t i = 0; i < entries_.size() && is_shared_memory(array.space); ++i) {
            const MemoryArray& known = *entries_[i].array;
            if (known.space != array.space || known.variable != array.variable) continue;
            array.number = static_cast<int>(i);
            return static_cast<ArrayId>(i);
        }
        array.number = static_cast<int>(entries_.size());
        entries_.push_back({.array = &array, .site = site});
    }
    return static_cast<ArrayId>(array.number);
}

void TraceArrays::name_by_parameter(MemoryArray& array, const Site& parameter) {
    parameters_.try_emplace(&array, parameter);
}

TraceArrays::PointedTo TraceArrays::array_of_parameter(const Site& site) const {
    if (site.name == nullptr) return {};
    for (const auto& [array, parameter] : parameters_)
        if (parameter.name != nullptr && std::strcmp(parameter.name, site.name) == 0 &&
            std::strcmp(parameter.function, site.function) == 0)
            return {array, parameter.scalar == Scalar::kOther ? 0 : parameter.align_bytes};
    return {};
}

Array TraceArrays::make(const Entry& entry) const {
    const MemoryArray& memory = *entry.array;
    const Variable* const variable = memory.variable;
    const Space space = memory.space;
    std::string name, type_name;
    ElementType type = ElementType::kBytes;
    const char* members = nullptr;
    std::uint32_t element = 1;
    Array::Shape shape;
    // A variable whose address host code asked for has no name before device code names it.
    if (variable != nullptr && variable->name != nullptr) {
        name = variable->name;
        type_name = variable->type;
        element = std::max(1u, variable->element_bytes);
        type = element_type_of(variable->scalar, variable->scalar_bytes, type_name);
        members = variable->members;
        for (std::uint32_t i = 0; i < variable->extent_count; ++i)
            if (variable->extents[i] != 0) shape.extents.push_back(variable->extents[i]);
    } else {
        const auto parameter = parameters_.find(&memory);
        const Site& site = parameter != parameters_.end() ? parameter->second : entry.site;
        name = site.name == nullptr ? "memory" : site.name;
        type =
            element_type_of(site.scalar, site.scalar_bytes, site.type == nullptr ? "" : site.type);
        if (parameter != parameters_.end()) {
            element = std::max(1u, site.align_bytes);
            type_name = pointed_to(site.type == nullptr ? "" : site.type);
            members = site.members;
            if (element < site.scalar_bytes || site.scalar == Scalar::kOther) {  // void*
                element = std::max(1u, entry.site.scalar_bytes);
                type = element_type_of(entry.site.scalar, entry.site.scalar_bytes,
                                       entry.site.type == nullptr ? "" : entry.site.type);
                type_name.clear();
                members = nullptr;
            }
        } else {
            element = std::max(1u, site.scalar_bytes);
        }
    }
    if (element % type_bytes(type) != 0) type = ElementType::kBytes;  // a packed structure
    const std::uint64_t bytes = std::max<std::uint64_t>(memory.bytes, element);
    std::uint64_t shaped = 1;
    for (const std::uint32_t extent : memory.extents) shaped *= extent;
    if (!memory.extents.empty() && shaped * element == memory.bytes) shape.extents = memory.extents;
    if (shape.extents.empty() || (variable != nullptr && variable->bytes == 0))
        shape.extents = {static_cast<std::uint32_t>((bytes + element - 1) / element)};
    if (space == Space::kSharedCluster) {
        name += kByRank;
        shape.extents.insert(shape.extents.begin(), memory.blocks);
    }
    Array array = Array::of(name, space, type, element, shape);
    array.type_name = type_name;
    if (members != nullptr) set_members(array, members);
    array.base_bytes = space == Space::kShared ? memory.place_bytes : 0;
    if (is_shared_memory(space)) return array;
    const auto first = first_.find(&memory);
    const std::vector<std::byte>& before =
        first != first_.end() ? first->second : memory.at_first_touch;
    if (options().contents && !before.empty()) {
        array.first_bytes = before;
        array.last_bytes = bytes_of(memory);
        array.first_bytes.resize(array.size_bytes());
        array.last_bytes.resize(array.size_bytes());
    }
    return array;
}

void TraceArrays::add_to(Trace& trace) {
    std::vector<ArrayId> order;
    for (std::size_t i = 0; i < entries_.size(); ++i) order.push_back(static_cast<ArrayId>(i));
    std::ranges::stable_sort(order, {}, [&](ArrayId i) {
        const MemoryArray& array = *entries_[i].array;
        return std::pair(array.space == Space::kShared,
                         array.space == Space::kShared ? array.place_bytes : 0);
    });
    std::set<std::string> names;
    std::map<std::string, int> numbers;  // the last one that was tried for a name
    for (const ArrayId i : order) {
        entries_[i].final_number = static_cast<ArrayId>(trace.arrays.size());
        Array array = make(entries_[i]);
        // Pointers in different functions can have the same name: numbers distinguish them.
        const std::string name = array.name;
        for (int& last = numbers.try_emplace(name, 1).first->second;
             !names.insert(array.name).second;)
            array.name = name + "_" + std::to_string(++last);
        trace.arrays.push_back(std::move(array));
    }
    for (tilereel::Site& site : trace.sites)
        if (site.array != kNoArray) site.array = entries_[site.array].final_number;
}

MemoryArray* TraceArrays::memory_of(ArrayId final_number) const {
    const auto found = std::ranges::find(entries_, final_number, &Entry::final_number);
    return found == entries_.end() ? nullptr : found->array;
}

ArrayId TraceArrays::final_number(const MemoryArray* array) const {
    for (const Entry& entry : entries_)
        if (entry.array == array) return entry.final_number;
    return kNoArray;
}

}  // namespace tilereel::runtime
