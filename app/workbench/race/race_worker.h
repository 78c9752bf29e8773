#pragma once
// Does the slow work of races on two threads: opening the device, racing, recording small
// traces for their counts, reading and writing files. The window takes the results later.
#include <atomic>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <variant>
#include <vector>

#include "app/ladder/record_request.h"
#include "app/race/race.h"
#include "app/race/runners/make_runner.h"
#include "app/workbench/race/own_entry.h"
#include "app/workbench/race/race_figures.h"
#include "app/workbench/task_thread.h"

namespace tilereel {

// Makes the runner of this machine. If there is none, FoundRunner::why_no_gpu says why. Called on
// the racing thread.
using RunnerFactory = std::function<FoundRunner()>;

// A small launch that is recorded for its counts.
struct CountedLaunch {
    std::string kernel;
    KernelParameters parameters;
    bool operator==(const CountedLaunch&) const = default;
};

// Counts such a launch; an error if it cannot be recorded. Called on either thread of the worker.
using CountLaunch = std::function<Result<SizedCounts>(const CountedLaunch&, RecordProgress*)>;
// Records the launch and counts what it did.
[[nodiscard]] Result<SizedCounts> count_recorded(const CountedLaunch& launch,
                                                 RecordProgress* progress);

using RaceId = std::uint64_t;
struct DeviceFound {
    Result<RaceMachine> machine;
    std::string why_no_gpu;  // FoundRunner::why_no_gpu
};
struct RaceBegun {
    RaceId id = 0;
    Race race;  // without events
};
struct OwnRecognised {
    std::uint64_t recording = 0;  // OwnOffer::recording
    Result<OwnCall> call;
};
struct OwnStage {  // what is done before a race of one's own kernels begins
    RaceId id = 0;
    std::string words;  // "Compiling multiply.cu"
};
struct OwnRefused {  // it does not compile
    std::vector<program::CompileError> errors;
};
struct RaceProgressed {
    RaceId id = 0;
    RaceEvent event;
};
struct RaceEnded {
    RaceId id = 0;
    Status status;
};
struct LaunchCounted {
    CountedLaunch launch;
    std::optional<SizedCounts> counts;  // nullopt: it cannot be recorded
};
enum class RaceFor : std::uint8_t {
    kShowing = 0,
    kFirstShown = 1,  // shown unless another race has been shown or begun
    kComparison = 2
};
struct RaceRead {
    std::filesystem::path path;
    RaceFor purpose = RaceFor::kShowing;
    Result<Race> race;
};
struct RacesScanned {  // result of find_race_with(): the first file with all contenders
    RaceId id = 0;
    std::optional<Race> race;
};
struct RaceDescribed {
    std::filesystem::path path;
    std::string summary;  // race_summary(), or why the file cannot be read
};
struct FileWritten {
    std::filesystem::path path;
    Status status;
};
using RaceUpdate =
    std::variant<DeviceFound, RaceBegun, RaceProgressed, RaceEnded, LaunchCounted, RaceRead,
                 RacesScanned, RaceDescribed, FileWritten, OwnRecognised, OwnStage, OwnRefused>;

class RaceWorker {
  public:
    // Without a factory nothing can race. Without `count`, launches are counted by
    // count_recorded(). `on_thread` false: each call finishes its work before it returns.
    RaceWorker(RunnerFactory factory, CountLaunch count, OwnTools own, bool on_thread);
    ~RaceWorker();  // cancels; waits for the launch in flight

    void find_device();
    void race(RaceId id, RaceRequest request);
    // Prepares kernels of the user's own, in the order of the contenders that are is_own(), and
    // races all in a process of its own.
    void race_own(RaceId id, RaceRequest request, std::vector<OwnRequest> own);
    void recognise(OwnOffer offer);
    void cancel_race();  // the last requested race
    // Records small launches for their counts. kBeforeRaces: on the racing thread, before any later
    // race, so that no race is disturbed. kMeanwhile: on the other thread, also during a race.
    // kBetweenRaces: on the racing thread, one by one, while there is no race.
    enum class CountWhen : std::uint8_t { kBeforeRaces = 0, kMeanwhile = 1, kBetweenRaces = 2 };
    void count(std::vector<CountedLaunch> launches, CountWhen when);
    void read(std::filesystem::path path, RaceFor purpose);
    void describe(std::filesystem::path path);
    void find_race_with(RaceId id, std::vector<std::filesystem::path> files,
                        std::vector<Contender> contenders);
    void write(std::filesystem::path path, std::function<Status()> write);

    // The results since the last call, in order.
    [[nodiscard]] std::vector<RaceUpdate> take();

  private:
    struct Mail {  // shared with the threads
        std::mutex mutex;
        std::vector<RaceUpdate> updates;  // guarded by mutex
        void put(RaceUpdate one);
    };
    Result<Runner*> runner();  // on the racing thread
    void count_now(const CountedLaunch& launch);
    void run(RaceId id, const RaceRequest& request, const std::atomic<bool>& cancel);
    Status run_own(RaceId id, const RaceRequest& request, const std::vector<OwnRequest>& own,
                   const std::atomic<bool>& cancel);

    RunnerFactory factory_;
    CountLaunch count_;
    OwnTools own_;
    FoundRunner found_;  // used only on the racing thread
    Mail mail_;
    std::shared_ptr<std::atomic<bool>> cancel_;  // of the newest race; shared with its task
    std::atomic<bool> leaving_{false};
    RecordProgress recording_;     // cancels a recording on either thread
    TaskThread racing_, helping_;  // last: their tasks use the members above
};

}  // namespace tilereel
