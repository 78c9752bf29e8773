#include <algorithm>
#include <array>

#include "app/panels/bar/top_bar_items.h"
#include "app/ui/widgets/menu.h"
#include "app/workbench/race/race_sentence.h"
#include "app/workbench/race/race_summary.h"

namespace tilereel {
namespace {

// "NVIDIA-H100-80GB-HBM3 2026-11-21" for race_NVIDIA-H100-80GB-HBM3_2026-11-21T10-00-00Z.json.
std::string name_of_file(const std::filesystem::path& path) {
    std::string name = path.stem().string();
    if (name.starts_with("race_")) name.erase(0, 5);
    if (const std::size_t date = name.rfind('_'); date != std::string::npos)
        if (const std::size_t hour = name.find('T', date); hour != std::string::npos)
            name.erase(hour);
    std::ranges::replace(name, '_', ' ');
    return name;
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

BarMenu race_menu(Bar& bar) {
    const RaceBench& bench = bar.workbench.races();
    const ShownRace* shown = bench.shown();
    const bool own_shown = shown != nullptr && shown->file.empty();
    BarMenu menu;
    if (own_shown || bench.has_own())
        menu.add({.name = "0",
                  .title = "raced here" + (bench.machine() == nullptr
                                               ? std::string()
                                               : ", " + machine_text(*bench.machine())),
                  .detail = own_shown ? race_summary(shown->race) : "",
                  .current = own_shown},
                 bar, RaceAction{ShowOwnRace{}});
    if (!bench.has_summaries()) bar.ask(RaceAction{DescribeRaces{}});
    for (std::size_t f = 0; f < bench.files().size(); ++f) {
        const std::filesystem::path& file = bench.files()[f];
        const bool compared = bench.compared() != nullptr && bench.compared()->file == file;
        MenuRow row{.name = std::to_string(menu.rows.size()),
                    .title = name_of_file(file),
                    .detail = bench.summary(f),
                    .current = shown != nullptr && shown->file == file};
        if (!row.current)
            row.actions = {{"compare", "compare",
                            compared ? "No comparison" : "Draw it behind the race shown",
                            compared}};
        menu.add(std::move(row), [&bar, file, compared](const MenuChoice& chosen) {
            CompareRace with;
            if (!compared) with.path = file;
            bar.ask(chosen.action < 0 ? RaceAction{OpenRace{file}} : RaceAction{with});
        });
    }
    if (menu.rows.empty())
        menu.heading("none", "No race yet. Race files can be dropped on the window.");
    return menu;
}

BarMenu race_scale_menu(Bar& bar) {
    struct Scale {
        const char* title;
        bool figures, sizes;
    };
    static constexpr std::array<Scale, 4> kScales = {{{"log", true, true},
                                                      {"linear", false, false},
                                                      {"log, N linear", true, false},
                                                      {"linear, N log", false, true}}};
    BarMenu menu;
    for (const Scale& scale : kScales)
        menu.add({.name = scale.title,
                  .title = scale.title,
                  .current = race_scale_text(bar) == scale.title},
                 [&bar, &scale](const MenuChoice&) {
                     bar.ask(RaceAction{SetLogarithmic{.of_sizes = false, .on = scale.figures}});
                     bar.ask(RaceAction{SetLogarithmic{.of_sizes = true, .on = scale.sizes}});
                 });
    return menu;
}

}  // namespace tilereel
