#include "instrumentation/gpu/convert/gpu_arrays.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <set>

#include "instrumentation/cuda/element_of_type.h"
#include "instrumentation/cuda/struct_members.h"

namespace tilereel::gpu {
namespace {

runtime::TensorMap tensor_map_of(const tilereel_gpu::DumpMap& from) {
    runtime::TensorMap map;
    map.first = from.first;
    map.rank = static_cast<std::uint8_t>(std::min(from.rank, runtime::TensorMap::kMostRank));
    map.element_bytes = static_cast<std::uint8_t>(from.element_bytes);
    map.swizzle_bytes = static_cast<std::uint16_t>(from.swizzle_bytes);
    for (std::uint32_t i = 0; i < map.rank; ++i) {
        if (i > 0) map.stride_bytes[i - 1] = from.stride_bytes[i - 1];
        map.last[i] = from.last[i];
        map.box[i] = static_cast<std::uint16_t>(from.box[i]);
        map.step[i] = static_cast<std::uint8_t>(i == 0 ? 1 : std::max(from.step[i], 1u));
    }
    return map;
}

}  // namespace

GpuArrays::GpuArrays(const GpuDump& dump, const GpuFacts& facts) : dump_(dump) {
    for (const tilereel_gpu::DumpMap& map : dump.maps) maps_.push_back(tensor_map_of(map));
    for (std::size_t i = 0; i < dump.regions.size(); ++i) {
        const tilereel_gpu::DumpRegion& region = dump.regions[i];
        // add_shared() adds the variables in constant memory.
        if (region.is_constant != 0) continue;
        Known known;
        known.place = {.number = 0,
                       .begin = region.address,
                       .end = region.address + region.bytes,
                       .origin = region.address};
        known.symbol = dump.symbols[i];
        known.region = i;
        if (const auto name = facts.names.find(known.symbol); name != facts.names.end())
            known.variable = name->second;
        known_.push_back(std::move(known));
    }
    add_shared(dump, facts);
    for (std::uint32_t i = 0; i < known_.size(); ++i) {
        known_[i].place.number = static_cast<ArrayId>(i);
        (known_[i].space == Space::kShared ? shared_ : global_).push_back(i);
    }
    for (std::vector<std::uint32_t>* order : {&global_, &shared_})
        std::ranges::sort(*order, {}, [&](std::uint32_t i) { return known_[i].place.begin; });
    name_by_parameters(facts);
    find_changed_regions();
    add_cluster();
}

// The shared arrays of the blocks of a cluster, which an access of another block names by rank.
void GpuArrays::add_cluster() {
    const auto& extents = dump_.header.cluster;
    const std::uint32_t blocks = extents[0] * extents[1] * extents[2];
    if (blocks < 2 || blocks > tilereel_gpu::kMostRanks) return;
    of_blocks_.resize(blocks);
    for (const std::uint32_t i : shared_) {
        Known known = known_[i];
        known.space = Space::kSharedCluster;
        known.blocks = blocks;
        known.place.number = static_cast<ArrayId>(known_.size());
        const std::uint64_t bytes = known.place.end - known.place.begin;
        for (std::uint32_t rank = 0; rank < blocks; ++rank) {
            Place place = known.place;
            place.origin = place.begin - rank * bytes;
            of_blocks_[rank].push_back(place);
        }
        known_.push_back(std::move(known));
    }
}

const GpuArrays::Place* GpuArrays::find_in_cluster(std::uint32_t rank,
                                                   std::uint64_t address) const {
    if (rank >= of_blocks_.size()) return nullptr;
    // A dynamic array may overlap others: the last one that begins before the address.
    const auto& places = of_blocks_[rank];
    for (auto it = places.rbegin(); it != places.rend(); ++it)
        if (address >= it->begin && address < it->end) return &*it;
    return nullptr;
}

// Adds the shared and constant arrays, whose addresses the kernel has reported.
void GpuArrays::add_shared(const GpuDump& dump, const GpuFacts& facts) {
    const std::size_t count = std::min(dump.places.size(), facts.variables.size());
    for (std::size_t i = 0; i < count; ++i) {
        if (dump.places[i] == 0) continue;
        const PtxVariable& variable = facts.variables[i];
        Known known;
        known.place.begin = dump.places[i] - 1;
        known.place.end = known.place.begin + variable.bytes;
        if (variable.bytes == 0) known.place.end = dump.header.shared_bytes;
        if (known.place.end <= known.place.begin) continue;
        known.space = variable.is_shared ? Space::kShared : Space::kConstant;
        if (!variable.is_shared) known.place.origin = known.place.begin;
        known.symbol = variable.symbol;
        known.region = dump.regions.size();
        if (const auto name = facts.names.find(variable.symbol); name != facts.names.end())
            known.variable = name->second;
        known_.push_back(std::move(known));
    }
}

// An allocation has the name and type of the first parameter that points into it.
void GpuArrays::name_by_parameters(const GpuFacts& facts) {
    const auto kernel = facts.kernels.find(std::string(dump_.kernel));
    if (kernel == facts.kernels.end()) return;
    const auto& parameters = kernel->second.parameters;
    for (std::size_t i = 0; i < std::min(parameters.size(), dump_.parameters.size()); ++i) {
        if (!parameters[i].is_pointer) continue;
        const Place* const place = find(false, dump_.parameters[i]);
        if (place == nullptr) continue;
        Known& known = known_[place->number];
        if (known.symbol.empty() && !known.variable)
            known.variable = GpuVariable{parameters[i].name, parameters[i].target};
    }
}

const GpuArrays::Place* GpuArrays::find(bool shared, std::uint64_t address) const {
    const std::vector<std::uint32_t>& order = shared ? shared_ : global_;
    const auto after = std::ranges::upper_bound(
        order, address, {}, [&](std::uint32_t i) { return known_[i].place.begin; });
    // Shared arrays can overlap: a dynamic one reaches to the end of the block's shared memory.
    for (auto it = after; it != order.begin();) {
        const Place& place = known_[*--it].place;
        if (address < place.end) return &place;
        if (!shared) break;
    }
    return nullptr;
}

void GpuArrays::find_changed_regions() {
    for (const tilereel_gpu::DumpRegion& region : dump_.regions) {
        const std::uint64_t size = dump_.contents.size();
        const bool is_known = region.first != 0 && region.bytes <= size &&
                              region.first <= size - region.bytes &&
                              region.last <= size - region.bytes;
        has_changed_.push_back(!is_known ||
                               std::memcmp(dump_.contents.data() + region.first,
                                           dump_.contents.data() + region.last, region.bytes) != 0);
    }
}

const std::byte* GpuArrays::content(std::uint64_t address, std::uint32_t bytes) const {
    const Place* const place = find(false, address);
    if (place == nullptr || address + bytes > place->end) return nullptr;
    const std::size_t region = known_[place->number].region;
    if (region >= has_changed_.size() || has_changed_[region]) return nullptr;
    return dump_.contents.data() + dump_.regions[region].first + (address - place->begin);
}

const std::byte* GpuArrays::last_content(std::uint64_t address, std::uint32_t bytes) const {
    const Place* const place = find(false, address);
    if (place == nullptr || address + bytes > place->end) return nullptr;
    const std::size_t region = known_[place->number].region;
    if (region >= dump_.regions.size()) return nullptr;
    const tilereel_gpu::DumpRegion& content = dump_.regions[region];
    const std::uint64_t size = dump_.contents.size();
    const bool is_known =
        content.last != 0 && content.bytes <= size && content.last <= size - content.bytes;
    return is_known ? dump_.contents.data() + content.last + (address - place->begin) : nullptr;
}

const runtime::TensorMap* GpuArrays::map(std::uint64_t hash) const {
    const auto found = std::ranges::find(dump_.maps, hash, &tilereel_gpu::DumpMap::hash);
    return found == dump_.maps.end() ? nullptr : &maps_[found - dump_.maps.begin()];
}

Array GpuArrays::make(const Known& known, std::uint32_t width_bytes) const {
    const std::uint64_t bytes = known.place.end - known.place.begin;
    std::string name = known.symbol.empty() ? "memory" : known.symbol;
    ElementType type = ElementType::kBytes;
    std::uint32_t element = 1;
    std::string type_name;
    Array::Shape shape;
    if (known.variable && known.variable->type.element_bytes != 0) {
        const DebugType& declared = known.variable->type;
        element = declared.element_bytes;
        type = runtime::element_type_of(declared.scalar, declared.scalar_bytes, declared.name);
        type_name = declared.name;
        for (std::uint32_t i = 0; i < declared.extent_count; ++i)
            if (declared.extents[i] != 0) shape.extents.push_back(declared.extents[i]);
    } else {
        element = width_bytes;
        type = runtime::element_type_of(runtime::Scalar::kUnsigned, element, "");
    }
    if (known.variable) name = known.variable->name;
    std::uint64_t shaped = element;
    for (const std::uint32_t extent : shape.extents) shaped *= extent;
    if (shape.extents.empty() || shaped != bytes)
        shape.extents = {static_cast<std::uint32_t>((bytes + element - 1) / element)};
    if (known.space == Space::kSharedCluster) {
        name += kByRank;
        shape.extents.insert(shape.extents.begin(), known.blocks);
    }
    Array array = Array::of(name, known.space, type, element, shape);
    array.type_name = type_name;
    if (known.variable) runtime::set_members(array, members_text(known.variable->type));
    if (known.space == Space::kShared)
        array.base_bytes = static_cast<std::uint32_t>(known.place.begin);
    if (known.region >= dump_.regions.size()) return array;
    const tilereel_gpu::DumpRegion& region = dump_.regions[known.region];
    const auto content = [&](std::uint64_t at) {
        std::vector<std::byte> kept;
        if (at == 0 || at > dump_.contents.size() || region.bytes > dump_.contents.size() - at)
            return kept;
        const auto part = dump_.contents.subspan(at, region.bytes);
        kept.assign(part.begin(), part.end());
        kept.resize(array.size_bytes());
        return kept;
    };
    array.first_bytes = content(region.first);
    array.last_bytes = content(region.last);
    return array;
}

void GpuArrays::put(Trace& trace) const {
    std::vector<std::pair<ArrayId, std::uint32_t>> touched;  // number, width of the first access
    for (const Site& site : trace.sites)
        if (site.array != kNoArray &&
            std::ranges::find(touched, site.array, &std::pair<ArrayId, std::uint32_t>::first) ==
                touched.end())
            touched.emplace_back(site.array, site.width_bytes);
    std::ranges::stable_sort(touched, {}, [&](const auto& each) {
        const Known& known = known_[each.first];
        const bool shared = known.space == Space::kShared;
        return std::pair(shared, shared ? known.place.begin : 0);
    });
    std::map<ArrayId, ArrayId> final_number;
    std::set<std::string> names;
    for (const auto& [number, width_bytes] : touched) {
        final_number[number] = static_cast<ArrayId>(trace.arrays.size());
        Array array = make(known_[number], width_bytes);
        const std::string name = array.name;
        for (int more = 2; !names.insert(array.name).second; ++more)
            array.name = name + "_" + std::to_string(more);
        trace.arrays.push_back(std::move(array));
    }
    for (Site& site : trace.sites)
        if (site.array != kNoArray) site.array = final_number[site.array];
}

}  // namespace tilereel::gpu
