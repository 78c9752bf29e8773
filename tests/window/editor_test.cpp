// How the user's own editor is called, and that no name of a file is read by a shell. The syntax
// for a line is what each editor's manual page says.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <thread>

#include "app/window/editor_call.h"
#include "app/window/save_source.h"

namespace tilereel::editor_test {
namespace {

using Call = std::vector<std::string>;
using ::testing::HasSubstr;

EditorSurroundings around(std::map<std::string, std::string> variables,
                          std::set<std::string> installed) {
    return {.variable =
                [variables](const char* name) {
                    const auto found = variables.find(name);
                    return found == variables.end() ? std::string() : found->second;
                },
            .is_installed =
                [installed](const std::string& program) { return installed.contains(program); }};
}

Call call_of(const std::string& visual, std::uint32_t line = 12,
             std::set<std::string> terminals = {"xterm"}) {
    terminals.insert(visual.substr(0, visual.find(' ')));
    const auto call = editor_call("/a b/x.cu", line, around({{"VISUAL", visual}}, terminals));
    EXPECT_TRUE(call) << call.error().message;
    return call ? *call : Call{};
}

TEST(EditorCall, EachEditorGetsTheLineInItsOwnWay) {
    EXPECT_EQ(call_of("code"), (Call{"code", "-g", "/a b/x.cu:12"}));
    EXPECT_EQ(call_of("/usr/bin/code -w"), (Call{"/usr/bin/code", "-w", "-g", "/a b/x.cu:12"}));
    EXPECT_EQ(call_of("subl"), (Call{"subl", "/a b/x.cu:12"}));
    EXPECT_EQ(call_of("emacs"), (Call{"emacs", "+12", "/a b/x.cu"}));
    EXPECT_EQ(call_of("gedit"), (Call{"gedit", "+12", "/a b/x.cu"}));
    EXPECT_EQ(call_of("kate"), (Call{"kate", "-l", "12", "/a b/x.cu"}));
    EXPECT_EQ(call_of("clion"), (Call{"clion", "--line", "12", "/a b/x.cu"}));
    EXPECT_EQ(call_of("my_editor"), (Call{"my_editor", "/a b/x.cu"})) << "not known: no line";
    EXPECT_EQ(call_of("code", 0), (Call{"code", "/a b/x.cu"})) << "no line";
}

TEST(EditorCall, AnEditorOfTheTerminalGetsOne) {
    EXPECT_EQ(call_of("vim"), (Call{"xterm", "-e", "vim", "+12", "/a b/x.cu"}));
    EXPECT_EQ(call_of("nano", 3, {"gnome-terminal", "xterm"}),
              (Call{"gnome-terminal", "--", "nano", "+3", "/a b/x.cu"}));
    EXPECT_EQ(call_of("hx"), (Call{"xterm", "-e", "hx", "/a b/x.cu:12"}));
    EXPECT_EQ(call_of("emacs -nw"), (Call{"xterm", "-e", "emacs", "-nw", "+12", "/a b/x.cu"}));
    const auto none = editor_call("/x.cu", 1, around({{"EDITOR", "vim"}}, {"vim"}));
    ASSERT_FALSE(none);
    EXPECT_THAT(none.error().message, HasSubstr("EDITOR is vim, which needs a terminal"));
}

TEST(EditorCall, VisualComesBeforeEditorAndTheDesktopLast) {
    const std::set<std::string> all = {"code", "kate", "xdg-open", "gio"};
    EXPECT_EQ(*editor_call("/x.cu", 2, around({{"VISUAL", "code"}, {"EDITOR", "kate"}}, all)),
              (Call{"code", "-g", "/x.cu:2"}));
    EXPECT_EQ(*editor_call("/x.cu", 2, around({{"VISUAL", " "}, {"EDITOR", "kate"}}, all)),
              (Call{"kate", "-l", "2", "/x.cu"}));
    EXPECT_EQ(*editor_call("/x.cu", 2, around({}, all)), (Call{"xdg-open", "/x.cu"}));
    EXPECT_EQ(*editor_call("/x.cu", 2, around({}, {"gio"})), (Call{"gio", "open", "/x.cu"}));
    const auto none = editor_call("/x.cu", 2, around({}, {}));
    ASSERT_FALSE(none);
    EXPECT_THAT(none.error().message, HasSubstr("set VISUAL or EDITOR"));
    const auto missing = editor_call("/x.cu", 2, around({{"VISUAL", "cdoe"}}, all));
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error().message, "VISUAL is 'cdoe', and there is no such program");
}

TEST(EditorCall, QuotesHoldWordsTogether) {
    EXPECT_EQ(*editor_call("/x.cu", 2,
                           around({{"VISUAL", R"('/opt/my editor/ed' "a b" c\ d $HOME ; e)"}},
                                  {"/opt/my editor/ed"})),
              (Call{"/opt/my editor/ed", "a b", "c d", "$HOME", ";", "e", "/x.cu"}));
}

// A script in place of an editor writes down what it got. What stands in the name of the file is
// never run.
TEST(EditorCall, AFileOfAnyNameIsOneArgument) {
    const std::filesystem::path folder =
        std::filesystem::temp_directory_path() / ("tilereel_editor_" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder);
    const std::filesystem::path script = folder / "code", seen = folder / "seen";
    std::ofstream(script)
        << "#!/bin/sh\nfor word in \"$@\"; do printf '%s\\n' \"[$word]\"; done > '" << seen.string()
        << ".part'\nmv '" << seen.string() << ".part' '" << seen.string() << "'\n";
    std::filesystem::permissions(script, std::filesystem::perms::owner_all);
    const std::string name = "/tmp/-n $(touch ran); `touch ran` 'a' \"b\" &.cu";
    const auto call =
        editor_call(name, 7, around({{"VISUAL", "'" + script.string() + "'"}}, {script.string()}));
    ASSERT_TRUE(call) << call.error().message;
    const auto started = start_editor(*call);
    ASSERT_TRUE(started) << started.error().message;
    EXPECT_EQ(*started, "code");
    for (int i = 0; i < 200 && !std::filesystem::exists(seen); ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(25));
    std::ostringstream text;
    text << std::ifstream(seen).rdbuf();
    EXPECT_EQ(text.str(), "[-g]\n[" + name + ":7]\n");
    EXPECT_FALSE(std::filesystem::exists("ran"));
    std::filesystem::remove_all(folder);
    const auto none = start_editor({(folder / "nothing").string(), "/x.cu"});
    ASSERT_FALSE(none);
    EXPECT_THAT(none.error().message, HasSubstr("cannot start"));
}

std::string text_of(const std::filesystem::path& file) {
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
}

// What is edited in the window is written at once and with its mode, unless another program has
// changed the file meanwhile.
TEST(SaveSource, KeepsTheModeAndAsksBeforeItReplacesAnotherText) {
    const std::filesystem::path file = std::filesystem::temp_directory_path() /
                                       ("tilereel_save_" + std::to_string(::getpid()) + ".cu");
    std::ofstream(file) << "old\n";
    const auto mode = std::filesystem::perms::owner_all | std::filesystem::perms::group_read;
    std::filesystem::permissions(file, mode);
    EXPECT_EQ(*save_source({file, "new\n", "old\n"}), SourceSaved::kSaved);
    EXPECT_EQ(text_of(file), "new\n");
    EXPECT_EQ(std::filesystem::status(file).permissions(), mode);
    EXPECT_EQ(*save_source({file, "mine\n", "old\n"}), SourceSaved::kChangedOnDisk);
    EXPECT_EQ(text_of(file), "new\n");
    EXPECT_EQ(*save_source({file, "mine\n", "old\n", true}), SourceSaved::kSaved);
    EXPECT_EQ(text_of(file), "mine\n");
    std::filesystem::remove(file);
    EXPECT_EQ(*save_source({file, "again\n", "mine\n"}), SourceSaved::kSaved) << "it was gone";
    std::filesystem::remove(file);
    const auto nowhere = save_source({"/nowhere/x.cu", "a", ""});
    ASSERT_FALSE(nowhere);
    EXPECT_THAT(nowhere.error().message, HasSubstr("/nowhere"));
}

}  // namespace
}  // namespace tilereel::editor_test
