// A view as one line of text, and the fields that such a line may have.
#include "app/workbench/view/saved_view.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tilereel::saved_view_test {
namespace {

using ::testing::HasSubstr;

TEST(SavedView, SaysWhatIsShownInOneLine) {
    SavedView view{
        .subject = {.kernel = "09_tiled", .m = 16, .n = 24, .k = 32, .tile = 8, .pad = 1}};
    view.subject.block_x = 2;
    view.tick = 37;
    view.view.light = true;
    view.view.text_px = 28;
    EXPECT_EQ(text_of(view),
              "kernel=09_tiled,m=16,n=24,k=32,tile=8,pad=1,block=2:0,tick=37,theme=light,text=28");
}

TEST(SavedView, AKernelsViewIsReadAsItWasWritten) {
    SavedView view{
        .subject = {.kernel = "05_guide_ab_shared", .m = 1, .n = 2, .k = 3, .tile = 4, .pad = 0}};
    view.subject.seed = 7;
    view.subject.removed_barrier = 31;
    view.subject.order = ThreadOrder::kWarpsBackward;
    view.subject.on_gpu = true;
    view.subject.generation = "6.1";
    view.subject.block_x = 1, view.subject.block_y = 65536;
    view.tick = 1234.5;
    view.unit = StepUnit::kWavefront;
    view.speed = 0.25;
    view.warp = 0;
    view.lane = 31;
    view.zoom = 2.5f, view.shared_zoom = 3;
    view.all_cells = true;
    view.pan = {1.5f, 0, 12};
    view.view = {.mode = WindowMode::kRace,
                 .tab = SideTab::kVariables,
                 .light = true,
                 .text_px = 20,
                 .phase_table = true};
    const Result<SavedView> read = parse_view(text_of(view));
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(text_of(*read), text_of(view));
    EXPECT_EQ(read->subject.seed, 7u);
    EXPECT_EQ(read->subject.order, ThreadOrder::kWarpsBackward);
    EXPECT_TRUE(read->subject.on_gpu);
    EXPECT_EQ(read->subject.block_y, 65536u);
    EXPECT_EQ(read->tick, 1234.5);
    EXPECT_EQ(read->unit, StepUnit::kWavefront);
    EXPECT_EQ(read->speed, 0.25);
    EXPECT_EQ(read->warp, 0u);
    EXPECT_EQ(read->pan, (std::array{1.5f, 0.0f, 12.0f}));
    EXPECT_EQ(read->view.tab, SideTab::kVariables);
    EXPECT_TRUE(read->view.phase_table);
}

TEST(SavedView, CarriesTheComparisonThePatternAndTheLook) {
    SavedView view{
        .subject = {.kernel = "09_tiled", .m = 16, .n = 16, .k = 16, .tile = 8, .pad = 0}};
    view.compared = Subject{.kernel = "08_tiled_b_transposed",
                            .m = 16,
                            .n = 32,
                            .k = 48,
                            .tile = 16,
                            .pad = 1,
                            .removed_barrier = 28,
                            .generation = "1.3"};
    view.pattern = PatternQuestion{.expression = "(tx ^ ty)*33 + lane%4",
                                   .block = {32, 8, 2},
                                   .space = Space::kGlobal,
                                   .operation = Operation::kStore,
                                   .width_bytes = 16,
                                   .layout = {.row = 64, .pad = 3, .swizzle = 4, .swizzle_unit = 2},
                                   .warp = 7,
                                   .generation = "3.0"};
    view.view.sides = SidesShown::kRight;
    view.view.heat = Heat::kShared;
    view.view.line_figure = LineFigure::kWavefronts;
    view.view.motion = false;
    view.view.mode = WindowMode::kTime;
    view.view.time_size = 512;
    const std::string text = text_of(view);
    EXPECT_EQ(text.find_first_of(" ()*\"'^"), std::string::npos) << text;
    const Result<SavedView> read = parse_view(text);
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(read->compared, view.compared);
    EXPECT_EQ(read->pattern, view.pattern);
    EXPECT_EQ(read->view.sides, SidesShown::kRight);
    EXPECT_EQ(read->view.heat, Heat::kShared);
    EXPECT_EQ(read->view.line_figure, LineFigure::kWavefronts);
    EXPECT_FALSE(read->view.motion);
    EXPECT_EQ(read->view.mode, WindowMode::kTime);
    EXPECT_EQ(read->view.time_size, 512);
    for (const Subject& side : {Subject{.file = "/home/me/with: colon.cu", .generation = "6.1"},
                                Subject{.file = "/home/me/a,b=c.cu",
                                .arguments = {"-n", "4,5"},
                                .defines = {"N=8"},
                                .launch = 2,
                                .generation = "9.0"},
                                Subject{.generation = "1.3"}}) {
        view.subject = {.file = "/home/me/a.cu"};
        view.compared = side;
        const Result<SavedView> again = parse_view(text_of(view));
        ASSERT_TRUE(again) << again.error().message;
        EXPECT_EQ(again->compared, view.compared);
    }
    for (const char* wrong :
         {"compare=", "compare=09_tiled:16", "compare=kernel%3Dnothing", "compare=generation%3D77",
          "compare=block%3D1:0", "pattern=tx", "motion=maybe",
          "pattern=16:16:1:shared:load:3:32:0:1:1:0:9.0:tx", "heat=hot", "time_size=many"})
        EXPECT_FALSE(parse_view(std::string("kernel=09_tiled,") + wrong)) << wrong;
}

TEST(SavedView, KeepsAQuestionOfMatrixLoads) {
    SavedView view{
        .subject = {.kernel = "09_tiled", .m = 16, .n = 16, .k = 16, .tile = 8, .pad = 0}};
    view.pattern = PatternQuestion{.expression = "Swizzle<3,3,3> o (64,64):(64,1)",
                                   .operation = Operation::kMatrixStore,
                                   .width_bytes = 2,
                                   .layout = {.row = 64, .pad = 8},
                                   .warp = 31,
                                   .matrices = 2};
    const auto read = parse_view(text_of(view));
    ASSERT_TRUE(read);
    EXPECT_EQ(read->pattern, view.pattern);
}

TEST(SavedView, PathsAndArgumentsNeedNoQuotesInAShell) {
    SavedView view;
    view.subject.file = "/home/a b/caf\xc3\xa9,x=1'%.cu";
    view.subject.arguments = {"--size", "a,b", "", "$(rm)"};
    view.subject.defines = {"N=4"};
    view.subject.launch = 3;
    const std::string text = text_of(view);
    EXPECT_EQ(text.find_first_of(" '\"$()\\&;|<>*?!#~`\n"), std::string::npos) << text;
    const Result<SavedView> read = parse_view(text);
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(read->subject.file, view.subject.file);
    EXPECT_EQ(read->subject.arguments, view.subject.arguments);
    EXPECT_EQ(read->subject.defines, view.subject.defines);
    EXPECT_EQ(read->subject.launch, 3u);
}

TEST(SavedView, WhatIsMissingHasItsDefault) {
    const Result<SavedView> read = parse_view("kernel=02_naive");
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(read->subject.m, std::nullopt);
    EXPECT_EQ(read->tick, 1);
    EXPECT_EQ(read->view.text_px, 14);
    EXPECT_FALSE(read->pan);
}

TEST(SavedView, AWrongFieldIsNamedWithWhatItMayBe) {
    struct Case {
        const char *text, *said;
    };
    for (const auto& [text, said] : {
             Case{"", "either a kernel or a file"},
             Case{"tick=3", "either a kernel or a file"},
             Case{"kernel=02_naive,file=a.cu", "either a kernel or a file"},
             Case{"kernel=99_none", "kernel is the id of a kernel, not '99_none'"},
             Case{"kernel=02_naive,tile=0", "tile is a whole number from 1 on, not '0'"},
             Case{"kernel=02_naive,m=4x", "not '4x'"},
             Case{"kernel=02_naive,tick=nan", "not 'nan'"},
             Case{"kernel=02_naive,tick=0", "tick is a number from 1 on"},
             Case{"kernel=02_naive,zoom=inf", "not 'inf'"},
             Case{"kernel=02_naive,block=3", "column:row"},
             Case{"kernel=02_naive,lane=32", "0 to 31"},
             Case{"kernel=02_naive,text=99", "14 to 32"},
             Case{"kernel=02_naive,pan=1:2", "column:row:depth"},
             Case{"kernel=02_naive,page=film", "replay, race, patterns, lessons or time"},
             Case{"kernel=02_naive,order=any", "round-robin, warps"},
             Case{"kernel=02_naive,generation=1.7", "compute capability"},
             Case{"kernel=02_naive,colour=red", "no field 'colour'"},
             Case{"kernel=02_naive,theme", "theme is light or dark"},
             Case{"kernel=02_naive,,tile=4", "no field ''"},
             Case{"file=%2", "file is the path"},
             Case{"file=%zz", "file is the path"},
         }) {
        const Result<SavedView> read = parse_view(text);
        ASSERT_FALSE(read) << text;
        EXPECT_EQ(read.error().kind, ErrorKind::kWrongCall) << text;
        EXPECT_THAT(read.error().message, HasSubstr(said)) << text;
    }
    EXPECT_FALSE(parse_view("kernel=02_naive,argument=" + std::string(100000, 'a')));
}

}  // namespace
}  // namespace tilereel::saved_view_test
