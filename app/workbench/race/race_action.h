#pragma once
// The commands of the race views.
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

// The plot, and the view beside it.
// kGflops: of what is no product GB/s. kTime: only of what is no product.
enum class RacePlot : std::uint8_t {
    kGflops = 0,
    kSpeedUp = 1,
    kBandwidth = 2,
    kSweep = 3,
    kTime = 4
};
enum class RaceSide : std::uint8_t { kRoofline = 0, kOccupancy = 1, kSetup = 2 };

// The views as tabs, if the window has room for only one at a time.
enum class RaceTab : std::uint8_t {
    kGflops = 0,
    kTable = 1,
    kRoofline = 2,
    kSpeedUp = 3,
    kBandwidth = 4,
    kSweep = 5,
    kOccupancy = 6,
    kNextRace = 7,
    kRun = 8,
    kTime = 9
};

struct FindDevice {};  // opens this computer's device once; its first use may take seconds
struct StartRace {};
struct CancelRace {};
struct ChooseContenders {
    std::vector<Contender> contenders;  // replace those of the next race
};
struct ToggleContender {
    Contender contender;
};
struct ToggleSize {
    ProductSize size;
};
// Of the kernel of the program that is open (own_entry.h).
struct RaceOwn {};    // races it beside the chosen contenders; what is no product races alone
struct ToggleOwn {};  // adds it to the contenders of the next race, or leaves it out
struct SetOwnCall {
    std::string call;  // how it is launched (own_kernel/work_call.h); empty: as recognised
};
struct SetOwnValues {
    std::string values;  // "TILE=8,16,32"; empty: as the file has it
};
struct SetRepeats {
    int repeats = 7;
};
struct SetCaches {
    Caches caches = Caches::kCold;
};
struct StartSweep {  // races every TILE and PAD of a kernel at the selected size
    std::string kernel;
};

struct ToggleLine {  // hides a line of the shown race, or shows it again
    std::uint32_t contender = 0;
};
struct HighlightLine {  // draws a line in a colour of its own, or thin again
    std::uint32_t contender = 0;
};
struct SoloLine {  // makes it the only strong line; again: restores the others
    std::uint32_t contender = 0;
};
// Strong lines: default_lines(), all, or none.
enum class LineChoice : std::uint8_t { kDefault, kAll, kNone };
struct ChooseLines {
    LineChoice choice = LineChoice::kDefault;
};
struct SelectPoint {  // the selected point again: deselects it
    std::uint32_t contender = 0;
    std::optional<std::uint32_t> size;
};
struct SelectSize {  // the size for shares, roofline and sweep
    std::uint32_t size = 0;
};
struct SetLogarithmic {
    bool of_sizes = false;  // true: the axis of N; false: the axis of the figures
    bool on = true;
};
struct ShowRacePlot {
    RacePlot plot = RacePlot::kGflops;
};
struct ShowRaceSide {
    RaceSide side = RaceSide::kRoofline;
};
struct ShowRaceTab {  // if one view at a time fits; also sets the plot
    RaceTab tab = RaceTab::kGflops;
};
struct SetIntensity {
    bool recorded = false;  // true: recorded_intensity(); false: counted_intensity()
};

struct OpenRace {
    std::filesystem::path path;
};
struct ShowFirstRecorded {};  // shows the first offered race once, unless a race is shown
struct DescribeRaces {};      // reads the offered races for race_summary()
struct ShowOwnRace {};        // the last race on this computer
struct CompareRace {
    std::optional<std::filesystem::path> path;  // nullopt: ends the comparison
};
// Exports of the shown race: the race file, every sample as CSV, the view as PNG (SaveRacePicture).
enum class RaceExport : std::uint8_t { kFile = 0, kTable = 1, kPicture = 2 };
struct SaveRace {
    RaceExport what = RaceExport::kFile;
    std::filesystem::path path{};  // overwritten if it exists; empty: RaceBench::save_path()
};
struct PictureSaved {
    std::filesystem::path path;
    Status status = Done{};
};

// Races the watched kernel against its counterpart: the same kernel with another PAD, or the rung
// before.
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
                 ShowRaceTab, SetIntensity, OpenRace, ShowFirstRecorded, DescribeRaces, ShowOwnRace,
                 CompareRace, SaveRace, PictureSaved, RacePair, ClosePair, DismissRaceMessage,
                 RaceOwn, ToggleOwn, SetOwnCall, SetOwnValues>;

}  // namespace tilereel
