#include "app/replay/tensor/warpgroup_moment.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "instrumentation/analysis/hazards/product_reads.h"
#include "instrumentation/trace/lanes.h"

namespace tilereel {
namespace {

// The step and the wavefront that reads a piece.
struct Reading {
    std::uint32_t step = kNoStep, wavefront = 0;
};

class WarpgroupMomentMaker {
  public:
    WarpgroupMomentMaker(const Replay& replay, WarpgroupMoment& moment)
        : replay_(replay),
          product_(replay.warpgroups().products()[moment.number]),
          moment_(moment) {}

    void add_pieces() {
        for (int warp = 0; warp < static_cast<int>(kWarpsOfGroup); ++warp) {
            const std::vector<std::uint32_t>& reads =
                product_.reads[static_cast<std::size_t>(warp)];
            std::map<std::pair<bool, std::uint32_t>, Reading> readings;  // by matrix and address
            for (const std::uint32_t step : reads) note(step, readings);
            const MatrixPieces pieces =
                core_matrices_read(product_.product, product_.operands, warp);
            for (const bool of_a : {true, false})
                for (const MatrixPiece& piece : of_a ? pieces.a : pieces.b) {
                    const Reading reading = readings[{of_a, piece.address}];
                    moment_.pieces.push_back({.piece = piece,
                                              .of_a = of_a,
                                              .warp = warp,
                                              .since = since(reading.step),
                                              .wavefront = reading.wavefront});
                }
            HeldSince& sums = moment_.sums[static_cast<std::size_t>(warp)];
            sums = reads.empty() ? HeldSince::kLater : since(reads.back());
        }
    }

  private:
    [[nodiscard]] HeldSince since(std::uint32_t step) const {
        if (step == kNoStep) return HeldSince::kLater;
        return step == moment_.step  ? HeldSince::kNow
               : step > moment_.step ? HeldSince::kLater
                                     : HeldSince::kBefore;
    }

    void note(std::uint32_t number, std::map<std::pair<bool, std::uint32_t>, Reading>& readings) {
        const Step& step = replay_.schedule().steps[number];
        const Site& site = replay_.trace().sites[step.site];
        const bool of_a = site.variety == static_cast<std::uint8_t>(AccessKind::kFactorA);
        (of_a ? moment_.a : moment_.b) = site.array;
        const bool now = number == moment_.step;
        const LaneOffsets lanes = lane_offsets(replay_.trace(), step.record);
        for (const std::uint32_t lane : lanes_in(lanes.mask))
            readings[{of_a, lanes.bytes[lane]}] = {
                number, now ? replay_.state().request.lanes[lane].wavefront : 0};
    }

    const Replay& replay_;
    const GroupProduct& product_;
    WarpgroupMoment& moment_;
};

}  // namespace

std::size_t WarpgroupMoment::read_before(bool of_a) const {
    return static_cast<std::size_t>(std::ranges::count_if(pieces, [&](const ReadPiece& piece) {
        return piece.of_a == of_a && piece.since == HeldSince::kBefore;
    }));
}

std::size_t WarpgroupMoment::count(bool of_a) const {
    return static_cast<std::size_t>(std::ranges::count(pieces, of_a, &ReadPiece::of_a));
}

std::optional<WarpgroupMoment> warpgroup_moment(const Replay& replay,
                                                std::optional<std::uint32_t> chosen_warp) {
    const ReplayState& state = replay.state();
    if (state.step == kNoStep) return std::nullopt;
    const WarpgroupSteps& all = replay.warpgroups();
    const std::optional<std::uint32_t> read = all.read_by(state.step);
    const std::optional<StoredSums> stored = all.stored_at(state.step);
    if (!read && !stored) return std::nullopt;
    const Step& step = replay.schedule().steps[state.step];
    WarpgroupMoment moment;
    moment.step = state.step;
    moment.number = read ? *read : stored->product;
    moment.stores = !read;
    if (stored) moment.stored_element = stored->element;
    moment.first_warp = step.warp / kWarpsOfGroup * kWarpsOfGroup;
    moment.warp = static_cast<int>(step.warp - moment.first_warp);
    const std::uint32_t chosen = chosen_warp.value_or(step.warp);
    moment.chosen = chosen / kWarpsOfGroup == step.warp / kWarpsOfGroup
                        ? static_cast<int>(chosen % kWarpsOfGroup)
                        : moment.warp;
    moment.reads_a =
        replay.trace().sites[step.site].variety == static_cast<std::uint8_t>(AccessKind::kFactorA);
    moment.at_last_wavefront = state.request.wavefront + 1 >= state.request.cost.wavefronts;
    WarpgroupMomentMaker(replay, moment).add_pieces();
    return moment;
}

std::optional<float> sum_of(const Replay& replay, const WarpgroupMoment& moment, int warp, int lane,
                            int element, bool former) {
    const std::vector<GroupProduct>& products = replay.warpgroups().products();
    const GroupProduct& product = products[moment.number];
    if (product.sums.empty()) return std::nullopt;
    if (former && product.adds_to == moment.number) return std::nullopt;
    const std::vector<float>& sums = former ? products[product.adds_to].sums : product.sums;
    const MatrixElement at =
        element_of(product.product, MatrixOperand::kD, 32 * warp + lane, element);
    const auto index = static_cast<std::size_t>(at.row * product.product.shape.n + at.column);
    return index < sums.size() && !std::isnan(sums[index]) ? std::optional(sums[index])
                                                           : std::nullopt;
}

}  // namespace tilereel
