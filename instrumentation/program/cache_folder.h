#pragma once
// The folder for built tools, and whether what lies in it is still what was put there.
#include <filesystem>

#include "instrumentation/base/files/owned_names.h"
#include "instrumentation/base/result.h"

namespace tilereel::program {

// $XDG_CACHE_HOME/tilereel or ~/.cache/tilereel: a folder of this user that nobody else may use,
// which is checked at each call. If there is none, a temporary folder of this process; empty if
// there is no folder for temporary files, either.
[[nodiscard]] std::filesystem::path cache_folder();
// That temporary folder, which is used, too, where the user's folder cannot be filled.
[[nodiscard]] std::filesystem::path cache_of_process();
// Names of folders that are being filled; they are renamed when complete.
inline constexpr OwnedNames kHalfMade = {"half-made-", ""};

// Writes the size and a hash of the file beside it. Call it when the file is complete.
Status write_sum(const std::filesystem::path& file);
// True if the file has the size and the hash that write_sum() wrote.
[[nodiscard]] bool has_its_sum(const std::filesystem::path& file);
// While it lives, other processes that ask for it wait: one fills the cache, and no other process
// removes what it has just put there. Waits at most `most_seconds` (the owner may be stopped), and
// not after an interruption; then the cache is filled without it, as where a folder has no locks.
// It locks the file `lock` in the cache, because the maker of a temporary folder locks that folder.
class CacheLock {
  public:
    CacheLock(const std::filesystem::path& cache, int most_seconds);
    ~CacheLock();
    CacheLock(const CacheLock&) = delete;
    CacheLock& operator=(const CacheLock&) = delete;
    [[nodiscard]] bool held() const { return held_; }

  private:
    int file_;  // a descriptor; -1: it cannot be opened
    bool held_ = false;
};
// Removes a file or folder in the cache, without following links.
void remove_from_cache(const std::filesystem::path& name);

}  // namespace tilereel::program
