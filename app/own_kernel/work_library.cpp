#include "app/own_kernel/work_library.h"

#include <algorithm>
#include <cstddef>

#include "instrumentation/cuda/text/text_words.h"

namespace tilereel {
namespace {

std::string number(std::uint64_t value) { return std::to_string(value); }

// The functions that both texts share: the number of an array's elements, and the launch.
Result<std::string> functions(const OwnSource& source, const OwnCall& call, OwnText as) {
    if (call.statement.find('\n') != std::string::npos)
        return wrong_call("a launch is written on one line");
    const std::vector<WorkArray>& arrays = call.work->arrays;
    for (const WorkArray& each : arrays)
        if (!std::ranges::all_of(each.array.name, program::is_word))
            return failed(each.array.name + " is no parameter of the kernel, but part of one");
    std::string text = TRY(text_of_source(source, as)) + "#undef n\n";
    for (const WorkArray& each : arrays) text += "#undef " + each.array.name + "\n";
    text += TRY(definition_after(source));
    text +=
        "namespace {\n// Converts to a pointer of any type.\nstruct TilereelArray {\n    void* "
        "at;\n"
        "    template <class T> operator T*() const { return static_cast<T*>(at); }\n};\n" +
        setting_function(call.variables, sizes_of(call)) +
        "long long tilereel_elements(int own_array, long long n) {\n    (void)n;\n    switch "
        "(own_array) {\n";
    for (std::size_t i = 0; i < arrays.size(); ++i)
        text += "        case " + number(i) + ": return " + arrays[i].elements + ";\n";
    text +=
        "        default: return 0;\n    }\n}\nint tilereel_launch(void* const* own_arrays, long "
        "long n) {\n    (void)n;\n";
    for (std::size_t i = 0; i < arrays.size(); ++i) {
        const WorkArray& each = arrays[i];
        const std::string at = "own_arrays[" + number(i) + "]";
        text += each.cpp_type.empty() ? "    TilereelArray " + each.array.name + "{" + at + "};\n"
                                      : "    " + each.cpp_type + "* " + each.array.name +
                                            " = static_cast<" + each.cpp_type + "*>(" + at + ");\n";
        text += "    (void)" + each.array.name + ";\n";
    }
    return text + launching_text(call) + "}\n}  // namespace\n";
}

std::string uses(const OwnArray& array) {
    return std::string(array.read ? "r" : "") + (array.written ? "w" : "");
}

}  // namespace

Result<std::string> work_library_text(const OwnSource& source, const OwnCall& call) {
    std::string text = TRY(functions(source, call, OwnText::kIncluded));
    std::string arrays;
    for (const WorkArray& each : call.work->arrays)
        arrays += each.array.name + " " + name_of(each.array.type) + " " +
                  number(each.array.element_bytes) + " " + uses(each.array) + " " +
                  std::to_string(each.array.read_share) + " " +
                  std::to_string(each.array.written_share) + " ";
    return text + "extern \"C\" const char* tilereel_own_name() { return " +
           literal(name_of(source)) +
           "; }\nextern \"C\" const char* tilereel_own_call() { return " + literal(call.statement) +
           "; }\nextern \"C\" const char* tilereel_work_arrays() { return " + literal(arrays) +
           "; }\nextern \"C\" const int* tilereel_work_numbers() {\n    static const int "
           "kNumbers[] "
           "= {" +
           std::to_string(call.work->n) + ", " + std::to_string(call.work->multiple) + ", " +
           std::to_string(call.work->dimensions) +
           "};\n    return kNumbers;\n}\nextern \"C\" long long tilereel_work_elements(int "
           "own_array, "
           "long long n) {\n    return tilereel_elements(own_array, n);\n}\nextern \"C\" int "
           "tilereel_work_launch(void* const* own_arrays, long long n) {\n    return "
           "tilereel_launch(own_arrays, n);\n}\n";
}

Result<std::string> work_program_text(const OwnSource& source, const OwnCall& call) {
    const std::vector<WorkArray>& arrays = call.work->arrays;
    std::string text = TRY(functions(source, call, OwnText::kWhole));
    const std::string count = number(arrays.size());
    text +=
        "#include <cstdio>\n#include <cstdlib>\n#include <cstring>\n#include <vector>\n"
        "__global__ void " +
        std::string(kShowKernel) + "(";
    for (std::size_t i = 0; i < arrays.size(); ++i)
        text += "const unsigned char* tilereel_" + number(i) + ", ";
    text += "unsigned char* tilereel_sink) {\n    unsigned char sum = 0;\n";
    for (std::size_t i = 0; i < arrays.size(); ++i)
        text += "    sum += tilereel_" + number(i) + "[0];\n";
    text += "    tilereel_sink[0] = sum;\n}\nstatic const unsigned kBytes[] = {";
    for (const WorkArray& each : arrays) text += number(each.array.element_bytes) + ", ";
    text += "0};\nstatic const bool kRead[] = {";
    for (const WorkArray& each : arrays) text += each.array.read ? "true, " : "false, ";
    text += "false};\nstatic std::vector<unsigned char> tilereel_inputs[" + count +
            " + 1];\n"
            "static int tilereel_run(char* words) {\n"
            "    const long long n = std::strtoll(words, &words, 10);\n"
            "    void* arrays[" +
            count +
            " + 1] = {};\n"
            "    for (int i = 0; i < " +
            count +
            "; ++i) {\n"
            "        const long long first = std::strtoll(words + 1, &words, 10);\n"
            "        const long long bytes = tilereel_elements(i, n) * kBytes[i];\n"
            "        if (bytes <= 0) return 3;\n"
            "        std::vector<unsigned char> values(bytes, kRead[i] ? 0 : 255);\n"
            "        const std::vector<unsigned char>& from = tilereel_inputs[i];\n"
            "        if (kRead[i] && !from.empty())\n"
            "            for (long long at = 0, next = first * kBytes[i]; at < bytes; ++at) {\n"
            "                values[at] = from[next];\n"
            "                if (++next == (long long)from.size()) next = 0;\n"
            "            }\n"
            "        if (cudaMalloc(&arrays[i], bytes) != cudaSuccess) return 4;\n"
            "        cudaMemcpy(arrays[i], values.data(), bytes, cudaMemcpyHostToDevice);\n"
            "    }\n"
            "    if (tilereel_launch(arrays, n) != 0 || cudaDeviceSynchronize() != 0) return 5;\n"
            "    void* sink = nullptr;\n    cudaMalloc(&sink, 1);\n    " +
            std::string(kShowKernel) + "<<<1, 1>>>(";
    for (std::size_t i = 0; i < arrays.size(); ++i)
        text += "(const unsigned char*)arrays[" + number(i) + "], ";
    text +=
        "(unsigned char*)sink);\n    cudaDeviceSynchronize();\n"
        "    for (void* each : arrays) cudaFree(each);\n    cudaFree(sink);\n    return 0;\n}\n"
        "int main(int count, char** words) {\n"
        "    std::FILE* file = count > 1 ? std::fopen(words[1], \"rb\") : nullptr;\n"
        "    if (file == nullptr) return 2;\n"
        "    for (int i = 0; i < " +
        count +
        "; ++i) {\n        unsigned long long bytes = 0;\n"
        "        if (std::fread(&bytes, sizeof bytes, 1, file) != 1) return 2;\n"
        "        tilereel_inputs[i].resize(bytes);\n"
        "        if (std::fread(tilereel_inputs[i].data(), 1, bytes, file) != bytes) return 2;\n"
        "    }\n    std::fclose(file);\n"
        "    for (int i = 2; i < count; ++i)\n"
        "        if (const int error = tilereel_run(words[i])) return error;\n    return 0;\n}\n";
    return text;
}

}  // namespace tilereel
