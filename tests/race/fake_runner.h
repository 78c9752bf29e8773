#pragma once
// A fake device: the test sets the time and the failure of each contender.
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "app/race/race.h"

namespace tilereel {

class FakeRunner : public Runner {
  public:
    double launch_ms = 4;                             // of each contender not named below
    std::map<std::string, double> launch_ms_of;       // by kernel
    std::map<std::string, Verified> verified_as;      // by kernel; else verified
    std::map<std::string, Error> verify_fails;        // by kernel
    std::map<std::string, Error> time_fails;          // by kernel
    std::vector<ProductSize> too_large;               // prepare() fails at these
    std::function<void(const std::string&)> at_call;  // before each call, with its words

    std::vector<std::string> calls;  // "prepare 256", "verify 09_tiled", "time 09_tiled 3"

    int releases = 0;

    RaceMachine machine(const std::atomic<bool>&) override {
        return {.device = "a fake", .threads = 1};
    }
    Status prepare(const ProductSize& size, Caches, std::uint64_t) override {
        note("prepare " + name_of(size));
        for (const ProductSize& each : too_large)
            if (each == size) return failed("there is not enough memory for " + name_of(size));
        return Done{};
    }
    void release() override { ++releases; }
    Result<Verified> verify(const Contender& contender, const std::atomic<bool>& cancel) override {
        note("verify " + contender.kernel);
        if (cancel) return cancelled();
        const auto error = verify_fails.find(contender.kernel);
        if (error != verify_fails.end()) return error->second;
        const auto verified = verified_as.find(contender.kernel);
        return verified == verified_as.end() ? Verified{} : verified->second;
    }
    Result<double> time(const Contender& contender, int launches,
                        const std::atomic<bool>& cancel) override {
        note("time " + contender.kernel + " " + std::to_string(launches));
        if (cancel) return cancelled();
        const auto error = time_fails.find(contender.kernel);
        if (error != time_fails.end()) return error->second;
        const auto own = launch_ms_of.find(contender.kernel);
        return own == launch_ms_of.end() ? launch_ms : own->second;
    }
    Conditions conditions() override { return {.sm_clock_mhz = 1980}; }

  private:
    void note(std::string call) {
        if (at_call) at_call(call);
        calls.push_back(std::move(call));
    }
};

}  // namespace tilereel
