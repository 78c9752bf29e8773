#include "app/ladder/ladder_ptx.h"

#include <filesystem>

#include "app/ladder/ladder_program.h"
#include "instrumentation/base/files/text_file.h"
#include "instrumentation/gpu/ptx/ptx_patch.h"
#include "instrumentation/program/gpu/nvcc_build.h"
#include "instrumentation/program/process.h"
#include "instrumentation/program/program.h"
#include "kernels/instance_text.h"
#include "kernels/ladder_file.h"
#include "kernels/variants.h"

namespace tilereel {
namespace {

// The headers of CUDA that the PTX names: all its files but the kernel's own.
std::vector<std::string> libraries_of(std::string_view ptx, std::string_view own_file) {
    std::vector<std::string> libraries;
    for (std::size_t at = 0; (at = ptx.find("\t.file\t", at)) != std::string_view::npos; ++at) {
        const std::size_t open = ptx.find('"', at), close = ptx.find('"', open + 1);
        if (close == std::string_view::npos) break;
        const std::string_view path = ptx.substr(open + 1, close - open - 1);
        const std::filesystem::path file = std::filesystem::path(path).lexically_normal();
        if (file.filename() != own_file) libraries.push_back(file.string());
    }
    return libraries;
}

// For PTX of this compute capability.
std::string_view recorder_for(int capability) {
    std::string_view recorder;
    for (unsigned i = 0; i < kEmbeddedRecorderCount; ++i)
        if (kEmbeddedRecorders[i].capability <= capability) recorder = kEmbeddedRecorders[i].text;
    return recorder;
}

LadderPtx patched(const KernelInPtx& kernel, std::string_view own_file, int capability) {
    const gpu::PatchedPtx ptx =
        gpu::patch_ptx(kernel.text, recorder_for(capability), {.site = 0, .variable = 0},
                       libraries_of(kernel.text, own_file));
    LadderPtx result{.text = ptx.text, .symbol = kernel.symbol, .facts = {}};
    result.facts.compiler = kEmbeddedPtxCompiler;
    result.facts.files = {""};
    gpu::add_ptx(ptx, result.facts);
    return result;
}

Result<LadderPtx> compile(const KernelInfo& kernel, const KernelParameters& p, int capability,
                          const std::atomic<bool>* cancel) {
    const std::string words = std::string(kernel.id) + " with TILE " + std::to_string(p.tile) +
                              " and PAD " + std::to_string(p.pad);
    const std::string nvcc = program::find_nvcc();
    if (nvcc.empty())
        return failed(words +
                      " is not built in, and there is no nvcc to compile it for the GPU "
                      "with; install the CUDA Toolkit, or record without the GPU");
    const auto folder = TRY(program::temporary_folder());
    const std::string instance = instance_text(std::string(kernel.file->kernel), p.tile, p.pad);
    const std::filesystem::path file = *folder / "kernel.cu", ptx = *folder / "kernel.ptx";
    for (const Status& written :
         {write_kernel(*folder, kernel),
          write_text(file, "#include \"" + std::string(kernel.file_name) +
                               "\"\nvoid* const kernel = (void*)&" + instance + ";\n")})
        if (!written) return written.error();
    program::ProcessRequest process;
    process.command = {
        nvcc,
        "-ptx",
        "-arch=compute_" + std::to_string(capability) + (kernel.architecture_specific ? "a" : ""),
        "-std=c++20",
        "-w",
        "-lineinfo",
        "-Xcicc",
        "-O1",
        file.string(),
        "-o",
        ptx.string()};
    process.folder = *folder;
    process.seconds = 300;
    process.cancel = cancel;
    const program::ProcessResult ran = TRY(program::run_process(process));
    if (ran.end == program::ProcessEnd::kCancelled) return cancelled();
    if (ran.end != program::ProcessEnd::kExit || ran.code != 0)
        return failed(words + " does not compile: " + ran.output);
    const KernelInPtx found = only_kernel(read_text(ptx), instance);
    if (found.symbol.empty()) return failed(words + ": nvcc's PTX lacks " + instance);
    return patched(found, kernel.file_name, capability);
}

}  // namespace

KernelInPtx only_kernel(std::string_view ptx, std::string_view name) {
    static constexpr std::string_view kEntry = ".entry ";
    KernelInPtx found;
    std::size_t done = 0;
    for (std::size_t at = 0; (at = ptx.find(kEntry, at)) != std::string_view::npos;) {
        const std::size_t begin = at + kEntry.size(), open = ptx.find('(', begin);
        const std::size_t end = ptx.find("\n}\n", begin);
        if (open == std::string_view::npos || end == std::string_view::npos) return {};
        const std::string symbol(ptx.substr(begin, open - begin));
        at = ptx.rfind('\n', at) + 1;  // ".visible .entry", ".weak .entry"
        found.text += ptx.substr(done, at - done);
        if (gpu::kernel_name(symbol) == name) {
            found.symbol = symbol;
            found.text += ptx.substr(at, end + 3 - at);
        }
        at = done = end + 3;
    }
    found.text += ptx.substr(done);
    return found;
}

Result<LadderPtx> ladder_ptx(const KernelInfo& kernel, const KernelParameters& p, int capability,
                             const std::atomic<bool>* cancel, std::atomic<bool>* compiling) {
    const std::string name = "rung_" + std::string(kernel.id) +
                             "::" + instance_text(std::string(kernel.file->kernel), p.tile, p.pad);
    for (unsigned i = 0; i < kEmbeddedPtxCount; ++i) {
        if (kEmbeddedPtx[i].capability > capability || !is_built_in(kernel, p.tile, p.pad))
            continue;
        const KernelInPtx found = only_kernel(kEmbeddedPtx[i].text, name);
        if (!found.symbol.empty())
            return patched(found, kernel.file_name, kEmbeddedPtx[i].capability);
    }
    if (compiling != nullptr) *compiling = true;
    Result<LadderPtx> compiled = compile(kernel, p, capability, cancel);
    if (compiling != nullptr) *compiling = false;
    return compiled;
}

}  // namespace tilereel
