// How long a learner waits from saving a file of 100 lines to the verdict, as the window shows it:
// the file's watch, a frame every 16 ms, the judgement on its thread, the moment of the first
// check.
//
//   exercise_benchmark [EXERCISE [TIMES]]      tiling and 50
//
// Prints the median and the worst. A sandbox is used where this computer can make one.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "app/window/file_watch.h"
#include "app/workbench/exercise/exercise_bench.h"
#include "instrumentation/base/files/text_file.h"
#include "tests/trace/scratch_folder.h"

namespace tilereel {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kLines = 100;
constexpr auto kFrame = std::chrono::milliseconds(16);

// The solution with device functions that nobody calls, up to kLines lines of code.
std::string submission(const std::string& solution) {
    std::string text = solution;
    for (std::size_t line = 0; std::ranges::count(text, '\n') < std::ptrdiff_t(kLines); ++line)
        text += "__device__ float helper_" + std::to_string(line) + "(float x) { return x * " +
                std::to_string(line) + " + 1; }\n";
    return text;
}

double seconds_since(Clock::time_point begin) {
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

// Frames until the file has been judged; the seconds from `begin` to the frame that shows it.
double judged_after(ExerciseBench& bench, FileWatch& watch, const std::filesystem::path& file,
                    Clock::time_point begin, bool saved) {
    for (bool asked = !saved;;) {
        if (!asked && watch.has_changed(file)) {
            bench.judge();
            asked = true;
        }
        bench.advance();
        if (asked && !bench.busy()) return seconds_since(begin);
        std::this_thread::sleep_for(kFrame);
    }
}

int run(const std::string& name, int times) {
    const std::filesystem::path root = TILEREEL_SOURCE_DIR;
    const std::string solution = read_text(root / "tests/exercise/solutions" / (name + ".cu"));
    if (solution.empty()) {
        std::fprintf(stderr, "there is no solution of '%s'\n", name.c_str());
        return 2;
    }
    const tests::ScratchFolder folder;
    const std::filesystem::path copy = folder / (name + ".cu");
    std::string text = submission(solution);
    std::ofstream(copy) << text;
    ExerciseBench bench({.folder = folder.path(), .progress = folder / "exercises.json"});
    bench.open(root / "assets/exercises" / (name + ".toml"), copy);
    FileWatch watch(copy);
    judged_after(bench, watch, copy, Clock::now(), false);  // compiles the exercise's own part
    std::vector<double> seconds;
    for (int i = 0; i < times; ++i) {
        const auto begin = Clock::now();
        if (const Status saved =
                write_text(copy, text + "// saved for the " + std::to_string(i) + "th time\n");
            !saved)
            return 1;
        seconds.push_back(judged_after(bench, watch, copy, begin, true));
        if (!bench.exercise()->all_passed()) {
            std::fprintf(stderr, "the solution does not pass\n");
            return 1;
        }
    }
    std::ranges::sort(seconds);
    std::printf("%s, %zu lines, saved %d times: median %.2f s, worst %.2f s\n", name.c_str(),
                static_cast<std::size_t>(std::ranges::count(text, '\n')), times,
                seconds[seconds.size() / 2], seconds.back());
    return 0;
}

}  // namespace
}  // namespace tilereel

int main(int count, char** words) {
    return tilereel::run(count > 1 ? words[1] : "tiling", count > 2 ? std::atoi(words[2]) : 50);
}
