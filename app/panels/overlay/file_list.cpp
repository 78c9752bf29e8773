#include "app/panels/overlay/file_list.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <fstream>
#include <string_view>
#include <utility>

#include "app/subject/file_kind.h"
#include "app/subject/subject.h"
#include "kernels/kernel_name.h"

namespace tilereel {
namespace {

constexpr std::size_t kMostRecent = 8;
constexpr std::size_t kMostFiles = 2000;  // largest number of files listed from one folder
constexpr int kPage = 8;                  // rows
// Of C++ files in one folder that are read to find out whether CUDA is in them; the others are
// listed by their names.
constexpr std::uintmax_t kMostBytesRead = std::uintmax_t{16} << 20;

std::string lower(std::string text) {
    std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::tolower(c); });
    return text;
}

// `typed` is in lower case.
bool contains(const std::string& name, const std::string& typed) {
    return typed.empty() || lower(name).find(typed) != std::string::npos;
}

// The comment in the first line of a program, which says what it is; empty if there is none.
std::string first_comment(const std::filesystem::path& file) {
    std::ifstream in(file);
    std::string line;
    constexpr std::string_view kMark = "// ";
    if (!std::getline(in, line) || !line.starts_with(kMark)) return {};
    return line.substr(kMark.size());
}

std::string nothing_listed_text(const std::string& typed) {
    if (typed.empty()) return "There is no .cu or .npz file here";
    const KernelInfo* const meant = kernel_meant(typed);
    return "No .cu or .npz file here has \"" + typed + "\" in its name" +
           (meant == nullptr ? "" : "; did you mean " + std::string(meant->id) + "?");
}

bool is_path(const std::string& text) {
    return text.find('/') != std::string::npos || text == "~" || text == "..";
}

}  // namespace

std::filesystem::path path_typed(const std::string& text) {
    const char* const home = std::getenv("HOME");
    if (home != nullptr && text == "~") return home;
    if (home != nullptr && text.starts_with("~/"))
        return std::filesystem::path(home) / text.substr(2);
    return text;
}

FileList::FileList(const std::vector<std::filesystem::path>& recent,
                   const std::vector<std::filesystem::path>& samples) {
    std::error_code unknown;
    for (const std::filesystem::path& file : samples)
        samples_.push_back(
            {FileRow::Kind::kFile, file.filename().string(), first_comment(file), file});
    for (const std::filesystem::path& file : recent)
        if (recent_.size() < kMostRecent && std::filesystem::is_regular_file(file, unknown))
            recent_.push_back(file);
    const std::filesystem::path here = std::filesystem::current_path(unknown);
    go_to(recent_.empty() ? here : recent_.front().parent_path());
}

void FileList::go_to(const std::filesystem::path& folder) {
    std::error_code unknown;
    const std::filesystem::path whole = std::filesystem::weakly_canonical(folder, unknown);
    folder_ = unknown || whole.empty() ? folder : whole;
    cuda_.clear();
    bytes_read_ = 0;
    field_.begin({});
    list();
}

void FileList::list() {
    rows_.clear();
    chosen_ = 0;
    scroll = 0;
    show_chosen = true;
    problem_.clear();
    if (is_path(field_.text())) return list_typed_path();
    const std::string typed = lower(field_.text());
    list_recent(typed);
    if (recent_.empty()) list_samples(typed);
    list_folder(folder_, typed);
    if (!recent_.empty()) list_samples(typed);
    const bool any = std::ranges::any_of(
        rows_, [](const FileRow& row) { return row.kind != FileRow::Kind::kHeading; });
    if (!any && problem_.empty()) problem_ = nothing_listed_text(field_.text());
    move(1);
    moved_ = false;
    // The first file is chosen, before any folder. If nothing is typed and there are recent files,
    // move() has already chosen the first of them.
    if (recent_.empty() || !typed.empty())
        if (const auto file = std::ranges::find(rows_, FileRow::Kind::kFile, &FileRow::kind);
            file != rows_.end())
            chosen_ = static_cast<std::size_t>(file - rows_.begin());
}

// The files and folders that the typed path may be going to name.
void FileList::list_typed_path() {
    const std::filesystem::path path = folder_ / path_typed(field_.text());
    std::error_code unknown;
    const bool named = path.filename() == ".." && std::filesystem::is_directory(path, unknown);
    std::filesystem::path folder = (named ? path : path.parent_path()).lexically_normal();
    if (!folder.has_filename()) folder = folder.parent_path();
    list_folder(folder, named ? std::string() : lower(path.filename().string()));
    // The first file is chosen, before any folder.
    const auto file = std::ranges::find(rows_, FileRow::Kind::kFile, &FileRow::kind);
    if (file != rows_.end())
        chosen_ = static_cast<std::size_t>(file - rows_.begin());
    else
        move(1);
    moved_ = false;
}

// Types the path of the chosen row.
void FileList::complete() {
    if (!is_path(field_.text()) || chosen_ >= rows_.size()) return;
    const FileRow& row = rows_[chosen_];
    if (row.kind == FileRow::Kind::kHeading) return;
    std::string path = row.path.string();
    if (row.kind == FileRow::Kind::kFolder && !path.ends_with('/')) path += '/';
    const std::size_t end = path.size();
    field_.begin(std::move(path), {end, end});
    list();
}

void FileList::list_recent(const std::string& typed) {
    for (const std::filesystem::path& file : recent_) {
        const std::string name = file.filename().string();
        if (!contains(name, typed)) continue;
        if (rows_.empty()) rows_.push_back({FileRow::Kind::kHeading, "Recent files", "", {}});
        rows_.push_back({FileRow::Kind::kFile, name, file.parent_path().string(), file});
    }
}

void FileList::list_samples(const std::string& typed) {
    bool titled = false;
    for (const FileRow& row : samples_) {
        if (!contains(row.title, typed)) continue;
        if (!titled)
            rows_.push_back({FileRow::Kind::kHeading, "Samples that come with Tilereel", "", {}});
        titled = true;
        rows_.push_back(row);
    }
}

bool FileList::is_listed(const std::filesystem::directory_entry& entry) {
    std::error_code unknown;
    const std::optional<FileKind> kind = kind_of_ending(entry.path());
    if (kind != FileKind::kProgram && kind != FileKind::kTrace) return false;
    if (kind == FileKind::kTrace || !is_cpp(entry.path())) return entry.is_regular_file(unknown);
    const auto known = cuda_.find(entry.path());
    if (known != cuda_.end()) return known->second;
    const std::uintmax_t bytes = entry.file_size(unknown);
    if (!unknown) bytes_read_ += bytes;
    const bool cuda = bytes_read_ > kMostBytesRead || kind_of_file(entry.path()).has_value();
    return cuda_.emplace(entry.path(), cuda).first->second;
}

void FileList::list_folder(const std::filesystem::path& folder, const std::string& typed) {
    rows_.push_back({FileRow::Kind::kHeading, folder.string(), "", {}});
    if (folder.has_relative_path() && typed.empty())
        rows_.push_back({FileRow::Kind::kFolder, "..", "the folder above", folder.parent_path()});
    std::error_code problem;
    std::vector<FileRow> folders, files;
    for (std::filesystem::directory_iterator at(folder, problem), end; !problem && at != end;
         at.increment(problem)) {
        const std::string name = at->path().filename().string();
        if (name.starts_with(".") || !contains(name, typed)) continue;
        std::error_code unknown;
        if (at->is_directory(unknown))
            folders.push_back({FileRow::Kind::kFolder, name + "/", "", at->path()});
        else if (files.size() < kMostFiles && is_listed(*at))
            files.push_back({FileRow::Kind::kFile, name, "", at->path()});
    }
    if (problem) problem_ = "The folder " + folder.string() + " cannot be read";
    for (std::vector<FileRow>* const part : {&folders, &files}) {
        std::ranges::sort(*part, {}, &FileRow::title);
        rows_.insert(rows_.end(), part->begin(), part->end());
    }
}

void FileList::move(int by) {
    const int step = by < 0 ? -1 : 1;
    auto at = static_cast<int>(chosen_);
    const auto last = static_cast<int>(rows_.size()) - 1;
    int left = std::abs(by);
    for (int next = at + step; next >= 0 && next <= last && left > 0; next += step)
        if (rows_[static_cast<std::size_t>(next)].kind != FileRow::Kind::kHeading) {
            at = next;
            --left;
        }
    chosen_ = static_cast<std::size_t>(at);
    show_chosen = moved_ = true;
}

void FileList::refuse(std::string why) {
    taken.reset();
    taken_words.reset();
    problem_ = std::move(why);
}

void FileList::enter(std::size_t row) {
    if (row >= rows_.size()) return;
    const FileRow& chosen = rows_[row];
    if (chosen.kind == FileRow::Kind::kHeading) return;
    if (chosen.kind == FileRow::Kind::kFolder)
        go_to(std::filesystem::path(chosen.path));
    else
        taken = chosen.path;
}

// Whether the text is a kernel of the ladder or begins with a field of a subject.
bool names_subject(const std::string& text) {
    const std::size_t equals = text.find('=');
    return find_kernel(text) != nullptr ||
           (equals != std::string::npos && find_subject_field(text.substr(0, equals)) != nullptr);
}

void FileList::enter_typed() {
    std::filesystem::path path = path_typed(field_.text());
    if (path.is_relative()) path = folder_ / path;
    std::error_code unknown;
    if (std::filesystem::is_directory(path, unknown))
        go_to(path);
    else if (std::filesystem::is_regular_file(path, unknown))
        taken = path;  // a file of another kind gets a message, which has more room than the list
    else if (chosen_ < rows_.size() && rows_[chosen_].kind != FileRow::Kind::kHeading)
        enter(chosen_);
    else if (is_path(field_.text()))
        problem_ = kind_of_file(path).error().message;
}

bool FileList::take(const KeyPress& press) {
    if (press.key == Key::kEscape) return true;
    if (press.key == Key::kUp) move(-1);
    if (press.key == Key::kDown) move(+1);
    if (press.key == Key::kPageUp) move(-kPage);
    if (press.key == Key::kPageDown) move(+kPage);
    if (press.key == Key::kEnter) {
        if (names_subject(field_.text()))
            taken_words = field_.text();
        else if ((is_path(field_.text()) || !problem_.empty()) && !moved_)
            enter_typed();
        else
            enter(chosen_);
        return taken.has_value() || taken_words.has_value();
    }
    if (press.key == Key::kTab && !press.shift) complete();
    // Nothing is above the root: the field stays as it is, and what is typed next is not lost.
    if (press.key == Key::kBackspace && was_empty_ && folder_.has_relative_path())
        go_to(folder_.parent_path());
    return false;
}

void FileList::search(std::string text) {
    field_.begin(std::move(text));
    list();
}

void FileList::edit(std::string_view control, const Rect& rect, const TextStyle& style) {
    const std::string before = field_.text();
    static_cast<void>(field_.draw(control, rect, style));
    was_empty_ = before.empty() && field_.text().empty();
    if (field_.text() != before) list();
}

}  // namespace tilereel
