#include "kernels/fact_file.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>

#include "instrumentation/base/files/toml_depth.h"
#include "instrumentation/base/files/toml_keys.h"
#include "kernels/catalog.h"

namespace tilereel {
namespace {

template <class Value>
struct Named {
    std::string_view name;
    Value value;
};
constexpr std::array kRecordedFigures = {
    Named<RecordedFigure>{"bytes", RecordedFigure::kBytes},
    Named<RecordedFigure>{"flop_per_byte", RecordedFigure::kFlopPerByte},
    Named<RecordedFigure>{"bound_by_bandwidth", RecordedFigure::kBoundByBandwidth},
    Named<RecordedFigure>{"transactions_of_a", RecordedFigure::kTransactionsOfA},
    Named<RecordedFigure>{"sectors_of_a", RecordedFigure::kSectorsOfA},
    Named<RecordedFigure>{"shared_reads", RecordedFigure::kSharedReads},
    Named<RecordedFigure>{"barriers", RecordedFigure::kBarriers},
    Named<RecordedFigure>{"phases", RecordedFigure::kPhases},
    Named<RecordedFigure>{"zero_fill", RecordedFigure::kZeroFill},
    Named<RecordedFigure>{"block_shape", RecordedFigure::kBlockShape},
    Named<RecordedFigure>{"outer_product", RecordedFigure::kOuterProduct},
    Named<RecordedFigure>{"occupancy", RecordedFigure::kOccupancy},
    Named<RecordedFigure>{"block_by_occupancy", RecordedFigure::kBlockByOccupancy},
    Named<RecordedFigure>{"blocks", RecordedFigure::kBlocks}};
constexpr std::array kComputedFigures = {
    Named<ComputedFigure>{"flop_per_byte", ComputedFigure::kFlopPerByte},
    Named<ComputedFigure>{"rtx_3090_gflops", ComputedFigure::kRtx3090Gflops},
    Named<ComputedFigure>{"rtx_3090_percent", ComputedFigure::kRtx3090Percent}};
constexpr std::array kGroups = {Named<bool>{"registers", true}};

std::string in_quotes(std::string_view text) { return "\"" + std::string(text) + "\""; }

// The value of the name that the key gives; nullopt without the key. An unknown name is a mistake.
template <class Value, std::size_t kCount>
std::optional<Value> named_value(TomlKeys& keys, std::string_view key,
                                 const std::array<Named<Value>, kCount>& names) {
    if (!keys.has(key)) return std::nullopt;
    const std::string name = keys.text(key);
    const auto found = std::ranges::find(names, name, &Named<Value>::name);
    if (found != names.end()) return found->value;
    std::string known;
    for (const Named<Value>& each : names)
        known.append(known.empty() ? "" : ", ").append(each.name);
    if (!name.empty())
        keys.complain_of(key, std::string(key) + " cannot be " + in_quotes(name) + ": " + known);
    return std::nullopt;
}

// A text of several lines is one paragraph.
std::string in_one_line(std::string text) {
    while (text.ends_with('\n')) text.pop_back();
    std::ranges::replace(text, '\n', ' ');
    return text;
}

WrittenFigure read_figure(TomlKeys& keys) {
    WrittenFigure figure{.name = keys.text("name"), .unit = keys.text("unit")};
    if (figure.name.empty()) keys.complain_of("name", "the figure has no name");
    const int values = static_cast<int>(keys.has("value")) + static_cast<int>(keys.has("computed"));
    if (values != 1) keys.complain_of("name", "the figure needs a value or computed, and not both");
    figure.value = keys.number("value", 0);
    const double over = keys.number("over", 1);
    if (over == 0)
        keys.complain_of("over", "over is 0: a figure cannot be divided by 0");
    else
        figure.value /= over;
    figure.computed =
        named_value(keys, "computed", kComputedFigures).value_or(ComputedFigure::kNone);
    keys.refuse_unknown("a figure");
    return figure;
}

class FactReader {
  public:
    explicit FactReader(FactsReading& reading) : reading_(reading) {}

    void read(const toml::table& file) {
        TomlKeys keys(file, 1, reading_.mistakes);
        if (const toml::node* const node = keys.take("documents")) read_documents(*node);
        const toml::node* const node = keys.take("fact");
        const toml::array* const facts = node == nullptr ? nullptr : node->as_array();
        if (facts == nullptr) return keys.complain(1, "there is no fact: begin each with [[fact]]");
        for (const toml::node& fact : *facts)
            if (const toml::table* const table = fact.as_table())
                read_fact(*table);
            else
                keys.complain(line_of(fact, 1), "begin each fact with [[fact]]");
        keys.refuse_unknown("this file");
    }

  private:
    void read_documents(const toml::node& node) {
        const toml::table* const table = node.as_table();
        if (table == nullptr) return complain(line_of(node, 1), "write [documents] as a table");
        TomlKeys keys(*table, line_of(node, 1), reading_.mistakes);
        for (const auto& [key, title] : *table) titles_.emplace(key.str(), keys.text(key.str()));
    }

    void read_fact(const toml::table& table) {
        WrittenFact fact;
        fact.line = line_of(table, 1);
        TomlKeys keys(table, fact.line, reading_.mistakes);
        fact.id = keys.text("id");
        fact.kernels = keys.texts("kernels");
        fact.text = in_one_line(keys.text("text"));
        fact.section = keys.text("section");
        fact.recorded = named_value(keys, "recorded", kRecordedFigures).value_or(fact.recorded);
        fact.about_registers = named_value(keys, "group", kGroups).value_or(false);
        fact.tile = keys.whole("tile", 1, 0);
        fact.recorded_at_tile = keys.whole("recorded_at_tile", 1, 0);
        fact.except_at_tile = keys.whole("except_at_tile", 1, 0);
        read_document(keys, fact);
        read_figures(keys, fact);
        keys.refuse_unknown("a fact");
        check_fact(keys, fact);
        reading_.facts.push_back(std::move(fact));
    }

    void read_document(TomlKeys& keys, WrittenFact& fact) {
        const std::string name = keys.text("document");
        const auto found = titles_.find(name);
        if (found == titles_.end())
            return keys.complain_of(
                "document", "there is no document " + in_quotes(name) + ": add it to [documents]");
        fact.document = found->second;
    }

    void read_figures(TomlKeys& keys, WrittenFact& fact) {
        const toml::node* const node = keys.take("figures");
        if (node == nullptr) return;
        const toml::array* const list = node->as_array();
        const bool are_tables = list != nullptr && list->is_homogeneous<toml::table>();
        if (!are_tables)
            return keys.complain_of("figures", "figures is a list of {name, value, unit}");
        for (const toml::node& figure : *list) {
            TomlKeys of_figure(*figure.as_table(), line_of(figure, fact.line), reading_.mistakes);
            fact.figures.push_back(read_figure(of_figure));
        }
    }

    static void check_fact(TomlKeys& keys, const WrittenFact& fact) {
        if (fact.id.empty()) keys.complain_of("id", "the fact has no id");
        if (!fact.text.ends_with('.')) keys.complain_of("text", "text ends with a full stop");
        if (fact.section.empty())
            keys.complain_of("section", "section says where in the document the fact stands");
        for (const std::string& kernel : fact.kernels)
            if (find_kernel(kernel) == nullptr)
                keys.complain_of("kernels", "there is no kernel " + in_quotes(kernel));
        const std::string text = fact_at_tile(fact, KernelParameters{}.tile).text;
        if (const std::size_t brace = text.find('{'); brace != std::string::npos)
            keys.complain_of("text", "there is no figure " +
                                         text.substr(brace, text.find('}', brace) - brace + 1) +
                                         ": write the name of one of the fact's figures, or TILE");
    }

    void complain(int line, std::string sentence) {
        reading_.mistakes.push_back({line, std::move(sentence)});
    }

    FactsReading& reading_;
    std::map<std::string, std::string, std::less<>> titles_;  // of the documents
};

}  // namespace

FactsReading read_facts(std::string_view toml) {
    FactsReading reading;
    if (const std::optional<int> deep = too_deep_line(toml)) {
        reading.mistakes.push_back({*deep, "this is nested too deeply"});
        return reading;
    }
    try {
        FactReader(reading).read(toml::parse(toml));
    } catch (const toml::parse_error& error) {
        reading.mistakes.push_back({static_cast<int>(error.source().begin.line),
                                    "this is no TOML: " + std::string(error.description())});
    }
    std::ranges::stable_sort(reading.mistakes, {}, &FileMistake::line);
    return reading;
}

}  // namespace tilereel
