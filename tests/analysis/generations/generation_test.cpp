#include "instrumentation/analysis/generations/generation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <set>

#include "instrumentation/analysis/cost/request_cost.h"

namespace tilereel::generation_test {
namespace {

constexpr std::uint32_t kHalfWarp = 0x0000ffff;

WarpAccess access_of_offsets(Space space, const std::function<std::uint32_t(std::uint32_t)>& offset,
                             std::uint32_t mask = 0xffffffff, std::uint32_t width_bytes = 4,
                             Operation operation = Operation::kLoad) {
    WarpAccess access{.space = space, .operation = operation, .width_bytes = width_bytes};
    access.lanes.mask = mask;
    for (std::uint32_t lane = 0; lane < kWarpSize; ++lane)
        if ((mask >> lane & 1u) != 0) access.lanes.bytes[lane] = offset(lane);
    return access;
}

RequestCost cost_on(const char* id, const WarpAccess& access) {
    const Generation* generation = find_generation(id);
    EXPECT_NE(generation, nullptr) << id;
    return cost_of(access, *generation);
}

// What every generation moves for one access: transactions and bytes.
struct Expected {
    const char* id;
    std::uint32_t transactions, bytes;
};
void expect_moved(const WarpAccess& access, std::initializer_list<Expected> expected) {
    for (const auto& [id, transactions, bytes] : expected) {
        const RequestCost cost = cost_on(id, access);
        EXPECT_EQ(cost.transactions, transactions) << id;
        EXPECT_EQ(cost.bytes_moved, bytes) << id;
        EXPECT_EQ(cost.sectors * 32, bytes) << id;
    }
}

TEST(Generation, TheDefaultIsTheOneMeasured) {
    EXPECT_EQ(default_generation().id, "9.0");
    EXPECT_EQ(default_generation().shared.banks, 32);
    EXPECT_EQ(default_generation().global.sector_bytes, 32);
    EXPECT_EQ(default_generation().global.line_bytes, 128);
}

// CUDA cores by the data sheet of the GPU that the title names, over the cores of an SM (CUDA C++
// Programming Guide, "Arithmetic Instructions", 32-bit additions a cycle). Of a K80: one GPU.
TEST(Generation, HasTheMultiprocessorsOfTheGpuItNames) {
    struct Cores {
        const char* id;
        int of_gpu, of_sm;
    };
    constexpr Cores kCores[] = {
        {"9.0", 16896, 128}, {"8.9", 16384, 128}, {"8.6", 10496, 128}, {"8.0", 6912, 64},
        {"7.5", 2944, 64},   {"7.0", 5120, 64},   {"6.1", 2560, 128},  {"6.0", 3584, 64},
        {"5.2", 2048, 128},  {"5.0", 640, 128},   {"3.7", 2496, 192},  {"3.5", 2880, 192},
        {"3.0", 1536, 192},  {"2.1", 336, 48},    {"2.0", 480, 32},    {"1.3", 240, 8},
        {"1.2", 96, 8},      {"1.1", 128, 8},     {"1.0", 128, 8}};
    for (const auto& [id, of_gpu, of_sm] : kCores)
        EXPECT_EQ(find_generation(id)->multiprocessors, of_gpu / of_sm) << id;
    for (const Generation& generation : generations())
        EXPECT_GT(generation.multiprocessors, 0) << generation.id;
}

TEST(Generation, EveryGenerationIsFoundByItsId) {
    std::set<std::string_view> ids;
    for (const Generation& generation : generations()) {
        EXPECT_EQ(find_generation(generation.id), &generation);
        EXPECT_TRUE(ids.insert(generation.id).second) << generation.id;
    }
    for (const char* id : {"1.0", "1.1", "1.2", "1.3", "2.0", "3.0", "5.0", "6.0", "7.0", "8.0"})
        EXPECT_NE(find_generation(id), nullptr) << id;
    EXPECT_EQ(find_generation("2.x"), find_generation("2.1"));
    EXPECT_EQ(find_generation("5.x"), find_generation("5.2"));
    for (const char* id : {"9.9", "4.x", ".x", "x", "", "9", "9.", "1.4"})
        EXPECT_EQ(find_generation(id), nullptr) << id;
}

TEST(Generation, CopiesAreAsynchronousFromMajorVersion8) {
    for (const Generation& generation : generations())
        EXPECT_EQ(generation.asynchronous_copies, std::stoi(std::string(generation.id)) >= 8)
            << generation.id;
    for (const char* id : {"8.0", "9.0", "10.0", "12.0", "100.0"})
        EXPECT_TRUE(has_asynchronous_copies(id)) << id;
    for (const char* id : {"1.3", "2.0", "7.5"}) EXPECT_FALSE(has_asynchronous_copies(id)) << id;
}

TEST(Generation, OldGenerationsHaveHalfTheBanks) {
    for (const Generation& generation : generations()) {
        EXPECT_EQ(generation.shared.banks, generation.id < "2" ? 16 : 32) << generation.id;
        EXPECT_EQ(generation.independent_lanes, generation.id >= "7") << generation.id;
    }
}

// Best Practices Guide, "Shared Memory in Matrix Multiplication (C = AB)": a half-warp reads one
// word of A: 16 transactions at 1.1 or lower, 1 at 1.2 or higher, 4 bytes of 32 used.
TEST(Generation, AHalfWarpThatReadsOneWord) {
    const WarpAccess access = access_of_offsets(
        Space::kGlobal, [](std::uint32_t) { return 68u; }, kHalfWarp);
    expect_moved(access, {{"1.0", 16, 16 * 32},
                          {"1.1", 16, 16 * 32},
                          {"1.2", 1, 32},
                          {"1.3", 1, 32},
                          {"2.0", 1, 128},
                          {"3.5", 1, 128},
                          {"5.0", 1, 32},
                          {"9.0", 1, 32}});
    for (const char* id : {"1.0", "1.2", "9.0"}) {
        const RequestCost cost = cost_on(id, access);
        EXPECT_EQ(cost.bytes_used * 32, cost.bytes_moved * 4) << id;
    }
}

// The same section: a row of B's tile is sequential and coalesced on every generation.
TEST(Generation, AHalfWarpThatReadsARowOfATile) {
    expect_moved(access_of_offsets(
                     Space::kGlobal, [](std::uint32_t lane) { return 64 + 4 * lane; }, kHalfWarp),
                 {{"1.0", 1, 64}, {"1.3", 1, 64}, {"2.0", 1, 128}, {"9.0", 2, 64}});
}

// Best Practices Guide 3.x, "A Simple Access Pattern" and "A Sequential but Misaligned Access
// Pattern": half-warps, aligned 64-byte segments.
TEST(Generation, SequentialButMisalignedByOneWord) {
    const auto half = [](std::uint32_t shift) {
        return access_of_offsets(
            Space::kGlobal, [shift](std::uint32_t lane) { return shift + 4 * lane; }, kHalfWarp);
    };
    // Within one 128-byte segment: one transaction of the whole segment.
    expect_moved(half(4), {{"1.0", 16, 16 * 32}, {"1.2", 1, 128}, {"2.0", 1, 128}, {"9.0", 3, 96}});
    // Across two segments: a transaction of 64 bytes, of which the last 60 are used, and one of 32.
    expect_moved(half(128 - 60),
                 {{"1.0", 16, 16 * 32}, {"1.2", 2, 64 + 32}, {"2.0", 2, 256}, {"9.0", 3, 96}});
    // A whole warp off by one word: 5 sectors, or 2 lines.
    const WarpAccess warp =
        access_of_offsets(Space::kGlobal, [](std::uint32_t lane) { return 4 + 4 * lane; });
    expect_moved(warp, {{"1.0", 32, 32 * 32},
                        {"1.3", 3, 128 + 64 + 32},
                        {"2.0", 2, 256},
                        {"3.0", 2, 256},
                        {"6.0", 5, 160}});
    EXPECT_EQ(cost_on("2.0", warp).lines, 2u);
    EXPECT_EQ(cost_on("1.0", warp).lines, 32u);
}

// Best Practices Guide, "Strided Accesses": a stride of two words wastes half of what is moved.
TEST(Generation, StridedAccesses) {
    const auto strided = [](std::uint32_t words) {
        return access_of_offsets(Space::kGlobal,
                                 [words](std::uint32_t lane) { return 4 * words * lane; });
    };
    expect_moved(strided(2),
                 {{"1.0", 32, 1024}, {"1.2", 2, 256}, {"2.0", 2, 256}, {"9.0", 8, 256}});
    for (const char* id : {"1.2", "2.0", "9.0"})
        EXPECT_EQ(cost_on(id, strided(2)).bytes_used * 2, cost_on(id, strided(2)).bytes_moved)
            << id;
    // From 32 words on each lane has a line of its own.
    expect_moved(strided(32),
                 {{"1.0", 32, 1024}, {"1.2", 32, 1024}, {"2.0", 32, 4096}, {"9.0", 32, 1024}});
}

TEST(Generation, OrderMattersOnlyBeforeCompute12) {
    const WarpAccess swapped = access_of_offsets(
        Space::kGlobal, [](std::uint32_t lane) { return 4 * (lane ^ 1u); }, kHalfWarp);
    expect_moved(swapped, {{"1.0", 16, 512}, {"1.1", 16, 512}, {"1.2", 1, 64}, {"2.0", 1, 128}});
}

TEST(Generation, InactiveLanesDoNotBreakCoalescing) {
    const WarpAccess odd = access_of_offsets(
        Space::kGlobal, [](std::uint32_t lane) { return 64 + 4 * lane; }, 0x0000aaaa);
    expect_moved(odd, {{"1.0", 1, 64}, {"1.3", 1, 64}});
    EXPECT_EQ(cost_on("1.0", odd).bytes_used, 32u);
    const WarpAccess apart = access_of_offsets(
        Space::kGlobal, [](std::uint32_t) { return 64u; }, 0x0000aaaa);
    expect_moved(apart, {{"1.0", 8, 256}, {"1.3", 1, 32}});  // active lanes only
}

TEST(Generation, WideGlobalAccesses) {
    const auto row = [](std::uint32_t width, std::uint32_t mask) {
        return access_of_offsets(
            Space::kGlobal, [width](std::uint32_t lane) { return width * lane; }, mask, width);
    };
    expect_moved(row(8, kHalfWarp), {{"1.0", 1, 128}, {"1.2", 1, 128}, {"2.0", 1, 128}});
    expect_moved(row(16, kHalfWarp), {{"1.0", 2, 256}, {"1.2", 2, 256}, {"2.0", 2, 256}});
    expect_moved(row(16, 0xffffffff), {{"1.0", 4, 512}, {"2.0", 4, 512}, {"9.0", 16, 512}});
    // Each half-warp of 8-byte words asks for the same line: two requests of it on 2.x.
    const WarpAccess halves = access_of_offsets(
        Space::kGlobal, [](std::uint32_t lane) { return lane % 16 * 8; }, 0xffffffff, 8);
    expect_moved(halves, {{"2.0", 2, 256}, {"9.0", 4, 128}});
}

TEST(Generation, SharedStridesCostTheirCommonDivisorWithTheBanks) {
    for (std::uint32_t stride = 1; stride <= 64; ++stride) {
        const WarpAccess access = access_of_offsets(
            Space::kShared, [stride](std::uint32_t lane) { return 4 * stride * lane; });
        const std::uint32_t of_16 = std::gcd(stride, 16u), of_32 = std::gcd(stride, 32u);
        EXPECT_EQ(cost_on("1.0", access).wavefronts, 2 * of_16) << stride;
        EXPECT_EQ(cost_on("1.3", access).bank_conflicts, 2 * of_16 - 2) << stride;
        EXPECT_EQ(cost_on("2.0", access).wavefronts, of_32) << stride;
        EXPECT_EQ(cost_on("3.0", access).wavefronts, of_32) << stride;
    }
}

TEST(Generation, OneWordAStepIsBroadcastOnCompute1) {
    // A half-warp that reads 4 words, 4 lanes each: 4 steps, where later hardware takes one.
    const auto in_fours = [](std::uint32_t lane) { return lane / 4 * 4; };
    const WarpAccess load = access_of_offsets(Space::kShared, in_fours, kHalfWarp);
    EXPECT_EQ(cost_on("1.3", load).wavefronts, 4u);
    EXPECT_EQ(cost_on("2.0", load).wavefronts, 1u);
    // One word for all lanes is one step a half-warp.
    const WarpAccess one = access_of_offsets(Space::kShared, [](std::uint32_t) { return 8u; });
    EXPECT_EQ(cost_on("1.0", one).wavefronts, 2u);
    EXPECT_EQ(cost_on("1.0", one).bank_conflicts, 0u);
    // Lane 0 alone in bank 0, the others share a word of bank 1: its broadcast comes second.
    const WarpAccess mixed = access_of_offsets(
        Space::kShared, [](std::uint32_t lane) { return lane == 0 ? 0u : 4u; }, kHalfWarp);
    EXPECT_EQ(cost_on("1.1", mixed).wavefronts, 2u);
    // Of several stores to one word, only one lane's takes effect.
    const WarpAccess store =
        access_of_offsets(Space::kShared, in_fours, kHalfWarp, 4, Operation::kStore);
    EXPECT_EQ(cost_on("1.3", store).wavefronts, 1u);
}

// Lanes 0..7 want word 0, lanes 8..15 word 1. In the first wavefront word 0 is broadcast, and bank
// 1 gives its word to lane 8 only; in the second one word 1 is broadcast to lanes 9..15.
TEST(Generation, ABankIsBusyUntilItsWordIsBroadcast) {
    const WarpAccess access = access_of_offsets(
        Space::kShared, [](std::uint32_t lane) { return lane / 8 * 4; }, kHalfWarp);
    const BankService service = bank_service(access, *find_generation("1.0"));
    EXPECT_EQ(service.worst_group_words[1], 1);
    EXPECT_EQ(service.worst_group_wavefronts[0], 1);
    EXPECT_EQ(service.worst_group_wavefronts[1], 2);
    for (int lane = 0; lane < 16; ++lane) EXPECT_EQ(service.wavefront[lane], lane > 8 ? 1 : 0);
    EXPECT_EQ(bank_service(access).worst_group_wavefronts[1], 1);
}

TEST(Generation, WideSharedAccesses) {
    const auto row = [](std::uint32_t width) {
        return access_of_offsets(
            Space::kShared, [width](std::uint32_t lane) { return width * lane; }, 0xffffffff,
            width);
    };
    // Two half-warps, two words a lane: lanes at a stride of two words in 16 banks.
    EXPECT_EQ(cost_on("1.3", row(8)).wavefronts, 8u);
    EXPECT_EQ(cost_on("1.3", row(8)).ideal_wavefronts, 4u);
    EXPECT_EQ(cost_on("2.0", row(8)).wavefronts, 2u);
    EXPECT_EQ(cost_on("2.0", row(16)).wavefronts, 4u);
    // Pairs of lanes with the same address are merged on 9.0, where it was measured, not on 2.0.
    const WarpAccess pairs = access_of_offsets(
        Space::kShared, [](std::uint32_t lane) { return lane / 2 * 8; }, 0xffffffff, 8);
    EXPECT_EQ(cost_on("2.0", pairs).wavefronts, 2u);
    EXPECT_EQ(cost_on("9.0", pairs).wavefronts, 1u);
}

TEST(Generation, BanksServeAsTheCostSays) {
    for (const Generation& generation : generations()) {
        for (std::uint32_t stride = 0; stride <= 33; ++stride) {
            for (const std::uint32_t width : {4u, 8u, 16u}) {
                const WarpAccess access = access_of_offsets(
                    Space::kShared,
                    [&](std::uint32_t lane) { return width * (stride * lane % 96); }, 0x7fffff7f,
                    width);
                const BankService service = bank_service(access, generation);
                std::uint32_t last = 0;
                for (int lane = 0; lane < kWarpSize; ++lane) {
                    if ((access.lanes.mask >> lane & 1u) == 0) continue;
                    ASSERT_LT(service.bank[lane], generation.shared.banks);
                    last = std::max<std::uint32_t>(last, service.wavefront[lane]);
                }
                ASSERT_EQ(last + 1, cost_of(access, generation).wavefronts)
                    << generation.id << " stride " << stride << " width " << width;
                ASSERT_LE(service.banks_used, static_cast<unsigned>(generation.shared.banks));
                // There are conflicts if a bank is busy for more than one wavefront of a group.
                ASSERT_EQ(std::ranges::any_of(service.worst_group_wavefronts,
                                              [](std::uint8_t count) { return count > 1; }),
                          cost_of(access, generation).bank_conflicts > 0)
                    << generation.id << " stride " << stride << " width " << width;
                if (!generation.shared.broadcasts_one_word) {
                    ASSERT_EQ(service.worst_group_wavefronts, service.worst_group_words);
                }
            }
        }
    }
}

}  // namespace
}  // namespace tilereel::generation_test
