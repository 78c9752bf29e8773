#pragma once
// What races take time for, off the window's thread: looking for a device, racing, recording small
// traces for their counts, reading and writing files. The window asks and takes the answers.
#include <atomic>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <variant>
#include <vector>

#include "app/race/make_runner.h"
#include "app/race/race.h"
#include "app/workbench/race_figures.h"
#include "app/workbench/task_thread.h"
#include "instrumentation/record/record.h"

namespace tilereel {

// What can race here; without a runner, why nothing can. Called on the racing thread.
using RunnerFactory = std::function<FoundRunner()>;

// A small launch that is recorded for its counts.
struct CountedLaunch {
    std::string kernel;
    KernelParameters parameters;
    bool operator==(const CountedLaunch&) const = default;
};

using RaceId = std::uint64_t;
struct DeviceFound {
    Result<RaceMachine> machine;
    std::string why_no_gpu;  // empty: it is one, or there is no machine at all
};
struct RaceBegun {
    RaceId id = 0;
    Race race;  // without events
};
struct RaceTold {
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
    kFirstSight = 1,  // shown unless there is something to show by then
    kComparison = 2
};
struct RaceRead {
    std::filesystem::path path;
    RaceFor purpose = RaceFor::kShowing;
    Result<Race> race;
};
struct RacesScanned {  // the first of the files that holds all contenders, for the pair
    RaceId id = 0;
    std::optional<Race> race;
};
struct FileWritten {
    std::filesystem::path path;
    Status status;
};
using RaceNews = std::variant<DeviceFound, RaceBegun, RaceTold, RaceEnded, LaunchCounted, RaceRead,
                              RacesScanned, FileWritten>;

class RaceWorker {
  public:
    // Without a factory nothing can race. `on_thread` false: everything is done within the call.
    RaceWorker(RunnerFactory factory, bool on_thread);
    ~RaceWorker();  // cancels; waits for the launch in flight

    void find_device();
    void race(RaceId id, RaceRequest request);
    void cancel_race();  // the one that was asked for last
    // Small recordings for their counts. kBeforeRaces: ahead of the races asked for later, on the
    // thread that races, so that they disturb none. kMeanwhile: one by one, beside a race.
    // kBetweenRaces: one by one, while nothing races.
    enum class CountWhen : std::uint8_t { kBeforeRaces = 0, kMeanwhile = 1, kBetweenRaces = 2 };
    void count(std::vector<CountedLaunch> launches, CountWhen when);
    void read(std::filesystem::path path, RaceFor purpose);
    void find_race_with(RaceId id, std::vector<std::filesystem::path> files,
                        std::vector<Contender> contenders);
    void write(std::filesystem::path path, std::function<Status()> write);

    // What came since the last call, in order.
    [[nodiscard]] std::vector<RaceNews> take();

  private:
    struct Mail {  // shared with the threads
        std::mutex mutex;
        std::vector<RaceNews> news;  // guarded by mutex
        void put(RaceNews one);
    };
    Result<Runner*> runner();  // on the racing thread
    void count_now(const CountedLaunch& launch);
    void run(RaceId id, const RaceRequest& request, const std::atomic<bool>& cancel);

    RunnerFactory factory_;
    FoundRunner found_;  // of the racing thread
    Mail mail_;
    std::shared_ptr<std::atomic<bool>> cancel_;  // of the newest race; the window and its task
    std::atomic<bool> leaving_{false};
    RecordProgress recording_;     // to cancel what is being recorded, on either thread
    TaskThread racing_, helping_;  // last: they use what stands above
};

}  // namespace tilereel
