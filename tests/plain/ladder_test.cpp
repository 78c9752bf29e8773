// The ladder's kernels in plain CUDA (kernels/plain), recorded by the plain build, against the same
// kernels in the dialect, recorded by its emulator: every count of every line.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

#include "instrumentation/analysis/counters.h"
#include "instrumentation/plain/program.h"
#include "instrumentation/record/record.h"
#include "instrumentation/trace/trace_file.h"
#include "kernels/catalog.h"
#include "tests/plain/without_plugin.h"

namespace tilereel::plain {
namespace {

struct Case {
    const KernelInfo* kernel;
    KernelParameters parameters;
    LaunchShape shape;
};

std::string name_of(const KernelInfo& kernel) {  // "09_tiled" -> "tiled"
    std::string name(kernel.id);
    return std::isdigit(static_cast<unsigned char>(name[0])) != 0 ? name.substr(3) : name;
}

// The first size that the kernel takes: not square where it may be, with edges where it takes any.
std::vector<Case> cases_of(const KernelInfo& kernel, int tile, int pad) {
    const int t = tile;
    // Boxes are counted alike where the rows of A and B begin at multiples of 16 bytes and no lane
    // is beyond the last column: champion_test.cpp compares the others.
    const std::array<int, 3> first = kernel.boxes ? std::array{2 * t + 1, 3 * t, t + 4}
                                                  : std::array{2 * t + 1, 3 * t - 1, t + 3};
    const std::array<std::array<int, 3>, 7> sizes = {{first,
                                                      {2 * t, 3 * t, 2 * t},
                                                      {2 * t, 3 * t, t},
                                                      {32, 128, 48},
                                                      {t, 2 * t, 64},
                                                      {24, 20, 12},
                                                      {t, t, t}}};
    for (const auto& [m, n, k] : sizes) {
        const KernelParameters parameters{.m = m, .n = n, .k = k, .tile = tile, .pad = pad};
        if (const Result<LaunchShape> shape = validate(kernel, parameters))
            return {{&kernel, parameters, *shape}};
    }
    return {};
}

std::string instance_of(const Case& one) {
    std::string arguments;
    const std::string_view source = one.kernel->plain_source;
    for (const auto& [name, value] :
         {std::pair{"int TILE", one.parameters.tile}, {"int PAD", one.parameters.pad}})
        if (source.find(name) != std::string_view::npos)
            arguments += (arguments.empty() ? "" : ", ") + std::to_string(value);
    return name_of(*one.kernel) + (arguments.empty() ? "" : "<" + arguments + ">");
}

// Each kernel as its own file launches it.
std::string program_of(const std::vector<Case>& cases) {
    std::ostringstream text;
    for (const KernelInfo& kernel : catalog())
        if (!kernel.plain_source.empty())
            text << "#include \"kernels/plain/" << kernel.plain_file_name << "\"\n";
    std::size_t floats = 0;  // of the largest matrix
    for (const Case& one : cases) {
        const auto m = static_cast<std::size_t>(one.parameters.m);
        const auto n = static_cast<std::size_t>(one.parameters.n);
        const auto k = static_cast<std::size_t>(one.parameters.k);
        floats = std::max({floats, m * k, k * n, m * n});
    }
    text << "int main() {\n    float *A, *B, *C;\n    const int bytes = " << floats * sizeof(float)
         << ";\n"
         << "    cudaMalloc(&A, bytes), cudaMalloc(&B, bytes), cudaMalloc(&C, bytes);\n";
    for (const Case& one : cases) {
        const KernelParameters& p = one.parameters;
        text << "    launch_" << instance_of(one) << "(A, B, C, " << p.m << ", " << p.n << ", "
             << p.k << ");\n";
    }
    text << "    cudaFree(A), cudaFree(B), cudaFree(C);\n    return cudaDeviceSynchronize();\n}\n";
    return text.str();
}

// By operation and array. Where shared memory has its size from the launch, the source names one
// array.
using Line = std::map<std::tuple<Operation, std::string>, std::pair<AccessCounts, std::uint64_t>>;

// From the top, those that do anything that is counted.
std::vector<Line> lines_of(const Trace& trace, bool one_shared_array, bool accesses_only) {
    std::map<std::uint32_t, Line> lines;
    for (const SiteCounts& counted : count_sites(trace)) {
        const tilereel::Site& site = trace.sites[counted.site];
        if (site.operation == Operation::kAssign) continue;
        if (accesses_only && site.operation == Operation::kMultiplyAdd) continue;
        std::string array;
        if (site.array != kNoArray) {
            const Array& accessed = trace.arrays[site.array];
            if (accessed.space == Space::kConstant) continue;  // no access in the dialect
            array = one_shared_array && accessed.space == Space::kShared ? "shared" : accessed.name;
        }
        auto& [counts, multiply_adds] = lines[site.line][{site.operation, array}];
        counts += counted.counts;
        multiply_adds += counted.multiply_adds;
    }
    std::vector<Line> result;
    for (auto& [number, line] : lines) result.push_back(std::move(line));
    return result;
}

std::string text_of(const std::vector<Line>& lines) {
    std::ostringstream text;
    for (std::size_t i = 0; i < lines.size(); ++i)
        for (const auto& [what, sums] : lines[i]) {
            const auto& [operation, array] = what;
            const auto& [c, multiply_adds] = sums;
            text << "  line " << i + 1 << ", operation " << static_cast<int>(operation) << " "
                 << array << ": " << c.accesses << " accesses, " << c.requests << " requests, "
                 << c.sectors << " sectors, " << c.lines << " lines, " << c.bytes_requested << ", "
                 << c.bytes_moved << ", " << c.bytes_used << " bytes, " << c.wavefronts
                 << " wavefronts, " << c.bank_conflicts << " conflicts, " << multiply_adds
                 << " multiply-adds\n";
        }
    return text.str();
}

void compare(const Case& one, const LaunchSummary& launch, bool accesses_only) {
    const std::string what = instance_of(one) + " of " + std::to_string(one.parameters.m) + " x " +
                             std::to_string(one.parameters.n) + " x " +
                             std::to_string(one.parameters.k);
    const Result<Trace> plain = read_trace(launch.trace);
    RecordRequest request;
    request.kernel = one.kernel->id;
    request.parameters = one.parameters;
    const Result<Trace> dialect = record_with_emulator(request);
    ASSERT_TRUE(plain) << what << ": " << launch.reason << plain.error().message;
    ASSERT_TRUE(dialect) << what << ": " << dialect.error().message;
    EXPECT_TRUE(plain->findings.empty()) << what;
    EXPECT_EQ(launch.recorded_blocks, std::uint64_t{one.shape.grid_x} * one.shape.grid_y) << what;
    const bool one_array = one.shape.dynamic_shared_bytes != 0;
    EXPECT_EQ(plain->recorded_by.accesses_only, accesses_only);
    const std::vector<Line> ours = lines_of(*plain, one_array, accesses_only);
    const std::vector<Line> theirs = lines_of(*dialect, one_array, accesses_only);
    EXPECT_TRUE(ours == theirs) << what << "\nrecorded in plain CUDA:\n"
                                << text_of(ours) << "recorded in the dialect:\n"
                                << text_of(theirs);
}

// Of each kernel every `every`th of its TILEs and PADs.
void compare_all(std::size_t every, bool accesses_only = false) {
    std::vector<Case> cases;
    for (const KernelInfo& kernel : catalog()) {
        std::size_t number = 0, taken = 0;
        if (kernel.plain_source.empty()) continue;
        for (const int tile : kernel.tiles)
            for (const int pad : kernel.pads) {
                const std::vector<Case> found = cases_of(kernel, tile, pad);
                EXPECT_FALSE(found.empty()) << kernel.id << " TILE " << tile << " PAD " << pad;
                taken += found.size();
                if (number++ % every == (every > 1 ? 1 : 0))
                    cases.insert(cases.end(), found.begin(), found.end());
            }
        EXPECT_GT(taken, 0u) << kernel.id;
    }
    std::string name = (std::filesystem::temp_directory_path() / "ladder-test-XXXXXX").string();
    const std::filesystem::path folder = mkdtemp(name.data());
    ProgramRequest request;
    request.file = folder / "ladder.cu";
    request.include_folders = {TILEREEL_SOURCE_DIR};
    request.limits.accesses_a_launch = request.limits.accesses = std::uint64_t{1} << 40;
    request.limits.seconds = 300;
    std::ofstream(request.file) << program_of(cases);
    const Result<ProgramRun> run = run_program(request);
    ASSERT_TRUE(run) << run.error().message;
    ASSERT_EQ(run->exit_code, 0) << run->output;
    ASSERT_EQ(run->launches.size(), cases.size());
    for (std::size_t i = 0; i < cases.size(); ++i)
        compare(cases[i], run->launches[i], accesses_only);
    std::printf("%zu kernels with a TILE and a PAD\n", cases.size());
    std::filesystem::remove_all(folder);
}

TEST(Ladder, PlainKernelsCountAsTheDialectsDo) { compare_all(8); }

TEST(Ladder, WithoutThePluginEachAccessIsCountedAllTheSame) {
    const WithoutPlugin without;
    compare_all(16, true);
}

// On request: ctest -C all -L oracle-all
TEST(Ladder, DISABLED_EveryTileAndPad) { compare_all(1); }

}  // namespace
}  // namespace tilereel::plain
