#pragma once
// Text in aligned columns: numbers to the right, words to the left.
#include <string>
#include <vector>

namespace tilereel {

class Table {
  public:
    // One letter a column: 'l' left, 'r' right.
    explicit Table(std::string alignment) : alignment_(std::move(alignment)) {}
    void add(std::vector<std::string> row);  // may be shorter than the alignment
    [[nodiscard]] std::string text() const;  // one line a row, no trailing spaces

  private:
    std::string alignment_;
    std::vector<std::vector<std::string>> rows_;
};

}  // namespace tilereel
