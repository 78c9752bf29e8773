#include "app/replay/tensor/tensor_moment.h"

#include <algorithm>
#include <array>
#include <cstdio>

#include "instrumentation/trace/fragments/matrix_value.h"

namespace tilereel {
namespace {

constexpr int kLanes = 32;

std::size_t place_of(const HeldFragment& fragment, int lane, int number) {
    return static_cast<std::size_t>(lane * fragment.registers + number);
}

// The wavefront that serves all rows of which a matrix load makes a lane's register.
std::uint32_t wavefront_of_register(const RequestState& request, bool transposed, int matrix,
                                    int lane) {
    std::uint32_t last = 0;
    for (int half = 0; half < 2; ++half) {
        const MatrixElement at = matrix_load_element(transposed, lane, half);
        const auto row = static_cast<std::size_t>(address_lane(matrix, at.row));
        last = std::max(last, request.lanes[row].wavefront);
    }
    return last;
}

class MomentMaker {
  public:
    MomentMaker(const Replay& replay, int lane, TensorMoment& moment)
        : replay_(replay),
          lane_(lane),
          trace_(replay.trace()),
          tensor_(replay.tensor()),
          request_(replay.state().request),
          moment_(moment) {}

    void add_product(std::uint32_t number) {
        const TensorProduct& its = tensor_.products()[number];
        const std::optional<WarpProduct> product =
            WarpProduct::of_code(trace_.records.base[its.record]);
        if (!product) return;
        const Site& site = site_at(trace_, its.record);
        moment_.product = product;
        moment_.product_line = site.line;
        moment_.product_step = its.step;
        moment_.computes = its.step == moment_.step;
        int first = 0;
        for (const MatrixOperand operand :
             {MatrixOperand::kA, MatrixOperand::kB, MatrixOperand::kD}) {
            HeldFragment held;
            held.registers = registers_of(*product, operand);
            held.grid = fragment_grid(*product, operand, product_of_lane(*product, lane_));
            const auto count = static_cast<std::size_t>(held.registers);
            held.since.assign(count, since_product(its));
            held.wavefront.assign(kLanes * count, 0);
            if (has_values(trace_, its.record))
                held.words = registers_from(its.first_word, site, first, held.registers);
            if (const std::uint32_t former = former_of(number);
                operand == MatrixOperand::kD && former != number)
                held.former = registers_from(tensor_.products()[former].first_word, site, first,
                                             held.registers);
            first += held.registers;
            if (operand == MatrixOperand::kD)
                held.since.assign(count, its.step == moment_.step && !moment_.stores_sums
                                             ? HeldSince::kNow
                                             : since_product(its));
            moment_.fragments.push_back(std::move(held));
        }
        add_loads(tensor_.loads_of(number));
        if (moment_.stores_sums) moment_.fragments.back().touched = true;
    }

    // A matrix load or store that belongs to no product.
    void add_matrices() {
        HeldFragment held;
        held.registers = matrices_of(request_);
        held.grid = fragment_grid(held.registers, moment_.transposed);
        held.grid.type = type_of_elements();
        held.since.assign(static_cast<std::size_t>(held.registers), HeldSince::kNow);
        held.touched = true;
        for (int lane = 0; lane < kLanes; ++lane)
            for (int i = 0; i < held.registers; ++i) {
                held.words.push_back(matrix_register(request_, moment_.transposed, i, lane));
                held.wavefront.push_back(
                    wavefront_of_register(request_, moment_.transposed, i, lane));
            }
        moment_.fragments.push_back(std::move(held));
        for (int i = 0; i < matrices_of(request_); ++i)
            moment_.matrices.push_back({.fragment = 0, .lane_register = i});
    }

    void note_matrices() {
        moment_.matrices.resize(static_cast<std::size_t>(matrices_of(request_)));
    }

  private:
    // The last product whose sums this one adds to and that has been computed; its own number if
    // there is none.
    [[nodiscard]] std::uint32_t former_of(std::uint32_t number) const {
        std::uint32_t former = number;
        do {
            const std::uint32_t next = tensor_.products()[former].adds_to;
            if (next == former) return number;
            former = next;
        } while (tensor_.products()[former].step >= moment_.step &&
                 tensor_.products()[number].step >= moment_.step);
        return former;
    }

    // `count` registers of each lane, from number `first` of a record on.
    [[nodiscard]] std::vector<std::uint32_t> registers_from(std::uint64_t first_word,
                                                            const Site& site, int first,
                                                            int count) const {
        std::vector<std::uint32_t> words;
        for (int lane = 0; lane < kLanes; ++lane)
            for (int i = 0; i < count; ++i)
                words.push_back(trace_.words[first_word + std::size_t(lane) * site.words() +
                                             static_cast<std::size_t>(first + i)]);
        return words;
    }

    // Registers without a link come from a computation before the product.
    [[nodiscard]] HeldSince since_product(const TensorProduct& its) const {
        return its.step != kNoStep && its.step > moment_.step ? HeldSince::kLater
                                                              : HeldSince::kBefore;
    }

    void add_loads(std::span<const TensorLink> links) {
        for (HeldFragment& held : moment_.fragments) {
            if (held.grid.operand == MatrixOperand::kD) continue;
            bool first = true;
            for (const TensorLink& link : links) {
                if (link.operand != held.grid.operand) continue;
                // Without this, a register that is loaded now would count as loaded before.
                if (first) std::ranges::fill(held.since, since_last_link(links, link.operand));
                first = false;
            }
            for (const TensorLink& link : links)
                if (link.operand == held.grid.operand) add_load(held, link);
        }
    }

    [[nodiscard]] HeldSince since(const TensorLink& link) const {
        return link.step == moment_.step  ? HeldSince::kNow
               : link.step > moment_.step ? HeldSince::kLater
                                          : HeldSince::kBefore;
    }
    // A register that no load explains is shown as soon as all others are there.
    [[nodiscard]] HeldSince since_last_link(std::span<const TensorLink> links,
                                            MatrixOperand operand) const {
        std::uint32_t last = 0;
        for (const TensorLink& link : links)
            if (link.operand == operand) last = std::max(last, link.step);
        return last > moment_.step ? HeldSince::kLater : HeldSince::kBefore;
    }

    void add_load(HeldFragment& held, const TensorLink& link) {
        HeldSince& known = held.since[link.lane_register];
        known = std::max(link.first_byte == 0 ? HeldSince::kBefore : known, since(link));
        if (link.step != moment_.step) return;
        held.touched = true;
        if (!moment_.is_request) return;
        for (int lane = 0; lane < kLanes; ++lane) {
            const std::uint32_t wavefront =
                moment_.operation == Operation::kMatrixLoad
                    ? wavefront_of_register(request_, moment_.transposed, link.word, lane)
                    : request_.lanes[static_cast<std::size_t>(lane)].wavefront;
            held.wavefront[place_of(held, lane, link.lane_register)] = wavefront;
        }
        if (moment_.operation == Operation::kMatrixLoad && link.word < moment_.matrices.size())
            moment_.matrices[link.word] = {
                .fragment = static_cast<std::size_t>(&held - moment_.fragments.data()),
                .lane_register = link.lane_register};
    }

    // Of the 16-bit elements of the array that a matrix load or store accesses.
    [[nodiscard]] MatrixType type_of_elements() const {
        const Site& site = trace_.sites[replay_.schedule().steps[moment_.step].site];
        const ElementType type = trace_.arrays[site.array].type;
        return type == ElementType::kBfloat16 ? MatrixType::kBf16 : MatrixType::kF16;
    }

    const Replay& replay_;
    const int lane_;
    const Trace& trace_;
    const TensorSteps& tensor_;
    const RequestState& request_;
    TensorMoment& moment_;
};

}  // namespace

HeldSince HeldFragment::since_of(const FragmentCell& cell) const {
    HeldSince last = HeldSince::kBefore;
    for (int i = grid.first_register(cell); i <= grid.last_register(cell); ++i)
        last = std::max(last, since[static_cast<std::size_t>(i)]);
    return last;
}

std::uint32_t HeldFragment::wavefront_of(const FragmentCell& cell) const {
    std::uint32_t last = 0;
    for (int i = grid.first_register(cell); i <= grid.last_register(cell); ++i)
        last = std::max(last, wavefront[place_of(*this, cell.lane, i)]);
    return last;
}

double HeldFragment::value_in(const std::vector<std::uint32_t>& of, int lane, int index) const {
    const int bit = index * grid.bits();
    const std::size_t at = place_of(*this, lane, bit / 32);
    std::uint64_t bits = of[at];
    if (grid.bits() == 64) bits |= std::uint64_t{of[at + 1]} << 32;
    return matrix_value(grid.type, bits >> bit % 32);
}

std::vector<std::string> HeldFragment::bits_of(const std::vector<std::uint32_t>& of, int lane,
                                               int first, int last) const {
    std::vector<std::string> texts;
    const int step = std::max(1, grid.bits() / 32);
    for (int i = first; i <= last; i += step) {
        std::array<char, 20> text{};
        if (step == 1)
            std::snprintf(text.data(), text.size(), "%08x", of[place_of(*this, lane, i)]);
        else
            std::snprintf(text.data(), text.size(), "%08x%08x", of[place_of(*this, lane, i + 1)],
                          of[place_of(*this, lane, i)]);
        texts.emplace_back(text.data());
    }
    return texts;
}

const HeldFragment* TensorMoment::fragment(MatrixOperand operand) const {
    if (!product) return nullptr;
    const auto found = std::ranges::find(
        fragments, operand, [](const HeldFragment& held) { return held.grid.operand; });
    return found == fragments.end() ? nullptr : &*found;
}

std::optional<TensorMoment> tensor_moment(const Replay& replay,
                                          std::optional<std::uint32_t> chosen_warp,
                                          std::uint32_t lane, std::size_t choice) {
    const ReplayState& state = replay.state();
    const std::vector<Step>& steps = replay.schedule().steps;
    const TensorSteps& tensor = replay.tensor();
    if (state.step >= steps.size()) return std::nullopt;
    const std::uint32_t warp = chosen_warp.value_or(steps[state.step].warp);
    if (warp >= state.warps.size()) return std::nullopt;
    TensorMoment moment;
    moment.step = state.step;
    moment.warp = warp;
    moment.is_request = steps[state.step].warp == warp;
    if (!moment.is_request) moment.step = state.warps[warp].step;
    if (moment.step >= steps.size() || steps[moment.step].epoch != steps[state.step].epoch)
        return std::nullopt;
    const Site& site = replay.trace().sites[steps[moment.step].site];
    moment.operation = site.operation;
    const std::uint32_t wavefronts = state.request.cost.wavefronts + state.request.cost.lines;
    moment.at_last_wavefront = !moment.is_request || state.request.wavefront + 1 >= wavefronts;
    const bool by_matrix = is_matrix_access(site.operation) && moment.is_request;
    moment.transposed = is_matrix_access(site.operation) &&
                        site.variety == static_cast<std::uint8_t>(MatrixAccessKind::kTransposed);
    const auto products = tensor.products_at(moment.step);
    moment.products.assign(products.begin(), products.end());
    MomentMaker maker(replay, static_cast<int>(lane), moment);
    if (!moment.products.empty()) {
        moment.chosen = choice % moment.products.size();
        const std::uint32_t product = moment.products[moment.chosen];
        moment.stores_sums =
            site.operation == Operation::kStore && tensor.products()[product].step < moment.step;
        if (by_matrix) maker.note_matrices();
        maker.add_product(product);
    } else if (by_matrix) {
        maker.add_matrices();
    }
    if (moment.fragments.empty()) return std::nullopt;
    return moment;
}

std::string matrix_instruction(Operation operation, std::size_t matrices, bool transposed) {
    if (!is_matrix_access(operation)) return {};
    std::string text = operation == Operation::kMatrixLoad ? "ldmatrix" : "stmatrix";
    text.append(".x").append(std::to_string(matrices));
    return transposed ? text + ".trans" : text;
}

}  // namespace tilereel
