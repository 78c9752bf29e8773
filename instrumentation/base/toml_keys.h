#pragma once
// The keys of a table of a TOML file, each taken once; a key that is left over is a mistake.
#include <toml++/toml.h>

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "instrumentation/base/file_mistake.h"

namespace tilereel {

// Where the node begins; `otherwise` for a node that stands in no file.

[[nodiscard]] int line_of(const toml::node& node, int otherwise);

class TomlKeys {
  public:
    // `line`: of the table, where a key has none.
    TomlKeys(const toml::table& table, int line, std::vector<FileMistake>& mistakes)
        : table_(table), line_(line), mistakes_(mistakes) {}

    // nullptr: the table has no such key.
    const toml::node* take(std::string_view key);
    [[nodiscard]] bool has(std::string_view key) const { return table_.contains(key); }
    // Empty, or what is given, where there is no such key or its value is of another kind, which is
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
    // `of`: "a scene".
    void refuse_unknown(std::string_view of);

  private:
    const toml::table& table_;
    int line_;
    std::vector<FileMistake>& mistakes_;
    std::set<std::string, std::less<>> taken_;
};

}  // namespace tilereel
