#include "app/replay/replay.h"

#include "app/replay/model.h"

namespace tilereel {

Replay::Replay(std::unique_ptr<Model> model) : model_(std::move(model)) {}
Replay::Replay(Replay&&) noexcept = default;
Replay& Replay::operator=(Replay&&) noexcept = default;
Replay::~Replay() = default;

Result<Replay> Replay::of_block(const Trace& trace, std::uint32_t block,
                                const Generation& generation) {
    if (block >= trace.launch.blocks())
        return wrong_call("The grid has no block " + std::to_string(block) +
                          "; choose one from 0 to " + std::to_string(trace.launch.blocks() - 1) +
                          ".");
    return Replay(std::make_unique<Model>(trace, block, generation));
}

std::uint64_t Replay::id() const { return model_->number; }
const Trace& Replay::trace() const { return model_->trace; }
std::uint32_t Replay::block() const { return model_->block; }
const Generation& Replay::generation() const { return model_->generation; }
Tick Replay::ticks() const { return model_->schedule.ticks; }
std::uint64_t Replay::cycles_per_tick() const { return model_->schedule.cycles_per_tick; }
const std::vector<Step>& Replay::steps() const { return model_->schedule.steps; }
const std::vector<Barrier>& Replay::barriers() const { return model_->schedule.barriers; }
const std::vector<PhaseSpan>& Replay::spans() const { return model_->schedule.spans; }
const std::vector<Flight>& Replay::flights() const { return model_->flights; }
std::uint32_t Replay::phases() const { return model_->schedule.phases; }
const std::vector<Round>& Replay::rounds() const { return model_->rounds; }
HeldOperand Replay::held_operand(std::uint32_t step) const {
    return step < model_->operands.size() ? model_->operands[step] : HeldOperand{};
}
bool Replay::holds_operands() const { return !model_->operands.empty(); }
bool Replay::lanes_own_tiles() const { return model_->provenance.lanes_own_tiles(); }
LaneWork Replay::lane_work(std::uint32_t warp, std::uint32_t lane) const {
    return model_->provenance.of_lane(warp, lane);
}
std::uint32_t Replay::owner_of(std::uint32_t row, std::uint32_t column) const {
    return model_->provenance.owner_of({row, column});
}
std::vector<CellRect> Replay::part_of_warp(ArrayId matrix, std::uint32_t warp,
                                           std::uint32_t phase) const {
    return model_->provenance.cells_of_warp(matrix, warp, phase);
}
std::uint32_t Replay::flight_into(ArrayId shared, std::uint32_t row, std::uint32_t column,
                                  Tick tick) const {
    return model_->provenance.flight_into(shared, {row, column}, tick);
}
bool Replay::stores_unloaded() const { return model_->origins.any_unloaded(); }
std::span<const BufferFill> Replay::fills(ArrayId shared, std::uint32_t plane) const {
    return model_->fills.of_plane[model_->fills.first[shared] + plane];
}
CellRect Replay::c_rect() const { return model_->sums.c_rect; }
Tone Replay::tone_of(ArrayId array) const { return model_->array_tones[array]; }
const std::vector<Tick>& Replay::ticks_of_line() const { return model_->schedule.ticks_of_line; }

const RequestCost& Replay::cost(std::uint32_t step) const {
    check(step < model_->schedule.costs.size());
    return model_->schedule.costs[step];
}

CellRect Replay::band(ArrayId array) const {
    return array < model_->arrays() ? model_->regions.band[array] : CellRect{};
}

CellRect Replay::tile(ArrayId array, std::uint32_t phase) const {
    if (array >= model_->arrays() || phase >= phases()) return {};
    return model_->regions.tile[std::size_t{phase} * model_->arrays() + array];
}

CellRect Replay::prefetched(ArrayId array, std::uint32_t phase) const {
    if (array >= model_->arrays() || phase >= phases()) return {};
    return model_->regions.prefetched[std::size_t{phase} * model_->arrays() + array];
}

const ReplayState& Replay::seek(Tick tick) {
    const Tick wanted = std::min(tick, ticks());
    const std::uint32_t before = model_->at.step;
    model_->go_to_step(model_->schedule.step_at(wanted));
    if (model_->at.step != before || wanted != model_->state.tick) model_->show(wanted);
    return model_->state;
}

const ReplayState& Replay::state() const { return model_->state; }

Sentence Replay::sentence() const {
    return sentence_of(facts(), model_->trace, model_->array_tones);
}

}  // namespace tilereel
