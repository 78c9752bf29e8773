#pragma once
// Tools for kernels of the user's own that compile nothing and race nothing.
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/workbench/race/own_entry.h"
#include "tests/race/hardware_race.h"
#include "tests/trace/program_traces.h"

namespace tilereel {

inline constexpr const char* kOwnCall =
    "multiply<<<dim3((N + 15) / 16, (M + 15) / 16), dim3(16, 16)>>>(A, B, C, N)";

// What the tools are to do, and what was asked of them.
struct OwnLog {
    std::string missing{}, unclear{};
    bool is_product = true;
    std::vector<program::CompileError> refused{};
    std::function<void(const std::atomic<bool>&)> gate{};  // prepare() waits there
    std::vector<OwnRequest> prepared{};
    std::vector<std::string> libraries{};
};

inline Result<OwnCall> fake_recognised(const OwnLog& log) {
    if (!log.unclear.empty()) return wrong_call(log.unclear);
    OwnCall call;
    call.statement = kOwnCall;
    if (!log.is_product) {
        call.statement = "sum<<<(n + 255) / 256, 256>>>(in, out, n)";
        call.work = WorkCall{.arrays = {}, .n = 1000, .multiple = 1, .dimensions = 1};
    }
    return call;
}

// A sample of 1 ms of each contender at each size.
inline Status fake_own_race(OwnLog& log, RaceRequest request, const RaceProcess& process) {
    for (const auto& library : process.libraries) log.libraries.push_back(library.string());
    if (!is_of_products(request))
        for (std::size_t s = 0; s < request.sizes.size(); ++s)
            request.bytes[s] = 8.0 * request.sizes[s].n;
    Race race;
    race.request = request;
    race.machine = hardware_machine();
    race.machine.measured_bandwidth_gbs = 3000;
    race.date = "2026-11-30T10:00:00Z";
    process.begun(race);
    for (std::uint32_t s = 0; s < request.sizes.size(); ++s)
        for (std::uint32_t c = 0; c < request.contenders.size(); ++c) {
            const bool checked = is_of_products(request) || s < 2;
            process.listener(Verified{
                .contender = c,
                .size = s,
                .outcome = checked ? Outcome::kVerified : Outcome::kUnchecked,
                .sentence = checked ? "" : "results are only the same from launch to launch"});
            const double ms = 0.004 + work_at(request, s) / (2.4e9 + 4e8 * c);
            process.listener(Sample{
                .contender = c, .size = s, .milliseconds = ms, .rate = rate_at(request, s, ms)});
        }
    return Done{};
}

inline OwnTools fake_own_tools(OwnLog& log) {
    return {
        .recognise = [&log](const Trace&) { return fake_recognised(log); },
        .prepare = [&log](const OwnRequest& request, const OwnWatch& watch) -> Result<PreparedOwn> {
            watch.tell("Compiling " + name_of(request.source));
            if (log.gate) log.gate(*watch.cancel);
            if (*watch.cancel) return cancelled();
            log.prepared.push_back(request);
            PreparedOwn made;
            if (log.refused.empty()) made.built.file = "/made/" + name_of(request.source) + ".so";
            made.built.errors = log.refused;
            return made;
        },
        .race = [&log](const RaceRequest& request, const RaceProcess& process,
                       const std::atomic<bool>&) { return fake_own_race(log, request, process); },
        .why_not = [&log] { return log.missing; }};
}

inline OwnOffer offer_of() {
    OwnOffer offer;
    offer.trace = std::make_shared<const Trace>(tests::reduction_trace());
    offer.program.file = "/folder/multiply.cu";
    offer.recording = 1;
    return offer;
}

}  // namespace tilereel
