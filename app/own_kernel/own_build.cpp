#include "app/own_kernel/own_build.h"

#include <span>
#include <system_error>
#include <vector>

#include "app/own_kernel/work_library.h"
#include "instrumentation/base/files/replacing_file.h"
#include "instrumentation/base/files/text_file.h"
#include "instrumentation/program/gpu/nvcc_build.h"
#include "instrumentation/program/process.h"
#include "instrumentation/program/program.h"

namespace tilereel {

Result<std::string> own_library_text(const OwnSource& source, const OwnCall& call) {
    if (call.statement.find('\n') != std::string::npos)
        return wrong_call("a launch is written on one line");
    std::string text = TRY(text_of_source(source));
    for (const char* const name : {"A", "B", "C", "M", "N", "K"})
        text += std::string("#undef ") + name + "\n";
    text += TRY(definition_after(source));
    text += "namespace {\n" + setting_function(call.variables, sizes_of(call)) + "}\n";
    text +=
        "extern \"C\" const char* tilereel_own_name() { return " + literal(name_of(source)) +
        "; }\nextern \"C\" const char* tilereel_own_call() { return " + literal(call.statement) +
        "; }\nextern \"C\" const int* tilereel_own_multiples() {\n    static const int kNumbers[] "
        "= {" +
        std::to_string(call.rows) + ", " + std::to_string(call.columns) + ", " +
        std::to_string(call.depth) + ", " + (call.square ? "1" : "0") +
        "};\n    return kNumbers;\n}\nextern \"C\" int tilereel_own_launch(const float* own_a, "
        "const float* own_b, float* C, int M, int N, int K) {\n    float* A = "
        "const_cast<float*>(own_a);\n    float* B = const_cast<float*>(own_b);\n    (void)A, "
        "(void)B, (void)C, (void)M, (void)N, (void)K;\n";
    return text + launching_text(call) + "}\n";
}

std::string why_no_nvcc() {
    if (!program::find_nvcc().empty()) return {};
    return "A kernel of your own is compiled by nvcc, and there is none here: install the CUDA "
           "Toolkit";
}

namespace {

// nvcc for this computer's GPU or, without one, for all.
std::vector<std::string> nvcc_command(const std::string& nvcc, const OwnSource& source) {
    std::vector<std::string> command = {nvcc,      "-O3",        "-std=c++17",
                                        "-shared", "-Xcompiler", "-fPIC"};
    const Result<std::string> architecture = program::gpu_architecture();
    for (const std::string& option : architecture ? program::architecture_options(*architecture)
                                                  : std::vector<std::string>{"-arch=all-major"})
        command.push_back(option);
    for (const std::string& define : source.defines) command.push_back("-D" + define);
    command.push_back("-I" + std::filesystem::absolute(source.file).parent_path().string());
    for (const std::filesystem::path& folder : source.include_folders)
        command.push_back("-I" + std::filesystem::absolute(folder).string());
    return command;
}

// An object file with the data of a kernel that is no product, by the assembler of g++: a compiler
// would take long to read them as C++.
Result<std::filesystem::path> data_object(const std::vector<std::byte>& data,
                                          const std::filesystem::path& library,
                                          const std::atomic<bool>* cancel) {
    const std::filesystem::path bytes = library.string() + ".data", text = library.string() + ".s",
                                object = library.string() + ".o";
    TRY(replace_file(bytes, data));
    TRY(write_text(text,
                   "    .section .rodata\n    .global tilereel_work_data\n    .balign "
                   "16\ntilereel_work_data:\n    .incbin " +
                       literal(bytes.filename().string()) +
                       "\n    .global tilereel_work_data_end\ntilereel_work_data_end:\n    .byte "
                       "0\n    .section .note.GNU-stack,\"\",@progbits\n"));
    program::ProcessRequest request;
    request.command = {"g++", "-c", "-o", object.filename().string(), text.filename().string()};
    request.folder = std::filesystem::absolute(library).parent_path();
    request.variables = program::in_english();
    request.cancel = cancel;
    const auto assembled = TRY(program::run_process(request));
    std::error_code ignored;
    for (const std::filesystem::path& each : {bytes, text}) std::filesystem::remove(each, ignored);
    if (assembled.end == program::ProcessEnd::kCancelled) return cancelled();
    if (!assembled.succeeded()) return failed("g++ does not assemble data: " + assembled.output);
    return object;
}

// What the compiler says, at lines of the user's file. The launch is written after the file, so its
// mistakes have no line there.
std::vector<program::CompileError> errors_of(const program::ProcessResult& compiled,
                                             const OwnSource& source, const OwnCall& call,
                                             const std::filesystem::path& written) {
    std::vector<program::CompileError> errors = program::nvcc_errors(compiled.output);
    for (program::CompileError& error : errors)
        if (error.file == written.string() || error.file == "tilereel_launch.cu") {
            error.file = source.file.filename().string();
            error.line = 0;
            error.message = "in the launch " + call.statement + ": " + error.message;
        }
    if (errors.empty()) errors.push_back({source.file.string(), 0, 0, compiled.output});
    return errors;
}

}  // namespace

Result<OwnLibrary> build_own_library(const OwnSource& source, const OwnCall& call,
                                     const std::vector<std::byte>& data,
                                     const std::filesystem::path& library,
                                     const std::atomic<bool>* cancel) {
    const std::string nvcc = program::find_nvcc();
    if (nvcc.empty()) return failed(why_no_nvcc() + ". It would be launched as " + call.statement);
    const std::string text =
        TRY(call.work ? work_library_text(source, call) : own_library_text(source, call));
    const std::filesystem::path written = library.string() + ".cu";
    TRY(write_text(written, text));
    program::ProcessRequest request;
    request.variables = program::in_english();
    request.cancel = cancel;
    request.command = nvcc_command(nvcc, source);
    request.command.insert(request.command.end(), {"-o", library.string(), written.string()});
    std::filesystem::path object;
    if (call.work) {
        object = TRY(data_object(data, library, cancel));
        request.command.push_back(object.string());
    }
    const auto compiled = program::run_process(request);
    std::error_code ignored;
    for (const std::filesystem::path& each : {written, object})
        std::filesystem::remove(each, ignored);
    if (!compiled) return compiled.error();
    if (compiled->end == program::ProcessEnd::kCancelled) return cancelled();
    if (compiled->succeeded()) return OwnLibrary{.file = library};
    return OwnLibrary{.errors = errors_of(*compiled, source, call, written)};
}

std::string text_of_errors(const std::vector<program::CompileError>& errors) {
    std::string text;
    for (const program::CompileError& error : errors) {
        text += (text.empty() ? "" : "\n") + error.file;
        if (error.line != 0) text += ":" + std::to_string(error.line);
        text += ": " + error.message;
    }
    return text;
}

}  // namespace tilereel
