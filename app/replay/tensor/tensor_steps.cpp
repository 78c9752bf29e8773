#include "app/replay/tensor/tensor_steps.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "instrumentation/trace/fragments/matrix_value.h"
#include "instrumentation/trace/fragments/warp_fragments.h"
#include "instrumentation/trace/views.h"

namespace tilereel {
namespace {

// A product's registers come from the last loads of its warp, and its sums go to the next stores.
constexpr std::size_t kMostLoaded = 512, kMostSums = 256;

// `value_of(lane)`: its lowest `bytes` bytes count.
template <class ValueOf>
std::uint64_t values_of_lanes(int bytes, ValueOf&& value_of) {
    const std::uint32_t mask = bytes == 4 ? 0xffffffffu : (1u << 8 * bytes) - 1;
    std::uint64_t hash = 0xcbf29ce484222325;
    for (std::size_t lane = 0; lane < kWarpSize; ++lane) {
        hash = (hash ^ (value_of(lane) & mask)) * 0x9e3779b97f4a7c15;
        hash ^= hash >> 29;
    }
    return hash;
}

template <class Entry>
void drop_oldest(std::vector<Entry>& entries, std::size_t most) {
    if (entries.size() > 2 * most)
        entries.erase(entries.begin(), entries.end() - static_cast<std::ptrdiff_t>(most));
}

// Some sums of a product, and the products of their factors.
class FactorsOfLanes {
  public:
    FactorsOfLanes(const Trace& trace, const TensorProduct& its, const WarpProduct& product)
        : trace_(trace), product_(product), first_(its.first_word) {
        using enum MatrixOperand;
        stride_ = site_at(trace, its.record).words();
        first_d_ = static_cast<std::size_t>(registers_of(product, kA) + registers_of(product, kB));
        const auto [m, n, k] = product.shape;
        std::vector<double> a(static_cast<std::size_t>(m * k)), b(static_cast<std::size_t>(k * n));
        for (int lane = 0; lane < static_cast<int>(kWarpSize); ++lane) {
            for (int i = 0; i < elements_of(product, kA); ++i) {
                const MatrixElement at = element_of(product, kA, lane, i);
                a[static_cast<std::size_t>(at.row * k + at.column)] = value(first_, kA, lane, i, 0);
            }
            const auto of_a = static_cast<std::size_t>(registers_of(product, kA));
            for (int i = 0; i < elements_of(product, kB); ++i) {
                const MatrixElement at = element_of(product, kB, lane, i);
                b[static_cast<std::size_t>(at.row * n + at.column)] =
                    value(first_, kB, lane, i, of_a);
            }
        }
        for (const int lane : {1, 14, 27})
            for (int i = 0; i < elements_of(product, kD); ++i) {
                const MatrixElement at = element_of(product, kD, lane, i);
                Sum sum{.lane = lane, .index = i, .d = value(first_, kD, lane, i, first_d_)};
                for (int at_k = 0; at_k < k; ++at_k) {
                    const double term = a[static_cast<std::size_t>(at.row * k + at_k)] *
                                        b[static_cast<std::size_t>(at_k * n + at.column)];
                    sum.products += term;
                    sum.size += std::abs(term);
                }
                sums_.push_back(sum);
            }
    }

    // Whether these sums are those of `former` plus the products.
    [[nodiscard]] bool follow(const TensorProduct& former) const {
        const double precision = product_.d == MatrixType::kF16 ? 4e-3 : 1e-5;
        return std::ranges::all_of(sums_, [&](const Sum& sum) {
            const double c =
                value(former.first_word, MatrixOperand::kD, sum.lane, sum.index, first_d_);
            const double size = sum.size + std::abs(c);
            return std::abs(sum.d - c - sum.products) <= precision * size;
        });
    }

  private:
    struct Sum {
        int lane = 0, index = 0;
        double d = 0, products = 0, size = 0;
    };
    // Element `index` of a lane; `first_register`: of the operand in the record.
    [[nodiscard]] double value(std::uint64_t first_word, MatrixOperand operand, int lane, int index,
                               std::size_t first_register) const {
        const int bits = element_bits(product_.type(operand)), bit = index * bits;
        const std::size_t at = first_word + static_cast<std::size_t>(lane) * stride_ +
                               first_register + static_cast<std::size_t>(bit / 32);
        std::uint64_t word = trace_.words[at];
        if (bits == 64) word |= std::uint64_t{trace_.words[at + 1]} << 32;
        return matrix_value(product_.type(operand), word >> bit % 32);
    }

    const Trace& trace_;
    const WarpProduct& product_;
    std::uint64_t first_;
    std::size_t stride_ = 1, first_d_ = 0;
    std::vector<Sum> sums_;
};

bool is_transposed(const Site& site) {
    return site.variety == static_cast<std::uint8_t>(MatrixAccessKind::kTransposed);
}

}  // namespace

std::span<const TensorLink> TensorSteps::loads_of(std::uint32_t product) const {
    dcheck(product < products_.size());
    const TensorProduct& its = products_[product];
    return std::span(links_).subspan(its.first_link, its.last_link - its.first_link);
}

std::span<const std::uint32_t> TensorSteps::products_at(std::uint32_t step) const {
    if (std::size_t{step} + 1 >= first_at_.size()) return {};
    return std::span(at_).subspan(first_at_[step], first_at_[step + 1] - first_at_[step]);
}

bool TensorSteps::computes(std::uint32_t step) const {
    return step < computes_.size() && computes_[step];
}

int matrices_of(const RequestState& request) {
    return std::popcount(request.access.lanes.mask) / 8;
}

std::uint32_t matrix_register(const RequestState& request, bool transposed, int matrix, int lane) {
    std::uint32_t bits = 0;
    for (int half = 0; half < 2; ++half) {
        const MatrixElement at = matrix_load_element(transposed, lane, half);
        const auto from = static_cast<std::size_t>(address_lane(matrix, at.row));
        const LaneState& row = request.lanes[from];
        if (!row.known) return kUnknownWord;
        const std::uint32_t word = row.words[static_cast<std::size_t>(at.column / 2)];
        bits |= (word >> 16 * (at.column % 2) & 0xffff) << 16 * half;
    }
    return bits;
}

TensorFinder::TensorFinder(const Trace& trace, const BlockRecords& records,
                           const Schedule& schedule)
    : trace_(trace), records_(records), schedule_(schedule) {
    result_.computes_.resize(schedule.steps.size());
}

bool TensorFinder::applies(const Trace& trace) {
    return std::ranges::any_of(trace.sites, [](const Site& site) {
        return site.operation == Operation::kMatrixProduct || is_matrix_access(site.operation);
    });
}

void TensorFinder::add(std::uint32_t step, const RequestState& request) {
    const Step& its = schedule_.steps[step];
    const Site& site = trace_.sites[its.site];
    if (site.operation == Operation::kLoad || site.operation == Operation::kMatrixLoad)
        add_loaded(step, site, request);
    if (site.operation == Operation::kStore) add_stored(step, site, request);
    for (std::uint64_t record = schedule_.deferred_begin[step];
         record < schedule_.deferred_end[step]; ++record)
        add_product(record, step, its.warp);
    if (schedule_.deferred_end[step] >= records_.last) return;
    // What a warp computes after a barrier, before its next request, follows its last request.
    const std::size_t segment = records_.segments.first + schedule_.segment[step];
    if (schedule_.deferred_end[step] != trace_.segments.record_begin[segment + 1]) return;
    for (std::size_t next = segment + 1; next < records_.segments.last; ++next) {
        if (trace_.segments.warp[next] != its.warp) continue;
        const std::uint64_t end = schedule_.lead_end[next - records_.segments.first];
        for (std::uint64_t record = trace_.segments.record_begin[next]; record < end; ++record)
            add_product(record, step, its.warp);
        if (end != trace_.segments.record_begin[next + 1]) break;
    }
}

void TensorFinder::add_loaded(std::uint32_t step, const Site& site, const RequestState& request) {
    Warp& warp = warps_[schedule_.steps[step].warp];
    Loaded loaded{
        .step = step, .array = site.array, .by_matrix = site.operation == Operation::kMatrixLoad};
    if (loaded.by_matrix) {
        for (int matrix = 0; matrix < matrices_of(request); ++matrix) {
            loaded.word = static_cast<std::uint8_t>(matrix);
            loaded.values = values_of_lanes(4, [&](std::size_t lane) {
                return matrix_register(request, is_transposed(site), matrix,
                                       static_cast<int>(lane));
            });
            warp.loaded.push_back(loaded);
        }
    } else if (request.access.lanes.mask == 0xffffffff) {
        loaded.bytes = static_cast<std::uint8_t>(std::min<std::uint32_t>(4, site.width_bytes));
        for (std::uint32_t word = 0; word < site.words(); ++word) {
            loaded.word = static_cast<std::uint8_t>(word);
            loaded.values = values_of_lanes(
                loaded.bytes, [&](std::size_t lane) { return request.lanes[lane].words[word]; });
            warp.loaded.push_back(loaded);
        }
    }
    drop_oldest(warp.loaded, kMostLoaded);
}

// A store takes the sums of a product if each word that it stores is a register of its sums.
void TensorFinder::add_stored(std::uint32_t step, const Site& site, const RequestState& request) {
    if (request.access.lanes.mask != 0xffffffff || site.width_bytes < 4) return;
    const Warp& warp = warps_[schedule_.steps[step].warp];
    const Values values =
        values_of_lanes(4, [&](std::size_t lane) { return request.lanes[lane].words[0]; });
    const auto last =
        std::ranges::find(warp.sums.rbegin(), warp.sums.rend(), values, &Sums::values);
    if (last != warp.sums.rend()) note(step, last->product);
}

void TensorFinder::add_product(std::uint64_t record, std::uint32_t step, std::uint16_t warp) {
    const Site& site = site_at(trace_, record);
    if (site.operation != Operation::kMatrixProduct) return;
    const auto number = static_cast<std::uint32_t>(result_.products_.size());
    const auto links = static_cast<std::uint32_t>(result_.links_.size());
    result_.products_.push_back({.record = record,
                                 .step = step,
                                 .warp = warp,
                                 .first_link = links,
                                 .last_link = links,
                                 .adds_to = number});
    result_.computes_[step] = true;
    note(step, number);
    const std::optional<WarpProduct> product = WarpProduct::of_code(trace_.records.base[record]);
    const std::span<const std::uint32_t> words = words_of_record(trace_, records_, record);
    if (!words.empty())
        result_.products_.back().first_word =
            static_cast<std::uint64_t>(words.data() - trace_.words.data());
    if (!product || words.size() != std::size_t{kWarpSize} * site.words()) return;
    Warp& its = warps_[warp];
    const int of_a = registers_of(*product, MatrixOperand::kA);
    const int of_b = registers_of(*product, MatrixOperand::kB);
    link_operand(its, record, MatrixOperand::kA, words, site.words(), 0, of_a);
    link_operand(its, record, MatrixOperand::kB, words, site.words(), std::size_t(of_a), of_b);
    result_.products_.back().last_link = static_cast<std::uint32_t>(result_.links_.size());
    for (int i = 0; i < registers_of(*product, MatrixOperand::kD); ++i) {
        const auto at = static_cast<std::size_t>(of_a + of_b + i);
        its.sums.push_back(
            {values_of_lanes(4, [&](std::size_t lane) { return words[lane * site.words() + at]; }),
             number});
    }
    drop_oldest(its.sums, kMostSums);
    find_former_sums(number, *product);
}

// A trace has A, B and D of a product, not C. C is the D of an earlier product of the warp, for
// which D = A B + C holds. The check takes the sums of some lanes, and allows for rounding.
void TensorFinder::find_former_sums(std::uint32_t number, const WarpProduct& product) {
    constexpr std::uint32_t kMostTried = 64;
    if (product.count() != 1 || product.bits != BitOperation::kNone) return;
    TensorProduct& its = result_.products_[number];
    const FactorsOfLanes factors(trace_, its, product);
    std::uint32_t tried = 0;
    for (std::uint32_t former = number; former-- > 0 && tried < kMostTried;) {
        const TensorProduct& other = result_.products_[former];
        if (other.warp != its.warp || other.first_word == its.first_word ||
            trace_.records.base[other.record] != trace_.records.base[its.record] ||
            !has_values(trace_, other.record))
            continue;
        ++tried;
        if (!factors.follow(other)) continue;
        its.adds_to = former;
        return;
    }
}

// `stride`: registers of a lane in `words`, `first`: the first of the operand.
void TensorFinder::link_operand(Warp& warp, std::uint64_t record, MatrixOperand operand,
                                std::span<const std::uint32_t> words, std::size_t stride,
                                std::size_t first, int registers) {
    const auto product = static_cast<std::uint32_t>(result_.products_.size() - 1);
    for (int i = 0; i < registers; ++i) {
        const auto value = [&](std::size_t lane) {
            return words[lane * stride + first + static_cast<std::size_t>(i)];
        };
        // The register as a whole, else its halves, else its bytes.
        for (int bytes = 4; bytes > 0; bytes /= 2) {
            bool found = false;
            for (int byte = 0; byte < 4; byte += bytes) {
                const Values values = values_of_lanes(
                    bytes, [&](std::size_t lane) { return value(lane) >> 8 * byte; });
                Loaded* const from = find(warp, site_of(trace_, record), operand, values, bytes);
                if (from == nullptr) continue;
                found = true;
                from->used = true;
                from->taken_by = product;
                fed_by_[{site_of(trace_, record), operand}] = from->array;
                result_.links_.push_back({.step = from->step,
                                          .operand = operand,
                                          .lane_register = static_cast<std::uint8_t>(i),
                                          .word = from->word,
                                          .first_byte = static_cast<std::uint8_t>(byte),
                                          .bytes = static_cast<std::uint8_t>(bytes)});
                note(from->step, product);
            }
            if (found) break;
        }
    }
}

TensorFinder::Loaded* TensorFinder::find(Warp& warp, SiteId site, MatrixOperand operand,
                                         Values values, int bytes) {
    const auto product = static_cast<std::uint32_t>(result_.products_.size() - 1);
    const auto fed = fed_by_.find({site, operand});
    const ArrayId array = fed == fed_by_.end() ? kNoArray : fed->second;
    Loaded* best = nullptr;
    const auto rank = [&](const Loaded& each) {
        const auto age = static_cast<std::int64_t>(each.step) * 16 + each.word;
        const auto newest = std::int64_t{each.step} * 16 - each.word;
        return std::tuple(each.array == array, each.by_matrix, !each.used,
                          each.used ? newest : -age);
    };
    for (Loaded& each : warp.loaded)
        if (each.values == values && each.bytes == bytes && each.taken_by != product &&
            (best == nullptr || rank(each) > rank(*best)))
            best = &each;
    return best;
}

void TensorFinder::note(std::uint32_t step, std::uint32_t product) {
    at_.emplace_back(step, product);
}

TensorSteps TensorFinder::take() {
    std::ranges::sort(at_);
    at_.erase(std::ranges::unique(at_).begin(), at_.end());
    result_.first_at_.assign(schedule_.steps.size() + 1, 0);
    for (const auto& [step, product] : at_) {
        ++result_.first_at_[step + 1];
        result_.at_.push_back(product);
    }
    for (std::size_t i = 1; i < result_.first_at_.size(); ++i)
        result_.first_at_[i] += result_.first_at_[i - 1];
    return std::move(result_);
}

}  // namespace tilereel
