// The manual's index of keys is the program's help.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "app/panels/overlay/help.h"

namespace tilereel::manual_keys_test {

// "| **Left** **Right** | previous step, next step |"
std::string row_of(const KeyHelp& key) {
    std::string keys = key.keys;
    for (std::size_t at; (at = keys.find("  ")) != std::string::npos;) keys.replace(at, 2, "** **");
    return "| **" + keys + "** | " + key.does + " |";
}

std::string index_of_keys() {
    std::string index;
    for (const HelpGroup& group : help_groups()) {
        index += "\n| " + std::string(group.title) + " | |\n| --- | --- |\n";
        for (const KeyHelp& key : group.keys) index += row_of(key) + "\n";
    }
    return index;
}

TEST(Manual, ListsTheKeysThatTheHelpLists) {
    std::ifstream file(std::filesystem::path(TILEREEL_SOURCE_DIR) / "app/MANUAL.md");
    const std::string manual((std::istreambuf_iterator<char>(file)), {});
    const std::size_t begin = manual.find("## All keys\n"), end = manual.find("\n## All commands");
    ASSERT_NE(begin, std::string::npos);
    ASSERT_NE(end, std::string::npos);
    const std::size_t tables = manual.find("\n| ", begin);
    EXPECT_EQ(manual.substr(tables, end - tables), index_of_keys());
}

}  // namespace tilereel::manual_keys_test
