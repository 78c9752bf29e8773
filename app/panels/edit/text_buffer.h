#pragma once
// A text that is edited: caret, selection, undo, indentation, brackets and search. It knows neither
// keys nor drawing. Offsets are bytes, and the caret stands between two characters of UTF-8.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tilereel {

enum class CaretMove : std::uint8_t {
    kLeft,
    kRight,
    kUp,
    kDown,
    kWordLeft,
    kWordRight,
    kLineBegin,  // the first character that is no blank, then the begin of the line
    kLineEnd,
    kTextBegin,
    kTextEnd,
};

struct TextPlace {
    std::size_t line = 0;    // from 0
    std::size_t column = 0;  // characters; a tab counts as kTabColumns
    bool operator==(const TextPlace&) const = default;
};
inline constexpr std::size_t kTabColumns = 4;

class TextBuffer {
  public:
    TextBuffer() = default;
    explicit TextBuffer(std::string text);

    [[nodiscard]] const std::string& text() const { return text_; }
    // Changes with the text.
    [[nodiscard]] std::uint64_t revision() const { return revision_; }
    // Whether the text differs from what it was at mark_saved().
    [[nodiscard]] bool changed() const { return text_ != saved_; }
    void mark_saved() { saved_ = text_; }

    [[nodiscard]] std::size_t caret() const { return caret_; }
    // The selected bytes [first, second); equal if nothing is selected.
    [[nodiscard]] std::pair<std::size_t, std::size_t> selection() const;
    [[nodiscard]] std::string selected() const;
    [[nodiscard]] std::size_t lines() const { return begins_.size(); }
    [[nodiscard]] std::string_view line(std::size_t number) const;  // without its end
    [[nodiscard]] TextPlace place_of(std::size_t offset) const;
    // The offset at a place, or the nearest one.
    [[nodiscard]] std::size_t offset_of(const TextPlace& place) const;

    // Each replaces the selection. Characters that are typed one after the other are undone at
    // once.
    void type(std::string_view characters);  // a } in an empty line moves to its block's column
    void paste(std::string_view text);       // "\r\n" becomes "\n"
    void new_line();                         // indented as the line is, and one step more after {
    // Indents the selected lines, or inserts blanks up to the next step; `back`: the other way.
    void indent(bool back);
    void erase_before(bool word);        // Backspace; within the indentation a whole step
    void erase_after(bool word);         // Delete
    void replace_all(std::string text);  // as one edit; the caret keeps its line
    bool undo();                         // false: there is nothing to undo
    bool redo();

    void move(CaretMove move, bool select, std::size_t count = 1);
    void set_caret(std::size_t offset, bool select);
    void select(std::size_t first, std::size_t last);
    void select_all() { select(0, text_.size()); }
    void select_word();

    // The bracket beside the caret and its counterpart; the second is npos if there is none.
    [[nodiscard]] std::optional<std::pair<std::size_t, std::size_t>> brackets() const;
    // Selects the next occurrence, or the previous one; after the last comes the first. Small
    // letters find capital ones, too. False: the text has none.
    bool find(std::string_view words, bool backwards);

  private:
    struct Edit {
        std::size_t at = 0;
        std::string removed, added;
        std::size_t caret_before = 0, anchor_before = 0;
        bool joins = false;  // with the following typed characters
    };
    void edit(std::size_t at, std::size_t size, std::string_view added, bool joins = false);
    void replace(std::size_t at, std::size_t size, std::string_view added);
    void erase_selection_or(std::size_t first, std::size_t last);
    void find_lines();
    [[nodiscard]] std::size_t line_of(std::size_t offset) const;
    [[nodiscard]] std::size_t before(std::size_t offset) const;
    [[nodiscard]] std::size_t after(std::size_t offset) const;
    [[nodiscard]] std::size_t word_before(std::size_t offset) const;
    [[nodiscard]] std::size_t word_after(std::size_t offset) const;
    [[nodiscard]] std::string indentation_of(std::size_t line) const;
    [[nodiscard]] std::size_t counterpart(std::size_t bracket) const;

    std::string text_, saved_;
    std::vector<std::size_t> begins_{0};  // of the lines
    std::size_t caret_ = 0, anchor_ = 0;
    std::optional<std::size_t> wanted_column_;  // of Up and Down
    std::vector<Edit> done_, undone_;
    std::uint64_t revision_ = 1;
};

}  // namespace tilereel
