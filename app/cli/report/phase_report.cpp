#include "app/cli/report/phase_report.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/cli/report/removed_barrier.h"
#include "app/cli/text_table.h"
#include "instrumentation/base/format/json_text.h"

namespace tilereel {
namespace {

using Json = nlohmann::ordered_json;
using Rows = std::vector<std::vector<std::string>>;

std::string name_of(const PhaseThread& thread) {
    const std::string z = thread.z == 0 ? "" : std::to_string(thread.z) + ",";
    return "Thread[" + z + std::to_string(thread.y) + "," + std::to_string(thread.x) + "]";
}

std::vector<std::string> texts_of(const Trace& trace, const PhaseCell& cell) {
    std::vector<std::string> words;
    for (const PhaseLoad& load : cell.loads) words.push_back(text_of(trace, load));
    for (const PhaseSum& sum : cell.sums) words.push_back(text_of(trace, sum));
    if (cell.tile)
        words.push_back("With its " + std::string(who_multiplies(*cell.tile)) + ": " +
                        text_of(trace, *cell.tile) + " (" + products_text(*cell.tile) + ")");
    return words;
}

// A header row, then a row for each thread. Each phase has as many columns as the busiest thread
// needs.
Rows rows_of(const Trace& trace, const PhaseTable& table) {
    std::vector<std::size_t> widths(table.phases, 1);
    for (const PhaseThread& thread : table.threads)
        for (std::size_t phase = 0; phase < widths.size(); ++phase)
            widths[phase] = std::max(widths[phase], texts_of(trace, thread.phases[phase]).size());
    Rows rows(1, {"Thread"});
    for (std::size_t phase = 0; phase < widths.size(); ++phase)
        rows[0].insert(rows[0].end(), widths[phase], "Phase " + std::to_string(phase + 1));
    for (const PhaseThread& thread : table.threads) {
        std::vector<std::string> row{name_of(thread)};
        for (std::size_t phase = 0; phase < widths.size(); ++phase) {
            std::vector<std::string> words = texts_of(trace, thread.phases[phase]);
            words.resize(widths[phase]);
            row.insert(row.end(), words.begin(), words.end());
        }
        rows.push_back(std::move(row));
    }
    return rows;
}

Json json_of(const Trace& trace, const std::optional<ElementName>& element,
             const RangeExtent& extent = {}) {
    return element ? Json(text_of(trace, ElementRange{*element, extent})) : Json(nullptr);
}

Json json_of(const Trace& trace, const std::vector<ElementRange>& ranges) {
    Json texts = Json::array();
    for (const ElementRange& range : ranges) texts.push_back(text_of(trace, range));
    return texts;
}

Json json_of(const Trace& trace, const PhaseCell& cell) {
    Json loads = Json::array(), sums = Json::array();
    for (const PhaseLoad& load : cell.loads)
        loads.push_back({{"from", json_of(trace, load.from, load.from_extent)},
                         {"to", json_of(trace, load.to, load.to_extent)},
                         {"text", text_of(trace, load)}});
    for (const PhaseSum& sum : cell.sums) {
        Json products = Json::array();
        const auto read = [&](const std::optional<Operand>& operand) {
            return operand ? Json(text_of(trace, operand->read)) : Json(nullptr);
        };
        const auto holds = [&](const std::optional<Operand>& operand) {
            return operand ? json_of(trace, operand->origin) : Json(nullptr);
        };
        for (const Product& product : sum.products)
            products.push_back({{"a", read(product.a)},
                                {"b", read(product.b)},
                                {"a_holds", holds(product.a)},
                                {"b_holds", holds(product.b)}});
        sums.push_back({{"c", json_of(trace, sum.c)},
                        {"products", std::move(products)},
                        {"text", text_of(trace, sum)}});
    }
    Json json = {{"loads", std::move(loads)}, {"sums", std::move(sums)}};
    if (const auto& tile = cell.tile)
        json["tensor_cores"] = {
            {"by", who_multiplies(*tile)},
            {"c", tile->c ? Json(text_of(trace, *tile->c)) : Json(nullptr)},
            {"a", json_of(trace, tile->a)},
            {"b", json_of(trace, tile->b)},
            {"products", tile->products == 0 ? Json(nullptr) : Json(tile->products)},
            {"shape", tile->shape},
            {"text", text_of(trace, *tile)}};
    return json;
}

}  // namespace

std::string phases_text(const Trace& trace, const PhaseTable& table) {
    Rows rows = rows_of(trace, table);
    for (std::size_t column = rows[0].size(); column-- > 1;)  // the name of a phase is written once
        if (rows[0][column] == rows[0][column - 1]) rows[0][column].clear();
    Table text(std::string(rows[0].size(), 'l'));
    for (auto& row : rows) text.add(std::move(row));
    return trace.launch.kernel + ", block (" + std::to_string(table.block_x) + "," +
           std::to_string(table.block_y) + ")\n" + removed_barrier_text(trace) +
           (trace.complete ? ""
                           : "Incomplete: the recording was cut off, and this table with it\n") +
           text.text();
}

std::string phases_csv(const Trace& trace, const PhaseTable& table) {
    std::string text;
    for (const auto& row : rows_of(trace, table)) {
        for (std::size_t i = 0; i < row.size(); ++i)
            text += (i == 0 ? "\"" : ",\"") + row[i] + "\"";
        text += '\n';
    }
    return text;
}

std::string phases_json(const Trace& trace, const PhaseTable& table) {
    Json json = {{"kernel", trace.launch.kernel}, {"complete", trace.complete}};
    put_removed_barrier(json, trace);
    json["block"] = Json::array({table.block_x, table.block_y});
    json["phases"] = table.phases;
    json["threads"] = Json::array();
    for (const PhaseThread& thread : table.threads) {
        Json phases = Json::array();
        for (const PhaseCell& cell : thread.phases) phases.push_back(json_of(trace, cell));
        Json entry;
        entry["thread"] = Json::array({thread.y, thread.x});
        entry["phases"] = std::move(phases);
        json["threads"].push_back(std::move(entry));
    }
    return json_text(json, 1) + "\n";
}

}  // namespace tilereel
