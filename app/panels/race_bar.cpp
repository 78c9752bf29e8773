#include "app/panels/race_bar.h"

#include <algorithm>
#include <array>

#include "app/workbench/race_sentence.h"

namespace tilereel {
namespace {

// "NVIDIA H100 80GB HBM3 2026-11-21" of race_NVIDIA-H100-80GB-HBM3_2026-11-21T10-00-00Z.json
std::string name_of_file(const std::filesystem::path& path) {
    std::string name = path.stem().string();
    if (name.starts_with("race_")) name.erase(0, 5);
    if (const std::size_t date = name.rfind('_'); date != std::string::npos)
        if (const std::size_t hour = name.find('T', date); hour != std::string::npos)
            name.erase(hour);
    std::ranges::replace(name, '_', ' ');
    return name;
}

struct BarLine {
    std::string words;
    bool current = false, compared = false;
    std::optional<std::filesystem::path> file;  // nothing: what was raced here
};

std::vector<BarLine> lines_of(const RaceBench& bench) {
    std::vector<BarLine> lines;
    const ShownRace* shown = bench.shown();
    const bool own_shown = shown != nullptr && shown->file.empty();
    if (own_shown || bench.has_own())
        lines.push_back(
            {"raced here" + (bench.machine() == nullptr ? std::string()
                                                        : ", " + machine_text(*bench.machine())),
             own_shown, false, std::nullopt});
    for (const std::filesystem::path& file : bench.files())
        lines.push_back({name_of_file(file), shown != nullptr && shown->file == file,
                         bench.compared() != nullptr && bench.compared()->file == file, file});
    return lines;
}

}  // namespace

std::string race_choice_text(const Bar& bar) {
    const RaceBench& bench = bar.workbench.races();
    if (bench.shown() == nullptr) return bench.files().empty() ? "none" : "recorded races";
    const RaceMachine& machine = bench.shown()->race.machine;
    return bar.short_form ? std::string(machine.gpu ? "GPU" : "CPU") : machine_text(machine);
}

std::string race_scale_text(const Bar& bar) {
    const RaceView& view = bar.workbench.races().view();
    if (view.log_figures == view.log_sizes) return view.log_figures ? "log" : "linear";
    return view.log_figures ? "log, N linear" : "linear, N log";
}

void draw_race_choice(Bar& bar, const Rect& rect) {
    const Look& look = bar.look;
    const Palette& colors = look.colors();
    const RaceBench& bench = bar.workbench.races();
    const char* const menu = "chip.race.list";
    if (plain_chip(look, "chip.race", rect, bar.short_form ? "" : "race", race_choice_text(bar),
                   ImGui::IsPopupOpen(menu), "Which race is shown, and what it is compared with"))
        ImGui::OpenPopup(menu);
    const std::vector<BarLine> lines = lines_of(bench);
    const float px = look.font_px(15), row = 2.2f * px;
    const std::string none = "No race yet. Race files can be dropped on the window.";
    float words = lines.empty() ? text_width(none, Face::kRegular, px) : 12 * px;
    for (const BarLine& line : lines)
        words = std::max(words, text_width(line.words, Face::kSemiBold, px));
    const float compare = text_width("compare", Face::kSemiBold, px) + look.px(24);
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    const float width = std::min(words + compare + look.px(60), screen.x - look.px(16));
    const Rect box{
        std::clamp(rect.x, look.px(8), std::max(look.px(8), screen.x - width - look.px(8))),
        rect.bottom() + look.px(4), width,
        std::min(row * static_cast<float>(std::max<std::size_t>(lines.size(), 1)) + look.px(8),
                 screen.y - rect.bottom() - look.px(12))};
    if (!begin_menu(look, menu, box)) return;
    ImDrawList* list = ImGui::GetWindowDrawList();
    float y = ImGui::GetCursorScreenPos().y + look.px(4);
    if (lines.empty())
        draw_text_fit(list, {box.x + look.px(16), y + row / 2}, box.w - look.px(32), none,
                      {Face::kRegular, px, colors.ink2});
    for (std::size_t i = 0; i < lines.size(); ++i, y += row) {
        const BarLine& line = lines[i];
        const Rect area{box.x + look.px(4), y, box.w - look.px(16) - compare, row};
        const Touch touch = touch_area(look, "chip.race." + std::to_string(i), area, "");
        if (line.current || touch.hovered)
            fill_rect(list, area, line.current ? colors.accent_tint : colors.raised, look.px(6));
        draw_text_fit(list, {area.x + look.px(12), area.center().y}, area.w - look.px(24),
                      line.words,
                      {line.current ? Face::kSemiBold : Face::kRegular, px, colors.ink});
        if (touch.clicked) {
            if (line.file)
                bar.commands.push_back(RaceAction{OpenRace{*line.file}});
            else
                bar.commands.push_back(RaceAction{ShowOwnRace{}});
            ImGui::CloseCurrentPopup();
        }
        if (!line.file || line.current) continue;
        const Rect button{area.right() + look.px(4), y + look.px(3), compare, row - look.px(6)};
        if (text_button(look, "chip.race.compare." + std::to_string(i), button, "compare",
                        line.compared,
                        line.compared ? "No comparison" : "Draw it behind the race shown")) {
            CompareRace with;
            if (!line.compared) with.path = *line.file;
            bar.commands.push_back(RaceAction{with});
            ImGui::CloseCurrentPopup();
        }
    }
    end_menu();
}

void draw_race_scale(Bar& bar, const Rect& rect) {
    const RaceView& view = bar.workbench.races().view();
    static const std::array<std::string, 4> kScales = {"log", "linear", "log, N linear",
                                                       "linear, N log"};
    const std::string now = race_scale_text(bar);
    const auto current = std::ranges::find(kScales, now) - kScales.begin();
    const int chosen = choice_chip(bar.look, "chip.scale", rect, bar.short_form ? "" : "scale",
                                   kScales, static_cast<int>(current), "Axes of the plots over N");
    if (chosen < 0) return;
    const bool figures = chosen == 0 || chosen == 2, sizes = chosen == 0 || chosen == 3;
    if (figures != view.log_figures)
        bar.commands.push_back(RaceAction{SetLogarithmic{.of_sizes = false, .on = figures}});
    if (sizes != view.log_sizes)
        bar.commands.push_back(RaceAction{SetLogarithmic{.of_sizes = true, .on = sizes}});
}

}  // namespace tilereel
