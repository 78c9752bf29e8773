#include "app/ladder/ladder_memory.h"

#include <algorithm>

#include "app/ladder/ladder_trace.h"
#include "kernels/ladder_file.h"

namespace tilereel {
namespace {

// A local variable's symbol ends with its name and the name's length: "..._E2As".
bool is_symbol_of(std::string_view symbol, std::string_view name) {
    return symbol.ends_with("E" + std::to_string(name.size()) + std::string(name));
}

// Dynamic shared memory as one array, for a kernel whose layout of it is not known.
Array dynamic_shared_array(const RequestedLaunch& requested, const Launch& launch,
                           const std::string& symbol, std::uint64_t begin) {
    const std::string name = gpu::kernel_name(symbol);
    const std::size_t colons = name.rfind("::");
    const std::string own = colons == std::string::npos ? name : name.substr(colons + 2);
    const auto floats =
        static_cast<std::uint32_t>(requested.shape.dynamic_shared_bytes / sizeof(float));
    return declared_array(requested, launch, {.name = own, .extents = {floats}},
                          static_cast<std::uint32_t>(begin));
}

}  // namespace

LadderMemory::LadderMemory(const Launch& launch, const RequestedLaunch& requested,
                           const gpu::GpuFacts& facts, const std::vector<std::uint64_t>& places,
                           LadderMatrices matrices)
    : matrices_(std::move(matrices)), arrays_(ladder_matrices(launch, requested.kernel->inputs)) {
    add_matrices();
    add_shared(launch, requested, facts, places);
}

void LadderMemory::add_matrices() {
    ArrayId number = 0;
    for (const LadderMatrices::Matrix& matrix : {matrices_.a, matrices_.b, matrices_.c}) {
        const auto begin = reinterpret_cast<std::uint64_t>(matrix.on_gpu);
        const std::uint64_t bytes = matrix.values.size();
        global_.push_back(
            {.number = number, .begin = begin, .end = begin + bytes, .origin = begin});
        set_leading_dimension(bytes, matrix.values, arrays_[number]);
        ++number;
    }
}

void LadderMemory::add_shared(const Launch& launch, const RequestedLaunch& requested,
                              const gpu::GpuFacts& facts,
                              const std::vector<std::uint64_t>& places) {
    const std::vector<DeclaredArray> declared =
        requested.kernel->file->shared_arrays(launch.tile, launch.pad);
    const std::vector<Array> dynamic = dynamic_shared_arrays(launch, requested);
    std::vector<std::pair<Array, std::uint64_t>> found;  // with its origin
    for (std::size_t i = 0; i < std::min(places.size(), facts.variables.size()); ++i) {
        if (places[i] == 0) continue;
        const gpu::PtxVariable& variable = facts.variables[i];
        const std::uint64_t begin = places[i] - 1;
        if (!variable.is_shared) {  // the ladder does not show constant memory
            global_.push_back({.number = 0,
                               .begin = begin,
                               .end = begin + variable.bytes,
                               .origin = begin,
                               .is_left_out = true});
            continue;
        }
        if (variable.bytes == 0) {
            for (const Array& array : dynamic) found.emplace_back(array, begin);
            if (dynamic.empty())
                found.emplace_back(dynamic_shared_array(requested, launch, variable.symbol, begin),
                                   0);
            continue;
        }
        for (const DeclaredArray& each : declared)
            if (is_symbol_of(variable.symbol, each.name))
                found.emplace_back(
                    declared_array(requested, launch, each, static_cast<std::uint32_t>(begin)), 0);
    }
    std::ranges::stable_sort(found, {},
                             [](const auto& each) { return each.second + each.first.base_bytes; });
    for (const auto& [array, origin] : found) {
        const std::uint64_t begin = origin + array.base_bytes;
        shared_.push_back({.number = static_cast<ArrayId>(arrays_.size()),
                           .begin = begin,
                           .end = begin + array.size_bytes(),
                           .origin = origin});
        arrays_.push_back(array);
    }
}

const gpu::GpuMemory::Place* LadderMemory::find(bool shared, std::uint64_t address) const {
    for (const Place& place : shared ? shared_ : global_)
        if (place.begin <= address && address < place.end) return &place;
    return nullptr;
}

const std::byte* LadderMemory::content(std::uint64_t address, std::uint32_t bytes) const {
    const Place* const place = find(false, address);
    if (place == nullptr || place->is_left_out || address + bytes > place->end) return nullptr;
    const LadderMatrices::Matrix& matrix = place->number == 0   ? matrices_.a
                                           : place->number == 1 ? matrices_.b
                                                                : matrices_.c;
    return matrix.values.data() + (address - place->begin);
}

const std::byte* LadderMemory::last_content(std::uint64_t address, std::uint32_t bytes) const {
    const Place* const place = find(false, address);
    const std::span<const std::byte> after = std::as_bytes(matrices_.c_after);
    if (place == nullptr || place->is_left_out || place->number != 2) return nullptr;
    const std::uint64_t at = address - place->begin;
    return at + bytes > after.size() ? nullptr : after.data() + at;
}

const runtime::TensorMap* LadderMemory::map(std::uint64_t hash) const {
    const auto found = std::ranges::find(matrices_.maps, hash,
                                         &std::pair<std::uint64_t, runtime::TensorMap>::first);
    return found == matrices_.maps.end() ? nullptr : &found->second;
}

runtime::TensorMap tensor_map_of(const BoxedMatrix& matrix) {
    runtime::TensorMap map;
    map.first = reinterpret_cast<std::uint64_t>(matrix.first);
    map.rank = 2;
    map.element_bytes = static_cast<std::uint8_t>(bytes_of(matrix.type));
    map.is_floating = 1;
    map.is_bfloat16 = matrix.type == InputType::kBfloat16;
    map.swizzle_bytes = static_cast<std::uint16_t>(matrix.swizzle_bytes);
    map.stride_bytes[0] = static_cast<std::uint64_t>(aligned_row(matrix.columns, matrix.type)) *
                          bytes_of(matrix.type);
    map.last = {static_cast<std::uint32_t>(matrix.columns - 1),
                static_cast<std::uint32_t>(matrix.rows - 1), 0, 0, 0};
    map.box = {static_cast<std::uint16_t>(matrix.box_columns),
               static_cast<std::uint16_t>(matrix.box_rows), 0, 0, 0};
    map.step = {1, 1, 1, 1, 1};
    return map;
}

}  // namespace tilereel
