#pragma once
// What the views of races ask for.
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "app/race/race.h"
#include "instrumentation/base/result.h"
#include "kernels/catalog.h"

namespace tilereel {

// Which plot, and what stands beside it.
enum class RacePlot : std::uint8_t { kGflops = 0, kSpeedUp = 1, kBandwidth = 2, kSweep = 3 };
enum class RaceSide : std::uint8_t { kRoofline = 0, kOccupancy = 1, kSetup = 2 };

// The views, as tabs where one at a time fits.
enum class RaceTab : std::uint8_t {
    kGflops = 0,
    kTable = 1,
    kRoofline = 2,
    kSpeedUp = 3,
    kBandwidth = 4,
    kSweep = 5,
    kOccupancy = 6,
    kNextRace = 7,
    kRun = 8
};

struct FindDevice {};  // opens what can race here, once: its first use may take seconds
struct StartRace {};
struct CancelRace {};
struct ChooseContenders {
    std::vector<Contender> contenders;  // in place of those of the next race
};
struct ToggleContender {
    Contender contender;
};
struct ToggleSize {
    ProductSize size;
};
struct SetRepeats {
    int repeats = 7;
};
struct SetCaches {
    Caches caches = Caches::kCold;
};
struct StartSweep {  // races every TILE and PAD of a kernel at the size looked at
    std::string kernel;
};

struct ToggleLine {  // of the race shown: hides it, or shows it again
    std::uint32_t contender = 0;
};
struct HighlightLine {  // in a colour of its own, or thin again
    std::uint32_t contender = 0;
};
struct SoloLine {  // the only strong one; again: as before
    std::uint32_t contender = 0;
};
// Strong lines: those that tell the race's story, all, or none.
enum class LineChoice : std::uint8_t { kDefault, kAll, kNone };
struct ChooseLines {
    LineChoice choice = LineChoice::kDefault;
};
struct SelectPoint {  // the same point again selects none
    std::uint32_t contender = 0;
    std::optional<std::uint32_t> size;
};
struct SelectSize {  // that shares, roofline and sweep are of
    std::uint32_t size = 0;
};
struct SetLogarithmic {
    bool of_sizes = false;  // the axis of N; otherwise that of the figures
    bool on = true;
};
struct ShowRacePlot {
    RacePlot plot = RacePlot::kGflops;
};
struct ShowRaceSide {
    RaceSide side = RaceSide::kRoofline;
};
struct ShowRaceTab {                 // where one view at a time fits
    RaceTab tab = RaceTab::kGflops;  // and the plot that it is
};
struct SetIntensity {
    bool recorded = false;  // as recorded, otherwise as counted
};

struct OpenRace {
    std::filesystem::path path;
};
struct ShowFirstRecorded {};  // of those offered, unless a race is shown; once
struct ShowOwnRace {};        // what was raced here last
struct CompareRace {
    std::optional<std::filesystem::path> path;  // nothing: no comparison
};
// What can be saved of the race shown: its file, every sample as CSV, the view as a PNG.
enum class RaceExport : std::uint8_t { kFile = 0, kTable = 1, kPicture = 2 };
struct SaveRace {
    RaceExport what = RaceExport::kFile;
    std::filesystem::path path{};  // in place of what is there; empty: RaceBench::save_path()
};
struct PictureSaved {
    std::filesystem::path path;
    Status status;
};

// The kernel being watched and its counterpart, at full speed: the same with the other PAD, or the
// rung before.
struct RacePair {
    std::string kernel;
    KernelParameters parameters;
};
struct ClosePair {};
struct DismissRaceMessage {};

using RaceAction =
    std::variant<FindDevice, StartRace, CancelRace, ChooseContenders, ToggleContender, ToggleSize,
                 SetRepeats, SetCaches, StartSweep, ToggleLine, HighlightLine, SoloLine,
                 ChooseLines, SelectPoint, SelectSize, SetLogarithmic, ShowRacePlot, ShowRaceSide,
                 ShowRaceTab, SetIntensity, OpenRace, ShowFirstRecorded, ShowOwnRace, CompareRace,
                 SaveRace, PictureSaved, RacePair, ClosePair, DismissRaceMessage>;

}  // namespace tilereel
