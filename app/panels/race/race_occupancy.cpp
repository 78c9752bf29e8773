// The number of warps of the chosen kernel that fit on an SM, and the limit that determines it.
#include <algorithm>
#include <array>
#include <cmath>

#include "app/panels/paragraph.h"
#include "app/panels/race/race_views.h"
#include "app/workbench/registers.h"
#include "instrumentation/analysis/occupancy.h"

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

// The device's own rules if they are known, otherwise those of the generation chosen in the replay.
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

struct ResourceRow {
    std::string what, need;
    int blocks = 0;
    bool limits = false;
};

std::vector<ResourceRow> resource_rows(const Needs& needs, const Occupancy& occupancy,
                                       const Generation& generation) {
    const DeviceLimits& limits = generation.limits;
    const auto row = [&](OccupancyLimit limit, std::string what, std::string need) {
        return ResourceRow{std::move(what), std::move(need),
                           occupancy.blocks_by[static_cast<std::size_t>(limit)],
                           occupancy.limited_by(limit)};
    };
    return {row(OccupancyLimit::kWarps, "threads",
                std::to_string(needs.block.threads) + " of " +
                    with_commas(static_cast<std::uint64_t>(limits.threads()))),
            row(OccupancyLimit::kBlocks, "blocks", "1 of " + std::to_string(limits.blocks)),
            row(OccupancyLimit::kRegisters, "registers",
                std::to_string(needs.block.registers_per_thread) + " a thread, " +
                    with_commas(occupancy.registers_per_block) + " of " +
                    with_commas(static_cast<std::uint64_t>(limits.registers))),
            row(OccupancyLimit::kSharedMemory, "shared memory",
                with_commas(occupancy.shared_bytes_per_block) + " B of " +
                    with_commas(static_cast<std::uint64_t>(limits.shared_bytes)))};
}

class OccupancyCard {
  public:
    OccupancyCard(const RaceContext& race, const Rect& room)
        : race_(race), look_(race.look), room_(room) {
        px_ = std::min(race.type(14), room.h / 19);
    }

    void draw(const Needs& needs, const Generation& generation) {
        const Palette& colors = race_.colors();
        const Result<Occupancy> occupancy = occupancy_of(needs.block, generation);
        float y = room_.y + px_;
        if (!occupancy) {
            draw_paragraph({room_.x, y}, room_.w, as_sentence(occupancy.error().message),
                           {Face::kRegular, px_, colors.ink2});
            return;
        }
        const float big = 2.4f * px_;
        const float after =
            room_.x + 0.6f * px_ +
            draw_text({room_.x, y + 0.7f * px_}, figure_text(100 * occupancy->share()) + " %",
                      {Face::kBold, big, colors.ink});
        draw_text_fit({after, y}, room_.right() - after,
                      std::to_string(occupancy->warps) + " of " +
                          std::to_string(occupancy->most_warps) + " warps an SM",
                      {Face::kSemiBold, px_, colors.ink});
        draw_text_fit({after, y + 1.4f * px_}, room_.right() - after,
                      std::to_string(occupancy->blocks) + " blocks of " +
                          std::to_string(needs.block.threads) + " threads, " +
                          std::string(generation.title),
                      {Face::kRegular, px_, colors.ink2});
        y += 4 * px_;
        draw_head(y);
        for (const ResourceRow& row : resource_rows(needs, *occupancy, generation)) {
            y += 1.75f * px_;
            draw_row(row, y);
        }
        y += 1.9f * px_;
        draw_answers(needs, *occupancy, y);
    }

  private:
    [[nodiscard]] float need_x() const { return room_.x + 9.2f * px_; }

    void draw_head(float y) {
        const TextStyle style{Face::kRegular, 0.93f * px_, race_.colors().ink3};
        draw_text({room_.x, y}, "limit", style);
        draw_text({need_x(), y}, "a block takes", style);
        draw_text({room_.right(), y}, "blocks", {style.face, style.px, style.color, Align::kRight});
    }

    void draw_row(const ResourceRow& row, float y) {
        const Palette& colors = race_.colors();
        if (row.limits)
            fill_rect({room_.x - look_.gap(), y - 0.85f * px_, room_.w + look_.pad(), 1.7f * px_},
                      colors.accent_tint, look_.px(4));
        const ImU32 ink = row.limits ? colors.ink : colors.ink2;
        draw_text({room_.x, y}, row.what,
                  {row.limits ? Face::kSemiBold : Face::kRegular, px_, ink});
        const float words = row.limits ? text_width("limits ", Face::kSemiBold, px_) : 0;
        const std::string blocks = row.blocks > 9999 ? "\xe2\x80\x93" : std::to_string(row.blocks);
        const float wide = text_width("00000", Face::kMono, px_);
        const float free = room_.right() - need_x() - words - wide;
        // Without the part before the comma if there is no room for both.
        const std::size_t comma = row.need.find(", ");
        const bool all =
            comma == std::string::npos || text_width(row.need, Face::kRegular, px_) <= free;
        draw_text_fit({need_x(), y}, free, all ? row.need : row.need.substr(comma + 2),
                      {Face::kRegular, px_, ink});
        draw_text({room_.right(), y}, blocks, {Face::kMono, px_, ink, Align::kRight});
        if (row.limits)
            draw_text({room_.right() - wide, y}, "limits",
                      {Face::kSemiBold, px_, colors.accent, Align::kRight});
    }

    // Draws the occupancy by our rules beside CUDA's answer, or what was assumed without it.
    void draw_answers(const Needs& needs, const Occupancy& occupancy, float y) {
        std::string words;
        if (needs.told != nullptr) {
            const KernelResources& told = *needs.told;
            words = "CUDA answers " + std::to_string(told.blocks_per_multiprocessor) +
                    " blocks an SM (cudaOccupancyMaxActiveBlocksPerMultiprocessor)" +
                    (told.blocks_per_multiprocessor == occupancy.blocks ? ", the same. "
                                                                        : ", not the same. ");
            if (told.suggested_block_threads > 0)
                words += "It suggests blocks of " + std::to_string(told.suggested_block_threads) +
                         " threads, " + std::to_string(told.suggested_grid_blocks) +
                         " of them (cudaOccupancyMaxPotentialBlockSizeVariableSMem).";
        } else {
            words = "By " + text_of(needs.registers) +
                    ": a race on a GPU asks the driver. Shared memory is that of the recorded "
                    "launch.";
        }
        draw_paragraph({room_.x, y - 0.4f * px_}, room_.w, words,
                       {Face::kRegular, 0.95f * px_, race_.colors().ink2});
    }

    const RaceContext& race_;
    const Look& look_;
    Rect room_;
    float px_ = 14;
};

}  // namespace

void draw_race_occupancy(const RaceContext& race, const Rect& card) {
    const std::optional<std::uint32_t> subject = subject_of(race);
    const std::string caption =
        subject ? short_name(race.contenders()[*subject]) : std::string("choose a kernel");
    const float top = draw_race_title(race, card, "Occupancy", caption);
    register_widget("race.occupancy", card);
    const float pad = race.look.margin();
    const Rect room{card.x + pad, top, card.w - 2 * pad, card.bottom() - top - race.look.wide()};
    const std::optional<Needs> needs = subject ? needs_of(race, *subject) : std::nullopt;
    if (!needs) {
        draw_paragraph(room.min(), room.w,
                       "The resources of a block are known after a small recording.",
                       {Face::kRegular, race.type(14), race.colors().ink3});
        return;
    }
    OccupancyCard(race, room).draw(*needs, generation_of(race));
}

}  // namespace tilereel
