#include "app/panels/top_bar_items.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "app/panels/paragraph.h"
#include "app/panels/race_bar.h"
#include "app/workbench/block_by_occupancy.h"
#include "instrumentation/analysis/generation.h"

namespace tilereel {
namespace {

constexpr int kLargestTextPx = 32;

float label_width(const Look& look, std::string_view label) {
    return label.empty() ? 0 : text_width(label, Face::kRegular, look.font_px(14)) + look.px(9);
}
float value_width(const Look& look, std::string_view value) {
    return text_width(value, Face::kSemiBold, look.font_px(15));
}

const KernelInfo& kernel_of(const Workbench& workbench) {
    const KernelInfo* kernel = find_kernel(workbench.request().kernel);
    return kernel != nullptr ? *kernel : catalog().front();
}

std::vector<std::string> numbers(std::span<const int> values) {
    std::vector<std::string> out;
    for (const int value : values) out.push_back(std::to_string(value));
    return out;
}

std::string tile_text(const KernelInfo& kernel, int tile) {
    std::string words = tile_words(kernel, tile);
    if (const std::size_t by = words.find('x'); by != std::string::npos)
        words.replace(by, 1, "\xc3\x97");
    return words;
}

std::vector<std::string> tiles_of(const KernelInfo& kernel) {
    std::vector<std::string> names;
    for (const int tile : kernel.tiles) names.push_back(tile_text(kernel, tile));
    return names;
}

int index_of(std::span<const int> values, int value) {
    const auto found = std::find(values.begin(), values.end(), value);
    return found == values.end() ? -1 : static_cast<int>(found - values.begin());
}

std::string_view generation_name(const Bar& bar) {
    const Generation& generation = bar.workbench.generation();
    return bar.short_form ? generation.id : generation.title;
}

// Each kernel's title and its idea in a list below the chip.
void draw_kernel_menu(Bar& bar, const Rect& chip) {
    const Look& look = bar.look;
    const Palette& colors = look.colors();
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    const float title_px = look.font_px(15), idea_px = look.font_px(13);
    const float width = std::min(look.px(560) * std::sqrt(look.text), screen.x - look.px(16));
    const float inner = width - look.px(40);
    float height = look.px(8);
    std::vector<float> rows;
    for (const KernelInfo& kernel : catalog()) {
        const std::size_t lines =
            wrap_text(as_sentence(kernel.idea), inner, Face::kRegular, idea_px).size();
        rows.push_back(1.5f * title_px + paragraph_height(lines, idea_px) + look.px(16));
        height += rows.back();
    }
    Rect rect{std::clamp(chip.x, look.px(8), screen.x - width - look.px(8)),
              chip.bottom() + look.px(4), width,
              std::min(height, screen.y - chip.bottom() - look.px(12))};
    if (!begin_menu(look, "chip.kernel.list", rect)) return;
    ImDrawList* list = ImGui::GetWindowDrawList();
    float y = ImGui::GetCursorScreenPos().y + look.px(4);  // moves up as the menu scrolls
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const KernelInfo& kernel = catalog()[i];
        const Rect row{rect.x + look.px(4), y, rect.w - look.px(8), rows[i]};
        const Touch touch = touch_area(look, "chip.kernel." + std::string(kernel.id), row, "");
        const bool chosen = kernel.id == bar.workbench.request().kernel;
        if (chosen || touch.hovered)
            fill_rect(list, row, chosen ? colors.accent_tint : colors.raised, look.px(6));
        draw_text(list, {row.x + look.px(12), y + look.px(8) + 0.7f * title_px}, kernel.title,
                  {Face::kSemiBold, title_px, colors.ink});
        draw_paragraph(list, {row.x + look.px(12), y + look.px(8) + 1.5f * title_px}, inner,
                       as_sentence(kernel.idea), {Face::kRegular, idea_px, colors.ink2});
        if (touch.clicked) {
            bar.commands.push_back(SetKernel{std::string(kernel.id)});
            ImGui::CloseCurrentPopup();
        }
        y += rows[i];
    }
    end_menu();
}

void draw_kernel_chip(Bar& bar, const Rect& rect) {
    const bool open = ImGui::IsPopupOpen("chip.kernel.list");
    if (plain_chip(bar.look, "chip.kernel", rect, bar.short_form ? "" : "kernel",
                   kernel_of(bar.workbench).title, open, "The kernel that is recorded"))
        ImGui::OpenPopup("chip.kernel.list");
    draw_kernel_menu(bar, rect);
}

void draw_extents(Bar& bar, const Rect& rect) {
    KernelParameters parameters = bar.workbench.request().parameters;
    std::array<int, 3> values = {parameters.m, parameters.n, parameters.k};
    if (!extents_chip(bar.look, "chip.extents", rect, values.data(),
                      "C is M x N, A is M x K, B is K x N: click a number and type"))
        return;
    parameters.m = values[0];
    parameters.n = values[1];
    parameters.k = values[2];
    bar.commands.push_back(SetParameters{parameters});
}

// "by occupancy: 32" where the launch sets the block; empty for the other kernels.
std::string tile_by_occupancy(const Bar& bar, const KernelInfo& kernel) {
    const Result<BlockByOccupancy> block = block_by_occupancy(
        kernel, bar.workbench.request().parameters.pad, bar.workbench.generation());
    return block ? "by occupancy: " + std::to_string(block->tile) : std::string();
}

void draw_number_choice(Bar& bar, const Rect& rect, BarItem item) {
    KernelParameters parameters = bar.workbench.request().parameters;
    const KernelInfo& kernel = kernel_of(bar.workbench);
    const bool tile = item == BarItem::kTile;
    const std::span<const int> offered = tile ? kernel.tiles : kernel.pads;
    int& value = tile ? parameters.tile : parameters.pad;
    std::vector<std::string> names = tile ? tiles_of(kernel) : numbers(offered);
    int current = index_of(offered, value);
    if (current < 0) {
        current = static_cast<int>(names.size());
        names.push_back(std::to_string(value));
    }
    const std::string by_occupancy = tile ? tile_by_occupancy(bar, kernel) : std::string();
    if (!by_occupancy.empty()) names.push_back(by_occupancy);
    const int chosen = choice_chip(
        bar.look, tile ? "chip.tile" : "chip.pad", rect, tile ? "TILE" : "PAD", names, current,
        tile ? "Edge of a block and of its tiles, in elements"
             : "Words of padding after each row of a shared tile (P switches)");
    if (chosen < 0) return;
    if (!by_occupancy.empty() && chosen + 1 == static_cast<int>(names.size())) {
        bar.commands.push_back(SetTileByOccupancy{});
        return;
    }
    if (chosen == current) return;
    value = offered[static_cast<std::size_t>(chosen)];
    bar.commands.push_back(SetParameters{parameters});
}

struct RecorderName {
    Recorder recorder;
    const char* name;
};
constexpr std::array kRecorders = {RecorderName{Recorder::kEmulator, "record: emulator"},
                                   RecorderName{Recorder::kGpu, "record: GPU"},
                                   RecorderName{Recorder::kAuto, "record: GPU if one works"}};

// Whose rules count, and below them who records.
void draw_gpu_choice(Bar& bar, const Rect& rect) {
    std::vector<std::string> names;
    for (const Generation& generation : generations())
        names.emplace_back(bar.short_form ? generation.id : generation.title);
    for (const RecorderName& each : kRecorders)
        names.push_back(std::string(each.name) +
                        (each.recorder == bar.workbench.request().recorder ? " (now)" : ""));
    const int current = static_cast<int>(&bar.workbench.generation() - generations().data());
    const int chosen =
        choice_chip(bar.look, "chip.gpu", rect, "GPU", names, current,
                    "Whose rules the counts and the replay follow, and what records");
    if (chosen < 0 || chosen == current) return;
    const std::size_t recorder = static_cast<std::size_t>(chosen) - generations().size();
    if (static_cast<std::size_t>(chosen) >= generations().size()) {
        bar.commands.push_back(SetRecorder{kRecorders[recorder].recorder});
        return;
    }
    const Generation& generation = generations()[static_cast<std::size_t>(chosen)];
    bar.commands.push_back(SetGeneration{std::string(generation.id)});
}

}  // namespace

float width_of(const Bar& bar, BarItem item) {
    const Look& look = bar.look;
    const float sides = look.px(bar.short_form ? 12 + 14 : 12 + 22);
    switch (item) {
        case BarItem::kKernel:
            return label_width(look, bar.short_form ? "" : "kernel") +
                   value_width(look, kernel_of(bar.workbench).title) + sides +
                   look.px(bar.short_form ? 0 : 16);
        case BarItem::kExtents: {
            const KernelParameters& p = bar.workbench.request().parameters;
            std::size_t digits = 2;
            for (const int extent : {p.m, p.n, p.k})
                digits = std::max(digits, std::to_string(extent).size());
            const float field =
                static_cast<float>(digits) * text_width("0", Face::kMono, look.font_px(15)) +
                look.px(16);
            return label_width(look, "M N K") + 3 * field + look.px(20);
        }
        case BarItem::kTile:
            return label_width(look, "TILE") +
                   std::max(value_width(look, "32"),
                            value_width(look, tile_text(kernel_of(bar.workbench),
                                                        bar.workbench.request().parameters.tile))) +
                   sides;
        case BarItem::kPad:
            return label_width(look, "PAD") + value_width(look, "0") + sides;
        case BarItem::kGpu:
            return label_width(look, "GPU") + value_width(look, generation_name(bar)) + sides;
        case BarItem::kRace:
            return std::min(label_width(look, bar.short_form ? "" : "race") +
                                value_width(look, race_choice_text(bar)) + sides,
                            look.px(420) * look.text);
        case BarItem::kRaceScale:
            return label_width(look, bar.short_form ? "" : "scale") +
                   value_width(look, race_scale_text(bar)) + sides;
        case BarItem::kText:
            return std::max(bar.control, value_width(look, "A+") + look.px(10));
        default:
            return bar.control;
    }
}

void draw_item(Bar& bar, BarItem item, const Rect& rect) {
    const Look& look = bar.look;
    const Workbench::View& view = bar.workbench.view();
    switch (item) {
        case BarItem::kKernel:
            return draw_kernel_chip(bar, rect);
        case BarItem::kExtents:
            return draw_extents(bar, rect);
        case BarItem::kTile:
        case BarItem::kPad:
            return draw_number_choice(bar, rect, item);
        case BarItem::kGpu:
            return draw_gpu_choice(bar, rect);
        case BarItem::kRace:
            return draw_race_choice(bar, rect);
        case BarItem::kRaceScale:
            return draw_race_scale(bar, rect);
        case BarItem::kTheme:
            if (icon_button(look, "bar.theme", rect, Icon::kTheme, false,
                            view.light ? "Dark theme (T)" : "Light theme (T)"))
                bar.commands.push_back(ToggleTheme{});
            return;
        case BarItem::kText: {
            const bool largest = view.text_px >= kLargestTextPx;
            if (text_button(look, "bar.text_larger", rect, "A+", false,
                            largest ? "Back to the smallest text (smaller: -)"
                                    : "Larger text (+); smaller: -"))
                bar.commands.push_back(ChangeTextSize{largest ? -kLargestTextPx : 1});
            return;
        }
        case BarItem::kFull:
            if (icon_button(look, "bar.full_screen", rect, Icon::kFullScreen, view.full_screen,
                            "Full screen (F or F11)"))
                bar.commands.push_back(ToggleFullScreen{});
            return;
        case BarItem::kHelp:
            if (text_button(look, "bar.help", rect, "?", view.help, "All keys (?)"))
                bar.commands.push_back(ToggleHelp{});
            return;
    }
}

const char* words_of(BarItem item) {
    switch (item) {
        case BarItem::kTheme:
            return "theme (T)";
        case BarItem::kText:
            return "larger text (+)";
        case BarItem::kFull:
            return "full screen (F)";
        case BarItem::kHelp:
            return "all keys (?)";
        default:
            return "";
    }
}

}  // namespace tilereel
