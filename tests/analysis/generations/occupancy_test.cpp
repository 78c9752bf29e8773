// Occupancy against published examples, and against what the CUDA Runtime answered on a GPU.
#include "instrumentation/analysis/generations/occupancy.h"

#include <gtest/gtest.h>

#include <cmath>

namespace tilereel::occupancy_test {
namespace {

const Generation& generation(std::string_view id) {
    const Generation* found = find_generation(id);
    EXPECT_NE(found, nullptr) << id;
    return *found;
}

Occupancy occupancy(std::string_view id, int threads, int registers, std::uint32_t shared = 0) {
    const Result<Occupancy> result = occupancy_of({threads, registers, shared}, generation(id));
    EXPECT_TRUE(result) << id << ' ' << threads;
    return result ? *result : Occupancy{};
}

// CUDA C++ Best Practices Guide 12, "Calculating Occupancy" (11.1.1): on 7.0 with 37 registers a
// thread, blocks of 128 threads reach 75 % (12 of them), blocks of 320 threads 63 % (four).
TEST(Occupancy, BestPracticesGuideOnCompute7) {
    EXPECT_EQ(occupancy("7.0", 128, 37).blocks, 12);
    EXPECT_DOUBLE_EQ(occupancy("7.0", 128, 37).share(), 0.75);
    EXPECT_EQ(occupancy("7.0", 320, 37).blocks, 4);
    EXPECT_EQ(std::lround(100 * occupancy("7.0", 320, 37).share()), 63);
    EXPECT_DOUBLE_EQ(occupancy("7.0", 1024, 32).share(), 1);  // 32 registers are the most for 100 %
    EXPECT_LT(occupancy("7.0", 1024, 33).share(), 1);
}

// CUDA C Best Practices Guide 4.2, "Calculating Occupancy" (10.1.1): on 1.0 and 1.1 with 12
// registers a thread, blocks of 128 threads reach 83 % (five), blocks of 256 threads 66 % (two).
TEST(Occupancy, BestPracticesGuideOnCompute1) {
    for (const char* id : {"1.0", "1.1"}) {
        EXPECT_EQ(occupancy(id, 128, 12).blocks, 5);
        EXPECT_NEAR(occupancy(id, 128, 12).share(), 0.833, 0.001);
        EXPECT_EQ(occupancy(id, 256, 12).blocks, 2);
        EXPECT_NEAR(occupancy(id, 256, 12).share(), 0.667, 0.001);
        EXPECT_DOUBLE_EQ(occupancy(id, 128, 10).share(), 1);  // 8192 / 768 registers
        EXPECT_LT(occupancy(id, 128, 11).share(), 1);
    }
}

// CUDA C Programming Guide, "Multiprocessor Level": two blocks of 512 threads with 16 registers on
// 1.2 (4.2, section 5.2.3), with 64 registers on 6.x (12, section 8.2.3); with one more register
// only one block remains.
TEST(Occupancy, OneRegisterMoreHalvesTheBlocks) {
    EXPECT_EQ(occupancy("1.2", 512, 16).blocks, 2);
    EXPECT_EQ(occupancy("1.2", 512, 17).blocks, 1);
    EXPECT_EQ(occupancy("6.1", 512, 64).blocks, 2);
    EXPECT_EQ(occupancy("6.1", 512, 65).blocks, 1);
    EXPECT_EQ(occupancy("6.1", 512, 65).warps, 16);
    EXPECT_TRUE(occupancy("6.1", 512, 65).limited_by(OccupancyLimit::kRegisters));
    EXPECT_FALSE(occupancy("6.1", 512, 65).limited_by(OccupancyLimit::kWarps));
}

// The answers of cudaOccupancyMaxActiveBlocksPerMultiprocessor() on an NVIDIA H200 (9.0,
// CUDA 13.0): registers a thread, threads a block, and the blocks for each number of bytes in
// kSharedBytes.
constexpr std::uint32_t kSharedBytes[] = {0, 1, 2048, 8192, 16384, 33000, 100000, 232448};
struct Answered {
    int registers, threads, blocks[8];
};
constexpr Answered kAnswered[] = {
    {24, 32, {32, 32, 32, 25, 13, 6, 2, 1}},  {24, 96, {21, 21, 21, 21, 13, 6, 2, 1}},
    {24, 768, {2, 2, 2, 2, 2, 2, 2, 1}},      {32, 128, {16, 16, 16, 16, 13, 6, 2, 1}},
    {32, 1024, {2, 2, 2, 2, 2, 2, 2, 1}},     {37, 96, {16, 16, 16, 16, 13, 6, 2, 1}},
    {37, 128, {12, 12, 12, 12, 12, 6, 2, 1}}, {37, 320, {4, 4, 4, 4, 4, 4, 2, 1}},
    {40, 512, {3, 3, 3, 3, 3, 3, 2, 1}},      {40, 1024, {1, 1, 1, 1, 1, 1, 1, 1}},
    {64, 96, {10, 10, 10, 10, 10, 6, 2, 1}},  {64, 320, {3, 3, 3, 3, 3, 3, 2, 1}},
    {65, 32, {28, 28, 28, 25, 13, 6, 2, 1}},  {65, 96, {9, 9, 9, 9, 9, 6, 2, 1}},
    {65, 1024, {0, 0, 0, 0, 0, 0, 0, 0}},     {96, 32, {20, 20, 20, 20, 13, 6, 2, 1}},
    {96, 768, {0, 0, 0, 0, 0, 0, 0, 0}},      {167, 96, {4, 4, 4, 4, 4, 4, 2, 1}},
    {167, 512, {0, 0, 0, 0, 0, 0, 0, 0}},     {180, 320, {0, 0, 0, 0, 0, 0, 0, 0}},
};

TEST(Occupancy, IsWhatTheRuntimeAnsweredOnA9_0) {
    for (const Answered& row : kAnswered)
        for (std::size_t i = 0; i < std::size(kSharedBytes); ++i) {
            const Result<Occupancy> found =
                occupancy_of({row.threads, row.registers, kSharedBytes[i]}, generation("9.0"));
            EXPECT_EQ(found ? found->blocks : 0, row.blocks[i])
                << row.registers << " registers, " << row.threads << " threads, " << kSharedBytes[i]
                << " bytes";
        }
}

// Likewise cudaOccupancyMaxPotentialBlockSizeVariableSMem() with 8 bytes of shared memory a thread.
TEST(Occupancy, TheBestBlockIsWhatTheRuntimeAnsweredOnA9_0) {
    constexpr std::pair<int, int> kRegistersAndThreads[] = {{24, 1024}, {32, 1024}, {37, 768},
                                                            {40, 768},  {64, 1024}, {65, 896},
                                                            {96, 640},  {167, 384}, {180, 256}};
    const auto two_tiles = [](int threads) { return static_cast<std::uint32_t>(8 * threads); };
    for (const auto& [registers, threads] : kRegistersAndThreads)
        EXPECT_EQ(best_block_threads(registers, two_tiles, generation("9.0")), threads)
            << registers;
}

// 48 warps an SM hold one block of 1024 threads, but two of 768; 32 warps hold two of 512.
TEST(Occupancy, TheBestBlockDependsOnTheGeneration) {
    const auto two_tiles = [](int threads) { return static_cast<std::uint32_t>(8 * threads); };
    EXPECT_EQ(best_block_threads(32, two_tiles, generation("8.6")), 768);
    EXPECT_EQ(best_block_threads(32, two_tiles, generation("8.0")), 1024);
    EXPECT_EQ(best_block_threads(16, two_tiles, generation("1.3")), 512);
    EXPECT_EQ(best_block_threads(10, two_tiles, generation("1.0")), 384);
    EXPECT_EQ(best_block_threads(300, two_tiles, generation("9.0")),
              0);  // a thread has at most 255
}

TEST(Occupancy, ASquareEdgeIsAPowerOfTwo) {
    for (int threads = 1; threads <= 5000; ++threads) {
        const double by_formula =
            std::sqrt(std::pow(4.0, std::floor(std::log(threads) / std::log(4.0) + 1e-9)));
        EXPECT_EQ(square_edge(threads), std::lround(by_formula)) << threads;
    }
    EXPECT_EQ(square_edge(768), 16);
    EXPECT_EQ(square_edge(1024), 32);
    EXPECT_EQ(square_edge(0), 0);
}

// Lab 6: 16 blocks of 64 threads on an SM that holds 2048, or 8 of 256.
TEST(Occupancy, TheClassicalFormulaKnowsNeitherRegistersNorSharedMemory) {
    EXPECT_DOUBLE_EQ(classical_occupancy(16, 64, 2048), 0.5);
    EXPECT_DOUBLE_EQ(classical_occupancy(8, 256, 2048), 1);
    const Occupancy full = occupancy("8.0", 256, 32);
    EXPECT_DOUBLE_EQ(classical_occupancy(full.blocks, 256, full.most_threads), full.share());
}

// CUDA C++ Programming Guide, "Technical Specifications per Compute Capability": blocks of one warp
// show the limit of blocks, blocks of the most threads the limit of threads.
TEST(Occupancy, LimitsOfEveryGeneration) {
    struct Limits {
        const char* id;
        int blocks, threads;
    };
    for (const auto& [id, blocks, threads] : {Limits{"1.0", 8, 768},
                                              {"1.1", 8, 768},
                                              {"1.2", 8, 1024},
                                              {"1.3", 8, 1024},
                                              {"2.0", 8, 1536},
                                              {"2.1", 8, 1536},
                                              {"3.0", 16, 2048},
                                              {"3.5", 16, 2048},
                                              {"3.7", 16, 2048},
                                              {"5.0", 32, 2048},
                                              {"5.2", 32, 2048},
                                              {"6.0", 32, 2048},
                                              {"6.1", 32, 2048},
                                              {"7.0", 32, 2048},
                                              {"7.5", 16, 1024},
                                              {"8.0", 32, 2048},
                                              {"8.6", 16, 1536},
                                              {"8.9", 24, 1536},
                                              {"9.0", 32, 2048}}) {
        EXPECT_EQ(occupancy(id, 32, 0).blocks, blocks) << id;
        EXPECT_EQ(occupancy(id, 256, 0).threads, threads) << id;
    }
    for (const Generation& each : generations()) EXPECT_TRUE(occupancy_of({32, 8, 0}, each));
}

// A block takes whole units: 257 bytes take 512 on 7.0 and, with the system's 1 KiB, 1,408 on 8.0.
TEST(Occupancy, SharedMemoryIsGivenOutInUnits) {
    EXPECT_EQ(occupancy("7.0", 32, 8, 257).shared_bytes_per_block, 512u);
    EXPECT_EQ(occupancy("8.0", 32, 8, 257).shared_bytes_per_block, 1408u);
    EXPECT_EQ(occupancy("1.3", 64, 8, 513).shared_bytes_per_block, 1024u);
    EXPECT_EQ(occupancy("7.0", 32, 8, 12288).blocks, 8);  // 96 KiB / 12 KiB
    EXPECT_TRUE(occupancy("7.0", 32, 8, 12288).limited_by(OccupancyLimit::kSharedMemory));
}

TEST(Occupancy, WhatCannotRunIsRefusedWithTheLimit) {
    const auto refused = [](std::string_view id, const BlockResources& block) {
        const Result<Occupancy> result = occupancy_of(block, generation(id));
        EXPECT_FALSE(result);
        return result ? std::string() : result.error().message;
    };
    EXPECT_EQ(refused("1.0", {513, 8, 0}),
              "513 threads: a block of 8800 GTX (1.0) has at most 512; use fewer");
    EXPECT_EQ(refused("9.0", {256, 256, 0}),
              "256 registers a thread: a block of H100 (9.0) has at most 255; use fewer");
    EXPECT_EQ(refused("8.6", {256, 32, 102400}),
              "102,400 bytes of shared memory: a block of RTX 3090 (8.6) has at most 101,376; use "
              "fewer");
    EXPECT_EQ(refused("9.0", {1024, 65, 0}),
              "1024 threads of 65 registers: a block of H100 (9.0) has at most 65,536 registers; "
              "use fewer threads or registers");
    EXPECT_NE(refused("9.0", {0, 32, 0}), "");
    EXPECT_NE(refused("9.0", {32, -1, 0}), "");
}

}  // namespace
}  // namespace tilereel::occupancy_test
