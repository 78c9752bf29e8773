// Hazards in recordings of small kernels with and without their barriers, and of the ladder.
#define TILEREEL_BUILD_EMULATED
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <optional>
#include <set>

#include "instrumentation/analysis/hazards.h"
#include "instrumentation/base/sanitizers.h"
#include "instrumentation/plain/ladder.h"
#include "kernels/catalog.h"
#include "tests/record/emulate.h"

namespace tilereel {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr int kTile = 8;

// clang-format off: the lines are counted from here
constexpr int kFirstLine = __LINE__;
template <bool FIRST_BARRIER, bool SECOND_BARRIER>
__global__ void small_tiled(Global<const float> A, Global<const float> B, Global<float> C,
                            Shape s) {
    SHARED(float, As, kTile, kTile);
    SHARED(float, Bs, kTile, kTile);
    const int tx = threadIdx.x, ty = threadIdx.y;
    Accumulator<float> sum;
    for (int k0 = 0; k0 < s.k; k0 += kTile) {
        As[ty][tx] = A[ty * s.k + k0 + tx];
        Bs[ty][tx] = B[(k0 + ty) * s.n + tx];
        if (FIRST_BARRIER) __syncthreads();
        for (int k = 0; k < kTile; ++k) sum += As[ty][k] * Bs[k][tx];
        if (SECOND_BARRIER) __syncthreads();
    }
    C[ty * s.n + tx] = sum;
}
// clang-format on
constexpr int kStoreB = kFirstLine + 10, kReads = kFirstLine + 12;

template <void (*kKernel)(Global<const float>, Global<const float>, Global<float>, Shape)>
Trace recorded() {
    Result<Trace> trace = emulate_kernel<kKernel>(
        {.block = {kTile, kTile, 1}, .m = kTile, .n = kTile, .k = 3 * kTile});
    EXPECT_TRUE(trace);
    return std::move(trace).value();
}

// The lines of the errors between two warps.
std::set<std::pair<int, int>> lines_of_errors(const Trace& trace) {
    std::set<std::pair<int, int>> lines;
    for (const Finding& finding : find_hazards(trace)) {
        if (finding.severity != Severity::kError) continue;
        EXPECT_EQ(finding.hazard, Hazard::kRace);
        EXPECT_NE(finding.first.thread / 32, finding.second.thread / 32);
        const auto a = static_cast<int>(trace.sites[finding.first.site].line);
        const auto b = static_cast<int>(trace.sites[finding.second.site].line);
        lines.emplace(std::min(a, b), std::max(a, b));
    }
    return lines;
}

TEST(HazardsOnKernels, WithBothBarriersThereIsNone) {
    EXPECT_THAT(find_hazards(recorded<small_tiled<true, true>>()), IsEmpty());
}

// A warp holds four rows of the tile: it reads only its own rows of As, but all rows of Bs.
TEST(HazardsOnKernels, WithoutEitherBarrierTheTileOfBRaces) {
    const std::set<std::pair<int, int>> expected{{kStoreB, kReads}};
    EXPECT_EQ(lines_of_errors(recorded<small_tiled<false, true>>()), expected);
    EXPECT_EQ(lines_of_errors(recorded<small_tiled<true, false>>()), expected);
    EXPECT_EQ(lines_of_errors(recorded<small_tiled<false, false>>()), expected);
}

TEST(HazardsOnKernels, WithinItsWarpTheTileOfAIsAWarning) {
    const Trace trace = recorded<small_tiled<false, true>>();
    int warnings = 0;
    for (const Finding& finding : find_hazards(trace)) {
        if (finding.severity == Severity::kError) continue;
        ++warnings;
        EXPECT_EQ(finding.first.thread / 32, finding.second.thread / 32);
        EXPECT_THAT(sentence_of(trace, finding), HasSubstr("__syncwarp()"));
    }
    EXPECT_EQ(warnings, 2);  // As and Bs, each written on its line and read on one line
    for (const Finding& finding : find_hazards(trace, *find_generation("6.1")))
        EXPECT_EQ(finding.severity, Severity::kError);
}

TEST(HazardsOnKernels, AFindingNamesSitesThreadsAndCell) {
    const Trace trace = recorded<small_tiled<false, true>>();
    const std::vector<Finding> findings = find_hazards(trace);
    ASSERT_FALSE(findings.empty());
    // Warp 0 wrote rows 0 to 3 of Bs, warp 1 the rest; either reads all.
    const std::string sentence = sentence_of(trace, findings[0]);
    EXPECT_THAT(sentence, HasSubstr("Bs["));
    EXPECT_THAT(sentence, HasSubstr("of warp 0"));
    EXPECT_THAT(sentence, HasSubstr("of warp 1"));
    EXPECT_THAT(sentence, HasSubstr("line " + std::to_string(kStoreB)));
    EXPECT_THAT(sentence, HasSubstr("line " + std::to_string(kReads)));
    EXPECT_THAT(sentence, HasSubstr("put __syncthreads() between"));
    EXPECT_EQ(findings[0].cells, std::uint64_t{kTile} * kTile);
}

__global__ void apart(Global<const float>, Global<const float>, Global<float> C, Shape) {
    if (threadIdx.y == 0)
        __syncthreads();
    else
        __syncthreads();
    C[threadIdx.x] = 1.0f;
}

TEST(HazardsOnKernels, WarpsAtDifferentBarriers) {
    const Result<Trace> trace = emulate_kernel<apart>({.block = {32, 2, 1}});
    ASSERT_TRUE(trace);
    const std::vector<Finding> findings = find_hazards(*trace);
    ASSERT_EQ(findings.size(), 1u);
    EXPECT_EQ(findings[0].hazard, Hazard::kBarrierDivergence);
    EXPECT_THAT(sentence_of(*trace, findings[0]), HasSubstr("the same barrier"));
}

// At every TILE, on every GPU, at the sizes nearest to 32 x 32 x 32 that the kernel takes.
TEST(HazardsOnKernels, TheLadderHasNone) {
    for (const KernelInfo& kernel : catalog())
        for (const int tile : kernel.tiles) {
            std::optional<KernelParameters> takes;
            for (const int k : {32, tile})
                for (const int n : {32, 64, 128})
                    if (const KernelParameters p{.m = n, .n = n, .k = k, .tile = tile};
                        !takes && validate(kernel, p))
                        takes = p;
            ASSERT_TRUE(takes) << kernel.id << " takes none of these sizes";
            RecordRequest request;
            request.kernel = kernel.id;
            request.parameters = *takes;
            const Result<Trace> trace = plain::record_built_in(request);
            ASSERT_TRUE(trace) << trace.error().message;
            for (const Generation& generation : generations())
                EXPECT_THAT(find_hazards(*trace, generation), IsEmpty())
                    << kernel.id << " TILE " << tile << " on " << generation.title;
        }
}

#if defined(NDEBUG) && !TILEREEL_THREAD_SANITIZER && !TILEREEL_ADDRESS_SANITIZER
TEST(HazardsOnKernels, SixtyFourCubedTakesUnder100Milliseconds) {
    RecordRequest request;
    request.kernel = "09_tiled";
    const Result<Trace> trace = plain::record_built_in(request);
    ASSERT_TRUE(trace);
    double fastest = 1e9;
    for (int i = 0; i < 5; ++i) {
        const auto begin = std::chrono::steady_clock::now();
        EXPECT_THAT(find_hazards(*trace), IsEmpty());
        const std::chrono::duration<double, std::milli> taken =
            std::chrono::steady_clock::now() - begin;
        fastest = std::min(fastest, taken.count());
    }
    EXPECT_LT(fastest, 100);
}
#endif

}  // namespace
}  // namespace tilereel
