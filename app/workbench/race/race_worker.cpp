#include "app/workbench/race/race_worker.h"

#include <algorithm>
#include <exception>
#include <utility>

#include "app/ladder/ladder.h"
#include "app/race/files/race_file.h"
#include "app/workbench/race/race_summary.h"

namespace tilereel {
namespace {

// Turns an exception into an error. A runner calls libraries that may throw.
template <class Work>
auto guarded(const Work& work) -> decltype(work()) {
    try {
        return work();
    } catch (const std::bad_alloc&) {
        return failed("there is not enough memory for this race; choose smaller sizes");
    } catch (const std::exception& problem) {
        return failed(std::string("the race failed: ") + problem.what());
    }
}

bool holds_all(const Race& race, const std::vector<Contender>& contenders) {
    return std::ranges::all_of(contenders, [&](const Contender& each) {
        return find_contender(race.request, each).has_value();
    });
}

SizedCounts counts_of(const Trace& trace) {
    const Launch& launch = trace.launch;
    std::uint64_t shared_bytes = 0;
    for (const Array& array : trace.arrays)
        if (array.space == Space::kShared) shared_bytes += array.size_bytes();
    return {.counts = count_kernel(trace),
            .size = {static_cast<int>(launch.m), static_cast<int>(launch.n),
                     static_cast<int>(launch.k)},
            .block_threads = static_cast<int>(launch.block.x * launch.block.y),
            .shared_bytes = static_cast<std::uint32_t>(shared_bytes)};
}

}  // namespace

Result<SizedCounts> count_recorded(const CountedLaunch& launch, RecordProgress* progress) {
    const Trace trace = TRY(record_built_in(
        {.kernel = launch.kernel, .parameters = launch.parameters, .inputs = {}}, progress));
    return counts_of(trace);
}

void RaceWorker::Mail::put(RaceUpdate one) {
    const std::lock_guard lock(mutex);
    updates.push_back(std::move(one));
}

RaceWorker::RaceWorker(RunnerFactory factory, CountLaunch count, OwnTools own, bool on_thread)
    : factory_(std::move(factory)),
      count_(count ? std::move(count) : count_recorded),
      own_(std::move(own)),
      racing_(on_thread),
      helping_(on_thread) {}

RaceWorker::~RaceWorker() {
    leaving_ = true;
    recording_.cancel = true;
    cancel_race();
}

Result<Runner*> RaceWorker::runner() {
    if (found_.runner) return found_.runner.get();
    if (!factory_) return failed("nothing can race here: open a recorded race");
    found_ = factory_();
    if (!found_.runner) return failed(found_.why_no_gpu);
    return found_.runner.get();
}

namespace {

// A race in the window's own thread could neither be watched nor cancelled.
Error no_thread_to_race() {
    return failed("the system gives no thread to race on; close some programs and start again");
}

}  // namespace

void RaceWorker::find_device() {
    if (racing_.lacks_thread()) return mail_.put(DeviceFound{no_thread_to_race(), ""});
    racing_.submit([this] {
        Result<RaceMachine> machine = guarded([this]() -> Result<RaceMachine> {
            Runner* const found = TRY(runner());
            return found->machine(leaving_);
        });
        mail_.put(DeviceFound{std::move(machine), found_.why_no_gpu});
    });
}

void RaceWorker::race(RaceId id, RaceRequest request) {
    if (racing_.lacks_thread()) return mail_.put(RaceEnded{id, no_thread_to_race()});
    cancel_race();
    cancel_ = std::make_shared<std::atomic<bool>>(false);
    racing_.submit(
        [this, id, request = std::move(request), cancel = cancel_] { run(id, request, *cancel); });
}

void RaceWorker::run(RaceId id, const RaceRequest& request, const std::atomic<bool>& cancel) {
    mail_.put(RaceEnded{id, guarded([&]() -> Status {
                            Runner* const found = TRY(runner());
                            mail_.put(RaceBegun{id, new_race(request, *found, cancel)});
                            return run_race(
                                request, *found,
                                [&](const RaceEvent& event) {
                                    mail_.put(RaceProgressed{id, event});
                                },
                                cancel);
                        })});
}

void RaceWorker::race_own(RaceId id, RaceRequest request, std::vector<OwnRequest> own) {
    if (racing_.lacks_thread()) return mail_.put(RaceEnded{id, no_thread_to_race()});
    cancel_race();
    cancel_ = std::make_shared<std::atomic<bool>>(false);
    racing_.submit(
        [this, id, request = std::move(request), own = std::move(own), cancel = cancel_] {
            mail_.put(RaceEnded{id, guarded([&] { return run_own(id, request, own, *cancel); })});
        });
}

Status RaceWorker::run_own(RaceId id, const RaceRequest& request,
                           const std::vector<OwnRequest>& own, const std::atomic<bool>& cancel) {
    const OwnWatch watch{.tell =
                             [&](const std::string& words) {
                                 mail_.put(OwnStage{id, words});
                             },
                         .cancel = &cancel};
    std::vector<PreparedOwn> prepared;  // their folders live as long as the race
    RaceProcess process{.begun =
                            [&](const Race& race) {
                                mail_.put(RaceBegun{id, race});
                            },
                        .listener =
                            [&](const RaceEvent& event) {
                                mail_.put(RaceProgressed{id, event});
                            }};
    for (const OwnRequest& each : own) {
        if (cancel) return cancelled();
        PreparedOwn made = TRY(own_.prepare(each, watch));
        if (made.built.file.empty()) {
            mail_.put(OwnRefused{made.built.errors});
            return failed(name_of(each.source) + " does not compile for the GPU");
        }
        process.libraries.push_back(made.built.file);
        prepared.push_back(std::move(made));
    }
    mail_.put(OwnStage{id, "Starting the race"});
    return own_.race(request, process, cancel);
}

void RaceWorker::recognise(OwnOffer offer) {
    helping_.submit([this, offer = std::move(offer)] {
        mail_.put(
            OwnRecognised{offer.recording, guarded([&] { return own_.recognise(*offer.trace); })});
    });
}

void RaceWorker::cancel_race() {
    if (cancel_) *cancel_ = true;
}

void RaceWorker::count(std::vector<CountedLaunch> launches, CountWhen when) {
    TaskThread& thread = when == CountWhen::kMeanwhile ? helping_ : racing_;
    const auto priority = when == CountWhen::kBeforeRaces ? TaskThread::Priority::kNormal
                                                          : TaskThread::Priority::kIdle;
    for (CountedLaunch& launch : launches)
        thread.submit([this, launch = std::move(launch)] { count_now(launch); }, priority);
}

void RaceWorker::count_now(const CountedLaunch& launch) {
    if (leaving_) return;
    const Result<SizedCounts> counts = guarded([&] { return count_(launch, &recording_); });
    mail_.put(LaunchCounted{launch, counts ? std::optional(*counts) : std::nullopt});
}

void RaceWorker::read(std::filesystem::path path, RaceFor purpose) {
    helping_.submit([this, path = std::move(path), purpose] {
        mail_.put(RaceRead{path, purpose, guarded([&] { return read_race(path); })});
    });
}

void RaceWorker::describe(std::filesystem::path path) {
    helping_.submit(
        [this, path = std::move(path)] {
            const Result<Race> race = guarded([&] { return read_race(path); });
            mail_.put(RaceDescribed{path, race ? race_summary(*race) : race.error().message});
        },
        TaskThread::Priority::kIdle);
}

void RaceWorker::find_race_with(RaceId id, std::vector<std::filesystem::path> files,
                                std::vector<Contender> contenders) {
    helping_.submit([this, id, files = std::move(files), contenders = std::move(contenders)] {
        for (const std::filesystem::path& file : files) {
            if (leaving_) return;
            Result<Race> race = guarded([&] { return read_race(file); });
            if (!race || !holds_all(*race, contenders)) continue;
            mail_.put(RacesScanned{id, std::move(race).value()});
            return;
        }
        mail_.put(RacesScanned{id, std::nullopt});
    });
}

void RaceWorker::write(std::filesystem::path path, std::function<Status()> write) {
    helping_.submit([this, path = std::move(path), write = std::move(write)] {
        mail_.put(FileWritten{path, guarded(write)});
    });
}

std::vector<RaceUpdate> RaceWorker::take() {
    const std::lock_guard lock(mail_.mutex);
    return std::exchange(mail_.updates, {});
}

}  // namespace tilereel
