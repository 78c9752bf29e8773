// Which folders are removed, and which stay.
#include "instrumentation/base/files/temporary_folder.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <system_error>

#include "tests/trace/scratch_folder.h"

namespace tilereel::tests::temporary_folder_test {
namespace {

namespace fs = std::filesystem;

constexpr OwnedNames kNames = {"made-", ""};

class TemporaryFolderTest : public ::testing::Test {
  protected:
    // Makes a folder in a process that ends without removing it.
    fs::path abandon() {
        const pid_t child = ::fork();
        if (child == 0) {
            auto made = TemporaryFolder::make_in(parent(), kNames);
            if (made) std::ofstream(made->path() / "content") << "half";
            ::_exit(made ? 0 : 1);
        }
        ::waitpid(child, nullptr, 0);
        for (const auto& entry : fs::directory_iterator(parent()))
            if (entry.path().filename().string().starts_with("made-")) return entry.path();
        ADD_FAILURE() << "no folder was made";
        return {};
    }
    void sweep() { remove_abandoned_folders(parent(), kNames); }
    [[nodiscard]] fs::path parent() const { return scratch_ / "."; }
    ScratchFolder scratch_;
};

TEST_F(TemporaryFolderTest, AFolderOfAnEndedProcessIsRemoved) {
    const fs::path left = abandon();
    fs::create_directories(left / "a" / "b");
    sweep();
    EXPECT_FALSE(fs::exists(left));
}

TEST_F(TemporaryFolderTest, ARemovalThatWasInterruptedIsCompleted) {
    for (int run = 0; run < 6; ++run) {
        const fs::path left = abandon();
        for (int i = 0; i < 20; ++i) fs::create_directories(left / std::to_string(i) / "a");
        const auto entries = [&] {
            std::error_code gone;
            const fs::directory_iterator begin(left, gone);
            return gone ? 0 : std::distance(begin, fs::directory_iterator());
        };
        const pid_t child = ::fork();
        if (child == 0) {
            sweep();
            ::_exit(0);
        }
        while (entries() > 2 * run + 1) {
        }
        ::kill(child, SIGKILL);
        ::waitpid(child, nullptr, 0);
        const bool is_empty = entries() == 0;
        EXPECT_TRUE(is_empty || fs::exists(left / kOwnerMark));
        sweep();
        EXPECT_TRUE(is_empty || !fs::exists(left));
        fs::remove_all(left);
    }
}

TEST_F(TemporaryFolderTest, AFolderWithoutOurMarkStays) {
    const fs::path left = abandon();
    fs::remove(left / kOwnerMark);
    sweep();
    EXPECT_TRUE(fs::exists(left / "content"));
}

TEST_F(TemporaryFolderTest, ACopyOfAFolderStays) {
    const fs::path left = abandon();
    const fs::path other = scratch_ / "aside";
    fs::rename(left, other);
    fs::copy(other, left, fs::copy_options::recursive);
    fs::permissions(left, fs::perms::owner_all);
    sweep();
    EXPECT_TRUE(fs::exists(left / "content"));
}

TEST_F(TemporaryFolderTest, AFolderWithAMarkThatIsALinkStays) {
    const fs::path left = abandon();
    fs::rename(left / kOwnerMark, scratch_ / "mark");
    fs::create_symlink(scratch_ / "mark", left / kOwnerMark);
    sweep();
    EXPECT_TRUE(fs::exists(left / "content"));
}

TEST_F(TemporaryFolderTest, ALockedFolderStays) {
    const fs::path left = abandon();
    const int locked = ::open(left.c_str(), O_RDONLY | O_CLOEXEC);
    ASSERT_EQ(::flock(locked, LOCK_EX), 0);
    sweep();
    EXPECT_TRUE(fs::exists(left));
    ::close(locked);
    sweep();
    EXPECT_FALSE(fs::exists(left));
}

TEST_F(TemporaryFolderTest, AFolderThatOthersMayUseStays) {
    const fs::path left = abandon();
    fs::permissions(left, fs::perms::all);
    sweep();
    EXPECT_TRUE(fs::exists(left / "content"));
}

TEST_F(TemporaryFolderTest, AFolderOfAnotherUserStays) {
    if (::geteuid() != 0) GTEST_SKIP() << "only root may change the owner of a folder";
    const fs::path left = abandon();
    ASSERT_EQ(::chown(left.c_str(), 12345, 23456), 0);
    sweep();
    EXPECT_TRUE(fs::exists(left / "content"));
}

TEST_F(TemporaryFolderTest, AFolderOfARunningProcessStays) {
    const auto made = TemporaryFolder::make_in(parent(), kNames);
    ASSERT_TRUE(made);
    sweep();
    EXPECT_TRUE(fs::exists(made->path()));
}

TEST_F(TemporaryFolderTest, LinksAreRemovedAndNotFollowed) {
    fs::create_directory(scratch_ / "mine");
    std::ofstream(scratch_ / "mine" / "notes") << "mine";
    const fs::path left = abandon();
    fs::create_directory(left / "inner");
    fs::create_directory_symlink(scratch_ / "mine", left / "link");
    fs::create_directory_symlink(scratch_ / "mine", left / "inner" / "link");
    sweep();
    EXPECT_FALSE(fs::exists(left));
    EXPECT_TRUE(fs::exists(scratch_ / "mine" / "notes"));
}

TEST_F(TemporaryFolderTest, AFolderThatReplacedOursStays) {
    fs::create_directory(scratch_ / "mine");
    std::ofstream(scratch_ / "mine" / "notes") << "mine";
    for (const bool by_link : {true, false}) {
        fs::path path;
        {
            const auto made = TemporaryFolder::make_in(parent(), kNames);
            ASSERT_TRUE(made);
            path = made->path();
            fs::rename(path, scratch_ / (by_link ? "moved" : "moved too"));
            if (by_link)
                fs::create_directory_symlink(scratch_ / "mine", path);
            else
                fs::rename(scratch_ / "mine", path);
        }
        EXPECT_TRUE(fs::exists(path / "notes")) << by_link;
    }
}

// The path of the innermost folder is longer than PATH_MAX, and a recursive removal would need more
// stack or descriptors than there are.
TEST_F(TemporaryFolderTest, DeeplyNestedFoldersWithoutPermissionsAreRemoved) {
    const fs::path left = abandon();
    int folder = ::open(left.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    constexpr int kDepth = 3'000;
    for (int i = 0; i < kDepth; ++i) {
        ASSERT_EQ(::mkdirat(folder, "x", S_IRWXU), 0);
        const int inner = ::openat(folder, "x", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        ASSERT_GE(inner, 0);
        ::close(folder);
        folder = inner;
    }
    ::close(folder);
    fs::create_directories(left / "y" / "z");
    fs::permissions(left / "y" / "z", fs::perms::none);
    fs::permissions(left / "y", fs::perms::none);
    sweep();
    EXPECT_FALSE(fs::exists(left));
}

class Tmpdir : public ::testing::Test {
  protected:
    Tmpdir() {
        if (const char* const now = std::getenv("TMPDIR")) before_ = now;
    }
    ~Tmpdir() override { before_ ? ::setenv("TMPDIR", before_->c_str(), 1) : ::unsetenv("TMPDIR"); }
    std::optional<std::string> before_;
    ScratchFolder scratch_;
};

TEST_F(Tmpdir, ThatIsEmptyIsNone) {
    ::setenv("TMPDIR", "", 1);
    const Result<TemporaryFolder> made = TemporaryFolder::make();
    ASSERT_TRUE(made);
    EXPECT_EQ(made->path().parent_path(), "/tmp");
}

TEST_F(Tmpdir, ThatIsRelativeStaysTheSameFolderForChildren) {
    fs::create_directory(scratch_ / "here");
    const fs::path relative = fs::proximate(scratch_ / "here");
    ::setenv("TMPDIR", relative.c_str(), 1);
    const Result<TemporaryFolder> made = TemporaryFolder::make();
    ASSERT_TRUE(made);
    EXPECT_TRUE(made->path().is_absolute());
    EXPECT_TRUE(fs::equivalent(made->path().parent_path(), scratch_ / "here"));
}

TEST_F(Tmpdir, ThatIsNoFolderIsNamed) {
    ::setenv("TMPDIR", "/missing/folder", 1);
    EXPECT_EQ(TemporaryFolder::make().error().message,
              "TMPDIR names /missing/folder, which is no folder; set TMPDIR to a folder that you "
              "may write");
}

}  // namespace
}  // namespace tilereel::tests::temporary_folder_test
