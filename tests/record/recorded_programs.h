#pragma once
// The kernels of tests/record/programs, recorded by the CPU recorder like a user's program, once
// for all tests of a process.
#include <gtest/gtest.h>

#include <bit>
#include <functional>
#include <map>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "instrumentation/program/program.h"
#include "instrumentation/trace/file/trace_file.h"

namespace tilereel {

// The traces of a kernel's launches, in their order, by the kernel's name: "copy_again<true>".
using RecordedPrograms = std::map<std::string, std::vector<Trace>, std::less<>>;
// `interval`: ProgramRequest::accumulator_interval.
inline RecordedPrograms record_programs(std::uint32_t interval = 1) {
    program::ProgramRequest request;
    request.file = TILEREEL_SOURCE_DIR "/tests/record/programs/main.cu";
    request.include_folders = {TILEREEL_SOURCE_DIR};
    request.keeps_assignments = false;
    static const Result<program::BuiltProgram> built = program::build_program(request);
    RecordedPrograms traces;
    if (!built) {
        ADD_FAILURE() << built.error().message;
        return traces;
    }
    for (const program::CompileError& error : built->errors)
        ADD_FAILURE() << error.file << ':' << error.line << ": " << error.message;
    request.accumulator_interval = interval;
    const Result<program::ProgramRun> run = program::run_built(*built, request);
    if (!run) {
        ADD_FAILURE() << run.error().message;
        return traces;
    }
    for (const program::LaunchSummary& launch : run->launches) {
        Result<Trace> trace = read_trace(launch.trace);
        EXPECT_TRUE(trace) << launch.kernel << ": " << launch.reason << trace.error().message;
        if (trace) traces[launch.kernel].push_back(std::move(trace).value());
    }
    return traces;
}

inline const std::vector<Trace>& launches_of(std::string_view kernel) {
    static const RecordedPrograms traces = record_programs();
    const auto found = traces.find(kernel);
    if (found != traces.end()) return found->second;
    ADD_FAILURE() << kernel << " was not recorded";
    static const std::vector<Trace> none(8);
    return none;
}
inline const Trace& trace_of(std::string_view kernel) { return launches_of(kernel).front(); }

// A record in short form: operation, array and lanes.
struct Did {
    char what;  // l(oad), s(tore), m(ultiply-add), b(arrier), w(arp barrier)
    std::string array;
    std::uint32_t lanes;
    bool operator==(const Did&) const = default;
};
inline std::ostream& operator<<(std::ostream& out, const Did& did) {
    return out << did.what << ' ' << did.array << ' ' << std::hex << did.lanes << std::dec;
}
inline std::vector<Did> what_happened(const Trace& trace) {
    std::vector<Did> list;
    for (std::size_t i = 0; i < trace.records.size(); ++i) {
        const Site& site = site_at(trace, i);
        const auto operation = static_cast<std::size_t>(site.operation);
        list.push_back({operation < 5 ? "lsmbw"[operation] : '?',
                        site.array == kNoArray ? "" : trace.arrays[site.array].name,
                        trace.patterns[trace.records.pattern[i]].mask});
    }
    return list;
}

// C after the launch: the last value that was stored to each element; 0 if there is none.
inline std::vector<float> stored_in_c(const Trace& trace, std::size_t floats) {
    std::vector<float> c(floats);
    std::size_t word = 0;
    for (std::size_t i = 0; i < trace.records.size(); ++i) {
        const Site& site = site_at(trace, i);
        const std::size_t count = has_values(trace, i) ? value_count(trace, i) : 0;
        const std::uint32_t* value = trace.words.data() + word;
        word += count;
        if (site.operation != Operation::kStore || trace.arrays[site.array].name != "C") continue;
        const LaneOffsets lanes = lane_offsets(trace, i);
        for (std::size_t lane = 0; lane < kWarpSize; ++lane) {
            if ((lanes.mask >> lane & 1u) == 0) continue;
            for (std::size_t at = 0; at < site.width_bytes / 4; ++at)
                c.at(lanes.bytes[lane] / 4 + at) = std::bit_cast<float>(*value++);
        }
    }
    return c;
}

}  // namespace tilereel
