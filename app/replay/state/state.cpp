#include "app/replay/state/state.h"

#include <algorithm>
#include <bit>

namespace tilereel {
namespace {

bool same(float left, float right) {
    return std::bit_cast<std::uint32_t>(left) == std::bit_cast<std::uint32_t>(right);
}
bool same(const SharedCell& left, const SharedCell& right) {
    return same(left.value, right.value) && left.state == right.state &&
           left.loaded == right.loaded && left.bits == right.bits;
}
bool same(const SharedArrayState& left, const SharedArrayState& right) {
    return left.array == right.array && left.landed == right.landed &&
           left.expected == right.expected && left.planes == right.planes &&
           std::ranges::equal(left.cells, right.cells,
                              [](const auto& a, const auto& b) { return same(a, b); });
}
bool same(const WarpState& left, const WarpState& right) {
    return left.activity == right.activity && left.line == right.line && left.step == right.step &&
           left.arrival == right.arrival;
}
bool same(const PartialSum& left, const PartialSum& right) {
    return same(left.value, right.value) && left.multiply_adds == right.multiply_adds &&
           left.stored == right.stored;
}
bool same(const LaneState& left, const LaneState& right) {
    return left.active == right.active && left.row == right.row && left.column == right.column &&
           left.offset_bytes == right.offset_bytes && left.bank == right.bank &&
           left.sector == right.sector && left.wavefront == right.wavefront &&
           left.words == right.words && left.known == right.known &&
           std::ranges::equal(left.values, right.values,
                              [](float a, float b) { return same(a, b); }) &&
           same(left.value, right.value);
}
template <class T>
bool all_same(const T& left, const T& right) {
    return std::ranges::equal(left, right, [](const auto& a, const auto& b) { return same(a, b); });
}
// The access and its service follow from the step, so they need no comparison.
bool same(const RequestState& left, const RequestState& right) {
    return left.step == right.step && left.wavefront == right.wavefront &&
           left.cost == right.cost && all_same(left.lanes, right.lanes);
}

}  // namespace

bool operator==(const ReplayState& left, const ReplayState& right) {
    return left.tick == right.tick && left.step == right.step && left.phase == right.phase &&
           left.part == right.part && left.at_barrier == right.at_barrier &&
           same(left.request, right.request) && all_same(left.warps, right.warps) &&
           all_same(left.shared, right.shared) && all_same(left.sums, right.sums) &&
           left.phases_done == right.phases_done;
}

}  // namespace tilereel
