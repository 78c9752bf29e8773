// Compares the cost of an asynchronous copy with what an H100 counted
// (tests/hardware/h100_copies.csv).
#include "instrumentation/analysis/cost/copy_cost.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "instrumentation/analysis/cost/request_cost.h"

namespace tilereel::copy_cost_test {
namespace {

struct MeasuredCopy {
    int id = 0;
    std::uint32_t width_bytes = 4, requests = 0, wavefronts = 0, sectors = 0;
    LaneOffsets from{}, to{};
};

std::vector<MeasuredCopy> measured_copies() {
    std::ifstream file(TILEREEL_SOURCE_DIR "/tests/hardware/h100_copies.csv");
    std::vector<MeasuredCopy> rows;
    std::string line, field;
    std::getline(file, line);  // the header
    while (std::getline(file, line)) {
        std::istringstream in(line);
        std::vector<std::string> fields;
        while (std::getline(in, field, ',')) fields.push_back(field);
        constexpr std::size_t kFirst = 6;
        const auto number = [&](std::size_t at) {
            return static_cast<std::uint32_t>(std::stoul(fields.at(at)));
        };
        MeasuredCopy row{.id = std::stoi(fields.at(0)),
                         .width_bytes = number(1),
                         .requests = number(3),
                         .wavefronts = number(4),
                         .sectors = number(5)};
        for (std::size_t lane = 0; lane < kWarpSize; ++lane) {
            if (fields.at(kFirst + lane) == "-1") continue;
            row.from.mask |= 1u << lane;
            row.from.bytes[lane] = number(kFirst + lane);
            row.to.bytes[lane] = number(kFirst + kWarpSize + lane);
        }
        row.to.mask = row.from.mask;
        rows.push_back(row);
    }
    return rows;
}

// Whether two lanes of a group access the same bank, on one side.
bool clashes(const LaneOffsets& lanes, std::uint32_t width_bytes) {
    const std::uint32_t together = 128 / width_bytes;
    for (std::uint32_t first = 0; first < kWarpSize; first += together) {
        std::uint32_t busy = 0;
        for (std::uint32_t lane = first; lane < first + together; ++lane) {
            if ((lanes.mask >> lane & 1u) == 0) continue;
            const std::uint32_t bank = 1u << lanes.bytes[lane] % 128 / width_bytes;
            if ((busy & bank) != 0) return true;
            busy |= bank;
        }
    }
    return false;
}

TEST(CopyCost, EqualsTheHardware) {
    int exact = 0;
    for (const MeasuredCopy& row : measured_copies()) {
        SCOPED_TRACE("row " + std::to_string(row.id));
        const CopyCost cost = cost_of_copy(row.to, row.from, row.width_bytes);
        EXPECT_EQ(row.requests, 1u);
        EXPECT_EQ(cost.sectors, row.sectors);
        // It is not known in which order the hardware serves lanes with conflicts on both sides,
        // nor how a run that begins within a line saves wavefronts.
        constexpr int kRunWithinLines = 83;
        const bool known = row.width_bytes == 16 ? row.id != kRunWithinLines
                                                 : !clashes(row.from, row.width_bytes) ||
                                                       !clashes(row.to, row.width_bytes);
        exact += known;
        if (known)
            EXPECT_EQ(cost.wavefronts, row.wavefronts);
        else
            EXPECT_NEAR(cost.wavefronts, row.wavefronts, 8);
    }
    EXPECT_GE(exact, 75);
}

// All lanes copy 512 contiguous bytes to the same offsets: a wavefront for each 128 bytes.
TEST(CopyCost, AContiguousCopyMovesARowPerWavefront) {
    LaneOffsets lanes{.mask = 0xffffffff};
    for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) lanes.bytes[lane] = 16 * lane;
    EXPECT_EQ(cost_of_copy(lanes, lanes, 16).wavefronts, 4u);
    EXPECT_EQ(cost_of_copy(lanes, lanes, 16).sectors, 16u);
}

TEST(CopyCost, WithoutAsynchronousCopiesItCostsALoadAndAStore) {
    WarpAccess access{.space = Space::kShared, .operation = Operation::kCopyStore};
    access.lanes.mask = access.other_side.mask = 0xffffffff;
    // All lanes copy the same global word, which an H100 gives to one lane in a wavefront.
    for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) access.lanes.bytes[lane] = 4 * lane;
    EXPECT_EQ(cost_of(access, *find_generation("9.0")).wavefronts, 32u);
    EXPECT_EQ(cost_of(access, *find_generation("7.5")).wavefronts, 1u);
}

}  // namespace
}  // namespace tilereel::copy_cost_test
