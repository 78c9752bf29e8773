#include <algorithm>
#include <array>

#include "app/panels/bar/top_bar_items.h"
#include "app/ui/menu.h"
#include "app/workbench/race_sentence.h"

namespace tilereel {
namespace {

// "NVIDIA H100 80GB HBM3 2026-11-21" for race_NVIDIA-H100-80GB-HBM3_2026-11-21T10-00-00Z.json.
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
    std::optional<std::filesystem::path> file;  // nullopt: the race that ran in this session
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
    const std::vector<BarLine> lines = lines_of(bar.workbench.races());
    std::vector<MenuRow> rows;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        MenuRow row{
            .name = std::to_string(i), .title = lines[i].words, .current = lines[i].current};
        if (lines[i].file && !lines[i].current) {
            row.action = "compare";
            row.action_on = lines[i].compared;
            row.action_tip = lines[i].compared ? "No comparison" : "Draw it behind the race shown";
        }
        rows.push_back(std::move(row));
    }
    if (rows.empty())
        rows.push_back({.name = "none",
                        .title = "No race yet. Race files can be dropped on the window.",
                        .heading = true});
    const MenuChoice chosen =
        menu_chip(bar.look, "chip.race", rect, bar.short_form ? "" : "race", race_choice_text(bar),
                  rows, "The race that is shown, and the one it is compared with");
    if (chosen.row < 0) return;
    const BarLine& line = lines[static_cast<std::size_t>(chosen.row)];
    if (chosen.action) {
        CompareRace with;
        if (!line.compared) with.path = *line.file;
        bar.commands.push_back(RaceAction{with});
    } else if (line.file) {
        bar.commands.push_back(RaceAction{OpenRace{*line.file}});
    } else {
        bar.commands.push_back(RaceAction{ShowOwnRace{}});
    }
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
