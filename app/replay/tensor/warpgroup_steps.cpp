#include "app/replay/tensor/warpgroup_steps.h"

#include <algorithm>
#include <limits>

#include "app/replay/tensor/tensor_steps.h"
#include "instrumentation/analysis/hazards/product_reads.h"
#include "instrumentation/trace/copy_groups.h"
#include "instrumentation/trace/views.h"

namespace tilereel {
namespace {

constexpr std::size_t kMostKept = std::size_t{1} << 24;  // elements of A B, of all products
constexpr std::size_t kMostStores = 4096;                // of a warp
constexpr std::size_t kMostTried = 1024;                 // products in a row

}  // namespace

std::optional<std::uint32_t> WarpgroupSteps::read_by(std::uint32_t step) const {
    const auto found = read_by_.find(step);
    return found == read_by_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<StoredSums> WarpgroupSteps::stored_at(std::uint32_t step) const {
    const auto found = stored_at_.find(step);
    return found == stored_at_.end() ? std::nullopt : std::optional(found->second);
}

WarpgroupFinder::WarpgroupFinder(const Trace& trace, const BlockRecords& records,
                                 const Schedule& schedule)
    : trace_(trace), records_(records), schedule_(schedule) {}

void WarpgroupFinder::add(std::uint32_t step, const RequestState& request) {
    const Site& site = trace_.sites[schedule_.steps[step].site];
    if (site.is_of_product()) add_read(step, request);
    if ((site.operation == Operation::kStore && !site.is_bulk()) ||
        site.operation == Operation::kMatrixStore)
        add_store(step, site, request);
}

// The product whose record follows its reads. The n-th products of the warps of a warpgroup are
// one.
std::optional<std::uint32_t> WarpgroupFinder::product_of(std::uint64_t record, std::uint16_t warp) {
    while (record < records_.last && site_at(trace_, record).operation != Operation::kMatrixProduct)
        ++record;
    if (record >= records_.last) return std::nullopt;
    Warp& its = warps_[warp];
    if (its.record == record) return its.products.back();
    const auto product = WarpgroupProduct::of_code(trace_.records.base[record]);
    const std::span<const std::uint32_t> words = words_of_record(trace_, records_, record);
    if (!product || words.size() < WarpgroupOperands::kWords) return std::nullopt;
    const Site& site = site_at(trace_, record);
    const WarpgroupOperands operands = WarpgroupOperands::of(site.variety, words);
    std::vector<std::uint32_t>& of_group = of_group_[warp / kWarpsOfGroup];
    const std::size_t ordinal = its.products.size();
    if (ordinal == of_group.size()) {
        const auto number = static_cast<std::uint32_t>(result_.products_.size());
        of_group.push_back(number);
        result_.products_.push_back({.product = *product,
                                     .operands = operands,
                                     .group = warp / kWarpsOfGroup,
                                     .line = site.line,
                                     .reads = {},
                                     .sums = {},
                                     .adds_to = number});
        FactorPieces& pieces = pieces_.emplace_back();
        for (int i = 0; i < static_cast<int>(kWarpsOfGroup); ++i) {
            const MatrixPieces read = core_matrices_read(*product, operands, i);
            pieces.expected += read.a.size() + read.b.size();
        }
        products_of_it_.emplace_back();
    }
    const std::uint32_t number = of_group[ordinal];
    const GroupProduct& same = result_.products_[number];
    if (same.product != *product || same.operands.b_descriptor != operands.b_descriptor)
        pieces_[number].is_known = false;
    its.record = record;
    its.products.push_back(number);
    of_record_[record] = number;
    return number;
}

void WarpgroupFinder::add_read(std::uint32_t step, const RequestState& request) {
    const Step& its = schedule_.steps[step];
    const std::optional<std::uint32_t> number = product_of(its.record, its.warp);
    if (!number) return;
    GroupProduct& product = result_.products_[*number];
    product.reads[its.warp % kWarpsOfGroup].push_back(step);
    result_.read_by_[step] = *number;
    FactorPieces& pieces = pieces_[*number];
    for (const std::uint32_t lane : lanes_in(request.access.lanes.mask)) {
        const LaneState& piece = request.lanes[lane];
        pieces.is_known = pieces.is_known && piece.known;
        pieces.bytes[piece.offset_bytes] = piece.words;
    }
    if (pieces.bytes.size() < pieces.expected) return;
    const auto size = static_cast<std::size_t>(product.product.shape.m * product.product.shape.n);
    if (kept_ + size <= kMostKept) {
        products_of_it_[*number] = multiplied(product.product, product.operands, pieces);
        kept_ += products_of_it_[*number].size();
    }
    pieces.bytes.clear();
}

void WarpgroupFinder::add_store(std::uint32_t step, const Site& site, const RequestState& request) {
    const auto found = warps_.find(schedule_.steps[step].warp);
    if (found == warps_.end() || found->second.stores.size() >= kMostStores) return;
    const bool by_matrix = site.operation == Operation::kMatrixStore;
    if (!by_matrix && (request.access.lanes.mask != ~0u || site.width_bytes < 4)) return;
    Store store{.step = step, .after = found->second.products.size(), .words = {}};
    const int words = by_matrix ? matrices_of(request) : static_cast<int>(site.words());
    const bool transposed =
        site.variety == static_cast<std::uint8_t>(MatrixAccessKind::kTransposed);
    for (int word = 0; word < words; ++word)
        for (int lane = 0; lane < kWarpSize; ++lane)
            store.words.push_back(by_matrix ? matrix_register(request, transposed, word, lane)
                                            : request.lanes[static_cast<std::size_t>(lane)]
                                                  .words[static_cast<std::size_t>(word)]);
    found->second.stores.push_back(std::move(store));
}

// The first wait of any of the four warps that covers the product's group.
void WarpgroupFinder::find_waits() {
    std::map<std::uint16_t, CopyGroups<std::uint32_t>> groups;
    for (std::size_t segment = records_.segments.first; segment < records_.segments.last;
         ++segment) {
        CopyGroups<std::uint32_t>& its = groups[trace_.segments.warp[segment]];
        for (const std::uint64_t record : records_of(trace_.segments, segment)) {
            const Site& site = site_at(trace_, record);
            if (const auto number = of_record_.find(record); number != of_record_.end())
                its.start(number->second);
            if (site.operation == Operation::kCommitProducts) its.commit();
            if (site.operation != Operation::kWaitProducts) continue;
            its.wait(trace_.records.base[record], [&](std::uint32_t number) {
                std::uint32_t& line = result_.products_[number].wait_line;
                if (line == 0) line = site.line;
            });
        }
    }
}

// Products and stores of one warp: whenever it stores after products, their sums begin anew.
void WarpgroupFinder::find_sums(std::uint16_t number, const Warp& warp) {
    for (std::size_t first = 0, store = 0; store < warp.stores.size();) {
        const std::size_t after = warp.stores[store].after, first_store = store;
        while (store < warp.stores.size() && warp.stores[store].after == after) ++store;
        WarpSums sums;
        sums.warp = number % static_cast<int>(kWarpsOfGroup);
        for (std::size_t i = first; i < after; ++i) {
            if (products_of_it_[warp.products[i]].empty()) break;
            sums.product = result_.products_[warp.products[i]].product;
            sums.products.push_back(&products_of_it_[warp.products[i]]);
        }
        for (std::size_t i = first_store; i < store; ++i)
            sums.stored.push_back(&warp.stores[i].words);
        const bool is_known = sums.products.size() == after - first;
        const auto turns = is_known ? sums.turns() : std::nullopt;
        if (!turns) {  // perhaps something else is stored, and the sums go on
            if (!is_known || after - first > kMostTried) first = after;
            continue;
        }
        std::vector<std::vector<double>> running(turns->count);
        std::vector<std::uint32_t> last(turns->count, ~0u);
        for (std::size_t i = 0; i < sums.products.size(); ++i) {
            const std::size_t accumulator = turns->of(i);
            const std::uint32_t of = warp.products[first + i];
            sums.add(running[accumulator], i);
            GroupProduct& product = result_.products_[of];
            if (product.sums.empty())
                product.sums.assign(sums.products[i]->size(),
                                    std::numeric_limits<float>::quiet_NaN());
            std::ranges::copy(
                running[accumulator],
                product.sums.begin() +
                    static_cast<std::ptrdiff_t>(running[accumulator].size()) * sums.warp);
            if (last[accumulator] != ~0u) product.adds_to = last[accumulator];
            last[accumulator] = of;
        }
        for (std::size_t i = first_store; i < store; ++i) {
            const auto found = sums.find(std::span(warp.stores[i].words).first(kWarpSize), running);
            if (found)
                result_.stored_at_[warp.stores[i].step] = {last[found->accumulator],
                                                           found->element};
        }
        first = after;
    }
}

WarpgroupSteps WarpgroupFinder::take() {
    find_waits();
    for (const auto& [number, warp] : warps_) find_sums(number, warp);
    return std::move(result_);
}

}  // namespace tilereel
