#include "instrumentation/analysis/products/fragment_sums.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "instrumentation/trace/fragments/matrix_value.h"
#include "instrumentation/trace/views.h"

namespace tilereel {
namespace {

constexpr std::size_t kMostProducts = 4096, kMostTraceRecords = 300'000, kMostTried = 64;

using Register = FragmentProduct::Register;

bool is_taken(const WarpProduct& product) {
    return product.count() == 1 && element_bits(product.a) == 16 && element_bits(product.b) == 16 &&
           product.d == MatrixType::kF32;
}

float sum_in(const FragmentProduct& product, std::uint32_t lane, int index) {
    return std::bit_cast<float>(product.d[static_cast<std::size_t>(index)][lane]);
}

// Whether the sums of a product are A B added to those of `former`; null: to zero.
bool adds(const FragmentProduct& product, const std::vector<double>& terms,
          const FragmentProduct* former) {
    const int elements = elements_of(product.product, MatrixOperand::kD);
    for (std::uint32_t lane = 0; lane < kWarpSize; ++lane)
        for (int i = 0; i < elements; ++i) {
            const double before = former == nullptr ? 0 : double(sum_in(*former, lane, i));
            const double term =
                terms[lane * static_cast<std::size_t>(elements) + static_cast<std::size_t>(i)];
            const double found = double(sum_in(product, lane, i));
            const double error = std::abs(found - before - term);
            if (!(error <= 1e-4 * (std::abs(before) + std::abs(term) + std::abs(found)) + 1e-6))
                return false;
        }
    return true;
}

class SumsFinder {
  public:
    explicit SumsFinder(const Trace& trace) : trace_(trace) {}

    FragmentSums run() {
        const Segments& segments = trace_.segments;
        if (trace_.records.size() > kMostTraceRecords) return {};
        // The segments of a warp, epoch after epoch.
        std::map<std::pair<std::uint32_t, std::uint16_t>, std::vector<std::size_t>> by_warp;
        for (std::size_t i = 0; i < segments.size(); ++i)
            by_warp[{segments.block[i], segments.warp[i]}].push_back(i);
        for (const auto& [warp, of_warp] : by_warp) {
            first_ = found_.products.size();
            for (const std::size_t segment : of_warp)
                if (!add_segment(segment)) return {};
        }
        return std::move(found_);
    }

  private:
    bool add_segment(std::size_t segment) {
        std::uint64_t value = trace_.segments.value_begin[segment];
        for (const std::uint64_t record : records_of(trace_.segments, segment)) {
            const std::uint64_t at = value;
            if (has_values(trace_, record)) value += value_count(trace_, record);
            const Site& site = site_at(trace_, record);
            if (site.operation == Operation::kMatrixProduct && !add_product(record, segment, at))
                return false;
            if (site.operation == Operation::kStore && has_values(trace_, record))
                add_store(record, at);
        }
        return true;
    }
    bool add_product(std::uint64_t record, std::size_t segment, std::uint64_t value) {
        const auto product = WarpProduct::of_code(trace_.records.base[record]);
        const std::size_t words = site_at(trace_, record).words();
        if (!product || !is_taken(*product) || !has_values(trace_, record) ||
            value_count(trace_, record) != kWarpSize * words ||
            words != static_cast<std::size_t>(registers_of(*product)) ||
            found_.products.size() == kMostProducts)
            return false;
        FragmentProduct made;
        made.product = *product;
        made.record = record;
        made.segment = segment;
        std::size_t next = 0;
        const auto take = [&](MatrixOperand operand, std::vector<Register>& to) {
            to.resize(static_cast<std::size_t>(registers_of(*product, operand)));
            for (Register& each : to) {
                for (std::size_t lane = 0; lane < kWarpSize; ++lane)
                    each[lane] = trace_.words[value + lane * words + next];
                ++next;
            }
        };
        take(MatrixOperand::kA, made.a);
        take(MatrixOperand::kB, made.b);
        take(MatrixOperand::kD, made.d);
        if (!find_former(made)) return false;
        found_.products.push_back(std::move(made));
        return true;
    }
    // False: the product adds to other values than zero and the sums of an earlier product.
    bool find_former(FragmentProduct& product) const {
        const std::vector<double> terms = multiplied(product);
        if (adds(product, terms, nullptr)) return true;
        for (std::size_t i = found_.products.size(), tried = 0; i > first_ && tried < kMostTried;
             --i, ++tried)
            if (found_.products[i - 1].product == product.product &&
                adds(product, terms, &found_.products[i - 1])) {
                product.adds_to = i - 1;
                return true;
            }
        return false;
    }
    // A store of sums, each word of it a register of the newest product that has them.
    void add_store(std::uint64_t record, std::uint64_t value) {
        const Site& site = site_at(trace_, record);
        const LaneOffsets lanes = lane_offsets(trace_, record);
        if (site.array == kNoArray || trace_.arrays[site.array].space != Space::kGlobal ||
            lanes.mask != 0xffffffff || site.width_bytes % 4 != 0)
            return;
        for (std::size_t word = 0; word < site.words(); ++word) {
            Register stored{};
            for (std::size_t lane = 0; lane < kWarpSize; ++lane)
                stored[lane] = trace_.words[value + lane * site.words() + word];
            for (std::size_t i = found_.products.size(); i > first_; --i) {
                const auto& d = found_.products[i - 1].d;
                const auto at = std::ranges::find(d, stored);
                if (at == d.end()) continue;
                for (std::uint32_t lane = 0; lane < kWarpSize; ++lane)
                    found_.stored.push_back(
                        {site.array, lanes.bytes[lane] + static_cast<std::uint32_t>(4 * word),
                         i - 1, lane, static_cast<int>(at - d.begin())});
                break;
            }
        }
    }

    const Trace& trace_;
    FragmentSums found_;
    std::size_t first_ = 0;  // of the warp's products
};

}  // namespace

std::vector<double> multiplied(const FragmentProduct& product) {
    const auto [m, n, k] = product.product.shape;
    const auto values = [&](MatrixOperand operand, const std::vector<Register>& registers,
                            MatrixType type, int columns, std::size_t size) {
        std::vector<double> matrix(size);
        for (int lane = 0; lane < static_cast<int>(kWarpSize); ++lane)
            for (int i = 0; i < elements_of(product.product, operand); ++i) {
                const MatrixElement at = element_of(product.product, operand, lane, i);
                const std::uint32_t word =
                    registers[static_cast<std::size_t>(i / 2)][static_cast<std::size_t>(lane)];
                matrix[static_cast<std::size_t>(at.row * columns + at.column)] =
                    matrix_value(type, i % 2 == 0 ? word : word >> 16);
            }
        return matrix;
    };
    const auto a =
        values(MatrixOperand::kA, product.a, product.product.a, k, static_cast<std::size_t>(m * k));
    const auto b =
        values(MatrixOperand::kB, product.b, product.product.b, n, static_cast<std::size_t>(k * n));
    const int elements = elements_of(product.product, MatrixOperand::kD);
    std::vector<double> sums;
    for (int lane = 0; lane < static_cast<int>(kWarpSize); ++lane)
        for (int i = 0; i < elements; ++i) {
            const MatrixElement at = element_of(product.product, MatrixOperand::kD, lane, i);
            double sum = 0;
            for (int j = 0; j < k; ++j)
                sum += a[static_cast<std::size_t>(at.row * k + j)] *
                       b[static_cast<std::size_t>(j * n + at.column)];
            sums.push_back(sum);
        }
    return sums;
}

FragmentSums fragment_sums(const Trace& trace) { return SumsFinder(trace).run(); }

}  // namespace tilereel
