#include "kernels/declaration.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "instrumentation/base/files/toml_keys.h"

namespace tilereel {
namespace {

constexpr std::string_view kExtents = "MNK";
constexpr std::string_view kTable = "launch";

// The comment that a file begins with: up to the first line that is no comment.
std::string_view first_comment(std::string_view text) {
    std::size_t end = 0;
    while (text.substr(end).starts_with("//"))
        end = std::min(text.size(), text.find('\n', end) + 1);
    return text.substr(0, end);
}

// A paragraph: the text after `// <word>  `, with its continuation lines.
std::string paragraph(std::string_view comment, std::string_view word) {
    std::string all;
    bool inside = false;
    while (!comment.empty()) {
        const std::string_view line = comment.substr(0, comment.find('\n'));
        comment.remove_prefix(std::min(comment.size(), line.size() + 1));
        std::string_view body = line.substr(2);
        body.remove_prefix(std::min(body.size(), body.find_first_not_of(' ')));
        const bool continues = line.starts_with("//     ");
        if (!continues)
            inside = body.starts_with(word) && body.substr(word.size()).starts_with(' ');
        if (!inside) continue;
        if (!continues) {
            body.remove_prefix(word.size());
            body.remove_prefix(std::min(body.size(), body.find_first_not_of(' ')));
        }
        all += (all.empty() ? "" : " ");
        all += body;
    }
    return all;
}

// The TOML in a comment, from the line "// [launch]" on; empty lines stand for the lines above, so
// that line numbers are those of the file.
std::string toml_in(std::string_view comment) {
    std::string toml;
    bool inside = false;
    while (!comment.empty()) {
        const std::string_view line = comment.substr(0, comment.find('\n'));
        comment.remove_prefix(std::min(comment.size(), line.size() + 1));
        inside = inside || line == "// [launch]";
        if (inside) toml += line.substr(2);
        toml += '\n';
    }
    return toml;
}

std::optional<int> whole_in(const toml::node& node, int least) {
    const std::optional<std::int64_t> value = node.value_exact<std::int64_t>();
    if (!value || *value < least || *value > 1 << 20) return std::nullopt;
    return static_cast<int>(*value);
}

// Fills in a declaration from the table [launch].
class DeclarationReader {
  public:
    DeclarationReader(const toml::table& table, KernelDeclaration& declaration)
        : keys_(table, line_of(table, 1), mistakes_), out_(declaration) {}

    std::vector<FileMistake> read() {
        if (const toml::node* built = keys_.take("built")) read_built(*built);
        read_multiples(keys_.take("multiples"), {});
        if (const toml::node* some = keys_.take("multiples_with_TILE")) read_with_tile(*some);
        read_sizes();
        read_capability();
        if (const toml::node* takes = keys_.take("takes")) read_takes(*takes);
        if (const toml::node* shared = keys_.take("shared")) read_shared(*shared);
        read_tile("tile_rows", out_.variants.tile_rows);
        read_tile("tile_columns", out_.variants.tile_columns);
        keys_.refuse_unknown("[launch]");
        return std::move(mistakes_);
    }

  private:
    // A list of whole numbers, ascending; `otherwise` without the key.
    std::vector<int> numbers(TomlKeys& keys, std::string_view key, int least,
                             std::vector<int> otherwise) {
        const toml::node* const node = keys.take(key);
        if (node == nullptr) return otherwise;
        std::vector<int> values;
        const toml::array* const list = node->as_array();
        for (std::size_t i = 0; list != nullptr && i < list->size(); ++i)
            if (const std::optional<int> value = whole_in((*list)[i], least))
                values.push_back(*value);
        if (list == nullptr || list->empty() || values.size() != list->size())
            keys.complain_of(key, std::string(key) + " must be a list of whole numbers from " +
                                      std::to_string(least) + " on, such as [8, 16]");
        std::ranges::sort(values);
        return values.empty() ? otherwise : values;
    }

    // {M = "TILE", N = 64}
    void read_multiples(const toml::node* node, const std::vector<int>& tiles) {
        if (node == nullptr) return;
        const toml::table* const table = node->as_table();
        std::size_t known = 0;
        for (std::size_t i = 0; table != nullptr && i < kExtents.size(); ++i) {
            const toml::node* const value = table->get(kExtents.substr(i, 1));
            if (value == nullptr) continue;
            const bool of_tile = value->value_exact<std::string>() == "TILE";
            const std::optional<int> of = of_tile ? 0 : whole_in(*value, 1);
            if (!of) continue;
            ++known;
            out_.sizes.multiples.push_back({.extent = kExtents[i], .of = *of, .tiles = tiles});
        }
        if (table == nullptr || known != table->size())
            keys_.complain(line_of(*node, 1),
                           "multiples must be of M, N or K, each of a whole number or of \"TILE\": "
                           "{M = \"TILE\", K = 8}");
    }

    // {64 = {K = 16}, 128 = {K = 16}}
    void read_with_tile(const toml::node& node) {
        const toml::table* const table = node.as_table();
        if (table == nullptr)
            return keys_.complain(line_of(node, 1),
                                  "multiples_with_TILE must be such as {128 = {K = 16}}");
        for (const auto& [key, multiples] : *table) {
            const std::optional<int> tile = tile_of(key.str());
            if (!tile)
                return keys_.complain(
                    line_of(node, 1),
                    "multiples_with_TILE: \"" + std::string(key.str()) + "\" is no TILE");
            read_multiples(&multiples, {*tile});
        }
    }

    void read_sizes() {
        out_.sizes.k_is_tile = keys_.flag("K_is_TILE", false);
        out_.sizes.k_at_most_m_and_n = keys_.flag("K_at_most_M_and_N", false);
        out_.sizes.most_elements = keys_.whole("most_elements_of_C", 1, 0);
        out_.sizes.why_most_elements = keys_.text("why_most_elements_of_C");
        const int bits = keys_.whole("offset_bits", 1, 32);
        if (bits != 32 && bits != 64) keys_.complain_of("offset_bits", "offset_bits is 32 or 64");
        out_.sizes.offsets_of_64_bits = bits == 64;
    }

    // "9.0" or "9.0a"
    void read_capability() {
        if (!keys_.has("compute_capability")) return;
        const std::string text = keys_.text("compute_capability");
        const bool specific = text.ends_with('a');
        const char* const end = text.data() + text.size() - (specific ? 1 : 0);
        int major = 0, minor = 0;
        const auto dot = std::from_chars(text.data(), end, major);
        if (major > 0 && dot.ptr != end && *dot.ptr == '.' &&
            std::from_chars(dot.ptr + 1, end, minor).ptr == end && dot.ptr + 2 == end) {
            out_.sizes.compute_capability = major * 10 + minor;
            out_.sizes.architecture_specific = specific;
        } else {
            keys_.complain_of("compute_capability",
                              "compute_capability must be such as \"9.0\" or \"9.0a\"");
        }
    }

    void read_built(const toml::node& node) {
        const toml::table* const table = node.as_table();
        if (table == nullptr)
            return keys_.complain(line_of(node, 1), "built must be such as {TILE = [8, 16]}");
        TomlKeys keys(*table, line_of(node, 1), mistakes_);
        out_.tiles = numbers(keys, "TILE", 1, out_.tiles);
        out_.pads = numbers(keys, "PAD", 0, out_.pads);
        keys.refuse_unknown("built");
    }

    void read_takes(const toml::node& node) {
        const toml::table* const table = node.as_table();
        if (table == nullptr)
            return keys_.complain(line_of(node, 1), "takes must be such as {TILE = [8, 16]}");
        TomlKeys keys(*table, line_of(node, 1), mistakes_);
        out_.variants.tiles = numbers(keys, "TILE", 1, {});
        out_.variants.why_tiles = keys.text("why_TILE");
        out_.variants.pad_unit = keys.whole("PAD_multiple", 1, 1);
        out_.variants.why_pad = keys.text("why_PAD");
        keys.refuse_unknown("takes");
    }

    // [["As", "M", "K"], ["Bs", 3, {64 = 64, 256 = 128}, "TILE"], ["Cs", 2, 64, 32, "float"]]
    void read_shared(const toml::node& node) {
        const toml::array* const list = node.as_array();
        for (std::size_t i = 0; list != nullptr && i < list->size(); ++i)
            if (const toml::array* const each = (*list)[i].as_array())
                if (std::optional<DeclaredShared::Tile> tile = tile_in(*each))
                    out_.shared.tiles.push_back(std::move(*tile));
        if (list == nullptr || out_.shared.tiles.size() != list->size())
            keys_.complain(line_of(node, 1),
                           "shared must list arrays by name and extents, which are \"M\", \"N\", "
                           "\"K\", \"TILE\", a number, or numbers by TILE, and maybe a type: "
                           "[[\"As\", \"M\", \"K\"], [\"Bs\", 3, {64 = 8}, \"TILE\", \"float\"]]");
    }
    // {256 = 128}
    void read_tile(std::string_view key, DeclaredExtent& extent) {
        const toml::node* const node = keys_.take(key);
        if (node == nullptr) return;
        const std::optional<DeclaredExtent> read = extent_in(*node);
        if (!read || read->with_tile.empty())
            return keys_.complain(line_of(*node, 1),
                                  std::string(key) + " must be such as {256 = 128}");
        extent.with_tile = read->with_tile;
    }
    static std::optional<DeclaredShared::Tile> tile_in(const toml::array& list) {
        DeclaredShared::Tile tile;
        const auto name = list.empty() ? std::nullopt : list[0].value_exact<std::string>();
        if (!name) return std::nullopt;
        tile.name = *name;
        std::size_t end = list.size();
        for (const InputType type : {InputType::kFloat32, InputType::kBfloat16})
            if (list[end - 1].value_exact<std::string>() == cuda_name(type))
                tile.type = type, --end;
        for (std::size_t i = 1; i < end; ++i) {
            std::optional<DeclaredExtent> extent = extent_in(list[i]);
            if (!extent) return std::nullopt;
            tile.extents.push_back(std::move(*extent));
        }
        if (tile.extents.size() < 2) return std::nullopt;
        return tile;
    }
    static std::optional<DeclaredExtent> extent_in(const toml::node& node) {
        DeclaredExtent extent;
        if (const std::optional<int> number = whole_in(node, 1)) {
            extent.number = *number;
            return extent;
        }
        if (const toml::table* const by_tile = node.as_table()) {
            for (const auto& [key, value] : *by_tile) {
                const std::optional<int> tile = tile_of(key.str()), number = whole_in(value, 1);
                if (!tile || !number) return std::nullopt;
                extent.with_tile.emplace_back(*tile, *number);
            }
            if (extent.with_tile.empty()) return std::nullopt;
            return extent;
        }
        const std::optional<std::string> name = node.value_exact<std::string>();
        if (name != "TILE" &&
            (!name || name->size() != 1 || kExtents.find((*name)[0]) == std::string_view::npos))
            return std::nullopt;
        extent.name = *name;
        return extent;
    }
    // A TILE that stands as a key.
    static std::optional<int> tile_of(std::string_view digits) {
        int tile = 0;
        std::from_chars(digits.data(), digits.data() + digits.size(), tile);
        return std::to_string(tile) == digits ? std::optional(tile) : std::nullopt;
    }

    std::vector<FileMistake> mistakes_;
    TomlKeys keys_;
    KernelDeclaration& out_;
};

void note(const FileMistake& mistake, KernelDeclaration& declaration) {
    if (declaration.mistake.empty())
        declaration.mistake = "line " + std::to_string(mistake.line) + ": " + mistake.sentence;
}

}  // namespace

KernelDeclaration read_declaration(std::string_view text) {
    const std::string_view comment = first_comment(text);
    KernelDeclaration declaration{.idea = paragraph(comment, "Idea"),
                                  .watch = paragraph(comment, "Watch"),
                                  .next = paragraph(comment, "Next"),
                                  .from = paragraph(comment, "Source")};
    try {
        const toml::table file = toml::parse(toml_in(comment));
        if (const toml::table* const launch = file[kTable].as_table())
            for (const FileMistake& mistake : DeclarationReader(*launch, declaration).read())
                note(mistake, declaration);
    } catch (const toml::parse_error& error) {
        note({static_cast<int>(error.source().begin.line), std::string(error.description())},
             declaration);
    }
    return declaration;
}

namespace {

// "K of 8", or with the first of a clause: "M, N multiples of TILE"
std::string multiples_text(const std::vector<SizeRules::Multiple>& rules, bool first) {
    std::string extents;
    for (const SizeRules::Multiple& rule : rules)
        extents.append(extents.empty() ? "" : ", ").append(1, rule.extent);
    return extents + (first ? " multiples of " : " of ") +
           (rules[0].of == 0 ? "TILE" : std::to_string(rules[0].of));
}

// Takes the first rule out of `rules`, and those of the same multiple. Where a rule holds at some
// TILEs, the extent must be the same, too.
std::vector<SizeRules::Multiple> take_equal(std::vector<SizeRules::Multiple>& rules) {
    std::vector<SizeRules::Multiple> equal;
    const SizeRules::Multiple first = rules[0];
    std::erase_if(rules, [&](const SizeRules::Multiple& rule) {
        const bool same =
            rule.of == first.of && (rule.tiles.empty() || rule.extent == first.extent);
        if (same) equal.push_back(rule);
        return same;
    });
    return equal;
}

}  // namespace

std::string needs_text(const SizeRules& rules) {
    std::string sizes, with_tile;
    const auto add = [](std::string& text, const std::string& clause, const char* between) {
        text += (text.empty() ? "" : between) + clause;
    };
    if (rules.k_is_tile) add(sizes, "K = TILE", "; ");
    if (rules.most_elements != 0)
        add(sizes,
            "M x N at most " + std::to_string(rules.most_elements) +
                (rules.why_most_elements.empty() ? "" : ", " + rules.why_most_elements),
            "; ");
    if (rules.k_at_most_m_and_n) add(sizes, "K at most M and N", "; ");
    std::vector<SizeRules::Multiple> general, special;
    for (const SizeRules::Multiple& rule : rules.multiples)
        (rule.tiles.empty() ? general : special).push_back(rule);
    std::ranges::stable_sort(general, {}, [](const auto& rule) { return rule.of != 0; });
    std::ranges::stable_sort(special, {}, [](const auto& rule) { return rule.tiles[0]; });
    for (std::string clause; !general.empty();) {
        const bool first = clause.empty();
        clause = multiples_text(take_equal(general), first);
        add(sizes, clause, first ? "; " : ", ");
    }
    for (; !special.empty(); with_tile.clear()) {
        const std::vector<SizeRules::Multiple> equal = take_equal(special);
        for (std::size_t i = 0; i < equal.size(); ++i)
            add(with_tile, std::to_string(equal[i].tiles[0]),
                i + 1 == equal.size() ? " or " : ", ");
        add(sizes, "TILE " + with_tile + ": " + multiples_text({equal[0]}, false), "; ");
    }
    if (sizes.empty()) sizes = "any M, N, K";
    const int capability = rules.compute_capability;
    if (capability == 0) return sizes;
    return "compute capability " + std::to_string(capability / 10) + "." +
           std::to_string(capability % 10) + (rules.architecture_specific ? "a; " : "; ") + sizes;
}

}  // namespace tilereel
