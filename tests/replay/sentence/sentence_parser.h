#pragma once
// Parses the step sentence into numbers and names.
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tilereel {

struct ParsedRange {
    int first = 0, last = 0;  // inclusive
    int count = 1;            // how many of them it names: "rows 2 and 6", "4 of rows 0 to 12"
    bool operator==(const ParsedRange&) const = default;
};

struct ParsedSentence {
    std::optional<std::vector<int>> waiting;  // warps named; nullopt: nobody waits
    std::optional<int> waiting_count;         // instead of names
    std::string waiting_did;                  // "stored its half of both tiles", ...
    int warp = -1;
    std::string verb;   // "loads", "reads", "stores", "stores its sums in"
    std::string array;  // "Bs"
    bool all = false, its_tile = false;
    std::optional<int> elements;               // "16 elements in ..."
    std::optional<ParsedRange> rows, columns;  // named in the place
    int off = 0;                               // lanes that take no part
    std::string form;                          // which template the rest fits
    std::map<std::string, std::string> parts;  // of that template
    [[nodiscard]] int number(const std::string& part) const;
    [[nodiscard]] bool has(const std::string& part) const { return parts.contains(part); }
};

// nullopt: the text fits no template.
[[nodiscard]] std::optional<ParsedSentence> parse_sentence(const std::string& text);
// 1,024 -> 1024, "one" -> 1.
[[nodiscard]] int parse_number(std::string text);
// "half" -> 0.5, "seven eighths" -> 0.875; 0 for anything else.
[[nodiscard]] double parse_share(const std::string& text);
// Every counted noun is singular after 1 and plural otherwise.
[[nodiscard]] bool counts_agree(const std::string& text);

}  // namespace tilereel
