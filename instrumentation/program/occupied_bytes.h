#pragma once
// How much of disks and of memory files take. Counters of what a process writes do not tell that:
// posix_fallocate(), a mapped file and a file with holes take room without writing.
#include <cstdint>
#include <filesystem>
#include <set>
#include <string>
#include <utility>

namespace tilereel::program {

class OccupiedBytes {
  public:
    // All files in the folder and in the folders below. A file takes at least a page.
    void add_folder(const std::filesystem::path& folder);
    // The files without a name that the process has open. `processes`: /proc.
    void add_unnamed_files(int processes, const std::string& process);
    [[nodiscard]] std::uint64_t total() const { return total_; }

  private:
    void add_entries(int folder, int depth);

    std::set<std::pair<std::uint64_t, std::uint64_t>> unnamed_;  // device and number of the file
    std::uint64_t total_ = 0;
};

}  // namespace tilereel::program
