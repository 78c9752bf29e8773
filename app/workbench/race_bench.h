#pragma once
// The model of races: what would race next, the race shown and the one it is compared with, and
// what the views remember of it. Everything that takes time happens on workers; advance() takes
// over what they have done.
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/workbench/race_action.h"
#include "app/workbench/race_figures.h"
#include "app/workbench/race_lines.h"
#include "app/workbench/race_worker.h"

namespace tilereel {

struct RaceBenchOptions {
    RunnerFactory runner{};                         // empty: nothing can race here
    std::vector<std::filesystem::path> recorded{};  // races to offer, in this order
    std::filesystem::path save_folder = ".";
    std::optional<Race> shown{};  // at once
    bool on_worker = true;  // false: apply() does everything before it returns (tests, export)
};

struct ShownRace {
    Race race;
    RaceFigures figures;         // of `race`
    std::filesystem::path file;  // it was opened from; empty: raced here
    bool running = false;
    RaceId id = 0;
};

// The kernel being watched and its counterpart.
struct PairRace {
    Contender watched, counterpart;
    CountedLaunch watched_launch, counterpart_launch;  // small, as watched
    ShownRace race;        // of both, once it has begun; contenders may be others besides
    std::string looking;   // what is being done before there is a race
    std::string sentence;  // why there is none
    [[nodiscard]] bool has_race() const { return !race.race.request.contenders.empty(); }
};

struct RaceView {
    RacePlot plot = RacePlot::kGflops;
    RaceSide side = RaceSide::kRoofline;
    RaceTab tab = RaceTab::kGflops;  // where one view at a time fits
    bool log_sizes = true, log_figures = true;
    bool recorded_intensity = false;
    std::optional<std::uint32_t> contender;  // chosen by a click
    std::optional<std::uint32_t> size;       // likewise
    RaceLines lines;                         // of the race shown
};

class RaceBench {
  public:
    explicit RaceBench(RaceBenchOptions options);
    ~RaceBench();

    void apply(const RaceAction& command);
    void advance();

    // A recorded race as it ran, for films: it begins without events, is told them one by one in
    // order, and ends.
    void begin_again(Race race);
    void tell(const RaceEvent& event);
    void end();

    [[nodiscard]] const ShownRace* shown() const;     // nullptr: there is none yet
    [[nodiscard]] const ShownRace* compared() const;  // nullptr: no comparison
    [[nodiscard]] const PairRace* pair() const;
    [[nodiscard]] const RaceView& view() const;
    [[nodiscard]] const RaceRequest& next() const;  // what StartRace races
    [[nodiscard]] bool racing() const;              // the race shown or that of the pair
    // The race was cancelled and goes on until the launch in flight ends.
    [[nodiscard]] bool cancelling() const;
    [[nodiscard]] bool busy() const;     // something is under way on a worker
    [[nodiscard]] bool has_own() const;  // something was raced here
    // A device is looked for; a CPU is measured then, which takes up to 1 GiB.
    [[nodiscard]] bool looking_for_device() const;
    [[nodiscard]] bool looked_for_device() const;
    // What races here; nullptr before it is known and where there is nothing: see device_fault().
    [[nodiscard]] const RaceMachine* machine() const;
    [[nodiscard]] const std::string& device_fault() const;
    [[nodiscard]] const std::string& why_no_gpu() const;  // where the machine is a CPU
    [[nodiscard]] const std::vector<std::filesystem::path>& files() const;
    [[nodiscard]] const std::string& message() const;  // to show, or empty

    // The counts of a small recording of a contender's kernel; nullptr before it is made.
    [[nodiscard]] const SizedCounts* counts(const Contender& contender) const;
    [[nodiscard]] const SizedCounts* counts(const CountedLaunch& launch) const;
    // The contender that is drawn in accent: the chosen one, else the padded one of the pair that
    // padding changes most.
    [[nodiscard]] std::optional<std::uint32_t> focus() const;
    // The size that shares, roofline and sweep are of.
    [[nodiscard]] std::optional<std::uint32_t> size() const;
    // Where the race shown would be saved: in the folder that was used last.
    [[nodiscard]] std::filesystem::path save_path(RaceExport what) const;
    // Where the picture asked for goes, once.
    [[nodiscard]] std::optional<std::filesystem::path> take_picture_request();

  private:
    struct State;
    std::unique_ptr<State> state_;
};

// Every contender that can race on a GPU or on the CPU, references first: each kernel with each of
// its TILE and PAD.
[[nodiscard]] std::vector<Contender> contenders_offered(bool gpu);
// What a first race is of: the kernels that tell most, or the whole ladder.
[[nodiscard]] RaceRequest first_request(bool gpu);
[[nodiscard]] std::vector<Contender> ladder_of(const RaceRequest& request, bool gpu);
[[nodiscard]] std::vector<Contender> sweep_of(const std::string& kernel);
[[nodiscard]] std::vector<ProductSize> sizes_offered(bool gpu);
// The launch that a contender's counts are recorded from; nullopt for references.
[[nodiscard]] std::optional<CountedLaunch> small_launch(const Contender& contender);
// Whether it makes a product of this size in the way that those counts are of: 20_champion without
// a TILE chooses its tiles by the size and the GPU.
[[nodiscard]] bool races_as_counted(const Contender& contender, const ProductSize& size,
                                    int multiprocessors);
// Whom a kernel is raced against from the stage: itself with the other PAD, else the rung before.
[[nodiscard]] std::optional<Contender> counterpart_to_race(const Contender& watched);
// Small enough to read on the stage, and what the kernel takes.
[[nodiscard]] KernelParameters parameters_to_watch(const Contender& contender);

}  // namespace tilereel
