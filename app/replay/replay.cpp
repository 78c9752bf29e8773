#include "app/replay/replay.h"

#include "app/replay/model.h"
#include "app/replay/sentence/sentence_facts.h"
#include "app/replay/sentence/sentence_writer.h"

namespace tilereel {

void Replay::Delete::operator()(ReplayModel* model) const { delete model; }

Result<Replay> Replay::of_block(const Trace& trace, std::uint32_t block,
                                const Generation& generation) {
    if (block >= trace.launch.blocks())
        return wrong_call("The grid has no block " + std::to_string(block) +
                          "; choose one from 0 to " + std::to_string(trace.launch.blocks() - 1) +
                          ".");
    return Replay(new ReplayModel(trace, block, generation));
}

std::uint64_t Replay::id() const { return model_->number; }
const Trace& Replay::trace() const { return model_->trace; }
const Trace& Replay::recorded_trace() const { return model_->replayed.recorded_trace(); }
std::uint64_t Replay::recorded(std::uint64_t record) const {
    return model_->replayed.recorded(record);
}
std::uint32_t Replay::block() const { return model_->block; }
const Generation& Replay::generation() const { return model_->generation; }
const Schedule& Replay::schedule() const { return model_->schedule; }
const std::vector<Round>& Replay::rounds() const { return model_->rounds; }
const std::vector<Flight>& Replay::flights() const { return model_->flights; }
std::span<const BufferFill> Replay::fills(ArrayId shared, std::uint32_t plane) const {
    return model_->fills.of_plane[model_->fills.first[shared] + plane];
}
const Regions& Replay::regions() const { return model_->regions; }
const Provenance& Replay::provenance() const { return model_->provenance; }
const std::vector<HeldOperand>& Replay::held_operands() const { return model_->held_operands; }
const TensorSteps& Replay::tensor() const { return model_->tensor; }
const WarpgroupSteps& Replay::warpgroups() const { return model_->warpgroups; }
bool Replay::stores_unloaded() const { return model_->origins.any_unloaded(); }
Tone Replay::tone_of(ArrayId array) const { return model_->array_tones[array]; }

const ReplayState& Replay::seek(Tick tick) {
    const Tick wanted = std::min(tick, model_->schedule.ticks);
    const std::uint32_t before = model_->at.step;
    model_->go_to_step(model_->schedule.step_at(wanted));
    if (model_->at.step != before || wanted != model_->state.tick || model_->before_first)
        model_->show(wanted);
    return model_->state;
}

const ReplayState& Replay::seek_before_first() {
    if (!model_->before_first) model_->show_before_first();
    return model_->state;
}

const ReplayState& Replay::state() const { return model_->state; }
StepFacts Replay::facts() const { return facts_of(*model_); }
Sentence Replay::sentence() const {
    return sentence_of(facts(), model_->trace, model_->array_tones);
}

}  // namespace tilereel
