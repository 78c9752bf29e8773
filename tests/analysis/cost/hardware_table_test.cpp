#include "tests/analysis/cost/hardware_table.h"

#include <gtest/gtest.h>

namespace tilereel::hardware_table_test {
namespace {

TEST(HardwareTable, HasEveryRow) { EXPECT_EQ(hardware_table().size(), 322u); }

TEST(HardwareTable, CostEqualsTheHardwareOnEveryRow) {
    for (const HardwareRow& row : hardware_table()) {
        SCOPED_TRACE("row " + std::to_string(row.id));
        const RequestCost cost = cost_of(row.access);
        EXPECT_EQ(row.requests, 1u);
        if (row.access.space == Space::kShared) {
            ASSERT_TRUE(row.wavefronts && row.bank_conflicts);
            EXPECT_EQ(cost.wavefronts, *row.wavefronts);
            EXPECT_EQ(cost.bank_conflicts, *row.bank_conflicts);
            EXPECT_EQ(cost.sectors, 0u);
        } else {
            ASSERT_TRUE(row.sectors);
            EXPECT_EQ(cost.sectors, *row.sectors);
            if (row.l1_line_accesses) {
                EXPECT_EQ(cost.lines, *row.l1_line_accesses);
            }
            EXPECT_EQ(cost.bytes_moved, 32 * *row.sectors);
            EXPECT_EQ(cost.wavefronts, 0u);
        }
    }
}

TEST(HardwareTable, BanksServeEverySharedRowInAsManyWavefronts) {
    for (const HardwareRow& row : hardware_table()) {
        if (row.access.space != Space::kShared) continue;
        SCOPED_TRACE("row " + std::to_string(row.id));
        const BankService service = bank_service(row.access);
        std::uint32_t last = 0;
        for (int lane = 0; lane < kWarpSize; ++lane) {
            if ((row.access.lanes.mask >> lane & 1u) != 0)
                last = std::max<std::uint32_t>(last, service.wavefront[lane]);
            else
                EXPECT_EQ(service.wavefront[lane], BankService::kOff);
        }
        EXPECT_EQ(last + 1, row.wavefronts);
    }
}

}  // namespace
}  // namespace tilereel::hardware_table_test
