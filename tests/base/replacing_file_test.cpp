#include "instrumentation/base/files/replacing_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "instrumentation/base/files/owned_names.h"
#include "tests/trace/scratch_folder.h"

namespace tilereel::tests::replacing_file_test {
namespace {

Status replace(const std::filesystem::path& target, std::string_view text) {
    Result<ReplacingFile> file = ReplacingFile::open(target);
    if (!file) return file.error();
    if (Status written = file->write(std::as_bytes(std::span(text))); !written) return written;
    return file->commit();
}

mode_t mode_of(const std::filesystem::path& path) {
    struct stat status {};
    EXPECT_EQ(::stat(path.c_str(), &status), 0);
    return status.st_mode & 07777;
}

constexpr OwnedNames kParts = {".tilereel-", ".part"};

std::string own_part(const std::filesystem::path& folder) {
    return new_owned_name(folder, kParts).filename().string();
}

// A name that a process made which has ended.
std::string abandoned_part(const std::filesystem::path& folder) {
    int ends[2];
    EXPECT_EQ(::pipe(ends), 0);
    const pid_t child = ::fork();
    if (child == 0) {
        const std::string name = own_part(folder);
        const ssize_t written = ::write(ends[1], name.data(), name.size());
        ::_exit(written < 0 ? 1 : 0);
    }
    ::close(ends[1]);
    char name[256];
    const ssize_t count = ::read(ends[0], name, sizeof name);
    ::close(ends[0]);
    ::waitpid(child, nullptr, 0);
    return {name, static_cast<std::size_t>(count < 0 ? 0 : count)};
}

class ReplacingFileTest : public ::testing::Test {
  protected:
    ScratchFolder folder_;
};

TEST_F(ReplacingFileTest, KeepsTheModeOfTheOldFile) {
    for (const mode_t mode : {0600u, 0640u, 0666u, 0444u}) {
        const auto path = folder_ / "private";
        write_bytes(path, "old");
        ASSERT_EQ(::chmod(path.c_str(), mode), 0);
        ASSERT_TRUE(replace(path, "new"));
        EXPECT_EQ(mode_of(path), mode);
        EXPECT_EQ(read_bytes(path), "new");
        std::filesystem::remove(path);
    }
}

TEST_F(ReplacingFileTest, KeepsTheOwnerIfRunAsRoot) {
    if (::geteuid() != 0) GTEST_SKIP() << "only root may change the owner of a file";
    const auto path = folder_ / "of_another";
    write_bytes(path, "old");
    ASSERT_EQ(::chown(path.c_str(), 12345, 23456), 0);
    ASSERT_TRUE(replace(path, "new"));
    struct stat status {};
    ASSERT_EQ(::stat(path.c_str(), &status), 0);
    EXPECT_EQ(status.st_uid, 12345u);
    EXPECT_EQ(status.st_gid, 23456u);
}

TEST_F(ReplacingFileTest, ANewFileHasTheUsersMode) {
    const mode_t before = ::umask(027);
    EXPECT_TRUE(replace(folder_ / "new", "text"));
    ::umask(before);
    EXPECT_EQ(mode_of(folder_ / "new"), 0640u);
}

TEST_F(ReplacingFileTest, WritesThroughLinks) {
    write_bytes(folder_ / "real", "old");
    std::filesystem::create_directory(folder_ / "sub");
    std::filesystem::create_symlink("../real", folder_ / "sub/second");
    std::filesystem::create_symlink("sub/second", folder_ / "first");
    ASSERT_TRUE(replace(folder_ / "first", "new"));
    EXPECT_EQ(read_bytes(folder_ / "real"), "new");
    EXPECT_TRUE(std::filesystem::is_symlink(folder_ / "first"));
    EXPECT_TRUE(std::filesystem::is_symlink(folder_ / "sub/second"));
}

TEST_F(ReplacingFileTest, CreatesWhatADanglingLinkPointsTo) {
    std::filesystem::create_symlink("not_yet", folder_ / "link");
    ASSERT_TRUE(replace(folder_ / "link", "new"));
    EXPECT_TRUE(std::filesystem::is_symlink(folder_ / "link"));
    EXPECT_EQ(read_bytes(folder_ / "not_yet"), "new");
}

TEST_F(ReplacingFileTest, RefusesACycleOfLinks) {
    std::filesystem::create_symlink("b", folder_ / "a");
    std::filesystem::create_symlink("a", folder_ / "b");
    const Status status = replace(folder_ / "a", "new");
    ASSERT_FALSE(status);
    EXPECT_NE(status.error().message.find("cycle"), std::string::npos) << status.error().message;
    EXPECT_EQ(folder_.file_count(), 2);
}

TEST_F(ReplacingFileTest, LeavesNothingWithoutCommit) {
    { EXPECT_TRUE(ReplacingFile::open(folder_ / "never")); }
    EXPECT_EQ(folder_.file_count(), 0);
}

TEST_F(ReplacingFileTest, RemovesFilesThatAKilledProgramLeft) {
    write_bytes(folder_ / abandoned_part(folder_ / "."), "half");
    ASSERT_TRUE(replace(folder_ / "file", "text"));
    EXPECT_EQ(folder_.file_count(), 1);
}

// One of many files: the folder is read once for all of them, not for each.
TEST_F(ReplacingFileTest, AnUnsyncedFileIsWholeAndItsFolderIsNotSwept) {
    const std::string left = abandoned_part(folder_ / ".");
    write_bytes(folder_ / left, "half");
    auto file = ReplacingFile::open(folder_ / "one.npz", FileSync::kUnsynced);
    ASSERT_TRUE(file);
    ASSERT_TRUE(file->write(std::as_bytes(std::span("whole", 5))));
    EXPECT_FALSE(std::filesystem::exists(folder_ / "one.npz"));
    ASSERT_TRUE(file->commit());
    EXPECT_EQ(read_bytes(folder_ / "one.npz"), "whole");
    EXPECT_TRUE(std::filesystem::exists(folder_ / left));
}

TEST_F(ReplacingFileTest, KeepsOtherFilesAndFilesStillBeingWritten) {
    const std::string locked = abandoned_part(folder_ / ".");  // its writer is on another machine
    for (const std::string& name :
         {own_part(folder_ / "."), locked, std::string(".tilereel-x-0.part"),
          std::string(".tilereel-99999999-0.part"), std::string(".tilereel-2025-notes.part"),
          std::string(".tilereel-1.part"), std::string("a.part")})
        write_bytes(folder_ / name, "half");
    const int descriptor = ::open((folder_ / locked).c_str(), O_RDONLY | O_CLOEXEC);
    ASSERT_EQ(::flock(descriptor, LOCK_EX), 0);
    ASSERT_TRUE(replace(folder_ / "file", "text"));
    ::close(descriptor);
    EXPECT_EQ(folder_.file_count(), 8);
}

}  // namespace
}  // namespace tilereel::tests::replacing_file_test
