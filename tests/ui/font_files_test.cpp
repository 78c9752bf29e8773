#include "app/ui/fonts/font_files.h"

#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <set>

namespace tilereel::font_files_test {
namespace {

constexpr std::array kFaces = {Face::kRegular, Face::kSemiBold, Face::kBold, Face::kMono,
                               Face::kMonoBold};

// tests/run installs Inter and JetBrains Mono.
TEST(FontFiles, EachFaceHasAFileOfItsOwnOfTheWantedFamily) {
    std::set<std::string> first;
    for (const Face face : kFaces) {
        const std::vector<std::string> files = files_of(face);
        ASSERT_FALSE(files.empty());
        for (const std::string& file : files) EXPECT_TRUE(std::filesystem::exists(file)) << file;
        const bool mono = face == Face::kMono || face == Face::kMonoBold;
        EXPECT_NE(files[0].find(mono ? "JetBrains" : "Inter"), std::string::npos) << files[0];
        first.insert(files[0]);
    }
    EXPECT_EQ(first.size(), kFaces.size());
}

}  // namespace
}  // namespace tilereel::font_files_test
