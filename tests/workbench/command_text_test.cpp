// Every command as a line of text, and that line read again.
#include "app/workbench/command_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "app/workbench/workbench.h"

namespace tilereel::command_text_test {
namespace {

using ::testing::HasSubstr;

TEST(CommandText, EveryNameIsACommandOfItsOwn) {
    const std::vector<std::string_view> names = command_names();
    EXPECT_EQ(std::set(names.begin(), names.end()).size(), names.size());
    for (const std::string_view name : names) {
        const Result<Command> command = parse_command(name);
        ASSERT_TRUE(command) << command.error().message;
        const std::string text = text_of(*command);
        EXPECT_EQ(text.substr(0, text.find(' ')), name);
        if (name == "toggle_contender") continue;  // none is named
        const Result<Command> again = parse_command(text);
        ASSERT_TRUE(again) << text << ": " << again.error().message;
        EXPECT_EQ(text_of(*again), text);
        EXPECT_EQ(again->value().index(), command->value().index());
    }
}

const KernelParameters kParameters{.m = 16, .n = 32, .k = 48, .tile = 8, .pad = 1};

TEST(CommandText, IsReadAsItWasWritten) {
    const Subject side{.file = "/home/a b/x,y=z.cu", .defines = {"N=4"}, .generation = "1.3"};
    const NamedProduct product{
        .a = {.array = "x"}, .b = {.array = "y", .by_columns = true}, .c = {.array = "z"}};
    const Contender tiled{"09_tiled", 32, 1}, cublas{"cublas"};
    struct Case {
        Command command;
        const char* text;
    };
    for (const auto& [command, text] : {
             Case{PlayPause{}, "play_pause"},
             Case{SeekTo{120.5, true}, "seek_to tick=120.5,scrubbing=1"},
             Case{ChangeSpeed{-1}, "change_speed steps=-1"},
             Case{SetUnit{StepUnit::kWavefront}, "set_unit unit=wavefront"},
             Case{WatchBlock{3, 65536}, "watch_block x=3,y=65536"},
             Case{WatchKernel{"09_tiled", kParameters},
                  "watch_kernel id=09_tiled,parameters=16:32:48:8:1"},
             Case{SetThreadOrder{ThreadOrder::kWarpsBackward},
                  "set_thread_order order=warps-backward"},
             Case{Compare{{}, side},
                  "compare right=file%3D/home/a%2520b/x%252Cy%253Dz.cu%2Cdefine%3DN%253D4%2C"
                  "generation%3D1.3"},
             Case{NameProduct{product}, "name_product product=x%2Cy%5ET%2Cz"},
             Case{NameProduct{}, "name_product"},
             Case{SetTextSize{28}, "set_text_size px=28"},
             Case{SelectTab{SideTab::kVariables}, "select_tab tab=variables"},
             Case{SetMode{WindowMode::kLessons}, "set_page page=lessons"},
             Case{SetTimeSize{512}, "set_time_size size=512"},
             Case{ChooseWarp{2}, "choose_warp warp=2"},
             Case{ChooseWarp{}, "choose_warp"},
             Case{OpenLesson{"my lesson.toml", 2}, "open_lesson file=my%20lesson.toml,scene=2"},
             Case{RaceAction{ChooseContenders{{tiled, cublas}}},
                  "choose_contenders contenders=09_tiled:32:1%3Bcublas:0:0"},
             Case{RaceAction{SelectPoint{1, 2}}, "select_point contender=1,size=2"},
             Case{RaceAction{ToggleSize{{1, 2, 3}}}, "toggle_size size=1:2:3"},
             Case{RaceAction{ShowRaceTab{RaceTab::kRun}}, "show_race_tab tab=run"},
             Case{Command(SeekTo{3}).on_right(), "right seek_to tick=3,scrubbing=0"},
         }) {
        EXPECT_EQ(text_of(command), text);
        const Result<Command> read = parse_command(text);
        ASSERT_TRUE(read) << text << ": " << read.error().message;
        EXPECT_EQ(text_of(*read), text);
        EXPECT_EQ(read->of_right(), command.of_right());
    }
}

TEST(CommandText, AProgramKeepsItsFlagsAndLimits) {
    OpenProgram open;
    open.request.file = "/home/me/saxpy.cu";
    open.request.arguments = {"-n", "4,5"};
    open.request.defines = {"N=4"};
    open.request.generation = "7.5";
    open.request.launch = 1;
    open.request.blocks = {0, 7};
    open.request.all_blocks = true;
    open.request.limits.seconds = 5;
    open.request.limits.accesses_a_launch = 1000;
    open.products["k<float>"] = {.a = {.array = "x"}, .b = {.array = "y"}, .c = {.array = "z"}};
    const Result<Command> read = parse_command(text_of(open));
    ASSERT_TRUE(read) << read.error().message;
    const auto* const again = read->get_if<OpenProgram>();
    ASSERT_NE(again, nullptr);
    EXPECT_EQ(again->request.file, open.request.file);
    EXPECT_EQ(again->request.arguments, open.request.arguments);
    EXPECT_EQ(again->request.defines, open.request.defines);
    EXPECT_EQ(again->request.generation, "7.5");
    EXPECT_EQ(again->request.launch, 1u);
    EXPECT_EQ(again->request.blocks, open.request.blocks);
    EXPECT_TRUE(again->request.all_blocks);
    EXPECT_EQ(again->request.limits.seconds, 5);
    EXPECT_EQ(again->request.limits.accesses_a_launch, 1000u);
    EXPECT_EQ(again->products, open.products);
}

// What a log says is checked as a stranger's: a warp, a lane and a zoom that the picture lacks.
TEST(CommandText, AStrangersCommandsChangeNothingThatIsNotThere) {
    Workbench bench({.request = {.kernel = "09_tiled",
                                 .parameters = {.m = 8, .n = 8, .k = 8, .tile = 4, .pad = 0},
                                 .inputs = {}},
                     .trace = {},
                     .playing = false,
                     .record_on_worker = false});
    for (const char* line :
         {"choose_warp warp=7", "choose_lane lane=16", "choose_lane lane=4000000000",
          "watch_block x=4000000000,y=4000000000", "set_speed factor=-1", "set_speed factor=0",
          "choose_launch launch=9", "take_suggestion number=9", "select_size size=9",
          "set_text_size px=-5", "change_text_size steps=2000000000", "seek_to tick=-1e300",
          "remove_barrier line=-4", "set_zoom zoom=0,shared_zoom=-3,pan=-1:2:1e9",
          "go_to_lesson_scene scene=3", "choose_in_quiz choice=77", "right play_pause"}) {
        const Result<Command> command = parse_command(line);
        ASSERT_TRUE(command) << line << ": " << command.error().message;
        bench.apply(*command);
    }
    EXPECT_EQ(bench.watched_thread().chosen_warp(), std::nullopt);
    EXPECT_EQ(bench.watched_thread().chosen_lane(), std::nullopt);
    EXPECT_EQ(bench.replay()->block(), 0u);
    EXPECT_EQ(bench.position(), 0);
    EXPECT_EQ(bench.speed(), 1);
    EXPECT_EQ(bench.view().text_px, 32);
    EXPECT_EQ(bench.stage_zoom().zoom, 1);
    EXPECT_EQ(bench.stage_zoom().shared_zoom, 1);
    EXPECT_EQ(bench.stage_zoom().pan, (std::array<float, 3>{0, 2, 1e9f}));
}

TEST(CommandText, TheWarpBeforeTheFirstIsTheLast) {
    WatchedThread thread;
    thread.choose_warp(0);
    thread.next_warp(3, -1);
    EXPECT_EQ(thread.chosen_warp(), 2u);
    thread.next_warp(3, 1);
    EXPECT_EQ(thread.chosen_warp(), 0u);
    thread.next_lane(-1);
    EXPECT_EQ(thread.chosen_lane(), 31u);
}

TEST(CommandText, AWrongLineSaysWhy) {
    for (const auto& [line, said] : {
             std::pair{"", "there is no command ''"},
             std::pair{"play", "there is no command 'play'"},
             std::pair{"right", "there is no command 'right'"},
             std::pair{"play_pause tick=1", "there is no field 'tick' in play_pause"},
             std::pair{"seek_to tick=soon", "in seek_to, tick cannot be 'soon'"},
             std::pair{"seek_to tick", "'tick' is no field with a value"},
             std::pair{"seek_to tick=1,tick=2", "'tick' is no field with a value"},
             std::pair{"set_page page=film", "page cannot be 'film'"},
             std::pair{"choose_warp warp=-1", "warp cannot be '-1'"},
             std::pair{"set_parameters parameters=1:2:3:4", "parameters cannot be '1:2:3:4'"},
             std::pair{"set_parameters parameters=1:2:3:4:", "parameters cannot be"},
             std::pair{"toggle_contender contender=none:1:1", "contender cannot be 'none:1:1'"},
             std::pair{"compare right=kernel%3Dnone", "right cannot be"},
         }) {
        const Result<Command> read = parse_command(line);
        ASSERT_FALSE(read) << line;
        EXPECT_EQ(read.error().kind, ErrorKind::kWrongCall) << line;
        EXPECT_THAT(read.error().message, HasSubstr(said)) << line;
    }
}

}  // namespace
}  // namespace tilereel::command_text_test
