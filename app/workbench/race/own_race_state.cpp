// The user's own kernel in the next race: RaceBench::State's part of own_entry.h.
#include <algorithm>

#include "app/own_kernel/work_call.h"
#include "app/race/other_kernels/work_sizes.h"
#include "app/workbench/race/race_bench_state.h"

namespace tilereel {

// Another launch of the same file keeps what the user has typed for it.
void RaceBench::State::offer(OwnOffer offer) {
    if (!options.own.prepare) return;
    if (own_kernel && own_kernel->offer.recording == offer.recording) return;
    const bool same = own_kernel && own_kernel->offer.program.file == offer.program.file;
    const bool same_kernel =
        same && own_kernel->offer.trace->launch.kernel == offer.trace->launch.kernel;
    if (!same) std::erase_if(next.contenders, is_own);
    OwnEntry fresh{.offer = offer};
    if (same) fresh.values = own_kernel->values;
    if (same_kernel) fresh.typed = own_kernel->typed;
    own_kernel = std::move(fresh);
    worker.recognise(std::move(offer));
}

void RaceBench::State::take(OwnRecognised& update) {
    if (!own_kernel || own_kernel->offer.recording != update.recording) return;
    OwnEntry& entry = *own_kernel;
    entry.recognising = false;
    if (!update.call) {
        entry.unclear = update.call.error().message;
        entry.can_be_said = update.call.error().kind == ErrorKind::kWrongCall;
        entry.is_product = entry.offer.trace->product.has_value();
        return;
    }
    entry.recognised = text_of(*update.call);
    entry.is_product = !update.call->work;
    if (const auto& work = update.call->work)
        entry.sizes = sizes_of_work(work->n, work->multiple, work->dimensions);
}

void RaceBench::State::take(OwnStage& update) {
    if (update.id == newest) stage = std::move(update.words);
}

void RaceBench::State::take(OwnRefused& update) {
    if (own_kernel) own_kernel->errors = std::move(update.errors);
}

void RaceBench::State::change_own(std::string OwnEntry::*what, std::string text) {
    if (!own_kernel) return;
    message.clear();
    OwnEntry& entry = *own_kernel;
    const auto chosen = [&] { return std::ranges::any_of(next.contenders, is_own); };
    const bool was_chosen = chosen();
    if (was_chosen) toggle_own();
    entry.*what = std::move(text);
    entry.errors.clear();
    if (entry.typed == entry.recognised) entry.typed.clear();
    if (!entry.typed.empty()) {
        const auto call = own_call_of(entry.typed, *entry.offer.trace);
        if (!call) message = call.error().message;
        if (call) entry.is_product = !call->work;
        if (call && call->work)
            entry.sizes =
                sizes_of_work(call->work->n, call->work->multiple, call->work->dimensions);
    }
    if (const auto sources = with_values(entry.source(), entry.values); !sources)
        message = sources.error().message;
    if (was_chosen) toggle_own();
}

// Only products race beside others.
void RaceBench::State::toggle_own() {
    if (!own_kernel) return;
    if (std::erase_if(next.contenders, is_own) > 0 || !own_kernel->is_product) return;
    for (Contender& each : own_kernel->contenders()) next.contenders.push_back(std::move(each));
}

std::string RaceBench::State::why_own_cannot() const {
    if (!own_kernel) return "No program is open";
    if (!options.own.prepare) return "Nothing can race here";
    if (looked && !machine) return fault;
    if (looked && !machine->gpu)
        return "A kernel of your own races on a GPU" +
               (why_no_gpu.empty() ? std::string()
                                   : ": " + why_no_gpu.substr(0, why_no_gpu.find(';')));
    if (std::string missing = options.own.why_not ? options.own.why_not() : "";
        looked && !missing.empty())
        return missing;
    if (own_kernel->recognising) return "The launch of its kernel is being recognised";
    if (own_kernel->call().empty()) return own_kernel->unclear;
    if (own_kernel->offer.program.in_sandbox)
        return own_kernel->file_name() +
               " ran in a sandbox, and a race runs it with your rights: trust its folder first "
               "(Shift+T)";
    return {};
}

void RaceBench::State::race_own() {
    message.clear();
    if (!own_kernel) {
        message = "Open a CUDA program first: its kernel races here";
        return;
    }
    RaceRequest request = next;
    if (own_kernel->is_product) {
        if (std::ranges::none_of(next.contenders, is_own)) toggle_own();
        request = next;
    } else {
        request.contenders = own_kernel->contenders();
        request.sizes = own_kernel->sizes;
        // The process that races knows them.
        request.bytes.assign(request.sizes.size(), 1);
    }
    start(std::move(request));
}

std::vector<OwnRequest> RaceBench::State::own_requests(const RaceRequest& request) const {
    std::vector<OwnRequest> requests;
    const auto sources = with_values(own_kernel->source(), own_kernel->values);
    if (!sources) return requests;
    for (const Contender& contender : request.contenders)
        for (const OwnSource& source : *sources)
            if (contender.kernel == name_of(source))
                requests.push_back(
                    {.program = own_kernel->offer.program,
                     .source = source,
                     .text = own_kernel->typed,
                     .launch = own_kernel->offer.trace->launch.number,
                     .trace = own_kernel->offer.trace,
                     .sizes = request.bytes.empty() ? std::vector<ProductSize>() : request.sizes});
    return requests;
}

void RaceBench::State::start_own(RaceRequest request) {
    if (std::string why = why_own_cannot(); !why.empty()) {
        message = std::move(why);
        return;
    }
    if (const Status sound = check_request(request); !sound) {
        message = sound.error().message;
        return;
    }
    std::vector<OwnRequest> kernels = own_requests(request);
    const auto count = std::ranges::count_if(request.contenders, is_own);
    if (static_cast<std::ptrdiff_t>(kernels.size()) != count) {
        message = "A kernel of another program is among the contenders: leave it out";
        return;
    }
    own_kernel->errors.clear();
    stage = "Preparing " + own_kernel->file_name();
    awaiting_begin = true;
    count_for(request, true);
    worker.race_own(++newest, std::move(request), std::move(kernels));
}

}  // namespace tilereel
