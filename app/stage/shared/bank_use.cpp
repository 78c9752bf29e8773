#include "app/stage/shared/bank_use.h"

#include <algorithm>
#include <bit>
#include <set>

#include "app/stage/word_glide.h"
#include "instrumentation/trace/stopped_warps.h"

namespace tilereel::stage {
namespace {

constexpr float kLeastNumber = 8;          // units: smallest font size of a number
constexpr std::uint32_t kLookBack = 4096;  // steps searched for the last shared-memory request

// "quarter-warp 2 of 4: lanes 8 to 15, 32 words from 32 banks"
std::string group_text(const RequestState& request, const RequestBanks& now, bool brief) {
    const std::uint32_t together = request.words.lanes_together, mask = now.served_now.lanes;
    const bool by_word =
        now.groups * together > kWarpSize;  // each lane is served one word per round
    const std::string name = by_word ? "round" : name_of_group(request.access.operation, together);
    std::string text = now.groups == 1 ? "one " + name
                                       : name + " " + std::to_string(now.group + 1) + " of " +
                                             std::to_string(now.groups);
    text += ": " + range_of("lane", static_cast<std::uint32_t>(std::countr_zero(mask)),
                            kWarpSize - static_cast<std::uint32_t>(std::countl_zero(mask)));
    if (brief) return text;
    text += ", " + counted(now.served_now.words, "word", "words");
    const auto lanes = static_cast<std::uint32_t>(std::popcount(mask));
    if (request.words.merged) return text + "; neighbours share them";
    if (now.served_now.words < lanes * request.access.width_bytes / 4)
        return text + ": a broadcast";
    return text + ", each in a bank of its own";
}

// Brief: "pieces 24 to 31, 16 bytes each": which of them share the wavefront of a copy.
std::string moved_text(const Scene& scene, const RequestBanks& now, bool brief) {
    std::set<std::uint32_t> together;
    for (const BankUse& use : now.bank) together.insert(use.now.begin(), use.now.end());
    const bool of_lanes = scene.site() == nullptr || !is_of_tma(scene.trace, *scene.site());
    const bool range =
        !together.empty() && *together.rbegin() - *together.begin() + 1 == together.size();
    if (!brief)
        return "16-byte pieces with the same XOR of source and target position share a wavefront";
    if (!range) return "one wavefront for each XOR of positions";
    return range_of(of_lanes ? "lane" : "piece", *together.begin(), *together.rbegin() + 1) +
           ", 16 bytes each";
}

// The lanes at the bank with the longest queue: the one served and those that wait.
std::string queue_text(const Scene& scene, const RequestBanks& now, bool brief) {
    const BankUse& use = now.bank[now.worst];
    const std::string at = "bank " + std::to_string(now.worst);
    if (use.wavefronts > scene.state.request.service.worst_group_words[now.worst])
        return brief ? "one word at a time is broadcast"
                     : "lanes want the same word of " + at +
                           ", but only one word at a time is broadcast";
    std::string text = use.now.empty() ? at + " is done"
                                       : "lane " + std::to_string(use.now.front()) + " is at " + at;
    if (use.now.empty() && !use.waiting.empty()) text = at + " is not served yet";
    if (now.queues > 1 && !brief)
        text +=
            " (" + counted(now.queues - 1, "more bank has a queue", "more banks have queues") + ")";
    if (use.waiting.empty()) return text + "; nobody waits";
    if (use.waiting.size() == 1)
        return text + "; lane " + std::to_string(use.waiting[0]) + " waits";
    return text + "; " + std::to_string(use.waiting.size()) +
           (brief ? " wait" : " wait, one wavefront each");
}

}  // namespace

RequestBanks banks_of_request(const Scene& scene) {
    RequestBanks now;
    if (!scene.shared_request() || scene.state.step == kNoStep) return now;
    now.idle = false;
    const RequestState& request = scene.state.request;
    now.groups = static_cast<std::uint32_t>(request.words.groups.size());
    for (std::uint32_t i = 0; i < now.groups; ++i)
        if (request.words.groups[i].first_wavefront <= request.wavefront) now.group = i;
    const bool by_copy = request.cost.bank_conflicts == 0 && request.cost.wavefronts > now.groups;
    now.shares_by_move = by_copy && request.access.width_bytes == 16;
    now.by_half_warps = by_copy && request.access.width_bytes == 8;
    if (now.groups > 0) now.served_now = request.words.groups[now.group];
    std::set<std::uint32_t> seen, queued;
    for (const ServedWord& served : request.words.words) {
        BankUse& use = now.bank[served.bank % kBankColumns];
        const LaneService service = scene.service_of_wavefront(served.wavefront);
        if (service == LaneService::kNow) use.now.push_back(served.lane);
        if (service == LaneService::kServed) ++use.served;
        if (service == LaneService::kWaiting && queued.insert(served.word).second)
            use.waiting.push_back(served.lane);
        if (seen.insert(served.word).second) ++use.words;
    }
    now.words = static_cast<std::uint32_t>(seen.size());
    for (std::uint32_t b = 0; b < kBankColumns; ++b) {
        BankUse& use = now.bank[b];
        use.wavefronts = request.service.worst_group_wavefronts[b];
        if (request.cost.bank_conflicts == 0) use.wavefronts = std::min(use.wavefronts, 1u);
        if (use.words > 0) ++now.used;
        if (!use.conflicted()) continue;
        ++now.queues;
        if (now.worst == kNoIndex || use.wavefronts > now.bank[now.worst].wavefronts) now.worst = b;
    }
    return now;
}

LastShared last_shared(const Scene& scene, const RequestBanks& now) {
    const std::vector<Step>& steps = scene.steps();
    LastShared last;
    if (!now.idle || scene.state.request.step == kNoStep) return last;
    std::uint32_t from =
        scene.state.step == kNoStep ? static_cast<std::uint32_t>(steps.size()) : scene.state.step;
    for (std::uint32_t looked = 0; from > 0 && looked < kLookBack; ++looked) {
        const Step& step = steps[--from];
        const Site& site = scene.trace.sites[step.site];
        if (site.array == kNoArray || scene.trace.arrays[site.array].space != Space::kShared)
            continue;
        last.site = &site;
        last.wavefronts = scene.replay.schedule().costs[from].wavefronts;
        const WordService service =
            word_service(access_of(scene.trace, step.record), scene.replay.generation());
        for (const ServedWord& served : service.words)
            last.banks |= 1u << served.bank % kBankColumns;
        break;
    }
    return last;
}

void mark_last_shared(const Scene& scene, const Rect& rect, const LastShared& last,
                      std::uint32_t bank) {
    if ((last.banks >> bank & 1) == 0) return;
    fill_rect({rect.x + scene.u(2), rect.bottom() - scene.u(5), rect.w - scene.u(4), scene.u(3)},
              scene.colors().solid(scene.plan.role(last.site->array)));
}

std::string caption_of_banks(const Scene& scene, const RequestBanks& now) {
    const Site* site = scene.site();
    if (site == nullptr) return "idle";
    if (scene.state.step == kNoStep)
        return is_block_complete(scene.trace, scene.replay.block()) ? "idle: all done"
                                                                    : "idle: cut off here";
    if (now.idle) {
        const bool constant =
            site->array != kNoArray && scene.trace.arrays[site->array].space == Space::kConstant;
        if (constant) return "idle: constant load";
        return writes(site->operation) ? "idle: global store" : "idle: global load";
    }
    if (const auto gliding = gliding_wavefronts(scene))
        return counted(*gliding, "wavefront", "wavefronts");
    const RequestCost& cost = scene.state.request.cost;
    if (cost.bank_conflicts > 0)
        return "wavefront " + std::to_string(scene.state.request.wavefront + 1) + " of " +
               std::to_string(cost.wavefronts);
    return counted(cost.wavefronts, "wavefront", "wavefronts") + ", no conflict";
}

TextStyle caption_style(const Scene& scene, const RequestBanks& now, Align align) {
    if (gliding_wavefronts(scene))
        return scene.text(Face::kBold, 20, scene.colors().conflict, align);
    if (now.worst == kNoIndex) return scene.body(scene.colors().ink2, align);
    return scene.text(Face::kSemiBold, 14, scene.colors().conflict, align);
}

std::string banks_text(const Scene& scene, const RequestBanks& now, bool brief) {
    if (now.idle) return {};
    if (now.worst != kNoIndex) return queue_text(scene, now, brief);
    if (now.shares_by_move) return moved_text(scene, now, brief);
    if (now.by_half_warps) return "one wavefront for each half-warp";
    const RequestState& request = scene.state.request;
    if (request.access.width_bytes > 4 || now.groups > 1) return group_text(request, now, brief);
    const std::string lanes = counted(request.cost.lanes, "lane", "lanes");
    const bool load = reads(scene.site()->operation);
    if (load && now.words < request.cost.lanes)
        return lanes + " read " + counted(now.words, "word", "words") + ": a broadcast";
    if (request.cost.lanes == 1) return "one lane, one bank";
    return "every lane has a bank of its own";
}

std::uint32_t joined_banks(const Scene& scene, const RequestBanks& now, std::uint32_t bank,
                           std::uint32_t end) {
    const std::uint32_t most = std::max(scene.state.request.access.width_bytes / 4, 1u);
    const BankUse& first = now.bank[bank];
    if (now.idle || first.now.empty() || scene.state.step == kNoStep) return 1;
    std::uint32_t count = 1;
    while (count < most && bank + count < end && now.bank[bank + count].now == first.now &&
           now.bank[bank + count].conflicted() == first.conflicted())
        ++count;
    return count;
}

CellLook look_of_bank(const BankUse& use) {
    if (use.now.empty() && use.waiting.empty() && use.served == 0) return CellLook::kIdle;
    if (use.now.empty() && use.waiting.empty()) return CellLook::kValid;
    if (use.now.empty())
        return use.conflicted() ? CellLook::kConflictWaiting : CellLook::kBeingCopied;
    return use.conflicted() ? CellLook::kConflictCurrent : CellLook::kSolid;
}

void draw_bank_cells(Scene& scene, std::vector<BankCell> cells, float px) {
    // Cells that are drawn larger come last, so that they are over their neighbours.
    std::ranges::stable_partition(
        cells, [](const BankCell& cell) { return cell.look != CellLook::kConflictCurrent; });
    const ColorRole role = scene.role_of_request();
    std::vector<MovingCell> boxes;
    for (const BankCell& cell : cells)
        boxes.push_back({cell.rect, cell.look, role, 255, scene.look.px(3)});
    add_moving_cells(scene.look, std::move(boxes));
    const bool legible = px >= scene.look.px(kLeastNumber);
    for (const BankCell& cell : cells) {
        const TextStyle style = style_in_cell(scene.colors(), {cell.look, role}, px);
        if (legible) draw_text(cell.rect.center(), cell.number, style);
        const float in = scene.u(3);
        if (cell.broadcast)
            fill_rect({cell.rect.x + in, cell.rect.y + in, cell.rect.w - 2 * in, scene.u(2)},
                      style.color);
    }
}

}  // namespace tilereel::stage
