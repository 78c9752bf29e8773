#include "app/export/html/page_fragments.h"

#include <algorithm>

#include "app/replay/tensor/tensor_moment.h"
#include "app/replay/tensor/warpgroup_moment.h"
#include "instrumentation/base/format/decimal_text.h"
#include "instrumentation/trace/fragments/instruction_parts.h"

namespace tilereel {
namespace {

using nlohmann::json;

constexpr std::uint64_t kMostBytes = std::uint64_t{4} << 20;  // of all moments of a page

json layout_of(const FragmentGrid& grid, const char* name) {
    json cells = json::array();
    for (const FragmentCell& cell : grid.cells)
        cells.push_back({cell.lane, cell.at.row, cell.at.column, cell.rows, cell.columns,
                         grid.first_register(cell)});
    return {name, grid.rows, grid.columns, std::move(cells)};
}

// `value_of(lane, element)` is the text of an element.
template <class ValueOf>
std::string texts_of(const FragmentGrid& grid, ValueOf&& value_of) {
    std::string text;
    for (const FragmentCell& cell : grid.cells)
        for (int i = 0; i < cell.count; ++i)
            text.append(text.empty() ? "" : " ").append(value_of(cell.lane, cell.first + i));
    return text;
}

char letter_of(HeldSince since) {
    return since == HeldSince::kBefore ? 'b' : since == HeldSince::kNow ? 'n' : 'l';
}
std::string letters_of(const HeldFragment& held) {
    std::string letters;
    for (const FragmentCell& cell : held.grid.cells) letters += letter_of(held.since_of(cell));
    const bool same = letters.find_first_not_of(letters.substr(0, 1)) == std::string::npos;
    return same ? letters.substr(0, 1) : letters;
}

// The 16 rows of a warp in D of a warpgroup's product: n / 8 accumulators of m16n8 side by side.
FragmentGrid grid_of_warp(const WarpgroupProduct& product) {
    const FragmentGrid part = fragment_grid(warp_part(product), MatrixOperand::kD, 0);
    const auto in_part =
        static_cast<std::uint8_t>(elements_of(warp_part(product), MatrixOperand::kD));
    FragmentGrid grid = part;
    grid.columns = product.shape.n;
    grid.cells.clear();
    for (int i = 0; i < product.shape.n / 8; ++i)
        for (FragmentCell cell : part.cells) {
            cell.first = static_cast<std::uint8_t>(cell.first + i * in_part);
            cell.at.column += 8 * i;
            grid.cells.push_back(cell);
        }
    return grid;
}

}  // namespace

int PageFragments::number_of_values(const std::string& values) {
    const std::uint32_t before = values_.size();
    const auto number = static_cast<int>(values_.number_of(values));
    if (values_.size() > before) bytes_ += values.size();
    return number;
}

json PageFragments::of_warp() {
    const std::optional<TensorMoment> moment = tensor_moment(replay_, std::nullopt, 0, 0);
    if (!moment) return nullptr;
    const Site& site = replay_.trace().sites[replay_.schedule().steps[moment->step].site];
    std::string operation =
        matrix_instruction(moment->operation, moment->matrices.size(), moment->transposed);
    if (operation.empty()) operation = words_for(site.operation).request;
    if (moment->product)
        operation += (moment->computes ? ", then " : ", ") + instruction_of(*moment->product);
    json layout = json::array(), matrices = json::array();
    constexpr const char* kNames[] = {"A", "B", "C"};
    for (std::size_t i = 0; i < moment->fragments.size(); ++i) {
        const HeldFragment& held = moment->fragments[i];
        layout.push_back(layout_of(held.grid, moment->product ? kNames[i] : ""));
        const auto values = [&](bool former) {
            if (former ? held.former.empty() : !held.has_values()) return -1;
            if (held.grid.bits() < 8) return -1;
            return number_of_values(texts_of(held.grid, [&](int lane, int element) {
                return decimal_text(former ? held.former_value(lane, element)
                                           : held.value(lane, element));
            }));
        };
        matrices.push_back({values(false), values(true), letters_of(held)});
    }
    return {operation, layouts_.number_of(layout), std::move(matrices)};
}

json PageFragments::of_warpgroup() {
    const std::optional<WarpgroupMoment> moment = warpgroup_moment(replay_, std::nullopt);
    if (!moment) return nullptr;
    const WarpgroupProduct& product = replay_.warpgroups().products()[moment->number].product;
    const FragmentGrid grid = grid_of_warp(product);
    const auto values = [&](bool former) {
        if (!sum_of(replay_, *moment, moment->warp, 0, 0, former)) return -1;
        return number_of_values(texts_of(grid, [&](int lane, int element) {
            const auto sum = sum_of(replay_, *moment, moment->warp, lane, element, former);
            return sum ? decimal_text(*sum) : std::string("?");
        }));
    };
    const HeldSince since =
        moment->stores ? HeldSince::kBefore : moment->sums[static_cast<std::size_t>(moment->warp)];
    const std::string operation = std::string(moment->stores ? "stores the sums of " : "") +
                                  instruction_of(product) + ", rows " +
                                  std::to_string(16 * moment->warp) + " to " +
                                  std::to_string(16 * moment->warp + 15) + " of 64";
    const json layout = json::array({layout_of(grid, "D")});
    const json matrices =
        json::array({{values(false), values(true), std::string(1, letter_of(since))}});
    return {operation, layouts_.number_of(layout), matrices};
}

int PageFragments::number_now() {
    if (bytes_ > kMostBytes) return -1;
    json moment = of_warpgroup();
    if (moment.is_null()) moment = of_warp();
    if (moment.is_null()) return -1;
    const std::uint32_t before = moments_.size();
    const auto number = static_cast<int>(moments_.number_of(moment));
    if (moments_.size() > before) bytes_ += 100;
    return number;
}

}  // namespace tilereel
