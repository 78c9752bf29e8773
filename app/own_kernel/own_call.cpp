#include "app/own_kernel/own_call.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "app/replay/places/navigation.h"
#include "instrumentation/cuda/text/device_function_text.h"
#include "instrumentation/cuda/text/launch_text.h"

namespace tilereel {
namespace {

Error unclear(const std::string& what) { return wrong_call(what); }

std::string lower(std::string text) {
    std::ranges::transform(text, text.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text;
}

// What the race hands to a parameter that is no pointer; empty: its name says nothing.
std::string value_of(const std::string& name, bool real) {
    using Pair = std::pair<const char*, const char*>;
    constexpr std::array<Pair, 2> kReal = {{{"alpha", "1.0f"}, {"beta", "0.0f"}}};
    constexpr std::array<Pair, 9> kWhole = {{{"m", "M"},
                                             {"n", "N"},
                                             {"k", "K"},
                                             {"lda", "K"},
                                             {"ldb", "N"},
                                             {"ldc", "N"},
                                             {"stride_a", "K"},
                                             {"stride_b", "N"},
                                             {"stride_c", "N"}}};
    const std::string small = lower(name);
    if (real) {
        for (const auto& [known, value] : kReal)
            if (small == known) return value;
        return "";
    }
    for (const auto& [known, value] : kWhole)
        if (small == known) return value;
    return "";
}

Status check_matrices(const Trace& trace) {
    const MatrixProduct& product = *trace.product;
    const Launch& launch = trace.launch;
    const std::array<std::tuple<ArrayId, const char*, int>, 3> matrices = {
        {{product.a, "A", launch.k}, {product.b, "B", launch.n}, {product.c, "C", launch.n}}};
    for (const auto& [id, role, columns] : matrices) {
        const Array& array = trace.arrays[id];
        if (array.type != ElementType::kFloat32)
            return failed(std::string(role) + " is no float: own kernels race in float32 only");
        if (array.by_columns || array.leading_dimension != static_cast<std::uint32_t>(columns))
            return unclear(std::string(role) + ", " + array.name +
                           ", is not a whole row-major matrix, as those of the race are");
    }
    return Done{};
}

// The arguments in the order of the kernel's parameters. `variables`: of the file, which may have
// its sizes.
Result<std::string> arguments_of(const Trace& trace,
                                 const std::vector<program::KernelParameter>& parameters,
                                 const std::vector<OwnVariable>& variables, bool& square) {
    const MatrixProduct& product = *trace.product;
    const auto whole =
        std::ranges::count_if(parameters,
                              [](const auto& each) { return !each.pointer && !each.is_real; }) +
        std::ranges::count_if(variables, [](const auto& each) { return !each.value.empty(); });
    if (whole == 0)
        return failed("the kernel has no parameter for its sizes, so it computes " +
                      std::to_string(trace.launch.m) + " x " + std::to_string(trace.launch.n) +
                      " x " + std::to_string(trace.launch.k) + " alone and cannot race over N");
    square = whole == 1;
    std::string list;
    for (const program::KernelParameter& parameter : parameters) {
        std::string value;
        if (parameter.pointer) {
            for (const auto& [id, role] :
                 {std::pair{product.a, "A"}, {product.b, "B"}, {product.c, "C"}})
                if (trace.arrays[id].name == parameter.name) value = role;
        } else {
            value =
                square && !parameter.is_real ? "N" : value_of(parameter.name, parameter.is_real);
        }
        if (value.empty())
            return unclear("what the parameter " + parameter.name + " stands for is not clear");
        list += (list.empty() ? "" : ", ") + value;
    }
    return list;
}

// The grid for any M and N: blocks cover C in equal steps.
Result<std::string> grid_of(const Trace& trace, OwnCall& call) {
    const Launch& launch = trace.launch;
    const Dim3& grid = launch.grid;
    const Error no_steps = unclear("how the grid follows from M and N is not clear");
    const CellRect first = stored_rect(trace, 0);
    if (first.empty() || grid.z > 1) return no_steps;
    const CellRect right = grid.x > 1 ? stored_rect(trace, 1) : CellRect{};
    const CellRect below = grid.y > 1 ? stored_rect(trace, grid.x) : CellRect{};
    // blockIdx.x may count the columns or the rows of C.
    const bool by_columns =
        !right.empty() ? right.column0 > first.column0 : below.empty() || below.row0 > first.row0;
    const int rows = static_cast<int>(first.row1 - first.row0),
              columns = static_cast<int>(first.column1 - first.column0);
    const auto steps = [](std::uint32_t extent, int of) {
        const auto step = static_cast<std::uint32_t>(of);
        return (extent + step - 1) / step;
    };
    const std::uint32_t across = by_columns ? grid.x : grid.y, down = by_columns ? grid.y : grid.x;
    if (across != steps(launch.n, columns) || down != steps(launch.m, rows)) return no_steps;
    // A kernel that was recorded at whole tiles may lack the tests for edges.
    const bool ragged = launch.m % static_cast<std::uint32_t>(rows) != 0 ||
                        launch.n % static_cast<std::uint32_t>(columns) != 0;
    if (!ragged) {
        call.rows = rows;
        call.columns = columns;
        call.depth = std::max(rows, columns);
    }
    const std::string of_n = own_call::ceiling("N", columns), of_m = own_call::ceiling("M", rows);
    return "dim3(" + (by_columns ? of_n + ", " + of_m : of_m + ", " + of_n) + ")";
}

// The dynamic part of a block's shared memory. A trace has the sum of both parts.
Result<std::uint64_t> dynamic_bytes(std::string_view body, std::uint32_t all) {
    std::size_t declared = 0, external = 0;
    for (std::size_t at = body.find("__shared__"); at != std::string_view::npos;
         at = body.find("__shared__", at + 1)) {
        ++declared;
        const std::string_view ahead = body.substr(0, at);
        const std::size_t statement = ahead.find_last_of(";{}");
        if (ahead.substr(statement == std::string_view::npos ? 0 : statement).find("extern") !=
            std::string_view::npos)
            ++external;
    }
    if (external == 0) return std::uint64_t{0};
    if (external < declared)
        return unclear("how much of the shared memory is dynamic is not clear");
    return std::uint64_t{all};
}

}  // namespace

namespace own_call {

std::string ceiling(const std::string& extent, std::int64_t of) {
    if (of == 1) return extent;
    return "(" + extent + " + " + std::to_string(of - 1) + ") / " + std::to_string(of);
}

Result<program::DeviceFunction> kernel_function(const Trace& trace) {
    std::string name = trace.launch.kernel.substr(0, trace.launch.kernel.find('<'));
    name.erase(0, name.rfind(':') + 1);
    for (program::DeviceFunction& each :
         program::find_device_functions(program::masked_text(trace.source)))
        if (each.kernel && each.name == name && each.body != each.end) return std::move(each);
    return unclear("the parameters of " + name + " were not found");
}

Result<std::string> shape_text(const Trace& trace, const program::DeviceFunction& kernel,
                               const std::string& grid, OwnCall& call) {
    const Launch& launch = trace.launch;
    const std::string masked = program::masked_text(trace.source);
    call.shared_bytes =
        TRY(dynamic_bytes(std::string_view(masked).substr(kernel.body, kernel.end - kernel.body),
                          launch.shared_bytes));
    std::string block = std::to_string(launch.block.x);
    if (launch.block.y * launch.block.z > 1) block += ", " + std::to_string(launch.block.y);
    if (launch.block.z > 1) block += ", " + std::to_string(launch.block.z);
    return "<<<" + grid + ", dim3(" + block + ")" +
           (call.shared_bytes > 0 ? ", " + std::to_string(call.shared_bytes) : "") + ">>>";
}

}  // namespace own_call

Result<OwnCall> recognise_call(const Trace& trace) {
    if (!trace.product)
        return unclear("no product C = A B was recognised in the first launch that was recorded");
    TRY(check_matrices(trace));
    OwnCall call;
    call.kernel = trace.launch.kernel;
    const auto kernel = TRY(own_call::kernel_function(trace));
    call.variables = variables_of_product(trace);
    const std::string arguments =
        TRY(arguments_of(trace, kernel.parameters, call.variables, call.square));
    if (call.square)
        for (OwnVariable& each : call.variables)
            if (!each.value.empty()) each.value = "N";
    const std::string grid = TRY(grid_of(trace, call));
    const std::string shape = TRY(own_call::shape_text(trace, kernel, grid, call));
    call.statement = call.kernel + shape + "(" + arguments + ")";
    return call;
}

std::vector<OwnVariable> variables_of_product(const Trace& trace) {
    std::vector<OwnVariable> variables = variables_of(trace);
    if (!trace.product) return variables;
    const Launch& launch = trace.launch;
    for (OwnVariable& each : variables) {
        const auto integer = integer_of(each);
        const std::string size = value_of(each.name, false);
        const std::int64_t extent = size == "M" ? launch.m : size == "N" ? launch.n : launch.k;
        if (integer && !size.empty() && *integer == extent) each.value = size;
    }
    return variables;
}

std::vector<std::string> sizes_of(const OwnCall& call) {
    return call.work ? std::vector<std::string>{"n"} : std::vector<std::string>{"M", "N", "K"};
}

std::string launching_text(const OwnCall& call) {
    constexpr std::uint64_t kNeedNoAttribute = 48 * 1024;
    std::string text = setting_call(call.variables, sizes_of(call));
    if (call.shared_bytes > kNeedNoAttribute)
        text += "    static const cudaError_t allowed = cudaFuncSetAttribute(" + call.kernel +
                ", cudaFuncAttributeMaxDynamicSharedMemorySize, " +
                std::to_string(call.shared_bytes) +
                ");\n    if (allowed != cudaSuccess) return allowed;\n";
    return text + "    " + call.statement + ";\n    return cudaGetLastError();\n";
}

}  // namespace tilereel
