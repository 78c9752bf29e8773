#include "instrumentation/plain/gpu/gpu_arrays.h"

#include <algorithm>
#include <set>

#include "instrumentation/plain/element_of_type.h"
#include "instrumentation/plain/struct_members.h"

namespace tilereel::plain {

GpuArrays::GpuArrays(const GpuDump& dump, const GpuFacts& facts) : dump_(dump) {
    for (std::size_t i = 0; i < dump.regions.size(); ++i) {
        const tilereel_gpu::DumpRegion& region = dump.regions[i];
        // Constant memory is known by where its variables are.
        if (region.is_constant != 0) continue;
        Known known;
        known.place = {.number = 0,
                       .begin = region.address,
                       .end = region.address + region.bytes,
                       .space = Space::kGlobal};
        known.symbol = dump.symbols[i];
        known.region = i;
        if (const auto name = facts.names.find(known.symbol); name != facts.names.end())
            known.variable = name->second;
        known_.push_back(std::move(known));
    }
    add_shared(dump, facts);
    for (std::uint32_t i = 0; i < known_.size(); ++i) {
        known_[i].place.number = i;
        (known_[i].place.space == Space::kShared ? shared_ : global_).push_back(i);
    }
    for (std::vector<std::uint32_t>* order : {&global_, &shared_})
        std::ranges::sort(*order, {}, [&](std::uint32_t i) { return known_[i].place.begin; });
    name_by_parameters(facts);
}

// What the kernel has told of its shared and constant arrays.
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
        known.place.space = variable.is_shared ? Space::kShared : Space::kConstant;
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

const GpuArrays::Place* GpuArrays::find(bool shared, std::uint64_t address) {
    if (last_ != nullptr && (last_->space == Space::kShared) == shared && last_->begin <= address &&
        address < last_->end)
        return last_;
    const std::vector<std::uint32_t>& order = shared ? shared_ : global_;
    const auto after = std::ranges::upper_bound(
        order, address, {}, [&](std::uint32_t i) { return known_[i].place.begin; });
    // Dynamic shared memory reaches to the end of the block's; arrays of the same name lie there,
    // too.
    for (auto it = after; it != order.begin();) {
        const Place& place = known_[*--it].place;
        if (address < place.end) return last_ = &place;
        if (!shared) break;
    }
    return nullptr;
}

ArrayId GpuArrays::number_of(const Place& place, std::uint32_t width_bytes) {
    Known& known = known_[place.number];
    if (!known.touched) {
        known.touched = true;
        known.number = static_cast<ArrayId>(touched_.size());
        known.width_bytes = width_bytes;
        touched_.push_back(place.number);
    }
    return known.number;
}

Array GpuArrays::make(const Known& known) const {
    const std::uint64_t bytes = known.place.end - known.place.begin;
    std::string name = known.symbol.empty() ? "memory" : known.symbol;
    ElementType type = ElementType::kBytes;
    std::uint32_t element = 1;
    std::string type_name;
    Array::Shape shape;
    if (known.variable && known.variable->type.element_bytes != 0) {
        const DebugType& declared = known.variable->type;
        element = declared.element_bytes;
        type = element_type_of(declared.scalar, declared.scalar_bytes, declared.name);
        type_name = declared.name;
        for (std::uint32_t i = 0; i < declared.extent_count; ++i)
            if (declared.extents[i] != 0) shape.extents.push_back(declared.extents[i]);
    } else {
        element = known.width_bytes;
        type = element_type_of(Scalar::kUnsigned, element, "");
    }
    if (known.variable) name = known.variable->name;
    std::uint64_t shaped = element;
    for (const std::uint32_t extent : shape.extents) shaped *= extent;
    if (shape.extents.empty() || shaped != bytes)
        shape.extents = {static_cast<std::uint32_t>((bytes + element - 1) / element)};
    Array array = Array::of(name, known.place.space, type, element, shape);
    array.type_name = type_name;
    if (known.variable) set_members(array, members_text(known.variable->type));
    if (known.place.space == Space::kShared)
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
    std::vector<ArrayId> order(touched_.size()), final_number(touched_.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<ArrayId>(i);
    std::ranges::stable_sort(order, {}, [&](ArrayId i) {
        const Place& place = known_[touched_[i]].place;
        return std::pair(place.space == Space::kShared,
                         place.space == Space::kShared ? place.begin : 0);
    });
    std::set<std::string> names;
    for (const ArrayId i : order) {
        final_number[i] = static_cast<ArrayId>(trace.arrays.size());
        Array array = make(known_[touched_[i]]);
        const std::string name = array.name;
        for (int more = 2; !names.insert(array.name).second; ++more)
            array.name = name + "_" + std::to_string(more);
        trace.arrays.push_back(std::move(array));
    }
    for (tilereel::Site& site : trace.sites)
        if (site.array != kNoArray) site.array = final_number[site.array];
}

}  // namespace tilereel::plain
