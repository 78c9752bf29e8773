// What a killed Tilereel leaves in the folder for temporary files and in the cache, and which
// process removes it. A stand-in for g++ makes the programs here, so that a test can stop anywhere
// in compiling or running.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <thread>

#include "instrumentation/program/cache_folder.h"
#include "instrumentation/program/program.h"
#include "tests/trace/scratch_folder.h"

namespace tilereel::program::leftovers_test {
namespace {

namespace fs = std::filesystem;
using tilereel::tests::read_bytes;

// A program that does nothing, with the message of a recorder that ends. For set_compiler().
constexpr const char* kEndsWell = R"(echo "{\\"kind\\":\\"end\\",\\"process\\":$$}" >&3; exit 0)";

class Leftovers : public ::testing::Test {
  protected:
    Leftovers() {
        fs::create_directory(temporary());
        fs::create_directory(scratch_ / "cache");
        setenv("TMPDIR", temporary().c_str(), 1);
        if (const char* const cache = std::getenv("XDG_CACHE_HOME")) cache_ = cache;
        setenv("XDG_CACHE_HOME", (scratch_ / "cache").c_str(), 1);
        request_.file = scratch_ / "program.cu";
        std::ofstream(request_.file) << "int main() {}\n";
    }
    ~Leftovers() override {
        unsetenv("TMPDIR");
        unsetenv("TILEREEL_CXX");
        cache_.empty() ? unsetenv("XDG_CACHE_HOME") : setenv("XDG_CACHE_HOME", cache_.c_str(), 1);
    }
    [[nodiscard]] fs::path temporary() const { return scratch_ / "temporary"; }
    [[nodiscard]] fs::path marker() const { return scratch_ / "begun"; }

    // Shell commands: `compile` compiles the program, `run` is the program, and `prepare` runs if
    // the compiler's arguments contain `step`, such as -shared for the plugin.
    void set_compiler(const std::string& compile, const std::string& run,
                      const std::string& step = "none", const std::string& prepare = "") const {
        const fs::path path = scratch_ / "compiler";
        std::ofstream(path)
            << "#!/bin/sh\n"
               "case \"$*\" in\n"
               "*-dumpfullversion*|*-print-file-name*) exec g++ \"$@\" ;;\n"
               "*program.cu*) " +
                   compile + " ;;\n*" + step + "*) " + prepare +
                   " ;;\nesac\n"
                   "for word; do [ \"$before\" = -o ] && out=$word; before=$word; done\n"
                   "printf '#!/bin/sh\\n" +
                   run + "\\n' >$out; chmod +x $out\n";
        fs::permissions(path, fs::perms::owner_all);
        setenv("TILEREEL_CXX", path.c_str(), 1);
    }
    // Starts a process that runs the program, and returns when the stand-in has made its marker.
    [[nodiscard]] pid_t begin_another() const {
        fs::remove(marker());
        const pid_t child = fork();
        if (child == 0) {
            static_cast<void>(run_program(request_));
            _exit(0);
        }
        for (int i = 0; i < 2000 && !fs::exists(marker()); ++i)
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        EXPECT_TRUE(fs::exists(marker()));
        return child;
    }
    static void kill_now(pid_t process) {
        kill(process, SIGKILL);
        waitpid(process, nullptr, 0);
    }
    // A shell command that makes the marker and then waits until it is killed.
    [[nodiscard]] std::string mark_and_wait() const {
        return "touch " + marker().string() + "; exec sleep 60";
    }
    [[nodiscard]] std::ptrdiff_t folders() const {
        return std::distance(fs::directory_iterator(temporary()), {});
    }
    // The number of half-made folders in the cache.
    [[nodiscard]] std::ptrdiff_t half_made() const {
        const fs::recursive_directory_iterator all(scratch_ / "cache");
        return std::count_if(begin(all), end(all), [](const fs::directory_entry& entry) {
            return entry.path().filename().string().starts_with("half-made-");
        });
    }
    void run_here() const { EXPECT_TRUE(run_program(request_)); }

    tilereel::tests::ScratchFolder scratch_;
    ProgramRequest request_;
    std::string cache_;
};

TEST_F(Leftovers, TheNextRunRemovesAFolderLeftWhileCompiling) {
    set_compiler(mark_and_wait(), kEndsWell);
    kill_now(begin_another());
    EXPECT_EQ(folders(), 1);
    set_compiler("", kEndsWell);
    run_here();
    EXPECT_EQ(folders(), 0);
}

TEST_F(Leftovers, TheNextRunRemovesAFolderLeftWhileRunning) {
    set_compiler("", mark_and_wait());
    kill_now(begin_another());
    EXPECT_EQ(folders(), 1);
    set_compiler("", kEndsWell);
    run_here();
    EXPECT_EQ(folders(), 0);
}

// The plugin and our headers are compiled once, into the cache.
TEST_F(Leftovers, TheNextRunRemovesHalfMadeFoldersInTheCache) {
    set_compiler("", kEndsWell, "c++-header", mark_and_wait());
    kill_now(begin_another());
    EXPECT_EQ(half_made(), 1);
    set_compiler("", kEndsWell);
    run_here();
    EXPECT_EQ(half_made(), 0);
    fs::remove_all(scratch_ / "cache");
    fs::create_directory(scratch_ / "cache");
    set_compiler("", kEndsWell, "-shared", mark_and_wait());
    kill_now(begin_another());
    EXPECT_EQ(half_made(), 1);
    set_compiler("", kEndsWell, "-shared", mark_and_wait());
    const pid_t other = begin_another();  // it removes the first one's and makes its own
    EXPECT_EQ(half_made(), 1);
    remove_abandoned_folders(scratch_ / "cache" / "tilereel", kHalfMade);
    EXPECT_EQ(half_made(), 1);  // the other one still lives
    kill_now(other);
    set_compiler("", kEndsWell);
    run_here();
    EXPECT_EQ(half_made(), 0);
}

TEST_F(Leftovers, ARunLeavesTheFolderOfARunningProcessAlone) {
    set_compiler("", mark_and_wait());
    const pid_t other = begin_another();
    const fs::path folder = fs::directory_iterator(temporary())->path();
    set_compiler("", kEndsWell);
    run_here();
    EXPECT_TRUE(fs::exists(folder / "program"));
    EXPECT_EQ(folders(), 1);
    kill_now(other);
}

TEST_F(Leftovers, FoldersAndFilesOfTheUserStay) {
    for (const char* const name : {"tilereel-1000", "tilereel-x-0", "other-999999-0",
                                   "tilereel-2025-lecture", "tilereel-99999999-0"}) {
        fs::create_directory(temporary() / name);
        std::ofstream(temporary() / name / "notes") << "mine";
    }
    std::ofstream(temporary() / "tilereel-99999999-1") << "a file";
    fs::create_directories(scratch_ / "cache" / "tilereel" / "half-made-2025-notes" / "mine");
    set_compiler("", kEndsWell);
    run_here();
    EXPECT_EQ(folders(), 6);
    EXPECT_TRUE(fs::exists(temporary() / "tilereel-2025-lecture" / "notes"));
    EXPECT_TRUE(fs::exists(temporary() / "tilereel-99999999-0" / "notes"));
    EXPECT_TRUE(fs::exists(scratch_ / "cache" / "tilereel" / "half-made-2025-notes" / "mine"));
}

// The disk of the cache is full, or no plugin can be loaded from it.
TEST_F(Leftovers, WhereTheCacheCannotBeFilledProgramsOpenWithoutIt) {
    set_compiler("", kEndsWell, "cache/tilereel", "echo No space left on device; exit 1");
    run_here();
    EXPECT_EQ(half_made(), 0);
}

// Every file of the cache, in turn: cut, changed, and replaced by a folder.
TEST_F(Leftovers, ADamagedCacheIsMadeAnew) {
    set_compiler("", kEndsWell);
    run_here();
    std::vector<fs::path> files;
    for (const auto& entry : fs::recursive_directory_iterator(scratch_ / "cache")) {
        const std::string name = entry.path().filename().string();
        if (name == "plugin.so" || name == "cuda_runtime.h" || name.ends_with(".gch"))
            files.push_back(entry.path());
    }
    ASSERT_GE(files.size(), 2u);
    for (const fs::path& file : files) {
        const auto size = fs::file_size(file);
        const auto is_mended = [&] {
            run_here();
            return fs::is_regular_file(file) && fs::file_size(file) == size;
        };
        fs::resize_file(file, size / 2);
        EXPECT_TRUE(is_mended()) << file;
        std::ofstream(file, std::ios::binary) << std::string(size, 'x');
        EXPECT_TRUE(is_mended()) << file;
        EXPECT_NE(read_bytes(file), std::string(size, 'x'));
        fs::remove(file);
        fs::create_directory(file);
        EXPECT_TRUE(is_mended()) << file;
    }
}

TEST_F(Leftovers, ACacheThatOthersMayWriteOrThatIsALinkIsNotUsed) {
    const fs::path cache = scratch_ / "cache" / "tilereel";
    fs::create_directory(cache);
    fs::permissions(cache, fs::perms::all);
    EXPECT_NE(cache_folder(), cache);
    fs::permissions(cache, fs::perms::owner_all | fs::perms::group_read);
    EXPECT_EQ(cache_folder(), cache);
    EXPECT_EQ(fs::status(cache).permissions(), fs::perms::owner_all);
    fs::rename(cache, scratch_ / "elsewhere");
    fs::create_directory_symlink(scratch_ / "elsewhere", cache);
    EXPECT_NE(cache_folder(), cache);
    fs::remove(cache);
    std::ofstream(cache) << "a file";
    EXPECT_NE(cache_folder(), cache);
}

}  // namespace
}  // namespace tilereel::program::leftovers_test
