#pragma once
// The rows of a table in tests/hardware, by column.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <string>
#include <vector>

namespace tilereel {

using CsvRow = std::map<std::string, std::string>;

inline std::vector<std::string> csv_fields(const std::string& line) {
    std::vector<std::string> fields(1);
    for (const char letter : line)
        if (letter == ',')
            fields.emplace_back();
        else
            fields.back() += letter;
    return fields;
}

// A line with another number of fields is a failure of the test.
inline std::vector<CsvRow> read_rows(const std::string& name) {
    std::ifstream file(std::string(TILEREEL_SOURCE_DIR "/tests/hardware/") + name);
    std::vector<CsvRow> rows;
    std::string line;
    std::getline(file, line);
    const std::vector<std::string> columns = csv_fields(line);
    while (std::getline(file, line)) {
        const std::vector<std::string> fields = csv_fields(line);
        if (fields.size() != columns.size()) {
            ADD_FAILURE() << name << ": " << line;
            continue;
        }
        CsvRow& row = rows.emplace_back();
        for (std::size_t i = 0; i < fields.size(); ++i) row[columns[i]] = fields[i];
    }
    return rows;
}

}  // namespace tilereel
