#pragma once
// The list of files to open: recent ones first, then a folder's programs and traces, then the
// samples that ship; without recent files, the samples first. Only names that contain the typed
// text are listed. While a path is typed, the list is that of the path's folder: Tab completes the
// path by the chosen row, Enter opens the file or folder, or the chosen row if there is none of
// this name. For a kernel of the ladder, or fields such as "kernel=09_tiled,pad=1", Enter opens
// these.
//
// Names under which its parts are registered (register_widget):
//   files files.field files.open files.cancel files.close files.<n>: row n of rows(), from 0
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/ui/widgets/text_edit.h"

namespace tilereel {

struct FileRow {
    enum class Kind { kHeading, kFolder, kFile } kind = Kind::kFile;
    std::string title, detail;
    std::filesystem::path path{};  // empty: a heading
};

// The path of a typed text, in which "~" is the home folder.
[[nodiscard]] std::filesystem::path path_typed(const std::string& text);

[[nodiscard]] bool names_subject(const std::string& text);

class FileList {
  public:
    // `recent`: latest first; files that no longer exist are left out. Starts in the folder of the
    // latest file or, if there is none, in the current folder.
    explicit FileList(const std::vector<std::filesystem::path>& recent,
                      const std::vector<std::filesystem::path>& samples = {});

    [[nodiscard]] const std::vector<FileRow>& rows() const { return rows_; }
    [[nodiscard]] std::size_t chosen() const { return chosen_; }  // index into rows()
    [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }
    [[nodiscard]] const std::string& problem() const { return problem_; }  // a sentence, or empty
    [[nodiscard]] const TextEdit& field() const { return field_; }
    // Draws the text field. Only names that contain its text are listed.
    void edit(std::string_view control, const Rect& rect, const TextStyle& style);
    void search(std::string text);
    // Moves the selection by so many rows. Headings are skipped.
    void move(int by);
    void choose(std::size_t row) { chosen_ = row; }
    // Handles a key. Returns true if the list must be closed.
    bool take(const KeyPress& press);
    // What was chosen cannot be opened: the list stays, and says why.
    void refuse(std::string why);
    // Opens the folder of a row, or chooses its file.
    void enter(std::size_t row);
    std::optional<std::filesystem::path> taken{};  // the file that was chosen
    // Or what was typed in place of a file: a kernel such as "02_naive", or fields of a subject.
    std::optional<std::string> taken_words{};
    float scroll = 0;         // pixels
    bool show_chosen = true;  // scroll so that the chosen row is visible

  private:
    void go_to(const std::filesystem::path& folder);
    void list();
    void enter_typed();

    void list_recent(const std::string& typed);
    void list_samples(const std::string& typed);
    void list_typed_path();
    void list_folder(const std::filesystem::path& folder, const std::string& typed);
    void complete();
    [[nodiscard]] bool is_listed(const std::filesystem::directory_entry& entry);

    std::vector<std::filesystem::path> recent_;
    std::vector<FileRow> samples_;
    std::filesystem::path folder_;
    std::map<std::filesystem::path, bool> cuda_;  // of the folder's C++ files: CUDA is in it
    std::uintmax_t bytes_read_ = 0;               // of these files
    TextEdit field_;
    std::vector<FileRow> rows_;
    std::size_t chosen_ = 0;
    bool moved_ = false;     // move() was called since the text was typed
    bool was_empty_ = true;  // the field was empty before and after the last edit()
    std::string problem_;
};

}  // namespace tilereel
