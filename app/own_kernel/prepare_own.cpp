#include "app/own_kernel/prepare_own.h"

#include <span>

#include "app/own_kernel/work_call.h"
#include "app/own_kernel/work_reference.h"
#include "app/race/other_kernels/work_sizes.h"
#include "instrumentation/analysis/products/name_product.h"
#include "instrumentation/analysis/products/recognise_product.h"
#include "instrumentation/base/files/text_file.h"
#include "instrumentation/cuda/text/launch_text.h"
#include "instrumentation/cuda/text/text_words.h"
#include "instrumentation/program/program.h"
#include "instrumentation/trace/file/trace_file.h"

namespace tilereel {
namespace {

// The program's launch, with the value of the source.
Result<std::shared_ptr<const Trace>> recorded(const OwnRequest& asked,
                                              const std::atomic<bool>* cancel) {
    const OwnSource& source = asked.source;
    program::ProgramRequest request = asked.program;
    request.on_gpu = false;
    const auto folder = TRY(program::temporary_folder());
    if (!source.value.first.empty()) {
        const std::string text = TRY(read_source(source.file));
        const std::string changed = TRY(with_value(text, source.value.first, source.value.second));
        const auto own = std::filesystem::absolute(source.file);
        request.file = *folder / source.file.filename();
        request.include_folders.push_back(own.parent_path());
        TRY(write_text(request.file, changed));
    }
    program::ProgramProgress progress;
    if (cancel != nullptr) progress.stop = cancel;
    const program::ProgramRun run = TRY(program::run_program(request, &progress));
    if (cancel != nullptr && *cancel) return cancelled();
    if (!run.compile_errors.empty()) {
        const program::CompileError& first = run.compile_errors.front();
        return failed(name_of(source) + " does not compile: line " + std::to_string(first.line) +
                      ": " + first.message);
    }
    for (const program::LaunchSummary& launch : run.launches)
        if (launch.number >= asked.launch && !launch.trace.empty()) {
            Trace trace = TRY(read_trace(launch.trace));
            if (const auto product = recognise_product(trace)) name_product(trace, *product);
            return std::make_shared<const Trace>(std::move(trace));
        }
    return failed(name_of(source) + ": no launch of it was recorded. " + run.end_sentence);
}

// Whether a program fills variables of its own, so that a launch alone does not say what it
// computes.
bool fills_variables(const std::string& text) {
    bool found = false;
    program::for_each_word(program::masked_text(text), [&](std::string_view word, std::size_t) {
        found = found || word == "cudaMemcpyToSymbol" || word == "cudaMemcpyToSymbolAsync" ||
                word == "cudaGetSymbolAddress";
    });
    return found;
}

}  // namespace

Result<PreparedOwn> prepare_own(const OwnRequest& request, const OwnWatch& watch,
                                const std::filesystem::path& library) {
    const std::string name = name_of(request.source);
    const auto tell = [&](const std::string& what) {
        if (watch.tell) watch.tell(what + " " + name);
    };
    const bool as_recorded = request.trace != nullptr && request.source.value.first.empty();
    std::shared_ptr<const Trace> trace = as_recorded ? request.trace : nullptr;
    const bool product = is_of_product(request.text);
    if (!trace && !product) {
        tell("Recording");
        trace = TRY(recorded(request, watch.cancel));
    }
    PreparedOwn made;
    if (product) {
        made.call.statement = request.text;
        if (!trace && fills_variables(TRY(read_source(request.source.file)))) {
            tell("Recording");
            trace = TRY(recorded(request, watch.cancel));
        }
        if (trace) made.call.variables = variables_of_product(*trace);
    } else {
        made.call =
            TRY(request.text.empty() ? recognise_own(*trace) : own_call_of(request.text, *trace));
    }
    std::vector<std::byte> data;
    if (made.call.work) {
        const WorkCall& work = *made.call.work;
        tell("Running on the CPU");
        data = TRY(run_work_on_cpu(request.program, request.source, made.call,
                                   request.sizes.empty()
                                       ? sizes_of_work(work.n, work.multiple, work.dimensions)
                                       : request.sizes,
                                   watch.cancel));
    }
    tell("Compiling");
    std::shared_ptr<const std::filesystem::path> folder;
    if (library.empty()) folder = TRY(program::temporary_folder());
    made.built =
        TRY(build_own_library(request.source, made.call, data,
                              library.empty() ? *folder / "own.so" : library, watch.cancel));
    made.built.folder = folder;
    return made;
}

}  // namespace tilereel
