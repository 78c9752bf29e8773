#include "app/stage/bank_use.h"

#include <algorithm>
#include <bit>

namespace tilereel::stage {
namespace {

constexpr std::uint32_t kLookBack = 4096;  // steps: far enough for 32 warps of any load part

std::uint64_t word_of(const LaneState& lane) { return lane.offset_bytes / 4; }

}  // namespace

BanksNow banks_now(const Scene& scene) {
    BanksNow now;
    if (!scene.shared_request() || scene.state.step == kNoStep) return now;
    now.idle = false;
    now.running = true;
    const RequestState& request = scene.state.request;
    std::array<std::uint64_t, kWarpSize> seen{};
    std::array<std::uint64_t, kWarpSize> queued{};
    std::size_t words = 0, queued_words = 0;
    for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
        const LaneState& state = request.lanes[lane];
        if (!state.active) continue;
        ++now.lanes;
        BankUse& use = now.bank[state.bank % kMostBanks];
        const std::uint64_t word = word_of(state);
        const Turn turn = scene.turn_of(lane);
        if (turn == Turn::kNow) use.now.push_back(lane);
        if (turn == Turn::kServed) ++use.served;
        if (turn == Turn::kWaiting && std::find(queued.begin(), queued.begin() + queued_words,
                                                word) == queued.begin() + queued_words) {
            queued[queued_words++] = word;
            use.waiting.push_back(lane);
        }
        if (std::find(seen.begin(), seen.begin() + words, word) == seen.begin() + words) {
            seen[words++] = word;
            ++use.words;
        }
    }
    now.words = static_cast<std::uint32_t>(words);
    for (std::uint32_t b = 0; b < kMostBanks; ++b) {
        BankUse& use = now.bank[b];
        use.wavefronts = request.service.worst_group_wavefronts[b];
        if (use.words > 0) ++now.used;
        if (!use.conflicted()) continue;
        ++now.queues;
        if (now.worst == kNoIndex || use.wavefronts > now.bank[now.worst].wavefronts) now.worst = b;
    }
    return now;
}

bool last_shared(const Scene& scene, LastShared& last) {
    const std::vector<Step>& steps = scene.replay.steps();
    std::uint32_t from =
        scene.state.step == kNoStep ? static_cast<std::uint32_t>(steps.size()) : scene.state.step;
    for (std::uint32_t looked = 0; from > 0 && looked < kLookBack; ++looked) {
        const Step& step = steps[--from];
        const Site& site = scene.trace.sites[step.site];
        if (site.array == kNoArray || scene.trace.arrays[site.array].space != Space::kShared)
            continue;
        last.site = &site;
        last.wavefronts = scene.replay.cost(from).wavefronts;
        const BankService service =
            bank_service(access_of(scene.trace, step.record), scene.replay.generation());
        for (const std::uint8_t bank : service.bank)
            if (bank < kMostBanks) last.banks |= 1u << bank;
        return true;
    }
    return false;
}

std::string caption_of_banks(const Scene& scene, const BanksNow& now) {
    const Site* site = scene.site();
    if (scene.state.step == kNoStep || site == nullptr) return "idle: all done";
    if (now.idle) return writes(site->operation) ? "idle: global store" : "idle: global load";
    const RequestCost& cost = scene.state.request.cost;
    if (cost.bank_conflicts > 0)
        return "wavefront " + std::to_string(scene.state.request.wavefront + 1) + " of " +
               std::to_string(cost.wavefronts);
    return plural(cost.wavefronts, "wavefront", "wavefronts") + ", no conflict";
}

namespace {

// "half-warp" where the lanes of one are served together; empty where a whole warp is.
std::string group_name(const Scene& scene) {
    switch (scene.replay.generation().shared.lanes.of(scene.state.request.access.width_bytes)) {
        case 16:
            return "half-warp";
        case 8:
            return "quarter-warp";
        default:
            return {};
    }
}

// Who is at the bank with the longest queue, and who waits.
std::string words_of_queue(const Scene& scene, const BanksNow& now, bool brief) {
    const BankUse& use = now.bank[now.worst];
    const std::string at = "bank " + std::to_string(now.worst);
    if (use.wavefronts > scene.state.request.service.worst_group_words[now.worst])
        return brief ? "one word at a time is broadcast"
                     : "lanes want the same word of " + at +
                           ", but only one word at a time is broadcast";
    std::string text = use.now.empty() ? at + " is done"
                                       : "lane " + std::to_string(use.now.front()) + " is at " + at;
    if (use.now.empty() && !use.waiting.empty()) text = at + " comes later";
    if (now.queues > 1 && !brief) text += ", as at " + std::to_string(now.queues - 1) + " more";
    if (use.waiting.empty()) return text + "; nobody waits";
    if (use.waiting.size() == 1)
        return text + "; lane " + std::to_string(use.waiting[0]) + " waits";
    return text + "; " + std::to_string(use.waiting.size()) +
           (brief ? " wait" : " wait, one wavefront each");
}

}  // namespace

std::string words_of_banks(const Scene& scene, const BanksNow& now, bool brief) {
    if (now.idle) return {};
    if (now.worst != kNoIndex) return words_of_queue(scene, now, brief);
    const std::string lanes = plural(now.lanes, "lane", "lanes");
    const bool load = reads(scene.site()->operation);
    if (load && now.words < now.lanes)
        return lanes + " read " + plural(now.words, "word", "words") + ": a broadcast";
    if (now.lanes == 1) return "one lane, one bank";
    const std::string each = group_name(scene);
    if (scene.state.request.cost.ideal_wavefronts > 1 && !each.empty())
        return brief ? "no two lanes of a " + each + " share a bank"
                     : "within each " + each + " every lane has a bank of its own";
    return "every lane has a bank of its own";
}

CellLook look_of_bank(const BankUse& use) {
    if (use.now.empty() && use.waiting.empty() && use.served == 0) return CellLook::kIdle;
    if (use.now.empty() && use.waiting.empty()) return CellLook::kValid;
    if (use.now.empty()) return use.conflicted() ? CellLook::kConflictWaiting : CellLook::kStale;
    return use.conflicted() ? CellLook::kConflictCurrent : CellLook::kSolid;
}

void draw_bank_cell(Scene& scene, const Rect& rect, CellLook look, Role role,
                    const std::string& text, float px) {
    const Palette& colors = scene.colors();
    const float radius = scene.look.px(3);
    ImU32 ink = colors.ink3;
    Face face = Face::kMonoBold;
    Rect box = rect;
    switch (look) {
        case CellLook::kConflictCurrent:
            box = rect.inset(-scene.u(2));
            fill_rect(scene.list, box, colors.conflict, radius + 1);
            stroke_rect(scene.list, box, colors.ink, scene.look.px(2), radius + 1);
            ink = colors.on;
            break;
        case CellLook::kConflictWaiting:
            fill_rect(scene.list, rect, colors.conflict_tint, radius);
            stroke_rect(scene.list, rect, colors.conflict, scene.look.px(1.5f), radius);
            ink = colors.ink;
            break;
        case CellLook::kSolid:
            fill_rect(scene.list, rect, colors.solid(role), radius);
            ink = colors.on;
            break;
        case CellLook::kValid:
            fill_rect(scene.list, rect, colors.tint(role), radius);
            stroke_rect(scene.list, rect, colors.solid(role), scene.look.px(1.5f), radius);
            ink = colors.ink;
            break;
        case CellLook::kStale:
            dashed_rect(scene.list, rect, colors.line, scene.look.px(1), scene.u(3));
            break;
        default:
            fill_rect(scene.list, rect, colors.cell, radius);
            face = Face::kMono;
            break;
    }
    if (px > 0 && !text.empty())
        draw_text(scene.list, rect.center(), text, {face, px, ink, Align::kCenter});
}

}  // namespace tilereel::stage
