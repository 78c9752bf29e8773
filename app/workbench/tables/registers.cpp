#include "app/workbench/tables/registers.h"

#include <vector>

#include "app/workbench/tables/csv_fields.h"
#include "app/workbench/tables/tables_text.h"
#include "instrumentation/base/check.h"

namespace tilereel {
namespace {

struct Row {
    std::string_view kernel;
    int tile = 0;  // 0: any, because the launch chooses it
    int pad = 0;
    int registers = 0;
};

const std::vector<Row>& table() {
    static const std::vector<Row> rows = [] {
        std::vector<Row> read;
        std::string_view text = registers_text();
        check(next_line(text) == "kernel,tile,pad,registers,compute_capability,toolkit");
        while (!text.empty()) {
            const std::vector<std::string_view> fields = fields_of(next_line(text));
            Row& row = read.emplace_back();
            check(fields.size() == 6 && parse_count(fields[1], row.tile) &&
                  parse_count(fields[2], row.pad) && parse_count(fields[3], row.registers) &&
                  fields[4] == "9.0");
            row.kernel = fields[0];
        }
        return read;
    }();
    return rows;
}

}  // namespace

Registers registers_of(std::string_view kernel, int tile, int pad) {
    for (const Row& row : table())
        if (row.kernel == kernel && (row.tile == 0 || row.tile == tile) && row.pad == pad)
            return {row.registers, Registers::From::kCompiled};
    return {};
}

std::string text_of(const Registers& registers) {
    const std::string words = std::to_string(registers.a_thread) + " registers a thread";
    switch (registers.from) {
        case Registers::From::kAssumed:
            return words + " assumed";
        case Registers::From::kCompiled:
            return words + " as compiled for 9.0";
        case Registers::From::kGiven:
            return words;
    }
    return words;
}

}  // namespace tilereel
