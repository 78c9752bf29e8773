// The accesses of load_matrix_sync() and store_matrix_sync(): told of the line that calls, with the
// sectors and wavefronts that follow from which lane holds which element.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <sstream>

#include "tests/program/program_fixture.h"

namespace tilereel::program::wmma_accesses_test {
namespace {

constexpr const char* kFragments = R"(#include <mma.h>
using namespace nvcuda;
__global__ void k(const half* a, const half* b, float* c, float* d) {
    __shared__ half narrow[16 * 16], padded[16 * 24];
    for (int i = threadIdx.x; i < 256; i += 32) {
        narrow[i] = a[i];
        padded[i / 16 * 24 + i % 16] = a[i];
    }
    __syncwarp();
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> rows;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> across;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sums;
    wmma::fill_fragment(sums, 0.0f);
    wmma::load_matrix_sync(rows, a, 16);                              // rows
    wmma::load_matrix_sync(across, b, 16);                            // across
    wmma::mma_sync(sums, rows, across, sums);                         // multiply
    wmma::load_matrix_sync(rows, narrow, 16);                         // narrow
    wmma::load_matrix_sync(across, padded, 24);                       // padded
    wmma::mma_sync(sums, rows, across, sums);
    wmma::store_matrix_sync(c, sums, 16, wmma::mem_row_major);        // store rows
    wmma::store_matrix_sync(d, sums, 16, wmma::mem_col_major);        // store columns
}
int main() {
    half *a, *b;
    float *c, *d;
    cudaMalloc(&a, 512);
    cudaMalloc(&b, 512);
    cudaMalloc(&c, 1024);
    cudaMalloc(&d, 1024);
    cudaMemset(a, 0, 512);
    cudaMemset(b, 0, 512);
    k<<<1, 32>>>(a, b, c, d);
    cudaFree(a), cudaFree(b), cudaFree(c), cudaFree(d);
}
)";

std::uint32_t line_of(const std::string& comment) {
    const std::string text = kFragments;
    const std::size_t place = text.find("// " + comment + "\n");
    return static_cast<std::uint32_t>(std::count(text.begin(), text.begin() + place, '\n')) + 1;
}

AccessCounts counts_of(const Trace& trace, const std::string& comment) {
    AccessCounts sum;
    for (const SiteCounts& counted : count_sites(trace)) {
        const tilereel::Site& site = trace.sites[counted.site];
        const bool is_access =
            site.operation == Operation::kLoad || site.operation == Operation::kStore;
        if (is_access && site.line == line_of(comment)) sum += counted.counts;
    }
    return sum;
}

class WmmaAccesses : public Program {};

TEST_F(WmmaAccesses, FollowTheLayout) {
    const ProgramRun ran = run(kFragments);
    ASSERT_EQ(ran.launches.size(), 1u) << ran.end_sentence;
    EXPECT_TRUE(ran.launches[0].findings.empty());
    EXPECT_FALSE(ran.launches[0].uses_cub);
    const Trace trace = trace_of(ran.launches[0]);

    // A: four 8 x 8 matrices, each 32 lanes with two halves. Eight rows of 16 bytes lie 32 bytes
    // apart: eight sectors. B lies across; its matrices are loaded as they lie in memory.
    for (const char* line : {"rows", "across"}) {
        const AccessCounts counts = counts_of(trace, line);
        EXPECT_EQ(counts.requests, 4u) << line;
        EXPECT_EQ(counts.accesses, 4u * 32) << line;
        EXPECT_EQ(counts.sectors, 4u * 8) << line;
        EXPECT_EQ(counts.bytes_requested, 512u) << line;
    }
    // In shared memory the rows lie in 16-byte slots 2 r mod 8 of the banks' 128 bytes: two rows in
    // each. With a stride of 48 bytes the slots are 3 r mod 8, all different.
    EXPECT_EQ(counts_of(trace, "narrow").wavefronts, 4u * 2);
    EXPECT_EQ(counts_of(trace, "narrow").bank_conflicts, 4u);
    EXPECT_EQ(counts_of(trace, "padded").wavefronts, 4u);
    EXPECT_EQ(counts_of(trace, "padded").bank_conflicts, 0u);
    // Sums by rows: pairs of 8 bytes, eight rows of 32 bytes a request. By columns: each request
    // stores 32 single sums, in four columns of 32 bytes.
    EXPECT_EQ(counts_of(trace, "store rows").requests, 4u);
    EXPECT_EQ(counts_of(trace, "store rows").sectors, 4u * 8);
    EXPECT_EQ(counts_of(trace, "store columns").requests, 8u);
    EXPECT_EQ(counts_of(trace, "store columns").sectors, 8u * 4);
}

// Nothing is told of a line of our headers, and none of their variables is a local of the kernel.
TEST_F(WmmaAccesses, AreThoseOfTheProgram) {
    const ProgramRun ran = run(kFragments);
    ASSERT_EQ(ran.launches.size(), 1u) << ran.end_sentence;
    const Trace trace = trace_of(ran.launches[0]);
    for (const tilereel::Site& site : trace.sites) EXPECT_EQ(site.file, 0) << site.line;
    EXPECT_TRUE(trace.more_sources.empty());
    for (const Local& local : trace.locals) EXPECT_EQ(local.function, "k") << local.name;
    const auto multiplies = [&](const tilereel::Site& site) {
        return site.line == line_of("multiply");
    };
    EXPECT_EQ(std::count_if(trace.sites.begin(), trace.sites.end(), multiplies), 1);
}

// tests/hardware/h200_wmma.csv: what an H200 counted of each launch of wmma_half.cu.
TEST_F(WmmaAccesses, AreThoseThatTheHardwareCounts) {
    const auto text_of = [](const std::string& path) {
        std::ifstream file(path);
        return std::string{std::istreambuf_iterator<char>(file), {}};
    };
    const std::string folder = TILEREEL_TESTS_FOLDER "/cuda/";
    std::string program = text_of(folder + "wmma_half.cu");
    const std::string include = "#include \"check.h\"";
    const std::size_t at = program.find(include);
    ASSERT_NE(at, std::string::npos);
    std::string check = text_of(folder + "check.h");
    check.erase(0, check.find('\n') + 1);  // #pragma once
    const ProgramRun ran = run(program.replace(at, include.size(), check));
    std::istringstream table(text_of(TILEREEL_TESTS_FOLDER "/../hardware/h200_wmma.csv"));
    std::string line;
    std::getline(table, line);  // the header
    std::size_t rows = 0;
    for (; std::getline(table, line); ++rows) {
        ASSERT_LT(rows, ran.launches.size());
        const KernelCounts counts = count_kernel(trace_of(ran.launches[rows]));
        std::ostringstream counted;
        counted << rows << ',' << counts.global_load.requests << ',' << counts.global_load.sectors
                << ',' << counts.global_store.requests << ',' << counts.global_store.sectors;
        EXPECT_EQ(counted.str(), line) << ran.launches[rows].kernel;
    }
    EXPECT_EQ(rows, 38u);
}

}  // namespace
}  // namespace tilereel::program::wmma_accesses_test
