// The ladder's files in a user's program that g++ compiles without our plugin: every access is
// counted as in ladder_counts.csv. Sums are not recorded then.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

#include "instrumentation/plain/program.h"
#include "instrumentation/trace/trace_file.h"
#include "kernels/catalog.h"
#include "tests/plain/ladder_table.h"
#include "tests/plain/without_plugin.h"

namespace tilereel::plain::ladder_without_plugin_test {
namespace {

struct Case {
    const KernelInfo* kernel;
    KernelParameters parameters;
};

std::vector<Case> cases_of_the_ladder(const LadderTable& table) {  // one of each kernel
    std::vector<Case> cases;
    for (const KernelInfo& kernel : catalog()) {
        if (!has_rows(table, kernel)) continue;
        const int tile = kernel.tiles[kernel.tiles.size() > 1 ? 1 : 0], pad = kernel.pads.back();
        cases.push_back({&kernel, size_in_table(kernel, tile, pad)});
    }
    return cases;
}

std::string launch_of(const Case& one) {  // "launch_tiled<4, 1>"
    std::string name(one.kernel->id);
    if (std::isdigit(static_cast<unsigned char>(name[0])) != 0) name = name.substr(3);
    std::string arguments;
    for (const auto& [parameter, value] :
         {std::pair{"int TILE", one.parameters.tile}, {"int PAD", one.parameters.pad}})
        if (one.kernel->source.find(parameter) != std::string_view::npos)
            arguments += (arguments.empty() ? "" : ", ") + std::to_string(value);
    return "launch_" + name + (arguments.empty() ? "" : "<" + arguments + ">");
}

std::string program_of(const std::vector<Case>& cases) {
    std::ostringstream text;
    for (const Case& one : cases)
        text << "#include \"kernels/plain/" << one.kernel->file_name << "\"\n";
    text << "int main() {\n    float *A, *B, *C;\n    const int bytes = 1 << 20;\n"
         << "    cudaMalloc(&A, bytes), cudaMalloc(&B, bytes), cudaMalloc(&C, bytes);\n";
    for (const Case& one : cases) {
        const KernelParameters& p = one.parameters;
        text << "    " << launch_of(one) << "(A, B, C, " << p.m << ", " << p.n << ", " << p.k
             << ");\n";
    }
    text << "    cudaFree(A), cudaFree(B), cudaFree(C);\n    return cudaDeviceSynchronize();\n}\n";
    return text.str();
}

// The counts of accesses, without those of sums, by line, operation and array. A kernel with
// dynamic shared memory declares one array for all its tiles, so their counts are added.
using Counts = std::map<std::tuple<std::uint32_t, int, std::string>, std::array<std::uint64_t, 9>>;

Counts counts_of(const std::vector<std::string>& rows, bool one_shared_array) {
    Counts counts;
    std::map<std::uint32_t, std::uint32_t> lines;  // new numbers, without lines that only sum
    for (const std::string& row : rows) {
        std::istringstream fields(row);
        std::string line, operation, array, number;
        std::getline(fields, line, ',');
        std::getline(fields, operation, ',');
        std::getline(fields, array, ',');
        const auto did = static_cast<Operation>(std::stoi(operation));
        if (did == Operation::kMultiplyAdd || did == Operation::kAssign) continue;
        const bool matrix = array.size() == 1;
        if (one_shared_array && !array.empty() && !matrix) array = "shared";
        const auto at = lines.try_emplace(static_cast<std::uint32_t>(std::stoul(line)),
                                          static_cast<std::uint32_t>(lines.size()));
        auto& sums = counts[{at.first->second, std::stoi(operation), array}];
        for (std::uint64_t& sum : sums) {
            std::getline(fields, number, ',');
            sum += std::stoull(number);
        }
    }
    return counts;
}

// Without loads from constant memory, which recordings of the ladder do not have.
std::vector<std::string> rows_without_constants(Trace trace) {
    std::vector<std::string> rows;
    for (const std::string& row : rows_of(trace)) {
        const bool constant = std::ranges::any_of(trace.arrays, [&](const Array& array) {
            return array.space == Space::kConstant &&
                   row.find("," + array.name + ",") != std::string::npos;
        });
        if (!constant) rows.push_back(row);
    }
    return rows;
}

TEST(LadderWithoutPlugin, AccessesAreCountedAsInTheTable) {
    const WithoutPlugin without;
    const LadderTable table = read_ladder_table();
    const std::vector<Case> cases = cases_of_the_ladder(table);
    std::string name = (std::filesystem::temp_directory_path() / "ladder-test-XXXXXX").string();
    const std::filesystem::path folder = mkdtemp(name.data());
    ProgramRequest request;
    request.file = folder / "ladder.cu";
    request.include_folders = {TILEREEL_SOURCE_DIR};
    request.limits.accesses_a_launch = request.limits.accesses = std::uint64_t{1} << 40;
    std::ofstream(request.file) << program_of(cases);
    const Result<ProgramRun> run = run_program(request);
    std::filesystem::remove_all(folder);
    ASSERT_TRUE(run) << run.error().message;
    ASSERT_EQ(run->exit_code, 0) << run->output;
    ASSERT_EQ(run->launches.size(), cases.size());
    for (std::size_t i = 0; i < cases.size(); ++i) {
        const Case& one = cases[i];
        const std::string key = key_of(*one.kernel, one.parameters);
        const Result<Trace> trace = read_trace(run->launches[i].trace);
        ASSERT_TRUE(trace) << key << ": " << run->launches[i].reason << trace.error().message;
        EXPECT_TRUE(trace->recorded_by.accesses_only);
        EXPECT_TRUE(trace->findings.empty()) << key;
        const bool dynamic = validate(*one.kernel, one.parameters)->dynamic_shared_bytes != 0;
        EXPECT_EQ(counts_of(rows_without_constants(*trace), dynamic),
                  counts_of(table.at(key), dynamic))
            << key;
    }
}

}  // namespace
}  // namespace tilereel::plain::ladder_without_plugin_test
