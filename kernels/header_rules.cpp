#include "kernels/header_rules.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>

#include "instrumentation/base/format/with_commas.h"
#include "kernels/kernel_parameters.h"

namespace tilereel {
namespace {

std::vector<std::string_view> split(std::string_view text, std::string_view separator) {
    std::vector<std::string_view> parts;
    while (true) {
        const std::size_t at = text.find(separator);
        parts.push_back(text.substr(0, at));
        if (at == std::string_view::npos) return parts;
        text.remove_prefix(at + separator.size());
    }
}

// Takes `word` off the front of the text; false if it does not begin with it.
bool take(std::string_view& text, std::string_view word) {
    if (!text.starts_with(word)) return false;
    text.remove_prefix(word.size());
    return true;
}

std::optional<int> whole_number(std::string_view text) {
    int number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size() || number < 1) return std::nullopt;
    return number;
}

// "8", "8 or 16", "8, 16 or 32"; empty if it is something else.
std::vector<int> numbers_in(std::string_view text) {
    std::vector<int> numbers;
    for (const std::string_view part : split(text, ", "))
        for (const std::string_view each : split(part, " or ")) {
            const std::optional<int> number = whole_number(each);
            if (!number) return {};
            numbers.push_back(*number);
        }
    return numbers;
}

// "TILE" gives 0, "64" gives 64.
std::optional<int> multiple_in(std::string_view text) {
    if (text == "TILE") return 0;
    return whole_number(text);
}

// "M, N multiples of TILE, K of 8"
bool read_multiples(std::string_view clause, const std::vector<int>& tiles, SizeRules& rules) {
    std::string waiting;  // extents whose multiple has not been read yet
    for (std::string_view part : split(clause, ", ")) {
        if (part.empty() || std::string_view("MNK").find(part[0]) == std::string_view::npos)
            return false;
        waiting += part[0];
        part.remove_prefix(1);
        if (part.empty()) continue;
        if (!take(part, " multiples of ") && !take(part, " a multiple of ") && !take(part, " of "))
            return false;
        const std::optional<int> of = multiple_in(part);
        if (!of) return false;
        for (const char extent : waiting)
            rules.multiples.push_back({.extent = extent, .of = *of, .tiles = tiles});
        waiting.clear();
    }
    return waiting.empty();
}

bool read_needs_clause(std::string_view clause, SizeRules& rules) {
    if (take(clause, "any "))
        return std::ranges::all_of(split(clause, ", "), [](std::string_view extent) {
            return extent == "M" || extent == "N" || extent == "K";
        });
    if (take(clause, "compute capability ")) {
        const std::size_t dot = clause.find('.');
        if (dot == std::string_view::npos) return false;
        const std::optional<int> major = whole_number(clause.substr(0, dot));
        const std::string_view minor = clause.substr(dot + 1);
        if (!major || minor.size() != 1 || minor[0] < '0' || minor[0] > '9') return false;
        rules.compute_capability = *major * 10 + (minor[0] - '0');
        return true;
    }
    if (clause == "offsets of 64 bits") return rules.offsets_of_64_bits = true;
    if (clause == "K = TILE") return rules.k_is_tile = true;
    if (clause == "K at most M and N") return rules.k_at_most_m_and_n = true;
    if (take(clause, "M x N at most ")) {
        const std::size_t comma = clause.find(", ");
        rules.most_elements = whole_number(clause.substr(0, comma)).value_or(0);
        if (comma != std::string_view::npos) rules.why_most_elements = clause.substr(comma + 2);
        return rules.most_elements != 0;
    }
    if (!take(clause, "TILE ")) return read_multiples(clause, {}, rules);
    const std::size_t colon = clause.find(": ");
    const std::vector<int> tiles = numbers_in(clause.substr(0, colon));
    return colon != std::string_view::npos && !tiles.empty() &&
           read_multiples(clause.substr(colon + 2), tiles, rules);
}

bool read_takes_clause(std::string_view clause, VariantRules& rules) {
    const std::size_t colon = clause.find(": ");
    const std::string why(colon == std::string_view::npos ? "" : clause.substr(colon + 2));
    clause = clause.substr(0, colon);
    if (take(clause, "PAD of ")) {
        rules.pad_unit = whole_number(clause).value_or(0);
        rules.why_pad = why;
        return rules.pad_unit != 0;
    }
    if (!take(clause, "TILE ")) return false;
    rules.tiles = numbers_in(clause);
    rules.why_tiles = why;
    return !rules.tiles.empty();
}

template <class Rules>
Rules read_clauses(std::string_view text, bool (*read)(std::string_view, Rules&)) {
    Rules rules;
    if (text.empty()) return rules;
    for (const std::string_view clause : split(text, "; "))
        if (!read(clause, rules) && rules.unknown.empty()) rules.unknown = clause;
    return rules;
}

int extent_of(char name, const KernelParameters& p) {
    return extent_of(std::string_view(&name, 1), p);
}

bool is_extent(std::string_view text) {
    return text == "M" || text == "N" || text == "K" || text == "TILE" || whole_number(text);
}

// "As M x K"
std::optional<SharedRules::Tile> tile_in(std::string_view text) {
    const std::size_t space = text.find(' '), by = text.find(" x ");
    if (by == std::string_view::npos || space == by || space == 0) return std::nullopt;
    const std::string_view rows = text.substr(space + 1, by - space - 1);
    const std::string_view columns = text.substr(by + 3);
    if (!is_extent(rows) || !is_extent(columns)) return std::nullopt;
    return SharedRules::Tile{std::string(text.substr(0, space)), std::string(rows),
                             std::string(columns)};
}

Error not_understood(std::string_view id, const char* verb, const std::string& what) {
    return wrong_call(std::string(id) + " says that it " + verb + " \"" + what +
                      "\", which Tilereel cannot check; write it as kernels/README.md says");
}

// "K is 60: 09_tiled needs a multiple of TILE 16; use 64"
Error wrong_extent(char name, const KernelParameters& p, std::string_view id,
                   const std::string& needs, int use) {
    return wrong_call(std::string(1, name) + " is " + std::to_string(extent_of(name, p)) + ": " +
                      std::string(id) + " needs " + needs + "; use " + std::to_string(use));
}

int rounded_up(int extent, int multiple) {
    return std::min((extent + multiple - 1) / multiple * multiple, kLargestExtent);
}

Status check_multiple(std::string_view id, const SizeRules& rules, const SizeRules::Multiple& rule,
                      const KernelParameters& p) {
    int of = rule.of;
    std::string with_tile;
    for (const SizeRules::Multiple& other : rules.multiples) {
        if (other.extent != rule.extent || other.tiles.empty()) continue;
        with_tile = " with TILE " + std::to_string(p.tile);
        if (std::ranges::find(other.tiles, p.tile) != other.tiles.end()) of = other.of;
    }
    const int multiple = of == 0 ? p.tile : of;
    const int extent = extent_of(rule.extent, p);
    if (extent % multiple == 0) return Done{};
    return wrong_extent(
        rule.extent, p, id,
        (of == 0 ? "a multiple of TILE " : "a multiple of ") + std::to_string(multiple) + with_tile,
        rounded_up(extent, multiple));
}

Status check_elements(std::string_view id, const SizeRules& rules, const KernelParameters& p) {
    const int most = rules.most_elements;
    if (most == 0 || std::int64_t{p.m} * p.n <= most) return Done{};
    const bool rows = p.m >= p.n;
    const int square_edge = static_cast<int>(std::sqrt(most));
    return wrong_extent(rows ? 'M' : 'N', p, id,
                        "M x N of at most " + std::to_string(most) +
                            (rules.why_most_elements.empty() ? "" : ", " + rules.why_most_elements),
                        std::max(square_edge, most / (rows ? p.n : p.m)));
}

}  // namespace

SizeRules read_needs(std::string_view needs) { return read_clauses(needs, read_needs_clause); }

VariantRules read_takes(std::string_view takes) { return read_clauses(takes, read_takes_clause); }

SharedRules read_shared(std::string_view shared) {
    SharedRules rules;
    if (shared.empty()) return rules;
    for (const std::string_view part : split(shared, ", ")) {
        std::optional<SharedRules::Tile> tile = tile_in(part);
        if (tile)
            rules.tiles.push_back(*std::move(tile));
        else if (rules.unknown.empty())
            rules.unknown = part;
    }
    return rules;
}

int extent_of(std::string_view extent, const KernelParameters& p) {
    if (extent == "M") return p.m;
    if (extent == "N") return p.n;
    if (extent == "K") return p.k;
    return extent == "TILE" ? p.tile : whole_number(extent).value_or(0);
}

Status check_shared(std::string_view id, const SharedRules& rules, const KernelParameters& p,
                    std::int64_t dynamic_shared_bytes) {
    if (!rules.unknown.empty()) return not_understood(id, "shares", rules.unknown);
    if (rules.tiles.empty()) return Done{};
    std::int64_t bytes = 0;
    for (const SharedRules::Tile& tile : rules.tiles)
        bytes += std::int64_t{extent_of(tile.rows, p)} * (extent_of(tile.columns, p) + p.pad) *
                 static_cast<std::int64_t>(sizeof(float));
    if (bytes == dynamic_shared_bytes) return Done{};
    return wrong_call(std::string(id) + " declares dynamic shared memory of " +
                      with_commas(static_cast<std::uint64_t>(bytes)) +
                      " bytes in its header, but its launch requests " +
                      with_commas(static_cast<std::uint64_t>(dynamic_shared_bytes)) +
                      "; correct Shared in its header");
}

Status check_sizes(std::string_view id, const SizeRules& rules, const KernelParameters& p) {
    if (!rules.unknown.empty()) return not_understood(id, "needs", rules.unknown);
    if (rules.k_is_tile && p.k != p.tile)
        return wrong_extent('K', p, id, "K = TILE " + std::to_string(p.tile), p.tile);
    if (const Status few = check_elements(id, rules, p); !few) return few;
    if (rules.k_at_most_m_and_n && p.k > std::min(p.m, p.n))
        return wrong_extent('K', p, id, "K at most M and N", std::min(p.m, p.n));
    for (const SizeRules::Multiple& rule : rules.multiples) {
        if (!rule.tiles.empty()) continue;  // replaces the general rule at some TILEs
        if (const Status whole = check_multiple(id, rules, rule, p); !whole) return whole;
    }
    return Done{};
}

}  // namespace tilereel
