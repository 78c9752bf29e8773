// The number of warps of the chosen kernel that fit on an SM, and the limit that determines it.

#include "app/panels/panel_table.h"
#include "app/panels/paragraph.h"
#include "app/panels/race/race_views.h"
#include "app/replay/sentence/wording.h"
#include "app/ui/widgets/scroll_bar.h"
#include "app/workbench/tables/registers.h"
#include "instrumentation/analysis/generations/occupancy.h"

namespace tilereel {
namespace {

struct Needs {
    BlockResources block;
    Registers registers{};                  // assumed, if the driver did not report them
    const KernelResources* told = nullptr;  // reported by the driver; nullptr if the race has none
};

std::optional<Needs> needs_of(const RaceContext& race, std::uint32_t c) {
    const auto& resources = race.shown->race.resources;
    if (c < resources.size() && resources[c]) {
        const KernelResources& told = *resources[c];
        return Needs{
            {told.block_threads, told.registers_per_thread,
             static_cast<std::uint32_t>(told.static_shared_bytes + told.dynamic_shared_bytes)},
            {},
            &told};
    }
    const Contender& contender = race.contenders()[c];
    const SizedCounts* counts = race.bench.counts(contender);
    if (counts == nullptr) return std::nullopt;
    const Registers registers = registers_of(contender.kernel, contender.tile, contender.pad);
    return Needs{{counts->block_threads, registers.a_thread, counts->shared_bytes}, registers};
}

// The device's own rules if they are known, else the rules of the generation chosen in the replay.
const Generation& generation_of(const RaceContext& race) {
    const Generation* own = find_generation(race.shown->race.machine.compute_capability);
    return own != nullptr ? *own : race.workbench.generation();
}

// The focused contender, otherwise the fastest kernel of ours.
std::optional<std::uint32_t> subject_of(const RaceContext& race) {
    if (race.focus && !is_reference(race.contenders()[*race.focus])) return race.focus;
    std::optional<std::uint32_t> best;
    for (std::uint32_t c = 0; c < race.contenders().size(); ++c) {
        if (is_reference(race.contenders()[c])) continue;
        const auto speed = [&](std::uint32_t who) {
            return race.size ? race.shown->figures.median(who, *race.size).value_or(0) : 0;
        };
        if (!best || speed(c) > speed(*best)) best = c;
    }
    return best;
}

bool is_on_cpu(const Contender& contender) {
    const KernelInfo* const kernel = find_kernel(contender.kernel);
    return kernel != nullptr && kernel->on_cpu;
}

struct ResourceRow {
    std::string what, need, of;
    int blocks = 0;
    bool limits = false;
};

std::vector<ResourceRow> resource_rows(const Needs& needs, const Occupancy& occupancy,
                                       const Generation& generation) {
    const DeviceLimits& limits = generation.limits;
    const auto row = [&](OccupancyLimit limit, std::string what, std::string need, auto of) {
        return ResourceRow{
            std::move(what), std::move(need), with_commas(static_cast<std::uint64_t>(of)),
            occupancy.blocks_by[static_cast<std::size_t>(limit)], occupancy.limited_by(limit)};
    };
    return {row(OccupancyLimit::kWarps, "threads", std::to_string(needs.block.threads),
                limits.threads()),
            row(OccupancyLimit::kBlocks, "blocks", "1", limits.blocks),
            row(OccupancyLimit::kRegisters, "registers",
                std::to_string(needs.block.registers_per_thread) + " a thread, " +
                    with_commas(occupancy.registers_per_block),
                limits.registers),
            row(OccupancyLimit::kSharedMemory, "shared bytes",
                with_commas(occupancy.shared_bytes_per_block), limits.shared_bytes)};
}

void draw_warps(const RaceContext& race, Column& column, const Needs& needs,
                const Occupancy& occupancy, const Generation& generation) {
    column.paragraph(figure_text(100 * occupancy.share()) + " %",
                     {Face::kBold, 2.4f * race.type(14), race.colors().ink});
    column.paragraph(std::to_string(occupancy.warps) + " of " +
                         std::to_string(occupancy.most_warps) + " warps an SM: " +
                         counted(static_cast<std::uint64_t>(occupancy.blocks), "block", "blocks") +
                         " of " + std::to_string(needs.block.threads) + " threads, " +
                         std::string(generation.title),
                     Face::kSemiBold, race.colors().ink);
}

// The occupancy by our rules beside CUDA's answer, or what was assumed without it.
std::string answer_text(const Needs& needs, const Occupancy& occupancy) {
    if (needs.told == nullptr)
        return "Counted with " + text_of(needs.registers) +
               "; a race on a GPU asks the driver. Shared memory is that of the recorded launch.";
    const KernelResources& told = *needs.told;
    std::string words =
        "CUDA answers " + std::to_string(told.blocks_per_multiprocessor) +
        " blocks an SM (cudaOccupancyMaxActiveBlocksPerMultiprocessor)" +
        (told.blocks_per_multiprocessor == occupancy.blocks ? ", the same. " : ", not the same. ");
    if (told.suggested_block_threads > 0)
        words += "It suggests blocks of " + std::to_string(told.suggested_block_threads) +
                 " threads, " + std::to_string(told.suggested_grid_blocks) +
                 " of them (cudaOccupancyMaxPotentialBlockSizeVariableSMem).";
    return words;
}

ScrollTable limits_table(const RaceContext& race, const std::vector<ResourceRow>& rows) {
    const Palette& colors = race.colors();
    ScrollTable table(race.look, {race.type(14), 1.75f, 1.75f},
                      {{"limit", Align::kLeft},
                       {.head = "a block takes", .stretch = true},
                       {.head = "of", .stretch = true},
                       {.head = "blocks"}});
    for (const ResourceRow& row : rows) {
        const ImU32 ink = row.limits ? colors.ink : colors.ink2;
        table.add({{row.what, row.limits ? Face::kSemiBold : Face::kRegular, ink},
                   {row.need, Face::kMono, ink},
                   {row.of, Face::kMono, ink},
                   {row.blocks > 9999 ? "\xe2\x80\x93" : std::to_string(row.blocks), Face::kMono,
                    row.limits ? colors.accent : ink}});
    }
    return table;
}

// What a block needs, the limits, and what CUDA answers. Returns the height.
float draw_occupancy(const RaceContext& race, const Rect& place, const Needs& needs) {
    Column column(race.look, place);
    const Generation& generation = generation_of(race);
    const Result<Occupancy> occupancy = occupancy_of(needs.block, generation);
    if (!occupancy) {
        column.paragraph(as_sentence(occupancy.error().message), Face::kRegular,
                         race.colors().ink2);
        return column.height();
    }
    draw_warps(race, column, needs, *occupancy, generation);
    const std::vector<ResourceRow> rows = resource_rows(needs, *occupancy, generation);
    ScrollTable table = limits_table(race, rows);
    column.row(table.most_height(), [&](const Rect& room) {
        table.draw(room, {.row = [&](std::size_t row, const Rect& area) {
                       draw_row_mark(race.look, area, rows[row].limits, false);
                   }});
    });
    column.paragraph(answer_text(needs, *occupancy), Face::kRegular, race.colors().ink2);
    return column.height();
}

}  // namespace

void draw_race_occupancy(const RaceContext& race, const Rect& card, float& scroll) {
    const std::optional<std::uint32_t> subject = subject_of(race);
    const CardTitle title =
        draw_race_title(race, card, "Occupancy",
                        subject ? short_name(race.contenders()[*subject]) : "choose a kernel");
    register_widget("race.occupancy", card);
    const bool on_gpu = subject && !is_on_cpu(race.contenders()[*subject]);
    const std::optional<Needs> needs = on_gpu ? needs_of(race, *subject) : std::nullopt;
    if (!needs) {
        draw_paragraph(title.room.min(), title.room.w,
                       subject && !on_gpu
                           ? "It runs on the CPU, which has no SMs and no blocks."
                           : "The resources of a block are known after a small recording.",
                       {Face::kRegular, race.type(14), race.colors().ink3});
        return;
    }
    scrolled(race.look, title.room, scroll,
             [&](const Rect& place) { return draw_occupancy(race, place, *needs); });
}

}  // namespace tilereel
