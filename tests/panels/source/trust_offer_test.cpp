// The offer to trust a folder, where a program may have failed because of its sandbox.
#include "app/panels/source/trust_offer.h"

#include <gtest/gtest.h>

#include "instrumentation/program/stranger.h"
#include "tests/panels/frame_window.h"
#include "tests/panels/program/program_window.h"

namespace tilereel::trust_offer_test {
namespace {

// A program that ends with this run.
WorkbenchOptions options_ending(const std::function<void(program::ProgramRun&)>& how) {
    WorkbenchOptions options = options_for(kSixArrays);
    options.programs = std::make_unique<ProgramBench>(ProgramBenchOptions{
        .on_thread = false,
        .run =
            [how](const program::ProgramRequest&, auto*) {
                program::ProgramRun run;
                run.launches.resize(1);
                run.launches[0].trace = "first.npz";
                how(run);
                return run;
            },
        .read = [](const std::filesystem::path&) -> Result<Trace> { return kSixArrays.trace(); }});
    return options;
}

struct Opened : FrameWindow {
    Opened(const std::function<void(program::ProgramRun&)>& how, bool in_sandbox,
           float width = 1920, float height = 1080)
        : FrameWindow(options_ending(how), width, height) {
        program::ProgramRequest request;
        request.file = "six.cu";
        request.in_sandbox = in_sandbox;
        bench.apply(Command{OpenProgram{request}});
        driver.frames(3);
    }
    [[nodiscard]] bool asks_for_trust() const {
        return std::ranges::any_of(of_window,
                                   [](const Command& each) { return each.holds<TrustFolder>(); });
    }
};

void fails(program::ProgramRun& run) { run.exit_code = 1; }

TEST(TrustOffer, ComesWhereAProgramFailsInItsSandbox) {
    for (const auto& [width, height] : {std::pair(1920.0f, 1080.0f), std::pair(1280.0f, 720.0f)}) {
        Opened window(fails, true, width, height);
        ASSERT_TRUE(window.driver.has("program.trust")) << width;
        window.driver.click("program.trust");
        EXPECT_TRUE(window.asks_for_trust()) << width;
    }
    EXPECT_FALSE(Opened(fails, false).driver.has("program.trust"));
    EXPECT_FALSE(Opened([](auto&) {}, true).driver.has("program.trust"));
}

TEST(TrustOffer, ComesWhereAHeaderIsRefused) {
    const auto refused = [](program::ProgramRun& run) {
        run.compile_errors.push_back(
            {"six.cu", 1, 0, std::string(program::kIncludesInSandbox) + "headers", {}, {}});
    };
    EXPECT_TRUE(Opened(refused, true).driver.has("program.trust"));
    const auto wrong = [](program::ProgramRun& run) {
        run.compile_errors.push_back({"six.cu", 1, 0, "expected ';'", {}, {}});
    };
    EXPECT_FALSE(Opened(wrong, true).driver.has("program.trust"));
}

// The key acts for any program in a sandbox: one's own work may need more before it fails.
TEST(TrustOffer, HasAKey) {
    for (const bool in_sandbox : {true, false}) {
        Opened window([](auto&) {}, in_sandbox);
        const bool light = window.bench.view().light;
        window.driver.press('t', true);
        EXPECT_EQ(window.asks_for_trust(), in_sandbox);
        EXPECT_EQ(window.bench.view().light == light, in_sandbox);
    }
}

}  // namespace
}  // namespace tilereel::trust_offer_test
