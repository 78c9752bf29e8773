#include "instrumentation/analysis/hazards/finding_table.h"

#include <algorithm>

namespace tilereel {
namespace {

bool same_place(const Site& a, const Site& b) {
    return a.line == b.line && a.file == b.file && a.array == b.array && a.operation == b.operation;
}

}  // namespace

bool of_one_kind(const Trace& trace, const Finding& a, const Finding& b) {
    if (a.hazard != b.hazard || a.severity != b.severity) return false;
    if ((a.second_block == Finding::kSameBlock) != (b.second_block == Finding::kSameBlock))
        return false;
    const auto same = [&](const HazardParty& x, const HazardParty& y) {
        return same_place(trace.sites[x.site], trace.sites[y.site]);
    };
    return (same(a.first, b.first) && same(a.second, b.second)) ||
           (same(a.first, b.second) && same(a.second, b.first));
}

std::uint32_t set_element(const Trace& trace, std::uint32_t offset_bytes, Finding& found) {
    const Array& array = trace.arrays[found.array];
    const std::uint32_t bytes = std::max(1u, array.element_bytes);
    const std::uint32_t element = (offset_bytes - array.base_bytes) / bytes;
    const std::uint32_t row_elements = std::max(1u, array.leading_dimension);
    found.row = element / row_elements;
    found.column = element % row_elements;
    return array.base_bytes + element * bytes;
}

std::size_t FindingTable::index_of(const Finding& found) {
    const auto [low, high] = std::minmax(found.first.site, found.second.site);
    const auto [at, fresh] = index_.try_emplace(
        {found.hazard, found.severity, found.second_block == Finding::kSameBlock, low, high},
        findings_.size());
    if (!fresh) return at->second;
    const auto known = std::ranges::find_if(
        findings_, [&](const Finding& other) { return of_one_kind(trace_, other, found); });
    at->second = static_cast<std::size_t>(known - findings_.begin());
    if (known == findings_.end()) {
        findings_.push_back(found);
        affected_.emplace_back();
        last_.push_back(~std::uint64_t{0});
    }
    return at->second;
}

void FindingTable::add(const Finding& found, std::uint32_t element) {
    const std::size_t index = index_of(found);
    if (element == kNoElement) return;
    std::vector<bool>& affected = affected_[index];
    if (element >= affected.size()) affected.resize(element + 1);
    findings_[index].cells += !affected[element];
    affected[element] = true;
}

void FindingTable::add_global(const Finding& found, std::uint64_t element) {
    const std::size_t index = index_of(found);
    findings_[index].cells += last_[index] != element;
    last_[index] = element;
}

std::vector<Finding> FindingTable::take() {
    std::ranges::stable_sort(findings_, {}, [&](const Finding& finding) {
        return std::tuple(finding.severity, finding.hazard, trace_.sites[finding.first.site].line,
                          trace_.sites[finding.second.site].line, finding.first.site,
                          finding.second.site);
    });
    return std::move(findings_);
}

}  // namespace tilereel
