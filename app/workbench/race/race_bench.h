#pragma once
// The model of races: the next race, the shown race and the one that it is compared with, and the
// state of the views. Slow work runs on workers; advance() takes over their results.
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/workbench/race/race_action.h"
#include "app/workbench/race/race_figures.h"
#include "app/workbench/race/race_lines.h"
#include "app/workbench/race/race_worker.h"

namespace tilereel {

struct RaceBenchOptions {
    RunnerFactory runner{};                         // empty: nothing can race here
    CountLaunch count{};                            // empty: count_recorded()
    OwnTools own{};                                 // empty: no kernel of the user's own races
    std::vector<std::filesystem::path> recorded{};  // races to offer, in this order
    std::filesystem::path save_folder = ".";
    std::filesystem::path kept_folder{};  // races that ran here are kept there; empty: nowhere
    std::optional<Race> shown{};          // the initial race
    bool on_worker = true;  // false: apply() does everything before it returns (tests, export)
};

struct ShownRace {
    Race race;
    RaceFigures figures;         // of `race`
    std::filesystem::path file;  // the file that it was read from; empty: raced here
    bool running = false;
    RaceId id = 0;
};

// A race of the watched kernel and its counterpart.
struct PairRace {
    Contender watched, counterpart;
    CountedLaunch watched_launch, counterpart_launch;  // small launches for their counts
    ShownRace race;        // once it has begun; it may have further contenders
    std::string looking;   // what is being done before the race
    std::string sentence;  // why there is no race
    [[nodiscard]] bool has_race() const { return !race.race.request.contenders.empty(); }
};

struct RaceView {
    RacePlot plot = RacePlot::kGflops;
    RaceSide side = RaceSide::kRoofline;
    RaceTab tab = RaceTab::kGflops;  // the view that is shown where only one fits
    bool log_sizes = true, log_figures = true;
    bool recorded_intensity = false;
    std::optional<std::uint32_t> contender;  // selected by a click
    std::optional<std::uint32_t> size;       // selected by a click
    RaceLines lines;                         // of the shown race
};

class RaceBench {
  public:
    explicit RaceBench(RaceBenchOptions options);
    ~RaceBench();

    void apply(const RaceAction& command);
    // The launch of the open program that is shown. Without an OwnTools nothing happens.
    void offer(OwnOffer offer);
    void advance();

    // Replay a recorded race for films: begin_again() shows the race without its results,
    // add_event() adds the next of its events, end() marks it as finished.
    void begin_again(Race race);
    void add_event(const RaceEvent& event);
    void end();

    [[nodiscard]] const ShownRace* shown() const;     // nullptr: there is none yet
    [[nodiscard]] const ShownRace* compared() const;  // nullptr: no comparison
    [[nodiscard]] const PairRace* pair() const;
    [[nodiscard]] const RaceView& view() const;
    [[nodiscard]] const RaceRequest& next() const;  // what StartRace races
    [[nodiscard]] bool racing() const;              // the shown race or that of the pair
    // The race was cancelled, but its current launch has not ended.
    [[nodiscard]] bool cancelling() const;
    [[nodiscard]] bool preparing() const;       // StartRace was applied, and the race has not begun
    [[nodiscard]] bool busy() const;            // a worker is busy
    [[nodiscard]] const OwnEntry* own() const;  // nullptr: no program is open
    // Why its kernel cannot race on this computer, as a sentence; empty: it can, as far as is
    // known.
    [[nodiscard]] std::string why_own_cannot() const;
    [[nodiscard]] const std::string& stage() const;  // what is done before a race begins, or empty
    [[nodiscard]] bool has_own() const;  // ShowOwnRace leads back to a race of this computer
    // The device is being opened. A CPU is also measured, which takes up to 1 GiB of memory.
    [[nodiscard]] bool looking_for_device() const;
    [[nodiscard]] bool looked_for_device() const;
    // The device of this computer; nullptr if unknown, or if there is none: see device_fault().
    [[nodiscard]] const RaceMachine* machine() const;
    [[nodiscard]] const std::string& device_fault() const;
    [[nodiscard]] const std::string& why_no_gpu() const;  // if the machine is a CPU
    [[nodiscard]] const std::vector<std::filesystem::path>& files() const;
    // The summary of each of files(), by index. Empty before DescribeRaces has read it.
    [[nodiscard]] const std::string& summary(std::size_t file) const;
    [[nodiscard]] bool has_summaries() const;          // each file is read, or is being read
    [[nodiscard]] const std::string& message() const;  // to show, or empty
    [[nodiscard]] bool message_is_error() const;

    // The counts of a small recording of a contender's kernel; nullptr before it exists.
    [[nodiscard]] const SizedCounts* counts(const Contender& contender) const;
    [[nodiscard]] const SizedCounts* counts(const CountedLaunch& launch) const;
    // The contender in the accent colour: the selected one, else default_padding().
    [[nodiscard]] std::optional<std::uint32_t> focus() const;
    // The size for shares, roofline and sweep.
    [[nodiscard]] std::optional<std::uint32_t> size() const;
    // The default path for saving the shown race, in the folder that was used last.
    [[nodiscard]] std::filesystem::path save_path(RaceExport what) const;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

// Every contender that can race on a GPU or on the CPU: the reference, then each kernel with each
// of its built-in TILEs and PADs, and 20_champion also without a TILE.
[[nodiscard]] std::vector<Contender> contenders_offered(bool gpu);
// The initial request. On a GPU it has a selection of the kernels, on a CPU those of ladder_of().
[[nodiscard]] RaceRequest first_request(bool gpu);
// The reference, and each kernel that takes one of the request's sizes.
[[nodiscard]] std::vector<Contender> ladder_of(const RaceRequest& request, bool gpu);
[[nodiscard]] std::vector<Contender> sweep_of(const std::string& kernel);
[[nodiscard]] std::vector<ProductSize> sizes_offered(bool gpu);
// The launch that is recorded for a contender's counts; nullopt for references.
[[nodiscard]] std::optional<CountedLaunch> small_launch(const Contender& contender);
// Whether the contender computes a product of this size with the tiles of that launch. 20_champion
// without a TILE chooses its tiles by the size and the GPU.
[[nodiscard]] bool races_as_counted(const Contender& contender, const ProductSize& size,
                                    int multiprocessors);
// The opponent of a kernel in a PairRace: itself with another PAD, else the rung before.
[[nodiscard]] std::optional<Contender> counterpart_to_race(const Contender& watched);
// Parameters for the stage: sizes that the kernel takes and that are small enough to read.
[[nodiscard]] KernelParameters parameters_to_watch(const Contender& contender);

}  // namespace tilereel
