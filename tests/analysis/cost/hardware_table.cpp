#include "tests/analysis/cost/hardware_table.h"

#include <fstream>
#include <sstream>
#include <string>

namespace tilereel {
namespace {

std::vector<std::string> fields_of(const std::string& line) {
    std::vector<std::string> fields;
    std::istringstream in(line);
    for (std::string field; std::getline(in, field, ',');) fields.push_back(field);
    return fields;
}

std::optional<std::uint32_t> count_in(const std::string& field) {
    if (field.empty()) return std::nullopt;
    return static_cast<std::uint32_t>(std::stoul(field));
}

HardwareRow row_of(const std::vector<std::string>& fields) {
    constexpr std::size_t kFirstLane = 9;
    HardwareRow row;
    row.id = std::stoi(fields.at(0));
    row.access.space = fields.at(1) == "shared" ? Space::kShared : Space::kGlobal;
    row.access.operation = fields.at(2) == "store" ? Operation::kStore : Operation::kLoad;
    row.access.width_bytes = static_cast<std::uint32_t>(std::stoul(fields.at(3)));
    row.requests = count_in(fields.at(4));
    row.wavefronts = count_in(fields.at(5));
    row.bank_conflicts = count_in(fields.at(6));
    row.sectors = count_in(fields.at(7));
    row.l1_line_accesses = count_in(fields.at(8));
    for (std::size_t lane = 0; lane < kWarpSize; ++lane) {
        const std::string& offset = fields.at(kFirstLane + lane);
        if (offset == "-1") continue;
        row.access.lanes.mask |= 1u << lane;
        row.access.lanes.bytes[lane] = static_cast<std::uint32_t>(std::stoul(offset));
    }
    return row;
}

}  // namespace

std::vector<HardwareRow> hardware_table() {
    std::ifstream file(TILEREEL_SOURCE_DIR "/tests/hardware/h100_warp_accesses.csv");
    std::vector<HardwareRow> rows;
    std::string line;
    std::getline(file, line);  // the header
    while (std::getline(file, line)) {
        if (line.ends_with('\r')) line.pop_back();
        rows.push_back(row_of(fields_of(line)));
    }
    return rows;
}

}  // namespace tilereel
