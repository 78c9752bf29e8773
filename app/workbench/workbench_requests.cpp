// Requests to a Workbench for another recording: a kernel, sizes, TILE and PAD, a generation, a
// block, an order.
#include <algorithm>
#include <utility>

#include "app/workbench/launch/block_by_occupancy.h"
#include "app/workbench/launch/fit_parameters.h"
#include "app/workbench/launch/variant_limits.h"
#include "app/workbench/workbench_state.h"
#include "kernels/openings.h"
#include "kernels/variants.h"

namespace tilereel {
namespace {

void set_sizes(KernelParameters& of, const KernelParameters& from) {
    of.m = from.m;
    of.n = from.n;
    of.k = from.k;
}

}  // namespace

void Workbench::State::choose_kernel(const std::string& kernel_id) {
    const KernelInfo* kernel = find_kernel(kernel_id);
    if (kernel == nullptr || find_kernel(request.kernel) != nullptr)
        return ask_for(kernel_id, request.parameters);
    // After a program's launch, whose sizes may fit no rung, it opens as by itself.
    default_sizes = opening_of(*kernel);
    tile_chosen = pad_chosen = false;
    ask_for(kernel_id, *default_sizes);
}

FittedParameters Workbench::State::wanted_of(const KernelInfo& kernel,
                                             const KernelParameters& parameters) {
    FittedParameters wanted{.parameters = parameters, .message = {}, .action = {}};
    KernelParameters& p = wanted.parameters;
    const KernelParameters& shown = request.parameters;
    const bool same_kernel = kernel.id == request.kernel;
    if (!same_sizes(p, shown)) default_sizes.reset();
    tile_chosen |= p.tile != shown.tile;
    pad_chosen |= p.pad != shown.pad;
    const KernelInfo* const former = find_kernel(request.kernel);
    if (!same_kernel && former != nullptr && p.tile == shown.tile && p.pad == shown.pad)
        wanted = carried_over(*former, kernel, p);
    if (default_sizes && !same_kernel) {
        default_sizes = opening_of(kernel);
        if (!tile_chosen) {
            p.tile = default_sizes->tile;
            wanted.message.clear();  // TILE is the kernel's default: no message
        }
        if (!pad_chosen) p.pad = default_sizes->pad;
    }
    if (default_sizes) set_sizes(p, *default_sizes);
    return wanted;
}

void Workbench::State::ask_for(const std::string& kernel_id, const KernelParameters& parameters) {
    clear_message();
    const KernelInfo* kernel = find_kernel(kernel_id);
    if (kernel == nullptr) {
        fail("There is no kernel \"" + kernel_id + "\"; choose one from the list");
        return;
    }
    const KernelParameters& shown = request.parameters;
    const bool new_variant = parameters.tile != shown.tile || parameters.pad != shown.pad;
    if (kernel_id == request.kernel && new_variant)
        if (const Status can_be = check_variant(*kernel, parameters.tile, parameters.pad);
            !can_be) {
            fail(can_be.error().message);
            return;
        }
    const FittedParameters asked = wanted_of(*kernel, parameters);
    const KernelParameters& wanted = asked.parameters;
    const Result<FittedParameters> fitted = fit_parameters(*kernel, wanted);
    if (!fitted) {
        show_suggestions(fitted.error().message, suggest_sizes(*kernel, wanted));
        return;
    }
    if (const Status runs = check_generation_runs(*kernel, fitted->parameters, *generation);
        !runs) {
        fail(runs.error().message);
        return;
    }
    if (same_sizes(fitted->parameters, wanted) || default_sizes) {
        const std::string& also = fitted->message;
        const bool both = !asked.message.empty() && !also.empty();
        launch(kernel_id, fitted->parameters, asked.message + (both ? "; " : "") + also);
        return;
    }
    KernelParameters as_wanted =
        fitted->parameters;  // the fitted TILE and PAD with the wanted sizes
    set_sizes(as_wanted, wanted);
    show_suggestions(validate(*kernel, as_wanted).error().message, suggest_sizes(*kernel, wanted));
}

void Workbench::State::launch(const std::string& kernel_id, const KernelParameters& parameters,
                              const std::string& changes) {
    RecordRequest next = request;
    next.kernel = kernel_id;
    next.parameters = parameters;
    if (find_kernel(request.kernel) == nullptr) next.inputs = {};  // those of a program's product
    if (next.kernel != request.kernel) {
        next.removed_barrier = 0;
        next.order = ThreadOrder::kRoundRobin;
        next.find_failing_order = false;
    }
    const bool asked_already =
        next.kernel == request.kernel && next.parameters == request.parameters;
    request.kernel = kernel_id;  // the kernel that the notices are about
    if (!changes.empty()) tell(Notice::kSizes, changes);
    if (asked_already && worker.busy()) return;
    use_inputs_that_fit(next);
    request = std::move(next);
    submit();
}

void Workbench::State::ask_for_tile_by_occupancy() {
    clear_message();
    const KernelInfo* kernel = find_kernel(request.kernel);
    if (kernel == nullptr) return;
    KernelParameters next = request.parameters;
    const Result<BlockByOccupancy> block = block_by_occupancy(*kernel, next.pad, *generation);
    if (!block) {
        fail(block.error().message);
        return;
    }
    next.tile = block->tile;
    ask_for(request.kernel, next);
    if (size_suggestions() == nullptr && request.parameters.tile == block->tile)
        message = sentence_of(*block, *generation) + (message.empty() ? "" : ". " + message);
}

void Workbench::State::take_suggestion(std::size_t number) {
    if (size_suggestions() == nullptr || number >= suggestions->choices.size()) return;
    const SizeSuggestion chosen = suggestions->choices[number];
    clear_message();
    launch(chosen.kernel, chosen.parameters);
}

void Workbench::State::choose_generation(const std::string& id) {
    const Generation* const chosen = find_generation(id);
    if (chosen == nullptr) {
        fail("There is no GPU generation \"" + id + "\"; choose one from the list");
        return;
    }
    if (chosen == generation) return;
    generation = chosen;
    // A trace that is being counted by the former rules is counted again.
    if (worker.busy())
        submit(only_counting ? asked_trace : nullptr);
    else
        submit(recording ? recording->trace : nullptr);
}

void Workbench::State::choose_recorder(Recorder recorder) {
    if (recorder == request.recorder) return;
    clear_message();
    request.recorder = recorder;
    submit();
}

void Workbench::State::use_inputs_that_fit(RecordRequest& next) {
    if (own_inputs.a.empty() && own_inputs.c.empty()) return;
    const KernelParameters& p = next.parameters;
    const bool fit = p.m == own_inputs_for.m && p.n == own_inputs_for.n && p.k == own_inputs_for.k;
    next.inputs = fit ? own_inputs : Inputs{};
    if (!fit && message.empty())
        tell(Notice::kInputs, "Random numbers stand in for your matrices, which have other sizes");
}

void Workbench::State::watch(std::uint32_t block) {
    if (!replay || block == replay->block()) return;
    Result<Replay> chosen = Replay::of_block(*recording->trace, block, *recording->generation);
    if (!chosen) {
        fail(chosen.error().message);
        return;
    }
    finish_step();
    const LogicalPlace place = place_at(*replay, static_cast<Tick>(left_position()));
    replay = std::move(chosen).value();
    note_former_ticks();
    stay_at(place);
    quiz.follow(*replay);
}

void Workbench::State::watch_or_record(std::uint32_t block) {
    if (!recording || is_chosen(*recording->trace, block)) return watch(block);
    clear_message();
    if (records_kernel()) {
        wanted_block = block;
        return submit();
    }
    if (!shows_program) {
        fail("Block " + std::to_string(block) +
             " was not recorded; open the program itself to record it");
        return;
    }
    programs->record_block(block);
    take_over_program();
}

// Whether the recording is of a kernel of the ladder, made here: not of a program, a file or a
// lesson.
bool Workbench::State::records_kernel() const {
    return recording && !shows_program && recording->from_request;
}

void Workbench::State::toggle_pad() {
    const KernelInfo* kernel = find_kernel(request.kernel);
    KernelParameters next = request.parameters;
    const auto pad = kernel == nullptr ? std::nullopt : other_pad(*kernel, next.pad);
    if (!pad) {
        const std::string name = kernel == nullptr ? request.kernel : std::string(kernel->title);
        clear_message();
        tell(Notice::kNoPad, name + " has no PAD to change");
        return;
    }
    next.pad = *pad;
    ask_for(request.kernel, next);
}

void Workbench::State::remove_barrier(int line) {
    const KernelInfo* kernel = find_kernel(request.kernel);
    const bool known = kernel != nullptr && std::ranges::any_of(kernel->barriers, [&](auto& b) {
                           return b.line == line;
                       });
    if (line != 0 && !known) {
        fail("Line " + std::to_string(line) + " has no barrier to remove");
        return;
    }
    clear_message();
    request.removed_barrier = static_cast<std::uint32_t>(line);
    request.order = ThreadOrder::kRoundRobin;
    request.find_failing_order = false;
    submit();
}

void Workbench::State::run_in_order(ThreadOrder order, bool find_failing_order) {
    if (request.removed_barrier == 0) {
        fail("The order of the threads matters only without a barrier: remove one first");
        return;
    }
    if (order == ThreadOrder::kLanes && !generation->independent_lanes) {
        fail(
            "This GPU generation runs the lanes of a warp together: choose one of compute "
            "capability 7.0 or later");
        return;
    }
    clear_message();
    request.order = order;
    request.find_failing_order = find_failing_order;
    submit();
}

}  // namespace tilereel
