#include "app/own_kernel/work_arrays_of.h"

#include <algorithm>

#include "instrumentation/trace/operations.h"

namespace tilereel {
namespace {

OwnType type_of(const Array& array) {
    if (!array.is_of_one_type()) return OwnType::kExact;
    switch (array.type) {
        case ElementType::kFloat32:
            return OwnType::kFloat32;
        case ElementType::kFloat64:
            return OwnType::kFloat64;
        case ElementType::kFloat16:
            return OwnType::kFloat16;
        case ElementType::kBfloat16:
            return OwnType::kBfloat16;
        default:
            return OwnType::kExact;
    }
}

// The name of a simple type in C++. Empty for types that have several names, such as char and long.
std::string cpp_type_of(const Array& array) {
    if (!array.type_name.empty()) return "";
    switch (array.type) {
        case ElementType::kFloat32:
            return "float";
        case ElementType::kFloat64:
            return "double";
        case ElementType::kInt32:
            return "int";
        case ElementType::kUint32:
            return "unsigned";
        case ElementType::kInt16:
            return "short";
        case ElementType::kUint16:
            return "unsigned short";
        case ElementType::kUint8:
            return "unsigned char";
        default:
            return "";
    }
}

std::shared_ptr<const std::vector<std::byte>> shared(const std::vector<std::byte>& bytes) {
    return std::make_shared<const std::vector<std::byte>>(bytes);
}

// Which elements of an array a launch uses.
struct Used {
    std::vector<bool> read, written;
};

// By array; empty where not all blocks were recorded.
std::vector<Used> used_elements(const Trace& trace) {
    std::vector<Used> used;
    if (!trace.complete || !trace.chosen_blocks.empty()) return used;
    for (const Array& array : trace.arrays) {
        const bool global = array.space == Space::kGlobal;
        const auto elements = static_cast<std::size_t>(
            global ? array.size_bytes() / std::max(array.element_bytes, 1u) : 0);
        used.push_back({std::vector<bool>(elements), std::vector<bool>(elements)});
    }
    for (std::size_t record = 0; record < trace.records.size(); ++record) {
        const Site& site = site_at(trace, record);
        if (site.array >= used.size() || used[site.array].read.empty()) continue;
        const Touch touch = facts_of(site.operation).touch;
        const LaneOffsets lanes = lane_offsets(trace, record);
        const std::uint32_t element = std::max(trace.arrays[site.array].element_bytes, 1u);
        for (unsigned lane = 0; lane < kWarpSize; ++lane) {
            if ((lanes.mask >> lane & 1) == 0) continue;
            const std::uint32_t last =
                lanes.bytes[lane] + std::max<std::uint32_t>(site.width_bytes, 1) - 1;
            for (std::size_t at = lanes.bytes[lane] / element;
                 at <= last / element && at < used[site.array].read.size(); ++at) {
                if (touch != Touch::kWrites) used[site.array].read[at] = true;
                if (touch != Touch::kReads) used[site.array].written[at] = true;
            }
        }
    }
    return used;
}

// Of a stencil the border is not written, which says nothing of larger arrays: only a share below
// a half counts.
double share_of(const std::vector<bool>& used) {
    const auto count = std::ranges::count(used, true);
    if (count == 0 || 2 * static_cast<std::size_t>(count) >= used.size()) return 1;
    return static_cast<double>(count) / static_cast<double>(used.size());
}

}  // namespace

Result<std::vector<WorkArray>> work_arrays_of(const Trace& trace) {
    std::vector<bool> read(trace.arrays.size()), written(trace.arrays.size());
    for (const Site& site : trace.sites) {
        if (site.array >= trace.arrays.size()) continue;
        const Touch touch = facts_of(site.operation).touch;
        if (touch == Touch::kReads || touch == Touch::kBoth) read[site.array] = true;
        if (touch == Touch::kWrites || touch == Touch::kBoth) written[site.array] = true;
    }
    const std::vector<Used> used = used_elements(trace);
    const std::vector<OwnVariable> variables = variables_of(trace);
    std::vector<WorkArray> found;
    for (std::size_t i = 0; i < trace.arrays.size(); ++i) {
        const Array& array = trace.arrays[i];
        if (array.space != Space::kGlobal || (!read[i] && !written[i])) continue;
        if (std::ranges::count(variables, array.name, &OwnVariable::name) > 0) continue;
        WorkArray work;
        work.array = {.name = array.name,
                      .type = type_of(array),
                      .element_bytes = std::max(array.element_bytes, 1u),
                      .read = read[i],
                      .written = written[i]};
        if (!used.empty() && work.array.read) work.array.read_share = share_of(used[i].read);
        if (!used.empty() && work.array.written)
            work.array.written_share = share_of(used[i].written);
        work.cpp_type = cpp_type_of(array);
        work.recorded = array.size_bytes() / work.array.element_bytes;
        if (read[i]) work.first = shared(array.first_bytes);
        if (written[i] && array.last_bytes.empty())
            return failed("what the launch writes to " + array.name + " was not recorded");
        if (written[i]) work.last = shared(array.last_bytes);
        found.push_back(std::move(work));
    }
    if (std::ranges::none_of(found, [](const WorkArray& each) { return each.array.written; }))
        return failed("the launch writes to no array, so its results cannot be checked");
    return found;
}

}  // namespace tilereel
