#pragma once
// Notices that a file was saved by another program, such as an editor.
#include <filesystem>
#include <system_error>
#include <utility>

namespace tilereel {

class FileWatch {
  public:
    FileWatch() = default;
    explicit FileWatch(const std::filesystem::path& file) : file_(file), saved_at_(time_of(file)) {}

    // Whether `file` was saved since the last call with the same file. A new file counts as
    // unchanged. While an editor replaces a file, the file is missing for a moment: that is no
    // change.
    bool has_changed(const std::filesystem::path& file) {
        const auto time = time_of(file);
        const bool same_file = file == std::exchange(file_, file);
        if (time == std::filesystem::file_time_type::min()) return false;
        return std::exchange(saved_at_, time) != time && same_file;
    }

  private:
    static std::filesystem::file_time_type time_of(const std::filesystem::path& file) {
        std::error_code unknown;
        const auto time = std::filesystem::last_write_time(file, unknown);
        return unknown ? std::filesystem::file_time_type::min() : time;
    }

    std::filesystem::path file_;
    std::filesystem::file_time_type saved_at_{};
};

}  // namespace tilereel
