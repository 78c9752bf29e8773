#pragma once
// Reads the keys of a table of a TOML file. A key that the caller has not read is a mistake.
#include <toml++/toml.h>

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "instrumentation/base/files/file_mistake.h"

namespace tilereel {

// The line where the node begins; `otherwise` if the node does not come from a file.
[[nodiscard]] int line_of(const toml::node& node, int otherwise);

class TomlKeys {
  public:
    // `line`: of the table, for keys without a line of their own.
    TomlKeys(const toml::table& table, int line, std::vector<FileMistake>& mistakes)
        : table_(table), line_(line), mistakes_(mistakes) {}

    // nullptr: the table has no such key.
    const toml::node* take(std::string_view key);
    [[nodiscard]] bool has(std::string_view key) const { return table_.contains(key); }
    // These return an empty text or `otherwise` if there is no such key. A value of another type is
    // a mistake.
    std::string text(std::string_view key);
    bool flag(std::string_view key, bool otherwise);
    int whole(std::string_view key, int least, int otherwise);
    double number(std::string_view key, double otherwise);  // whole or not
    std::vector<std::string> texts(std::string_view key);   // one, or a list of them
    [[nodiscard]] int line(std::string_view key) const;     // of its value

    void complain(int line, std::string sentence) {
        mistakes_.push_back({line, std::move(sentence)});
    }
    void complain_of(std::string_view key, std::string sentence) {
        complain(line(key), std::move(sentence));
    }
    // Adds a mistake for each key that was not read. `of`: the table, as in "a scene".
    void refuse_unknown(std::string_view of);

  private:
    const toml::table& table_;
    int line_;
    std::vector<FileMistake>& mistakes_;
    std::set<std::string, std::less<>> taken_;
};

}  // namespace tilereel
