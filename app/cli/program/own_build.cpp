#include "app/cli/program/own_build.h"

#include <algorithm>
#include <span>
#include <system_error>
#include <vector>

#include "instrumentation/base/files/replacing_file.h"
#include "instrumentation/program/gpu/nvcc_build.h"
#include "instrumentation/program/process.h"

namespace tilereel {
namespace {

// A literal of C++ with this text.
std::string literal(const std::string& text) {
    std::string quoted = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') quoted += '\\';
        quoted += c == '\n' ? ' ' : c;
    }
    return quoted + "\"";
}

bool can_be_included(const std::string& path) {
    return std::ranges::none_of(path,
                                [](unsigned char c) { return c < ' ' || c == '"' || c == '\\'; });
}

}  // namespace

Result<std::string> own_library_text(const std::filesystem::path& file, const OwnCall& call) {
    const std::string path = std::filesystem::absolute(file).string();
    if (!can_be_included(path))
        return wrong_call(
            "the path of the file has a quotation mark, a backslash or a control "
            "character: rename it");
    if (call.statement.find('\n') != std::string::npos) return wrong_call("--call takes one line");
    std::string text = "#define main tilereel_users_main\n#include " + literal(path) +
                       "\n#undef main\n#include <cuda_runtime.h>\n";
    for (const char* const name : {"A", "B", "C", "M", "N", "K"})
        text += std::string("#undef ") + name + "\n";
    text +=
        "extern \"C\" const char* tilereel_own_name() { return " +
        literal(file.filename().string()) +
        "; }\nextern \"C\" const char* tilereel_own_call() { return " + literal(call.statement) +
        "; }\nextern \"C\" const int* tilereel_own_multiples() {\n    static const int kNumbers[] "
        "= {" +
        std::to_string(call.rows) + ", " + std::to_string(call.columns) + ", " +
        std::to_string(call.depth) + ", " + (call.square ? "1" : "0") +
        "};\n    return kNumbers;\n}\nextern \"C\" int tilereel_own_launch(const float* own_a, "
        "const "
        "float* own_b, float* C, int M, int N, int K) {\n    float* A = "
        "const_cast<float*>(own_a);\n    float* B = const_cast<float*>(own_b);\n    (void)A, "
        "(void)B, (void)C, (void)M, (void)N, (void)K;\n";
    constexpr std::uint64_t kNeedNoAttribute = 48 * 1024;
    if (call.shared_bytes > kNeedNoAttribute)
        text += "    static const cudaError_t allowed = cudaFuncSetAttribute(" + call.kernel +
                ", cudaFuncAttributeMaxDynamicSharedMemorySize, " +
                std::to_string(call.shared_bytes) +
                ");\n    if (allowed != cudaSuccess) return allowed;\n";
    return text + "    " + call.statement + ";\n    return cudaGetLastError();\n}\n";
}

Status build_own_library(const std::filesystem::path& file, const OwnCall& call,
                         const std::filesystem::path& library) {
    const std::string nvcc = program::find_nvcc();
    if (nvcc.empty())
        return failed(
            "a kernel of your own is compiled by nvcc, and there is none here: install "
            "the CUDA Toolkit. It would be launched as " +
            call.statement);
    const std::string text = TRY(own_library_text(file, call));
    const std::filesystem::path source = library.string() + ".cu";
    TRY(replace_file(source, std::as_bytes(std::span(text))));
    program::ProcessRequest request;
    request.command = {nvcc, "-O3", "-std=c++17", "-shared", "-Xcompiler", "-fPIC"};
    const Result<std::string> architecture = program::gpu_architecture();
    for (const std::string& option : architecture ? program::architecture_options(*architecture)
                                                  : std::vector<std::string>{"-arch=all-major"})
        request.command.push_back(option);
    for (const std::string& word :
         {std::string("-I"), std::filesystem::absolute(file).parent_path().string(),
          std::string("-o"), library.string(), source.string()})
        request.command.push_back(word);
    const auto compiled = program::run_process(request);
    std::error_code ignored;
    std::filesystem::remove(source, ignored);
    if (!compiled) return compiled.error();
    if (!compiled->succeeded())
        return failed("nvcc does not compile " + file.filename().string() + " with the launch " +
                      call.statement + ":\n" + compiled->output);
    return Done{};
}

}  // namespace tilereel
