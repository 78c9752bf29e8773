// The cache of built tools, filled by several at once. A stand-in for g++ counts what it compiles.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include "instrumentation/program/toolchain.h"
#include "tests/trace/scratch_folder.h"

namespace tilereel::program::cache_test {
namespace {

namespace fs = std::filesystem;
using tilereel::tests::read_bytes;

class Cache : public ::testing::Test {
  protected:
    Cache() {
        std::string name = (fs::temp_directory_path() / "cache-XXXXXX").string();
        folder_ = mkdtemp(name.data());
        const fs::path compiler = folder_ / "g++";
        std::ofstream(compiler) << "#!/bin/sh\ncase \"$*\" in\n*-dumpfullversion*) echo 12.2.0 ;;\n"
                                   "*-print-file-name*) echo '"
                                << (folder_ / "plugin").string()
                                << "' ;;\n"
                                   "*) while [ $# -gt 1 ]; do\n"
                                   "    [ \"$1\" = -o ] && out=$2\n    shift\n  done\n"
                                   "  echo $$ >> '"
                                << (folder_ / "compiled").string()
                                << "'\n  sleep 0.2\n  echo $$ > \"$out\" ;;\nesac\n";
        fs::permissions(compiler, fs::perms::owner_all);
        setenv("TILEREEL_CXX", compiler.c_str(), 1);
        if (const char* const cache = std::getenv("XDG_CACHE_HOME")) former_ = cache;
        setenv("XDG_CACHE_HOME", (folder_ / "cache").c_str(), 1);
        fs::create_directory(folder_ / "cache");
        fs::create_directories(folder_ / "plugin/include");
        std::ofstream(folder_ / "plugin/include/gcc-plugin.h");
    }
    ~Cache() override {
        unsetenv("TILEREEL_CXX");
        if (former_.empty())
            unsetenv("XDG_CACHE_HOME");
        else
            setenv("XDG_CACHE_HOME", former_.c_str(), 1);
        fs::remove_all(folder_);
    }
    fs::path folder_;
    std::string former_;
};

// Otherwise one would remove the headers with which another one compiles already.
TEST_F(Cache, IsFilledOnceForAllWhoAskAtOnce) {
    std::vector<std::string> errors(6);
    {
        std::vector<std::jthread> threads;
        for (std::string& error : errors)
            threads.emplace_back([&error] {
                const Result<Toolchain> tools = prepare_toolchain("c++17");
                if (!tools) error = tools.error().message;
            });
    }
    for (const std::string& error : errors) EXPECT_EQ(error, "");
    const std::string compiled = read_bytes(folder_ / "compiled");
    EXPECT_EQ(std::ranges::count(compiled, '\n'), 2) << compiled;  // the plugin, the headers
}

TEST_F(Cache, IsLockedByOneAtATimeEvenWhereItsFolderIsLocked) {
    const int folder = open((folder_ / "cache").c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    ASSERT_EQ(flock(folder, LOCK_EX), 0);
    {
        const CacheLock first(folder_ / "cache", 0);
        EXPECT_TRUE(first.held());
        EXPECT_FALSE(CacheLock(folder_ / "cache", 0).held());
    }
    EXPECT_TRUE(CacheLock(folder_ / "cache", 0).held());
    close(folder);
}

// A process that holds the lock and does `then`.
class Holder {
  public:
    Holder(const fs::path& cache, int then) {
        int ready[2];
        if (pipe(ready) != 0) return;
        process_ = fork();
        if (process_ == 0) {
            const int file = open((cache / "lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
            const char held = flock(file, LOCK_EX | LOCK_NB) == 0 ? 'y' : 'n';
            if (write(ready[1], &held, 1) != 1) _exit(1);
            raise(then);
            _exit(0);
        }
        if (read(ready[0], &held_, 1) != 1) held_ = 'n';
        close(ready[0]), close(ready[1]);
        int status = 0;
        waitpid(process_, &status, WUNTRACED);  // until it is dead or stopped
    }
    ~Holder() {
        kill(process_, SIGKILL);
        waitpid(process_, nullptr, 0);
    }
    Holder(const Holder&) = delete;
    Holder& operator=(const Holder&) = delete;
    [[nodiscard]] bool has_held() const { return held_ == 'y'; }

  private:
    pid_t process_ = -1;
    char held_ = 'n';
};

TEST_F(Cache, IsFreeWhenTheProcessThatLockedItIsDead) {
    const Holder holder(folder_ / "cache", SIGKILL);
    ASSERT_TRUE(holder.has_held());
    EXPECT_TRUE(CacheLock(folder_ / "cache", 0).held());
}

TEST_F(Cache, IsNotWaitedForWithoutEndWhereTheProcessThatLockedItIsStopped) {
    const Holder holder(folder_ / "cache", SIGSTOP);
    ASSERT_TRUE(holder.has_held());
    EXPECT_FALSE(CacheLock(folder_ / "cache", 0).held());
}

// No lock can be had: it is filled without one.
TEST_F(Cache, IsFilledWhereTheLockIsNoFile) {
    fs::create_directories(folder_ / "cache/tilereel/lock");
    fs::permissions(folder_ / "cache/tilereel", fs::perms::owner_all);
    const Result<Toolchain> tools = prepare_toolchain("c++17");
    ASSERT_TRUE(tools) << tools.error().message;
    EXPECT_EQ(tools->folder.parent_path(), folder_ / "cache/tilereel");
}

// What a killed process or a full disk leaves: each part is made anew, and only once.
TEST_F(Cache, HealsPartsThatAreHalfWritten) {
    const Result<Toolchain> first = prepare_toolchain("c++17");
    ASSERT_TRUE(first) << first.error().message;
    const fs::path cache = first->folder;
    const fs::path prelude = cache / "prelude-c++17";
    std::vector<fs::path> parts = {cache / "plugin.so", cache / "plugin.so.sum",
                                   cache / "include/cuda_runtime.h", cache / "plugin/plugin.cpp"};
    for (const fs::directory_entry& entry : fs::directory_iterator(prelude))
        parts.push_back(entry.path());
    for (const fs::path& part : parts) {
        ASSERT_TRUE(fs::is_regular_file(part)) << part;
        fs::resize_file(part, fs::file_size(part) / 2);
        const std::string before = read_bytes(folder_ / "compiled");
        ASSERT_TRUE(prepare_toolchain("c++17")) << part;
        const std::string healed = read_bytes(folder_ / "compiled");
        EXPECT_NE(healed, before) << part;
        ASSERT_TRUE(prepare_toolchain("c++17")) << part;
        EXPECT_EQ(read_bytes(folder_ / "compiled"), healed) << part;
    }
}

TEST_F(Cache, HealsWhereItsFolderHasBecomeAFileOrALinkMeanwhile) {
    const fs::path elsewhere = folder_ / "elsewhere";
    for (const char* const what : {"file", "dangling link", "link"}) {
        const Result<Toolchain> first = prepare_toolchain("c++17");
        ASSERT_TRUE(first) << first.error().message;
        fs::remove_all(first->folder);
        if (what == std::string("file"))
            std::ofstream(first->folder) << "x";
        else
            fs::create_symlink(elsewhere, first->folder);
        if (what == std::string("link")) {
            fs::create_directories(elsewhere);
            std::ofstream(elsewhere / "kept") << "kept";
        }
        const Result<Toolchain> second = prepare_toolchain("c++17");
        ASSERT_TRUE(second) << what << ": " << second.error().message;
        EXPECT_EQ(fs::symlink_status(second->folder).type(), fs::file_type::directory) << what;
    }
    EXPECT_EQ(read_bytes(elsewhere / "kept"), "kept");
    EXPECT_EQ(std::distance(fs::directory_iterator(elsewhere), {}), 1);
}

// The whole cache: then a temporary folder serves, and nothing is written through the link.
TEST_F(Cache, IsNotUsedWhereItHasBecomeALinkOrAFile) {
    const fs::path cache = folder_ / "cache/tilereel", elsewhere = folder_ / "elsewhere";
    fs::create_directories(elsewhere);
    fs::permissions(elsewhere, fs::perms::owner_all);
    ASSERT_TRUE(prepare_toolchain("c++17"));
    for (const bool link : {true, false}) {
        fs::remove_all(cache);
        if (link)
            fs::create_directory_symlink(elsewhere, cache);
        else
            std::ofstream(cache) << "x";
        const Result<Toolchain> tools = prepare_toolchain("c++17");
        ASSERT_TRUE(tools) << tools.error().message;
        EXPECT_FALSE(tools->folder.string().starts_with(cache.string()));
        EXPECT_TRUE(fs::exists(tools->folder / "plugin.so"));
        fs::remove_all(tools->folder);  // other tests of this process find an empty one
    }
    EXPECT_TRUE(fs::is_empty(elsewhere));
}

TEST_F(Cache, NamesThePackageOfThePluginHeadersThatAreMissing) {
    fs::remove(folder_ / "plugin/include/gcc-plugin.h");
    const Result<Toolchain> tools = prepare_toolchain("c++17");
    ASSERT_FALSE(tools);
    EXPECT_EQ(tools.error().message,
              "g++ 12.2.0 has no headers for plugins, and a plugin records what a kernel does; "
              "install them: apt-get install gcc-12-plugin-dev");
    EXPECT_FALSE(fs::exists(folder_ / "compiled"));
}

// Once the plugin is in the cache, its headers are not needed.
TEST_F(Cache, NeedsNoPluginHeadersLater) {
    ASSERT_TRUE(prepare_toolchain("c++17"));
    fs::remove(folder_ / "plugin/include/gcc-plugin.h");
    EXPECT_TRUE(prepare_toolchain("c++17"));
}

}  // namespace
}  // namespace tilereel::program::cache_test
