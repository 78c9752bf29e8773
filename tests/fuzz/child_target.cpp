#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>

#include "instrumentation/base/files/temporary_folder.h"
#include "instrumentation/program/program_messages.h"
#include "tests/fuzz/targets.h"

namespace tilereel::fuzz {
namespace {

using namespace program;
namespace fs = std::filesystem;

// A run's folder with a trace, a link and a folder.
std::shared_ptr<const fs::path> run_folder() {
    static const auto folder = [] {
        Result<TemporaryFolder> made = TemporaryFolder::make();
        require(bool(made));
        const auto kept = std::make_shared<TemporaryFolder>(*std::move(made));
        std::ofstream(kept->path() / "0.npz") << "trace";
        fs::create_symlink("/etc/passwd", kept->path() / "1.npz");
        fs::create_directory(kept->path() / "2.npz");
        return std::shared_ptr<const fs::path>(kept, &kept->path());
    }();
    return folder;
}

bool are_blocks(const std::vector<std::uint32_t>& blocks, std::uint64_t count) {
    for (std::size_t i = 0; i < blocks.size(); ++i)
        if (blocks[i] >= count || (i > 0 && blocks[i] <= blocks[i - 1])) return false;
    return true;
}

}  // namespace

void run_child(Input input) {
    // The input cannot know the folder's name, so FOLDER stands for it.
    std::string text(reinterpret_cast<const char*>(input.data()), input.size());
    ProgramRun run;
    run.folder = run_folder();
    constexpr std::string_view kFolder = "FOLDER";
    for (std::size_t at = 0; (at = text.find(kFolder, at)) != std::string::npos;)
        text.replace(at, kFolder.size(), run.folder->string());
    const ProgramRequest request;
    ProgramProgress progress;
    progress.on_change = [](const ProgramStage& stage) {
        require(stage.share >= 0 && stage.share <= 1);
    };
    ProgramMessages messages(request, run, &progress);
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) messages.hear(line);
    messages.tell_unsound();
    require(progress.stage().launches.size() == run.launches.size());
    for (std::size_t i = 0; i < run.launches.size(); ++i) {
        const LaunchSummary& launch = run.launches[i];
        require(i == 0 || launch.number > run.launches[i - 1].number);
        require(launch.trace.empty() || launch.trace == *run.folder / "0.npz");
        const std::uint64_t blocks = launch.grid.count();
        require(are_blocks(launch.chosen_blocks, blocks) && are_blocks(launch.cut_blocks, blocks));
        require(launch.recorded_blocks <= blocks && launch.left_out_blocks <= blocks);
    }
}

}  // namespace tilereel::fuzz
