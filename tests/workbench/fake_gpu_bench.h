#pragma once
// Race benches on a made-up GPU: one that answers at once, and one that waits behind a gate.
#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "app/workbench/race/race_bench.h"
#include "tests/race/fake_runner.h"
#include "tests/race/hardware_race.h"

namespace tilereel {

class FakeGpu : public FakeRunner {
  public:
    RaceMachine machine(const std::atomic<bool>&) override { return hardware_machine(); }
};

// Callers of wait() wait until open() is called or they are cancelled.
class Gate {
  public:
    void open() {
        const std::lock_guard lock(mutex_);
        open_ = true;
        changed_.notify_all();
    }
    void close() {
        const std::lock_guard lock(mutex_);
        open_ = false;
    }
    void wait(const std::atomic<bool>& cancel) {
        std::unique_lock lock(mutex_);
        ++waiting_;
        while (!open_ && !cancel) changed_.wait_for(lock, std::chrono::milliseconds(2));
    }
    [[nodiscard]] int waiting() {
        const std::lock_guard lock(mutex_);
        return waiting_;
    }

  private:
    std::mutex mutex_;
    std::condition_variable changed_;
    bool open_ = false;
    int waiting_ = 0;
};
// A runner whose launches wait at the gate.
class GatedGpu : public FakeGpu {
  public:
    explicit GatedGpu(std::shared_ptr<Gate> gate) : gate_(std::move(gate)) {}
    Result<double> time(const Contender& contender, int launches,
                        const std::atomic<bool>& cancel) override {
        gate_->wait(cancel);
        return FakeGpu::time(contender, launches, cancel);
    }

  private:
    std::shared_ptr<Gate> gate_;
};

inline RunnerFactory fake_gpu() {
    return [] { return FoundRunner{std::make_unique<FakeGpu>(), {}}; };
}

inline RaceBench bench_at_once(RunnerFactory factory = fake_gpu(),
                               std::vector<std::filesystem::path> recorded = {},
                               std::filesystem::path folder = ".") {
    return RaceBench({.runner = std::move(factory),
                      .recorded = std::move(recorded),
                      .save_folder = std::move(folder),
                      .on_worker = false});
}

inline void choose_two(RaceBench& bench) {
    bench.apply(FindDevice{});
    bench.apply(
        ChooseContenders{{{"08_tiled_b_transposed", 32, 0}, {"08_tiled_b_transposed", 32, 1}}});
    while (bench.next().sizes.size() > 1) bench.apply(ToggleSize{bench.next().sizes.back()});
}

// Advances the bench until `done`; false after half a minute.
template <class Condition>
bool frames_until(RaceBench& bench, const Condition& done) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    while (!done()) {
        if (std::chrono::steady_clock::now() > end) return false;
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        bench.advance();
    }
    return true;
}

}  // namespace tilereel
