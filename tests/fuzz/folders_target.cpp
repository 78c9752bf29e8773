#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "instrumentation/base/files/owned_names.h"
#include "instrumentation/base/files/temporary_folder.h"
#include "tests/fuzz/targets.h"

namespace tilereel::fuzz {
namespace {

namespace fs = std::filesystem;

constexpr OwnedNames kNames = {"tilereel-", ""};

// The input as small numbers; 0 after its end.
class Choices {
  public:
    explicit Choices(Input input) : input_(input) {}
    [[nodiscard]] bool any() const { return at_ < input_.size(); }
    unsigned below(unsigned count) { return any() ? input_[at_++] % count : 0; }
    // A name without '/' and zero bytes.
    std::string name() {
        std::string name;
        for (unsigned left = below(40); left > 0 && any(); --left) {
            const char c = static_cast<char>(input_[at_++]);
            if (c != 0 && c != '/') name += c;
        }
        return name.empty() || name == "." || name == ".." ? "n" : name;
    }

  private:
    Input input_;
    std::size_t at_ = 0;
};

// An entry of the swept folder, and whether the sweep must remove it.
struct Entry {
    fs::path path;
    bool goes = false;
};

// What an owner may have left, a living process may have, or a user may have named.
std::string name_of(Choices& choices, unsigned number, bool& is_left) {
    std::string own = new_owned_name("/nowhere", kNames).filename().string();
    const std::string begin = "tilereel-" + std::to_string(::getpid());
    switch (choices.below(5)) {
        case 0:
        case 1:  // of a process that cannot exist
            is_left = true;
            return "tilereel-2000000000" + own.substr(begin.size()) + std::to_string(number);
        case 2:
            return own + std::to_string(number);
        case 3:
            return "tilereel-" + std::to_string(number) + "-" + choices.name() + "!";
        default:
            return choices.name() + "!" + std::to_string(number);
    }
}

// Puts something into a folder: files, links out of it, folders without end.
void fill(Choices& choices, fs::path folder, const fs::path& outside) {
    for (unsigned left = choices.below(6); left > 0; --left) {
        const fs::path path = folder / choices.name();
        std::error_code ignored;
        switch (choices.below(5)) {
            case 0:
                fs::create_symlink(outside, path, ignored);
                break;
            case 1:
                static_cast<void>(::mkfifo(path.c_str(), 0600));
                break;
            case 2:
                if (fs::create_directory(path, ignored)) folder = path;
                break;
            case 3:
                if (fs::create_directory(path, ignored)) ::chmod(path.c_str(), 0);
                break;
            default:
                if (!fs::is_fifo(path, ignored)) std::ofstream(path) << "file";
        }
    }
}

// Returns whether the folder is one that its owner has made and marked.
bool make_folder(Choices& choices, const fs::path& path, const fs::path& outside) {
    fs::create_directory(path);
    ::chmod(path.c_str(), 0700);
    const fs::path mark = path / kOwnerMark;
    const int folder = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool marked = false;
    switch (choices.below(6)) {
        case 0:
        case 1:
            marked = mark_owned_folder(folder, path.filename().string());
            break;
        case 2:  // of another folder
            static_cast<void>(mark_owned_folder(folder, "tilereel-1-1-00000000-1"));
            break;
        case 3:
            fs::create_symlink(outside / "mark", mark);
            break;
        case 4:
            std::ofstream(mark) << choices.name();
            break;
        default:
            break;
    }
    ::close(folder);
    fill(choices, path, outside);
    const bool open_to_others = choices.below(4) == 0;
    if (open_to_others) ::chmod(path.c_str(), 0755);
    // An empty one is of an owner that was killed before it wrote the mark.
    return (marked || fs::is_empty(path)) && !open_to_others;
}

Entry make_entry(Choices& choices, unsigned number, const fs::path& folder,
                 const fs::path& outside) {
    bool is_left = false;
    Entry entry{folder / name_of(choices, number, is_left)};
    switch (choices.below(5)) {
        case 0:
            fs::create_symlink(outside, entry.path);
            break;
        case 1:
            std::ofstream(entry.path) << "file";
            break;
        default:
            entry.goes = make_folder(choices, entry.path, outside) && is_left;
    }
    return entry;
}

}  // namespace

void run_folders(Input input) {
    static const Result<TemporaryFolder> base = TemporaryFolder::make();
    require(bool(base));
    const Result<TemporaryFolder> here = TemporaryFolder::make_in(base->path(), {"run-", ""});
    require(bool(here));
    const fs::path outside = here->path() / "outside", swept = here->path() / "swept";
    fs::create_directories(outside / "folder");
    std::ofstream(outside / "mark") << "file";
    fs::create_directory(swept);
    Choices choices(input);
    std::vector<Entry> entries;
    constexpr unsigned kMost = 24;
    while (choices.any() && entries.size() < kMost)
        entries.push_back(
            make_entry(choices, static_cast<unsigned>(entries.size()), swept, outside));
    remove_abandoned_folders(swept, kNames);
    for (const Entry& entry : entries)
        require(fs::exists(fs::symlink_status(entry.path)) != entry.goes);
    require(fs::is_regular_file(outside / "mark") && fs::is_directory(outside / "folder"));
}

}  // namespace tilereel::fuzz
