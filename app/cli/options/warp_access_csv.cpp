#include "app/cli/options/warp_access_csv.h"

#include <algorithm>
#include <array>
#include <bit>
#include <nlohmann/json.hpp>

#include "app/cli/typed_numbers.h"
#include "instrumentation/base/format/csv_text.h"
#include "instrumentation/base/format/json_text.h"

namespace tilereel {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kCountColumns = "requests,wavefronts,bank_conflicts,sectors,l1_line_accesses";
constexpr std::size_t kMissing = static_cast<std::size_t>(-1);

// Removes surrounding spaces and, from a quoted field, the quotes: `"a ""b"""` becomes a "b"
// (RFC 4180, section 2).
std::string trimmed(std::string text) {
    constexpr const char* kSpace = " \t\r";
    text.erase(0, std::min(text.find_first_not_of(kSpace), text.size()));
    text.erase(text.find_last_not_of(kSpace) + 1);
    if (text.size() < 2 || text.front() != '"' || text.back() != '"') return text;
    std::string inside;
    for (std::size_t i = 1; i + 1 < text.size(); ++i) {
        inside += text[i];
        if (text[i] == '"' && text[i + 1] == '"') ++i;
    }
    return inside;
}

// The index of each column that is read.
struct Columns {
    std::size_t count = 0;
    std::size_t id = kMissing, space = kMissing, operation = kMissing, width = kMissing;
    std::size_t instruction = kMissing, matrices = kMissing, transposed = kMissing;
    [[nodiscard]] bool of_matrices() const { return instruction != kMissing; }
    std::array<std::size_t, kWarpSize> lanes{};
};

Result<Columns> columns_of(const std::vector<std::string>& names) {
    Error error;
    const auto find = [&](const std::string& name, bool required) {
        const auto found = std::ranges::find(names, name);
        if (found == names.end()) {
            if (required && error.message.empty())
                error = wrong_call("there is no column '" + name +
                                   "'; name the columns in the first line");
            return kMissing;
        }
        if (std::find(found + 1, names.end(), name) != names.end() && error.message.empty())
            error = wrong_call("there are two columns '" + name + "'; keep one");
        return static_cast<std::size_t>(found - names.begin());
    };
    Columns columns;
    columns.count = names.size();
    columns.id = find("id", false);
    columns.instruction = find("instruction", false);
    columns.matrices = find("matrices", columns.of_matrices());
    columns.transposed = find("transposed", columns.of_matrices());
    columns.space = find("space", !columns.of_matrices());
    columns.operation = find("op", !columns.of_matrices());
    columns.width = find("width_bytes", !columns.of_matrices());
    for (std::size_t lane = 0; lane < kWarpSize; ++lane)
        columns.lanes[lane] = find("lane" + std::to_string(lane), true);
    if (!error.message.empty()) return error;
    return columns;
}

Result<NamedAccess> access_of_row(const std::vector<std::string>& fields, const Columns& columns,
                                  std::size_t row) {
    if (fields.size() != columns.count)
        return wrong_call("it has " + std::to_string(fields.size()) +
                          " fields where the first line has " + std::to_string(columns.count));
    std::vector<std::string> lanes;
    for (const std::size_t column : columns.lanes) {
        if (fields[column].empty())
            return wrong_call("lane" + std::to_string(lanes.size()) +
                              " is empty; write -1 for an inactive lane");
        lanes.push_back(fields[column]);
    }
    std::string id = columns.id == kMissing ? std::to_string(row) : fields[columns.id];
    if (columns.of_matrices()) {
        const std::string& transposed = fields[columns.transposed];
        if (transposed != "0" && transposed != "1")
            return wrong_call("transposed is 0 or 1, not '" + transposed + "'");
        const WarpAccess access =
            TRY(make_matrix_access(fields[columns.instruction], fields[columns.matrices], lanes));
        return NamedAccess{std::move(id), access, transposed == "1"};
    }
    const WarpAccess access = TRY(make_access(fields[columns.space], fields[columns.operation],
                                              fields[columns.width], lanes));
    return NamedAccess{std::move(id), access, false};
}

bool are_of_matrices(const std::vector<NamedAccess>& accesses) {
    return !accesses.empty() && is_matrix_access(accesses[0].access.operation);
}
const char* instruction_of(const WarpAccess& access) {
    return access.operation == Operation::kMatrixLoad ? "ldmatrix" : "stmatrix";
}
std::uint32_t matrices_in(const WarpAccess& access) {
    constexpr std::uint32_t kRows = 8;
    return static_cast<std::uint32_t>(std::popcount(access.lanes.mask)) / kRows;
}

// The counters of one row. nullopt for a counter that does not apply to the access.
struct Counted {
    std::uint32_t requests = 0;
    std::optional<std::uint32_t> wavefronts, bank_conflicts, sectors, l1_line_accesses;
};

Counted count(const WarpAccess& access, const Generation& generation) {
    const RequestCost cost = cost_of(access, generation);
    Counted counted;
    counted.requests = cost.lanes == 0 ? 0 : 1;
    if (access.space == Space::kShared) {
        counted.wavefronts = cost.wavefronts;
        counted.bank_conflicts = cost.bank_conflicts;
        return counted;
    }
    counted.sectors = cost.sectors;
    // The hardware counts lines only for loads.
    if (access.operation == Operation::kLoad) counted.l1_line_accesses = cost.lines;
    return counted;
}

const char* load_or_store(Operation operation) {
    return operation == Operation::kLoad ? "load" : "store";
}

// An id that is a number in canonical form is also a number in JSON.
Json json_id(const std::string& id) {
    const auto number = parse_whole(id);
    if (number && std::to_string(*number) == id) return *number;
    return id;
}

template <class T>
Json json_or_null(const std::optional<T>& value) {
    return value ? Json(*value) : Json(nullptr);
}

std::string field(const std::optional<std::uint32_t>& value) {
    return value ? std::to_string(*value) : "";
}

}  // namespace

std::vector<std::string> split_fields(const std::string& text, char separator) {
    std::vector<std::string> fields;
    std::string field;
    bool quoted = false;
    for (const char letter : text) {
        if (letter == '"') quoted = !quoted;
        if (letter == separator && !quoted) {
            fields.push_back(trimmed(std::move(field)));
            field.clear();
        } else {
            field += letter;
        }
    }
    fields.push_back(trimmed(std::move(field)));
    return fields;
}

Result<WarpAccess> make_access(const std::string& space, const std::string& operation,
                               const std::string& width_bytes,
                               const std::vector<std::string>& lanes) {
    WarpAccess access;
    if (space != "shared" && space != "global")
        return wrong_call("the space is shared or global, not '" + space + "'");
    access.space = space == "shared" ? Space::kShared : Space::kGlobal;
    if (operation != "load" && operation != "store")
        return wrong_call("the operation is load or store, not '" + operation + "'");
    access.operation = operation == "load" ? Operation::kLoad : Operation::kStore;
    if (width_bytes != "4" && width_bytes != "8" && width_bytes != "16")
        return wrong_call("the width is 4, 8 or 16 bytes, not '" + width_bytes + "'");
    access.width_bytes = static_cast<std::uint32_t>(*parse_whole(width_bytes));
    if (lanes.size() > kWarpSize)
        return wrong_call("a warp has 32 lanes, not " + std::to_string(lanes.size()));
    for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
        if (lanes[lane].empty() || lanes[lane] == "-1") continue;
        const auto offset = parse_whole(lanes[lane]);
        const std::string name = "lane" + std::to_string(lane);
        const std::int64_t most = (std::int64_t{1} << 32) - access.width_bytes;
        if (!offset || *offset < 0 || *offset > most)
            return wrong_call(name + " is an offset of 0 to " + std::to_string(most) +
                              " bytes, or -1 when inactive, not '" + lanes[lane] + "'");
        if (*offset % access.width_bytes != 0)
            return wrong_call(name + " is at " + lanes[lane] + ", no multiple of the width of " +
                              width_bytes + " bytes; no GPU allows that");
        access.lanes.mask |= 1u << lane;
        access.lanes.bytes[lane] = static_cast<std::uint32_t>(*offset);
    }
    return access;
}

Result<WarpAccess> make_matrix_access(const std::string& instruction, const std::string& matrices,
                                      const std::vector<std::string>& lanes) {
    if (instruction != "ldmatrix" && instruction != "stmatrix")
        return wrong_call("the instruction is ldmatrix or stmatrix, not '" + instruction + "'");
    if (matrices != "1" && matrices != "2" && matrices != "4")
        return wrong_call("the number of matrices is 1, 2 or 4, not '" + matrices + "'");
    constexpr std::size_t kRows = 8;
    const std::size_t rows = kRows * static_cast<std::size_t>(*parse_whole(matrices));
    if (lanes.size() < rows)
        return wrong_call("lane" + std::to_string(lanes.size()) + " gives no address; " + matrices +
                          " matrices need " + std::to_string(rows) + " lanes");
    const std::vector<std::string> addresses(lanes.begin(),
                                             lanes.begin() + static_cast<std::ptrdiff_t>(rows));
    WarpAccess access = TRY(make_access("shared", "load", "16", addresses));
    if (static_cast<std::size_t>(std::popcount(access.lanes.mask)) != rows)
        return wrong_call("each of the " + std::to_string(rows) +
                          " lanes that name a row gives an address");
    access.operation = instruction == "ldmatrix" ? Operation::kMatrixLoad : Operation::kMatrixStore;
    return access;
}

Result<std::vector<NamedAccess>> read_warp_accesses(std::istream& input, const std::string& name) {
    std::vector<NamedAccess> accesses;
    std::optional<Columns> columns;
    std::string line;
    for (std::size_t number = 1; std::getline(input, line); ++number) {
        if (number == 1 && line.starts_with("\xef\xbb\xbf")) line.erase(0, 3);  // byte order mark
        if (trimmed(line).empty()) continue;
        const std::string where = name + ":" + std::to_string(number) + ": ";
        const std::vector<std::string> fields = split_fields(line, ',');
        if (!columns) {
            const auto found = columns_of(fields);
            if (!found) return wrong_call(where + found.error().message);
            columns = *found;
            continue;
        }
        auto access = access_of_row(fields, *columns, accesses.size() + 1);
        if (!access) return wrong_call(where + access.error().message);
        accesses.push_back(*std::move(access));
    }
    if (input.bad()) return failed(name + ": it could not be read to its end");
    if (!columns)
        return wrong_call(name + ":1: it is empty; the first line names the columns, id, space, " +
                          "op, width_bytes, lane0 to lane31");
    return accesses;
}

std::string explain_csv(const std::vector<NamedAccess>& accesses, const Generation& generation) {
    const bool of_matrices = are_of_matrices(accesses);
    std::string text = of_matrices
                           ? "id,instruction,matrices,transposed,requests,wavefronts,bank_conflicts"
                           : "id,space,op,width_bytes," + std::string(kCountColumns);
    for (int lane = 0; lane < kWarpSize; ++lane) text += ",lane" + std::to_string(lane);
    text += '\n';
    for (const auto& [id, access, transposed] : accesses) {
        const Counted counted = count(access, generation);
        text += csv_field(csv_name(id)) + ',';
        if (of_matrices)
            text += std::string(instruction_of(access)) + ',' +
                    std::to_string(matrices_in(access)) + ',' + (transposed ? "1" : "0") + ',' +
                    std::to_string(counted.requests) + ',' + field(counted.wavefronts) + ',' +
                    field(counted.bank_conflicts);
        else
            text += std::string(space_name(access.space)) + ',' + load_or_store(access.operation) +
                    ',' + std::to_string(access.width_bytes) + ',' +
                    std::to_string(counted.requests) + ',' + field(counted.wavefronts) + ',' +
                    field(counted.bank_conflicts) + ',' + field(counted.sectors) + ',' +
                    field(counted.l1_line_accesses);
        for (std::size_t lane = 0; lane < kWarpSize; ++lane) {
            const bool active = (access.lanes.mask >> lane & 1u) != 0;
            text += ',' + (active ? std::to_string(access.lanes.bytes[lane]) : "-1");
        }
        text += '\n';
    }
    return text;
}

std::string explain_json(const std::vector<NamedAccess>& accesses, const Generation& generation) {
    Json rows = Json::array();
    for (const auto& [id, access, transposed] : accesses) {
        const Counted counted = count(access, generation);
        if (is_matrix_access(access.operation)) {
            rows.push_back({{"id", json_id(id)},
                            {"instruction", instruction_of(access)},
                            {"matrices", matrices_in(access)},
                            {"transposed", transposed},
                            {"requests", counted.requests},
                            {"wavefronts", json_or_null(counted.wavefronts)},
                            {"bank_conflicts", json_or_null(counted.bank_conflicts)}});
            continue;
        }
        rows.push_back({{"id", json_id(id)},
                        {"space", space_name(access.space)},
                        {"op", load_or_store(access.operation)},
                        {"width_bytes", access.width_bytes},
                        {"requests", counted.requests},
                        {"wavefronts", json_or_null(counted.wavefronts)},
                        {"bank_conflicts", json_or_null(counted.bank_conflicts)},
                        {"sectors", json_or_null(counted.sectors)},
                        {"l1_line_accesses", json_or_null(counted.l1_line_accesses)}});
    }
    return json_text(rows, 1) + "\n";
}

}  // namespace tilereel
