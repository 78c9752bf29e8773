// The dialog that asks for the path of a race, its table or its picture.
#include <array>
#include <filesystem>

#include "app/panels/race/race_views.h"

namespace tilereel {
namespace {

constexpr std::array<const char*, 3> kTitles = {"Save this race", "Save every sample as CSV",
                                                "Save this view as PNG"};

}  // namespace

void open_save_dialog(RaceMemory& memory, const RaceBench& bench, RaceExport what) {
    memory.saved = what;
    memory.save = save_dialog(kTitles[static_cast<std::size_t>(what)], bench.save_path(what));
}

Commands draw_race_dialogs(const Look& look, const Rect& screen, const Workbench& workbench,
                           PanelMemory& memory) {
    RaceMemory& race = memory.parts().race;
    if (!race.save) return {};
    const bool gone =
        workbench.races().shown() == nullptr || workbench.view().mode != WindowMode::kRace;
    const SaveAnswer answer =
        gone ? SaveAnswer{.closed = true} : draw_save_dialog(look, screen, *race.save);
    if (answer.closed) race.save.reset();
    if (!answer.path) return {};
    const std::filesystem::path path = std::filesystem::absolute(*answer.path);
    if (race.saved == RaceExport::kPicture) return {SaveRacePicture{path}};
    return {RaceAction{SaveRace{race.saved, path}}};
}

}  // namespace tilereel
