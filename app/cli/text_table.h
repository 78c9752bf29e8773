#pragma once
// Text in aligned columns: numbers right-aligned, words left-aligned.
#include <string>
#include <vector>

namespace tilereel {

class Table {
  public:
    // One letter for each column: 'l' left, 'r' right.
    explicit Table(std::string alignment) : alignment_(std::move(alignment)) {}
    void add(std::vector<std::string> row);  // may have fewer cells than columns
    [[nodiscard]] std::string text() const;  // one line for each row, without trailing spaces

  private:
    std::string alignment_;
    std::vector<std::vector<std::string>> rows_;
};

}  // namespace tilereel
