// The cache of built tools, filled by several at once. A stand-in for g++ counts what it compiles.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
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
