#include "kernels/facts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "instrumentation/base/with_commas.h"

namespace tilereel {
namespace {

constexpr std::string_view kGuide = "Shared Memory in Matrix Multiplication (C = AB)";
constexpr std::string_view kExample = "The Matrix Multiplication Example";
constexpr std::string_view kSlides = "Improved performance through GPU shared memory";
constexpr std::string_view kBlog = "Memory Coalescing and Tiled Matrix Multiplication";
constexpr std::string_view kLab = "Lab 6 - Shared Memory";
constexpr std::string_view kBestPractices = "CUDA C++ Best Practices Guide";
constexpr std::string_view kMeasured = "Measured on an NVIDIA H100 80GB HBM3";
constexpr std::string_view kMeasuredHow = "CUDA 13.0, driver 580, random data, medians";

constexpr int kRtx3090SharedBytes = 49152, kMostThreads = 1024;

// Two decimals at most, thousands with a comma.
std::string number(double value) {
    std::array<char, 32> text{};
    if (std::abs(value) >= 100) return with_commas(static_cast<std::uint64_t>(std::lround(value)));
    std::snprintf(text.data(), text.size(), "%.2f", value);
    std::string out = text.data();
    while (out.ends_with('0')) out.pop_back();
    if (out.ends_with('.')) out.pop_back();
    return out;
}

Fact effective_bandwidth(std::string_view kernel, std::string_view section, double gtx_280,
                         double gtx_8800) {
    return {.id = "effective_bandwidth",
            .kernels = {kernel},
            .text = "Effective bandwidth: " + number(gtx_280) + " GB/s on a GTX 280, " +
                    number(gtx_8800) + " on an 8800 GTX.",
            .figures = {{"GTX 280", gtx_280, "GB/s"}, {"8800 GTX", gtx_8800, "GB/s"}},
            .document = kGuide,
            .section = section,
            .recorded = RecordedFigure::kBytes};
}

void add_guide(std::vector<Fact>& facts) {
    facts.push_back(effective_bandwidth("03_guide_simple", "listing 1, table 1", 8.7, 0.7));
    facts.push_back(effective_bandwidth("04_guide_a_shared", "listing 2, table 1", 14.3, 8.2));
    facts.push_back(effective_bandwidth("05_guide_ab_shared", "listing 3, table 1", 29.7, 15.7));
    facts.push_back(
        {.id = "effective_bandwidth_definition",
         .kernels = {"03_guide_simple", "04_guide_a_shared", "05_guide_ab_shared"},
         .text = "Effective bandwidth is the bytes a kernel reads plus the bytes it writes, over "
                 "its time. Which bytes the matrix example counts is not said there.",
         .figures = {},
         .document = kBestPractices,
         .section = "Effective Bandwidth Calculation",
         .recorded = RecordedFigure::kBytes});
    facts.push_back(
        {.id = "half_warp_transactions",
         .kernels = {"03_guide_simple"},
         .text = "A half-warp that reads one word of A needs 16 transactions on 1.0 and 1.1, 1 "
                 "from 1.2 on; that one moves 32 bytes to use 4.",
         .figures = {{"transactions on 1.0 and 1.1", 16, ""},
                     {"transactions from 1.2 on", 1, ""},
                     {"used of 32 bytes", 4, "bytes"}},
         .document = kGuide,
         .section = "listing 1",
         .recorded = RecordedFigure::kTransactionsOfA});
}

void add_example(std::vector<Fact>& facts, int tile) {
    const double untiled = classical_flop_per_byte(), tiled = classical_flop_per_byte(tile);
    facts.push_back({.id = "flop_per_byte_untiled",
                     .kernels = {"01_naive_by_column", "02_naive", "03_guide_simple"},
                     .text = "2MNK FLOP for 2MNK words read, 4 bytes each: " + number(untiled) +
                             " FLOP a byte.",
                     .figures = {{"arithmetic intensity", untiled, "FLOP/B"}},
                     .document = kExample,
                     .section = "Naive Implementation On GPUs",
                     .recorded = RecordedFigure::kFlopPerByte});
    facts.push_back(
        {.id = "flop_per_byte_tiled",
         .kernels = {"05_guide_ab_shared", "07_tiled_b_uncoalesced", "08_tiled_b_transposed",
                     "09_tiled", "10_tiled_any_size", "11_tiled_dynamic"},
         .text = "Tiles of edge B read every word B times less often: B/4 FLOP a byte; with TILE " +
                 std::to_string(tile) + ": " + number(tiled) + ".",
         .figures = {{"arithmetic intensity at TILE " + std::to_string(tile), tiled, "FLOP/B"}},
         .document = kExample,
         .section = "Increasing \"Computation-to-Memory Ratio\" by Tiling",
         .recorded = RecordedFigure::kFlopPerByte});
    const std::vector<std::string_view> outer = {
        "12_outer_product", "13_outer_product_unrolled", "14_outer_product_prefetch"};
    facts.push_back({.id = "outer_product",
                     .kernels = outer,
                     .text = "64 threads make a 16 x 64 tile of C in 16 iterations a phase, each "
                             "the outer product of a column of A and a row of B.",
                     .figures = {{"threads a block", 64, ""}, {"iterations a phase", 16, ""}},
                     .document = kExample,
                     .section = "Computation Optimization",
                     .recorded = RecordedFigure::kOuterProduct});
    std::vector<std::string_view> both = {"09_tiled"};
    both.insert(both.end(), outer.begin(), outer.end());
    facts.push_back({.id = "shared_operands",
                     .kernels = std::move(both),
                     .text = "An inner product takes two operands of a multiply-add from shared "
                             "memory, an outer product one: the other stays in a register.",
                     .figures = {{"inner product", 2, "shared reads a multiply-add"},
                                 {"outer product", 1, "shared reads a multiply-add"}},
                     .document = kExample,
                     .section = "Computation Optimization",
                     .recorded = RecordedFigure::kSharedReads});
    facts.push_back({.id = "prefetch_barriers",
                     .kernels = {"14_outer_product_prefetch"},
                     .text = "With two tiles that change places, one barrier a phase is enough, "
                             "and one before the first.",
                     .figures = {{"barriers a phase", 1, ""}},
                     .document = kExample,
                     .section = "Prefetching",
                     .recorded = RecordedFigure::kBarriers});
}

// GFLOPS of the race in assets/races/h100_ladder.json for square matrices: medians, by TILE. A test
// compares them with the race.
struct Measured {
    int n = 0;
    double naive_by_column_32 = 0, naive_16 = 0, naive_32 = 0, tiled_16 = 0, tiled_32 = 0,
           transposed_32 = 0, transposed_32_padded = 0;
};
constexpr std::array<Measured, 4> kH100 = {
    {{256, 238.9, 1553.0, 1508.9, 3703.6, 2548.6, 751.8, 2542.9},
     {1024, 489.0, 5107.5, 6221.6, 7985.9, 8842.0, 1607.9, 8822.8},
     {4096, 502.0, 5488.6, 6236.2, 8392.9, 9272.7, 1626.3, 9262.5},
     {8192, 501.2, 5112.6, 5768.3, 8354.9, 9265.4, 1628.0, 9254.9}}};

// A ratio of two columns for every size: "N = 256: 1.69, 1,024: 1.42, ..."
Fact measured_ratio(std::string_view id, std::vector<std::string_view> kernels, std::string what,
                    double Measured::*above, double Measured::*below) {
    Fact fact{.id = id,
              .kernels = std::move(kernels),
              .text = std::move(what) + ":",
              .figures = {},
              .document = kMeasured,
              .section = kMeasuredHow};
    for (const Measured& row : kH100) {
        const double ratio = row.*above / (row.*below);
        fact.text += (row.n == kH100[0].n ? " N = " : ", ") +
                     with_commas(static_cast<std::uint64_t>(row.n)) + ": " + number(ratio);
        fact.figures.push_back({"N = " + std::to_string(row.n), ratio, ""});
    }
    fact.text += ".";
    return fact;
}

void add_slides(std::vector<Fact>& facts) {
    facts.push_back({.id = "speed_up",
                     .kernels = {"02_naive", "09_tiled"},
                     .text = "Speed-up is the untiled version's time over the tiled one's; drawn "
                             "over the size, it is a curve.",
                     .figures = {},
                     .document = kSlides,
                     .section = "Performance results"});
    facts.push_back(measured_ratio("speed_up_tile_32", {"02_naive", "09_tiled"},
                                   "Speed-up of 09 tiled over 02 naive, both with TILE 32",
                                   &Measured::tiled_32, &Measured::naive_32));
    facts.push_back(measured_ratio("speed_up_tile_16", {"02_naive", "09_tiled"},
                                   "Speed-up of 09 tiled over 02 naive, both with TILE 16",
                                   &Measured::tiled_16, &Measured::naive_16));
    facts.push_back({.id = "two_barriers",
                     .kernels = {"07_tiled_b_uncoalesced", "08_tiled_b_transposed", "09_tiled",
                                 "10_tiled_any_size", "11_tiled_dynamic"},
                     .text = "Two barriers a phase: after the load, so that the tiles are whole, "
                             "and after the compute, so that nobody overwrites what is still read.",
                     .figures = {{"barriers a phase", 2, ""}},
                     .document = kSlides,
                     .section = "Writing the tiled kernel, step 3",
                     .recorded = RecordedFigure::kBarriers});
}

Fact bound(std::string_view id, std::vector<std::string_view> kernels, int tile,
           std::string_view section) {
    const double intensity = classical_flop_per_byte(tile);
    const double flop_per_second = kRtx3090BytesPerSecond * intensity;
    const double share = flop_per_second / kRtx3090FlopPerSecond;
    return {.id = id,
            .kernels = std::move(kernels),
            .text = "An RTX 3090 moves 936.2 GB/s: at " + number(intensity) + " FLOP a byte" +
                    (tile > 1 ? " (TILE " + std::to_string(tile) + ")" : "") +
                    " no more than " + number(flop_per_second / 1e9) + " GFLOPS, " +
                    number(100 * share) + " % of its " + number(kRtx3090FlopPerSecond / 1e9) + ".",
            .figures = {{"memory bandwidth", kRtx3090BytesPerSecond / 1e9, "GB/s"},
                        {"arithmetic intensity", intensity, "FLOP/B"},
                        {"bound", flop_per_second / 1e9, "GFLOPS"},
                        {"peak", kRtx3090FlopPerSecond / 1e9, "GFLOPS"},
                        {"share of peak", 100 * share, "%"}},
            .document = kBlog,
            .section = section,
            .recorded = RecordedFigure::kBoundByBandwidth};
}

void add_blog_phases(std::vector<Fact>& facts) {
    facts.push_back({.id = "phases_untiled",
                     .kernels = {"02_naive"},
                     .text = "Untiled, a thread of a 4 x 4 product goes through 4 phases: load, "
                             "load, multiply-add. Here: press H; or tilereel report 02_naive --m 4 "
                             "--n 4 --k 4 --tile 2 --phases.",
                     .figures = {{"phases", 4, ""}},
                     .document = kBlog,
                     .section = "Standard Version",
                     .recorded = RecordedFigure::kPhases});
    facts.push_back({.id = "phases_tiled",
                     .kernels = {"09_tiled"},
                     .text = "With 2 x 2 tiles, the same 4 x 4 product takes 2 phases and half the "
                             "loads. Here: press H; or tilereel report 09_tiled --m 4 --n 4 --k 4 "
                             "--tile 2 --phases.",
                     .figures = {{"phases", 2, ""}, {"loads, of the untiled ones", 0.5, ""}},
                     .document = kBlog,
                     .section = "Tiled Version",
                     .recorded = RecordedFigure::kPhases});
    facts.push_back({.id = "invalid_loads",
                     .kernels = {"10_tiled_any_size"},
                     .text = "A 3 x 3 product in 2 x 2 tiles: whatever lies outside A and B is not "
                             "loaded, and 0 is stored in its place. Here: press H; or tilereel "
                             "report 10_tiled_any_size --m 3 --n 3 --k 3 --tile 2 --phases.",
                     .figures = {},
                     .document = kBlog,
                     .section = "General Matrix Multiplication (Tiled)",
                     .recorded = RecordedFigure::kZeroFill});
}

void add_blog(std::vector<Fact>& facts, int tile) {
    const std::vector<std::string_view> untiled = {"01_naive_by_column", "02_naive"};
    const std::vector<std::string_view> tiled = {"07_tiled_b_uncoalesced", "08_tiled_b_transposed",
                                                 "09_tiled", "10_tiled_any_size",
                                                 "11_tiled_dynamic"};
    facts.push_back({.id = "by_column_slower",
                     .kernels = {"01_naive_by_column"},
                     .text = "With N = 8,000 it ran 4.5 times longer than 02 naive.",
                     .figures = {{"times the time", 4.5, ""}},
                     .document = kBlog,
                     .section = "introduction",
                     .recorded = RecordedFigure::kSectorsOfA});
    facts.push_back(measured_ratio("by_column_measured", {"01_naive_by_column"},
                                   "Its time over that of 02 naive, both with TILE 32",
                                   &Measured::naive_32, &Measured::naive_by_column_32));
    add_blog_phases(facts);
    facts.push_back(bound("bound_untiled", untiled, 1, "FLOPS Analysis"));
    if (tile != 32) facts.push_back(bound("bound_tiled", tiled, tile, "FLOPS Analysis"));
    facts.push_back(bound("bound_tile_32", tiled, 32, "Optimum Tile Size"));
    if (tile != 32) facts.back().recorded = RecordedFigure::kNone;  // of another TILE
    const TileLimit limit = tile_limit(kRtx3090SharedBytes, kMostThreads);
    facts.push_back(
        {.id = "tile_limit",
         .kernels = tiled,
         .text = "48 KB of shared memory hold two tiles of edge " +
                 std::to_string(limit.by_shared_memory) + " at most, 1,024 threads a block of edge " +
                 std::to_string(limit.by_threads) + ": TILE is at most " +
                 std::to_string(limit.tile) + ".",
         .figures = {{"by 48 KB of shared memory", static_cast<double>(limit.by_shared_memory), ""},
                     {"by 1,024 threads", static_cast<double>(limit.by_threads), ""},
                     {"largest TILE", static_cast<double>(limit.tile), ""}},
         .document = kBlog,
         .section = "Optimum Tile Size",
         .recorded = RecordedFigure::kBlockShape});
    facts.push_back(measured_ratio("padding_measured", {"08_tiled_b_transposed"},
                                   "TILE 32 with PAD 1 over PAD 0",
                                   &Measured::transposed_32_padded, &Measured::transposed_32));
}

void add_lab(std::vector<Fact>& facts) {
    facts.push_back({.id = "single_block",
                     .kernels = {"06_single_block"},
                     .text = "One block keeps one SM busy and the others idle, and all of A and B "
                             "must fit its shared memory.",
                     .figures = {{"blocks", 1, ""}},
                     .document = kLab,
                     .section = "appendix",
                     .recorded = RecordedFigure::kBlocks});
    facts.push_back({.id = "occupancy_formula",
                     .kernels = {"09_tiled", "11_tiled_dynamic"},
                     .text = "Theoretical occupancy = blocks an SM x threads a block / threads that "
                             "an SM holds; shared memory and registers are not in it (tilereel "
                             "occupancy counts them, too).",
                     .figures = {},
                     .document = kLab,
                     .section = "exercise 1, occupancy",
                     .recorded = RecordedFigure::kOccupancy});
    facts.push_back({.id = "block_by_occupancy",
                     .kernels = {"11_tiled_dynamic"},
                     .text = "cudaOccupancyMaxPotentialBlockSizeVariableSMem() finds the block with "
                             "the best occupancy; 4^floor(log4(threads)) makes its edge a power of "
                             "two. Here: TILE, by occupancy; or --tile auto.",
                     .figures = {},
                     .document = kLab,
                     .section = "exercise 2",
                     .recorded = RecordedFigure::kBlockByOccupancy});
    facts.push_back({.id = "comparison",
                     .kernels = {},
                     .text = "A GPU fuses multiply and add, so host and device differ a little: "
                             "compare within an epsilon, or compile with --fmad=false. Tilereel "
                             "allows 8 eps sqrt(K) of |A||B|, eps = 2^-24.",
                     .figures = {},
                     .document = kLab,
                     .section = "exercise 1, note"});
}

// Of the kernels whose inner loop is bound by what a multiply-add finds in the registers.
std::vector<std::string_view> bound_by_registers() {
    std::vector<std::string_view> kernels;
    for (const char* id : {"18_warp_tiled", "19_async_pipeline", "20_champion"})
        if (const KernelInfo* kernel = find_kernel(id)) kernels.push_back(kernel->id);
    return kernels;
}

void add_registers(std::vector<Fact>& facts) {
    constexpr std::string_view kHow = "own microbenchmarks";
    const std::vector<std::string_view> kernels = bound_by_registers();
    facts.push_back({.id = kRegisterFacts[0],
                     .kernels = kernels,
                     .text = "Registers lie in two banks, those with even numbers and those with "
                             "odd ones; each bank gives one operand a cycle.",
                     .figures = {{"register banks", 2, ""}, {"operands a bank and cycle", 1, ""}},
                     .document = kMeasured,
                     .section = kHow});
    facts.push_back({.id = kRegisterFacts[1],
                     .kernels = kernels,
                     .text = "A multiply-add takes three operands from two banks. One starts every "
                             "cycle only where one factor is still in the reuse cache, from the "
                             "multiply-add before, and the sum lies in the other bank than the "
                             "factor that is fresh.",
                     .figures = {{"operands of a multiply-add", 3, ""}},
                     .document = kMeasured,
                     .section = kHow});
    facts.push_back({.id = kRegisterFacts[2],
                     .kernels = kernels,
                     .text = "In serpentine order each multiply-add shares a factor with the one "
                             "before. 20_champion at N = 8,192, 8 x 16 sums a thread: column by "
                             "column 45.8 TFLOPS, in zigzags of 2 x 2 51.9, all rows from left to "
                             "right 54.3, serpentine 55.4.",
                     .figures = {{"column by column", 45.8, "TFLOPS"},
                                 {"in zigzags of 2 x 2", 51.9, "TFLOPS"},
                                 {"rows left to right", 54.3, "TFLOPS"},
                                 {"serpentine", 55.4, "TFLOPS"}},
                     .document = kMeasured,
                     .section = "variants of one kernel, CUDA 13.0"});
    facts.push_back({.id = kRegisterFacts[3],
                     .kernels = kernels,
                     .text = "Issuing a shared read of 4 bytes a lane costs 1 cycle, of 8 bytes "
                             "1.1, of 16 bytes 2.4; 3.6 where such reads follow each other.",
                     .figures = {{"4 bytes", 1, "cycles"},
                                 {"8 bytes", 1.1, "cycles"},
                                 {"16 bytes", 2.4, "cycles"},
                                 {"16 bytes, grouped", 3.6, "cycles"}},
                     .document = kMeasured,
                     .section = kHow});
    facts.push_back({.id = kRegisterFacts[4],
                     .kernels = kernels,
                     .text = "So 8 x 16 sums a thread, 128 multiply-adds for 24 values read, keep "
                             "the multiply-adds' pipe busy for about 88 % of the time at most.",
                     .figures = {{"multiply-adds a k", 8.0 * 16, ""},
                                 {"values read a k", 8.0 + 16, ""},
                                 {"bound", 88, "%"}},
                     .document = kMeasured,
                     .section = kHow});
}

}  // namespace

double classical_flop_per_byte(int tile) {
    constexpr double kFlop = 2, kWords = 2, kBytesOfWord = sizeof(float);  // of each MNK
    return kFlop / (kWords / tile * kBytesOfWord);
}

TileLimit tile_limit(int shared_bytes, int threads) {
    const auto edge = [](double elements) { return static_cast<int>(std::sqrt(elements)); };
    TileLimit limit{.by_shared_memory = edge(shared_bytes / (2.0 * sizeof(float))),
                    .by_threads = edge(threads)};
    limit.tile = std::min(limit.by_shared_memory, limit.by_threads);
    return limit;
}

std::vector<Fact> all_facts(int tile) {
    std::vector<Fact> facts;
    add_guide(facts);
    add_example(facts, tile);
    add_slides(facts);
    add_blog(facts, tile);
    add_lab(facts);
    add_registers(facts);
    return facts;
}

std::vector<Fact> facts_about(std::string_view kernel, int tile) {
    std::vector<Fact> facts = all_facts(tile);
    std::erase_if(facts, [kernel](const Fact& fact) {
        return !fact.kernels.empty() && std::ranges::find(fact.kernels, kernel) == fact.kernels.end();
    });
    return facts;
}

}  // namespace tilereel
