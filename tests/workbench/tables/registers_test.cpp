#include "app/workbench/tables/registers.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "app/race/files/race_file.h"
#include "kernels/catalog.h"

namespace tilereel::registers_test {
namespace {

using From = Registers::From;

TEST(Registers, AreKnownForKernelsCompiledForTheGpu) {
    for (const KernelInfo& kernel : catalog()) {
        if (kernel.id == "20_champion") continue;  // chooses its tiles by itself
        for (const int tile : kernel.tiles)
            for (const int pad : kernel.pads) {
                const Registers registers = registers_of(kernel.id, tile, pad);
                EXPECT_EQ(registers.from, kernel.on_cpu ? From::kAssumed : From::kCompiled)
                    << kernel.id << " " << tile << " " << pad;
                EXPECT_GE(registers.a_thread, 16);
                // Programming Guide, "Technical Specifications"
                EXPECT_LE(registers.a_thread, 255);
            }
    }
    EXPECT_EQ(registers_of("09_tiled", 5, 0).from, From::kAssumed);
    EXPECT_EQ(registers_of("99_none", 16, 0).a_thread, kAssumedRegisters);
}

// For the kernels that were raced on an H100, its driver reported the same numbers.
TEST(Registers, EqualThoseReportedByADriver) {
    int compared = 0;
    for (const auto& entry :
         std::filesystem::directory_iterator(TILEREEL_SOURCE_DIR "/assets/races")) {
        if (entry.path().extension() != ".json") continue;
        const Result<Race> race = read_race(entry.path());
        ASSERT_TRUE(race) << entry.path();
        for (std::size_t c = 0; c < race->resources.size(); ++c) {
            const Contender& contender = race->request.contenders[c];
            const Registers registers =
                registers_of(contender.kernel, contender.tile, contender.pad);
            if (!race->resources[c] || registers.from == From::kAssumed) continue;
            EXPECT_EQ(registers.a_thread, race->resources[c]->registers_per_thread)
                << contender.kernel << " " << contender.tile << " " << contender.pad << " in "
                << entry.path();
            ++compared;
        }
    }
    EXPECT_GE(compared, 40);
}

TEST(Registers, NameTheirSource) {
    EXPECT_EQ(text_of(Registers{}), "32 registers a thread assumed");
    EXPECT_EQ(text_of(Registers{20, From::kGiven}), "20 registers a thread");
    EXPECT_EQ(text_of(registers_of("20_champion", 256, 0)),
              "229 registers a thread as compiled for 9.0");
}

}  // namespace
}  // namespace tilereel::registers_test
