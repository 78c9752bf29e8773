#pragma once
// A program file with debug information, and the marks that assembly.cpp wrote into it.
#include <elfutils/libdw.h>

#include <cstdint>
#include <filesystem>
#include <vector>

namespace tilereel::plain {

struct MarkedCall {
    std::uint64_t address = 0;
    bool is_copy = false;  // Mark::kStoreOfCopy
};
struct MarkedLoop {
    std::uint64_t begin = 0, end = 0;
};
struct Marks {
    std::vector<MarkedCall> calls;  // ascending
    std::vector<MarkedLoop> loops;
    std::vector<std::uint64_t> guards;  // TLS offsets of the guards of thread-local variables
};

// Opens the file; the destructor closes it.
class DebugFile {
  public:
    explicit DebugFile(const std::filesystem::path& path);
    ~DebugFile();
    DebugFile(const DebugFile&) = delete;
    DebugFile& operator=(const DebugFile&) = delete;
    [[nodiscard]] Dwarf* dwarf() const { return dwarf_; }  // null: it cannot be read
    [[nodiscard]] Marks marks() const;

  private:
    int file_;
    Dwarf* dwarf_ = nullptr;
};

}  // namespace tilereel::plain
