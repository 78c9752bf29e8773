#include "app/exercise/harness.h"

#include <algorithm>

#include "instrumentation/base/files/text_file.h"

namespace tilereel {
namespace {

using Role = ExerciseParameter::Role;

// splitmix64 (G. Steele, D. Lea, C. Flood, "Fast Splittable Pseudorandom Number Generators", 2014).
std::uint64_t mixed(std::uint64_t state) {
    state += 0x9e3779b97f4a7c15u;
    state = (state ^ (state >> 30)) * 0xbf58476d1ce4e5b9u;
    state = (state ^ (state >> 27)) * 0x94d049bb133111ebu;
    return state ^ (state >> 31);
}

// The same generator in the harness. Outputs begin as NaN or -1, so that an element which nobody
// stores is never right by chance.
constexpr const char* kBegin = R"(#include <cuda_runtime.h>
#include <cstdlib>
namespace {
struct TilereelRandom {
    unsigned long long state;
    unsigned long long next() {
        unsigned long long mixed = state += 0x9e3779b97f4a7c15u;
        mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9u;
        mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebu;
        return mixed ^ (mixed >> 31);
    }
    // Multiples of 1/4096 from -1 to 1, which a float holds exactly.
    double real() { return static_cast<double>(next() % 8193) / 4096 - 1; }
    long long whole(long long from, long long to, long long step) {
        return from + static_cast<long long>(next() % ((to - from) / step + 1)) * step;
    }
};
template <class T>
T* tilereel_host(long long count) {
    if (count < 1 || count > (1 << 24)) std::exit(97);
    return static_cast<T*>(std::malloc(count * sizeof(T)));
}
template <class T>
T* tilereel_device(const T* values, long long count) {
    T* device = nullptr;
    cudaMalloc(&device, count * sizeof(T));
    cudaMemcpy(device, values, count * sizeof(T), cudaMemcpyHostToDevice);
    return device;
}
}  // namespace
)";

std::string exact_type(const ExerciseParameter& parameter) {
    return parameter.role != Role::kSize && parameter.is_real() ? "double" : parameter.type;
}

// "a, b", of what `text` makes of each parameter that it makes something of.
template <class Text>
std::string listed(const Exercise& exercise, Text&& text) {
    std::string list;
    for (const ExerciseParameter& each : exercise.parameters)
        if (const std::string part = text(each); !part.empty())
            list += (list.empty() ? "" : ", ") + part;
    return list;
}

// A kernel that reads an element of each array, so that its recording has them all.
std::string showing_kernel(const Exercise& exercise, const std::string& name, bool with_right) {
    std::string reads;
    const std::string parameters = listed(exercise, [&](const ExerciseParameter& each) {
        if (!each.is_array()) return std::string();
        std::string text = "const " + each.type + "* " + each.name;
        reads += " + (" + each.name + "[0] != 0)";
        if (with_right && each.role == Role::kOutput) {
            text += ", const " + exact_type(each) + "* " + right_array(each.name);
            reads += " + (" + right_array(each.name) + "[0] != 0)";
        }
        return text;
    });
    return "__global__ void " + name + "(" + parameters +
           ", int* tilereel_sum) {\n    *tilereel_sum = 0" + reads + ";\n}\n";
}

std::string reference_function(const Exercise& exercise) {
    return "void tilereel_reference(" +
           listed(exercise,
                  [](const ExerciseParameter& each) {
                      return !each.is_array() ? exact_type(each) + " " + each.name
                             : each.role == Role::kInput
                                 ? "const " + exact_type(each) + "* " + each.name
                                 : exact_type(each) + "* " + each.name;
                  }) +
           ") {\n" +
           line_directive(static_cast<unsigned>(std::max(exercise.reference_line, 1)),
                          exercise.file.string()) +
           exercise.reference + "\n}\n";
}

// The statements that make one array in host memory, exact_NAME, and in device memory, device_NAME.
std::string made_array(const ExerciseParameter& array) {
    const std::string exact = exact_type(array), count = "count_" + array.name,
                      own = "own_" + array.name;
    std::string text = "    const long long " + count + " = " + array.extent + ";\n" + "    " +
                       exact + "* exact_" + array.name + " = tilereel_host<" + exact + ">(" +
                       count + ");\n    " + array.type + "* " + own + " = tilereel_host<" +
                       array.type + ">(" + count + ");\n    for (long long i = 0; i < " + count +
                       "; ++i) ";
    const std::string at = "exact_" + array.name + "[i]";
    if (array.role == Role::kOutput)
        text += at + " = " + (array.is_real() ? "NAN" : "-1");
    else if (array.is_real())
        text += at + " = tilereel_random.real()";
    else
        text += at + " = tilereel_random.whole(" + std::to_string(array.from) + ", " +
                std::to_string(array.to) + ", " + std::to_string(array.step) + ")";
    return text + ", " + own + "[i] = " + at + ";\n    " + array.type + "* device_" + array.name +
           " = tilereel_device(" + own + ", " + count + ");\n";
}

std::string main_function(const Exercise& exercise) {
    std::string text =
        "int main(int, char** tilereel_arguments) {\n"
        "    TilereelRandom tilereel_random{std::strtoull(tilereel_arguments[1], nullptr, 10)};\n";
    int next = 2;
    for (const ExerciseParameter& each : exercise.parameters)
        if (each.role == Role::kSize)
            text += "    const " + each.type + " " + each.name + " = static_cast<" + each.type +
                    ">(std::strtoll(tilereel_arguments[" + std::to_string(next++) +
                    "], nullptr, 10));\n";
    for (const ExerciseParameter& each : exercise.parameters)
        if (each.role == Role::kScalar)
            text += "    const " + each.type + " " + each.name + " = static_cast<" + each.type +
                    ">(tilereel_random.real());\n";
    for (const ExerciseParameter& each : exercise.parameters)
        if (each.is_array()) text += made_array(each);
    const auto arguments = [&](const std::string& prefix) {
        return listed(exercise, [&](const ExerciseParameter& each) {
            return each.is_array() ? prefix + each.name : each.name;
        });
    };
    const auto arrays = [&](bool with_right) {
        return listed(exercise, [&](const ExerciseParameter& each) {
            if (!each.is_array()) return std::string();
            const bool right = with_right && each.role == Role::kOutput;
            return "device_" + each.name + (right ? ", " + right_array(each.name) : "");
        });
    };
    text += "    const int zero = 0;\n    int* sum = tilereel_device(&zero, 1);\n";
    text += std::string("    ") + kBeforeKernel + "<<<1, 1>>>(" + arrays(false) + ", sum);\n";
    text += "    " + exercise.function_name + "(" + arguments("device_") + ");\n";
    text += "    cudaDeviceSynchronize();\n    tilereel_reference(" + arguments("exact_") + ");\n";
    for (const ExerciseParameter& each : exercise.parameters)
        if (each.role == Role::kOutput)
            text += "    auto* " + right_array(each.name) + " = tilereel_device(exact_" +
                    each.name + ", count_" + each.name + ");\n";
    text += std::string("    ") + kAfterKernel + "<<<1, 1>>>(" + arrays(true) + ", sum);\n" +
            "    const bool failed = cudaDeviceSynchronize() != cudaSuccess;\n    cudaFree(sum);\n";
    for (const ExerciseParameter& each : exercise.parameters) {
        if (!each.is_array()) continue;
        text += "    cudaFree(device_" + each.name + ");\n";
        if (each.role == Role::kOutput) text += "    cudaFree(" + right_array(each.name) + ");\n";
    }
    return text +
           "    return failed;\n"
           "}\n";
}

}  // namespace

std::string right_array(const std::string& output) { return "right_" + output; }

std::string harness_text(const Exercise& exercise) {
    std::string declaration = exercise.function;
    if (!declaration.ends_with(';')) declaration += ';';
    return std::string(kBegin) + declaration + "\n" +
           showing_kernel(exercise, kBeforeKernel, false) +
           showing_kernel(exercise, kAfterKernel, true) + "namespace {\n" +
           reference_function(exercise) + "}  // namespace\n" +
           line_directive(1, "the main() of the check") + main_function(exercise);
}

namespace {

// The choices are cut into thirds, and three runs draw from all of them, in an order of the seed:
// who writes for a part of the sizes is always found.
constexpr std::uint64_t kParts = 3;

std::uint64_t choice_of(std::uint64_t choices, std::uint64_t order, std::uint64_t drawn,
                        unsigned run) {
    if (choices < kParts) return (order + run) % choices;
    const std::uint64_t part = (order + run * (1 + order / kParts % 2)) % kParts;
    const std::uint64_t begin = choices * part / kParts, end = choices * (part + 1) / kParts;
    return begin + drawn % (end - begin);
}

}  // namespace

NamedNumbers drawn_sizes(const Exercise& exercise, std::uint64_t seed, unsigned run) {
    NamedNumbers sizes;
    std::uint64_t state = mixed(mixed(seed) + run), order = mixed(~seed);
    for (const ExerciseParameter& each : exercise.parameters) {
        if (each.role != Role::kSize) continue;
        state = mixed(state);
        order = mixed(order);
        const auto choices = static_cast<std::uint64_t>((each.to - each.from) / each.step + 1);
        sizes[each.name] = static_cast<double>(
            each.from +
            static_cast<std::int64_t>(choice_of(choices, order, state, run)) * each.step);
    }
    return sizes;
}

std::vector<std::string> harness_arguments(const Exercise& exercise, const NamedNumbers& sizes,
                                           std::uint64_t seed, unsigned run) {
    std::vector<std::string> arguments = {std::to_string(mixed(seed) + run)};
    for (const ExerciseParameter& each : exercise.parameters)
        if (each.role == Role::kSize)
            arguments.push_back(
                std::to_string(static_cast<std::int64_t>(sizes.find(each.name)->second)));
    return arguments;
}

}  // namespace tilereel
