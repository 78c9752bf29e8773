#include "app/exercise/outputs.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "app/exercise/harness.h"
#include "instrumentation/base/format/with_commas.h"
#include "instrumentation/trace/lanes.h"
#include "instrumentation/trace/views.h"

namespace tilereel {
namespace {

const Array* find_array(const Trace& trace, const std::string& name) {
    const auto found = std::ranges::find(trace.arrays, name, &Array::name);
    return found == trace.arrays.end() || found->first_bytes.empty() ? nullptr : &*found;
}

std::span<const std::byte> element_at(const Array& array, std::size_t i) {
    return std::span(array.first_bytes).subspan(i * array.element_bytes, array.element_bytes);
}

// Of what g++ gives a variable without a value (-ftrivial-auto-var-init=pattern).
bool is_never_set(std::span<const std::byte> value) {
    return std::ranges::all_of(value, [](std::byte byte) { return byte == std::byte{0xfe}; });
}

bool is_close(double got, double right, double tolerance) {
    if (std::isnan(right)) return std::isnan(got);
    return std::abs(got - right) <= tolerance + tolerance * std::abs(right);
}

// Calls see(array, offset_bytes, width_bytes, site) for each lane of each record that writes global
// memory.
template <class See>
void for_each_store(const Trace& trace, See&& see) {
    for (std::size_t record = 0; record < trace.records.size(); ++record) {
        const Site& site = site_at(trace, record);
        if (site.array == kNoArray || trace.arrays[site.array].space != Space::kGlobal ||
            !writes(site.operation))
            continue;
        const LaneOffsets lanes = lane_offsets(trace, record);
        for (std::uint32_t lane = 0; lane < kWarpSize; ++lane)
            if ((lanes.mask >> lane & 1) != 0)
                see(site.array, lanes.bytes[lane], std::uint32_t{site.width_bytes}, site);
    }
}

// The line that stored the element last: of the array that ended with the output's bytes.
std::uint32_t storing_line(const std::vector<Trace>& launches, const Array& output,
                           std::size_t element) {
    const std::uint64_t offset = std::uint64_t{element} * output.element_bytes;
    for (auto launch = launches.rbegin(); launch != launches.rend(); ++launch) {
        const auto found =
            std::ranges::find(launch->arrays, output.first_bytes, &Array::last_bytes);
        if (found == launch->arrays.end()) continue;
        const auto wanted = static_cast<ArrayId>(found - launch->arrays.begin());
        std::uint32_t line = 0;
        for_each_store(*launch,
                       [&](ArrayId array, std::uint64_t at, std::uint32_t width, const Site& site) {
                           if (array == wanted && at <= offset && offset < at + width)
                               line = site.line;
                       });
        if (line != 0) return line;
    }
    return 0;
}

}  // namespace

std::vector<OutputFacts> compare_outputs(const Exercise& exercise, const Trace& after,
                                         const std::vector<Trace>& launches) {
    std::vector<OutputFacts> outputs;
    for (const ExerciseParameter& each : exercise.parameters) {
        if (each.role != ExerciseParameter::Role::kOutput) continue;
        OutputFacts& facts = outputs.emplace_back(OutputFacts{.name = each.name, .sentence = {}});
        const Array* const got = find_array(after, each.name);
        const Array* const right = find_array(after, right_array(each.name));
        if (got == nullptr || right == nullptr) {
            facts.wrong = 1;
            facts.sentence = each.name + " cannot be read after the launch";
            continue;
        }
        const bool real = each.type == "float" || each.type == "double";
        facts.elements = right->first_bytes.size() / right->element_bytes;
        std::size_t first = 0;
        for (std::size_t i = 0; i < facts.elements; ++i) {
            const double value = number_of(got->type, element_at(*got, i));
            const double wanted = number_of(right->type, element_at(*right, i));
            if (real ? is_close(value, wanted, exercise.tolerance) : value == wanted) continue;
            if (facts.wrong++ == 0) first = i;
        }
        if (facts.wrong == 0) continue;
        facts.line = storing_line(launches, *got, first);
        facts.sentence = each.name + "[" + std::to_string(first) + "] ";
        facts.sentence += facts.line == 0
                              ? "is never stored"
                              : "is " + value_text(got->type, element_at(*got, first)) +
                                    (is_never_set(element_at(*got, first))
                                         ? ", as a variable that never got a value"
                                         : "") +
                                    ", stored on line " + std::to_string(facts.line) + ",";
        facts.sentence += " and should be " + value_text(right->type, element_at(*right, first)) +
                          "; " + with_commas(facts.wrong) + " of " + with_commas(facts.elements) +
                          " elements are wrong";
    }
    return outputs;
}

std::string uncounted_change(const Trace& launch) {
    std::vector<std::vector<bool>> stored(launch.arrays.size());
    for (std::size_t i = 0; i < stored.size(); ++i)
        stored[i].resize(launch.arrays[i].last_bytes.size());
    for_each_store(launch, [&](ArrayId array, std::uint64_t at, std::uint32_t width, const Site&) {
        for (std::uint64_t byte = at; byte < at + width; ++byte)
            if (byte < stored[array].size()) stored[array][byte] = true;
    });
    for (std::size_t i = 0; i < stored.size(); ++i) {
        const Array& array = launch.arrays[i];
        if (array.space != Space::kGlobal || array.first_bytes.size() != array.last_bytes.size())
            continue;
        for (std::size_t byte = 0; byte < stored[i].size(); ++byte)
            if (!stored[i][byte] && array.first_bytes[byte] != array.last_bytes[byte])
                return array.name + " changed where no counted store wrote";
    }
    return {};
}

}  // namespace tilereel
