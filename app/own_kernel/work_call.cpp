#include "app/own_kernel/work_call.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <numeric>
#include <optional>
#include <utility>

#include "app/own_kernel/work_arrays_of.h"

namespace tilereel {
namespace {

using own_call::ceiling;

Error not_clear(const std::string& what) { return wrong_call(what); }

// A number that follows from n: its value in the program's launch, and how it is written.
struct Scaled {
    std::string name;  // of the parameter; empty: it is none
    std::int64_t value = 0;
    std::string text;
};

constexpr std::array<std::int64_t, 5> kElementsOfThread = {1, 2, 4, 8, 16};

class Recogniser {
  public:
    Recogniser(const Trace& trace, program::DeviceFunction kernel, std::vector<WorkArray> arrays)
        : trace_(trace),
          kernel_(std::move(kernel)),
          arrays_(std::move(arrays)),
          variables_(variables_of(trace)) {}

    Result<OwnCall> run() {
        if (!find_extents() && !count_threads())
            return not_clear("no parameter of " + kernel_.name +
                             " says how long its arrays are, nor do its threads");
        OwnCall call;
        call.kernel = trace_.launch.kernel;
        const std::string grid = TRY(grid_text());
        const std::string shape = TRY(own_call::shape_text(trace_, kernel_, grid, call));
        const std::string arguments = TRY(arguments_text());
        call.statement = call.kernel + shape + "(" + arguments + ")";
        for (WorkArray& array : arrays_) array.elements = length_of(array);
        call.work = WorkCall{.arrays = std::move(arrays_),
                             .n = n_,
                             .multiple = multiple_,
                             .dimensions = dimensions_};
        for (OwnVariable& each : variables_)
            if (const Scaled* const scaled = integer_of(each) ? named(each.name) : nullptr)
                each.value = scaled->text;
        call.variables = std::move(variables_);
        return call;
    }

  private:
    [[nodiscard]] const Launch& launch() const { return trace_.launch; }
    [[nodiscard]] std::uint64_t most_elements() const {
        return std::ranges::max_element(arrays_, {}, &WorkArray::recorded)->recorded;
    }

    // The integers of the launch that are parameters or variables of the file, not constants.
    [[nodiscard]] std::vector<NamedInteger> parameters() const {
        std::vector<NamedInteger> found;
        for (const program::KernelParameter& parameter : kernel_.parameters) {
            if (parameter.pointer || parameter.is_real) continue;
            const auto integer =
                std::ranges::find(launch().integers, parameter.name, &NamedInteger::name);
            if (integer != launch().integers.end() && integer->value > 1) found.push_back(*integer);
        }
        for (const OwnVariable& each : variables_)
            if (const auto value = integer_of(each); value && *value > 1)
                found.push_back({each.name, *value});
        return found;
    }

    // The parameters whose product is the number of elements of the largest array, or nearly so:
    // up to 64 more are a border.
    bool find_extents() {
        const auto all = parameters();
        const auto most = static_cast<std::int64_t>(most_elements());
        constexpr std::int64_t kBorder = 64;
        for (const NamedInteger& a : all)
            if (most - a.value >= 0 && most - a.value <= kBorder && most - a.value < a.value)
                return take({a});
        for (const NamedInteger& a : all)
            if (a.value * a.value == most) return take({a}, 2);
        for (std::size_t i = 0; i < all.size(); ++i)
            for (std::size_t j = i + 1; j < all.size(); ++j)
                if (all[i].value * all[j].value == most) return take({all[i], all[j]});
        for (const NamedInteger& a : all)
            if (a.value * a.value * a.value == most) return take({a}, 3);
        for (std::size_t i = 0; i < all.size(); ++i)
            for (std::size_t j = i + 1; j < all.size(); ++j)
                for (std::size_t k = j + 1; k < all.size(); ++k)
                    if (all[i].value * all[j].value * all[k].value == most)
                        return take({all[i], all[j], all[k]});
        return false;
    }

    // n is the first one; the others keep their ratio to it. `power`: of a single one.
    bool take(const std::vector<NamedInteger>& extents, int power = 1) {
        n_ = extents.front().value;
        dimensions_ = std::max(power, static_cast<int>(extents.size()));
        for (const NamedInteger& each : extents) {
            const std::int64_t common = std::gcd(each.value, n_);
            const std::int64_t above = each.value / common, below = n_ / common;
            std::string text = "n";
            if (above > 1) text += " * " + std::to_string(above);
            if (below > 1) text += " / " + std::to_string(below);
            multiple_ = std::lcm(multiple_, static_cast<int>(below));
            scaled_.push_back({each.name, each.value, text});
        }
        // Other parameters with the same value mean the same.
        for (const NamedInteger& each : parameters())
            if (each.value == n_ && !named(each.name)) scaled_.push_back({each.name, n_, "n"});
        return true;
    }

    // Without a parameter: each thread has the same number of elements.
    bool count_threads() {
        const Launch& of = launch();
        if (of.grid.y * of.grid.z * of.block.y * of.block.z != 1) return false;
        const std::uint64_t threads = std::uint64_t{of.grid.x} * of.block.x, most = most_elements();
        for (const std::int64_t each : kElementsOfThread)
            if (most == threads * static_cast<std::uint64_t>(each)) {
                n_ = static_cast<std::int64_t>(most);
                multiple_ = static_cast<int>(of.block.x) * static_cast<int>(each);
                scaled_.push_back({"", n_, "n"});
                return of.grid.x > 1;
            }
        return false;
    }

    [[nodiscard]] const Scaled* named(const std::string& name) const {
        const auto found = std::ranges::find(scaled_, name, &Scaled::name);
        return found == scaled_.end() || name.empty() ? nullptr : &*found;
    }

    // Of the largest array, without a border.
    [[nodiscard]] Scaled all_elements() const {
        Scaled all{"", 1, ""};
        for (std::size_t i = 0; i < static_cast<std::size_t>(dimensions_); ++i) {
            const Scaled& each = scaled_[i < scaled_.size() ? i : 0];
            all.value *= each.value;
            const bool plain = each.text.find(' ') == std::string::npos;
            all.text +=
                (all.text.empty() ? "" : " * ") + (plain ? each.text : "(" + each.text + ")");
        }
        return all;
    }

    struct Step {
        std::string text;
        std::int64_t of = 0;     // elements of a block
        std::size_t extent = 0;  // index in scaled_
    };

    // Blocks that cover an extent in equal steps; nullopt: none does. `taken`: an extent that
    // another direction of the grid covers.
    [[nodiscard]] std::optional<Step> step_of(std::uint32_t blocks, std::uint32_t threads,
                                              std::optional<std::size_t> taken) const {
        const auto covers = [&](const Scaled& extent, std::int64_t step) {
            return (extent.value + step - 1) / step == std::int64_t{blocks};
        };
        for (const std::int64_t each : kElementsOfThread)
            for (std::size_t i = 0; i < scaled_.size(); ++i) {
                if (i == taken && scaled_.size() > 1) continue;
                const std::int64_t step = each * threads;
                if (covers(scaled_[i], step)) return Step{ceiling(scaled_[i].text, step), step, i};
                if (each == 1 && scaled_[i].value == std::int64_t{blocks})
                    return Step{scaled_[i].text, 1, i};
            }
        return std::nullopt;
    }

    void note(const Step& step) {
        // A kernel that was recorded at whole blocks may lack the tests for edges.
        if (scaled_[step.extent].value % step.of == 0)
            multiple_ = std::lcm(multiple_, static_cast<int>(step.of));
    }

    // A grid of one block, and one that covers nothing in equal steps, stays as it is.
    Result<std::string> grid_text() {
        const Dim3& grid = launch().grid;
        const Dim3& block = launch().block;
        const auto x = step_of(grid.x, block.x, std::nullopt);
        if (grid.y * grid.z == 1 && dimensions_ > 1) return flat_grid_text(x);
        if (grid.y * grid.z == 1) {
            if (x && grid.x > 1) note(*x);
            grid_ = x && grid.x > 1 ? x->text : std::to_string(grid.x);
            return grid_;
        }
        std::string text = "dim3(";
        std::optional<std::size_t> taken;
        for (const auto& [blocks, threads] :
             {std::pair{grid.x, block.x}, {grid.y, block.y}, {grid.z, block.z}}) {
            const auto step = blocks > 1 ? step_of(blocks, threads, taken) : std::nullopt;
            if (blocks > 1 && !step) return not_clear("how the grid follows from n is not clear");
            if (step) note(*step);
            if (step) taken = step->extent;
            text += (text.back() == '(' ? "" : ", ") + (step ? step->text : "1");
        }
        return text + ")";
    }

    // Blocks in a row over all elements of several extents, or over the rows.
    Result<std::string> flat_grid_text(const std::optional<Step>& rows) {
        const Scaled all = all_elements();
        const std::int64_t blocks = launch().grid.x, threads = launch().block.x;
        for (const std::int64_t each : kElementsOfThread)
            if ((all.value + each * threads - 1) / (each * threads) == blocks)
                return grid_ = ceiling(all.text, each * threads);
        if (rows && blocks > 1) note(*rows);
        return grid_ = rows && blocks > 1 ? rows->text : std::to_string(blocks);
    }

    Result<std::string> arguments_text() const {
        std::string list;
        for (const program::KernelParameter& parameter : kernel_.parameters) {
            const std::string value = TRY(argument(parameter));
            list += (list.empty() ? "" : ", ") + value;
        }
        return list;
    }

    Result<std::string> argument(const program::KernelParameter& parameter) const {
        const std::string& name = parameter.name;
        if (parameter.pointer) {
            if (std::ranges::find(arrays_, name, [](const WorkArray& each) -> const std::string& {
                    return each.array.name;
                }) != arrays_.end())
                return name;
            return not_clear("which array the parameter " + name + " is is not clear");
        }
        if (const Scaled* const scaled = named(name)) return scaled->text;
        for (const NamedInteger& each : launch().integers)
            if (each.name == name) return std::to_string(each.value);
        for (const NamedNumber& each : launch().numbers)
            if (each.name == name) return number_text(each.value);
        return not_clear("the value of the parameter " + name + " is not known");
    }

    static std::string number_text(double value) {
        char text[32];
        std::string shortest(text, std::to_chars(text, text + sizeof text, value).ptr);
        if (shortest.find_first_of(".en") == std::string::npos) shortest += ".0";
        return shortest;
    }

    // An array is as long as the largest one, as one of the extents, as there are blocks, as a
    // small multiple or a few more; else its length stays.
    [[nodiscard]] std::string length_of(const WorkArray& array) const {
        const auto recorded = static_cast<std::int64_t>(array.recorded);
        const auto [name, all, text] = all_elements();
        if (recorded == all) return text;
        for (const Scaled& each : scaled_)
            if (recorded == each.value) return each.text;
        const auto blocks = static_cast<std::int64_t>(launch().grid.count());
        if (blocks > 1 && !grid_.empty() && recorded == blocks) return grid_;
        for (const std::int64_t times : {2, 3, 4})
            if (recorded == times * all) return std::to_string(times) + " * " + text;
        constexpr std::int64_t kBorder = 64;
        if (recorded > all && recorded - all <= kBorder && all > kBorder)
            return text + " + " + std::to_string(recorded - all);
        return std::to_string(recorded);
    }

    const Trace& trace_;
    const program::DeviceFunction kernel_;
    std::vector<WorkArray> arrays_;
    std::vector<OwnVariable> variables_;
    std::vector<Scaled> scaled_;  // extents first
    std::int64_t n_ = 0;
    int multiple_ = 1, dimensions_ = 1;
    std::string grid_;  // of one direction
};

}  // namespace

Result<OwnCall> recognise_work(const Trace& trace) {
    auto arrays = TRY(work_arrays_of(trace));
    auto kernel = TRY(own_call::kernel_function(trace));
    return Recogniser(trace, std::move(kernel), std::move(arrays)).run();
}

Result<OwnCall> recognise_own(const Trace& trace) {
    return trace.product ? recognise_call(trace) : recognise_work(trace);
}

}  // namespace tilereel
