#include "app/cli/program/own_race.h"

#include <memory>
#include <utility>

#include "app/cli/options/program_options.h"
#include "app/cli/program/program_report.h"
#include "app/own_kernel/prepare_own.h"
#include "app/own_kernel/work_call.h"
#include "app/subject/file_kind.h"
#include "app/subject/trust.h"
#include "instrumentation/program/program_run.h"

namespace tilereel {
namespace {

// An error that --call mends says how.
Error with_example(const Error& error) {
    if (error.kind != ErrorKind::kWrongCall) return error;
    return failed(error.message + "; say how it is launched: --call '" + kExampleOfCall +
                  "' or --call '" + kExampleOfWork + "'");
}

// The launch that races, for all values; null where --call says all that is needed.
Result<std::shared_ptr<const Trace>> recorded_launch(const RaceOptions& options,
                                                     const std::string& file) {
    if (is_of_product(options.call)) return std::shared_ptr<const Trace>();
    ProgramOptions program;
    program.launch = options.launch;
    Trace trace = TRY(trace_of_launch(file, program, default_generation()));
    return std::make_shared<const Trace>(std::move(trace));
}

Result<OwnKernel> kernel_of(const OwnRequest& request, const std::string& library) {
    const Result<PreparedOwn> made = prepare_own(request, {}, library);
    if (!made) return with_example(made.error());
    if (made->built.file.empty())
        return failed("nvcc does not compile " + request.source.file.string() +
                      " with the launch " + text_of(made->call) + ":\n" +
                      text_of_errors(made->built.errors));
    OwnKernel kernel = TRY(open_own_kernel(made->built.file));
    kernel.call = text_of(made->call);
    return kernel;  // it stays loaded when its file is removed
}

}  // namespace

Result<std::vector<OwnKernel>> make_own_kernels(const RaceOptions& options,
                                                const std::string& file) {
    std::vector<OwnKernel> kernels;
    if (file.ends_with(".so")) {
        kernels.push_back(TRY(open_own_kernel(file)));
        return kernels;
    }
    if (const auto kind = kind_of_file(file); !kind) return kind.error();
    if (options.trusts_files) trust_all_programs();
    OwnRequest request;
    request.program = request_of_program(file, {}, std::string(default_generation().id));
    if (request.program.in_sandbox)
        return failed(file +
                      " would race with your rights, because a race needs the GPU and the "
                      "compiler outside a sandbox: give --trust if it is your own work, or trust "
                      "its folder in the window (Shift+T)");
    request.source.file = file;
    request.text = options.call;
    request.launch = static_cast<std::uint32_t>(options.launch.value_or(0));
    request.sizes = options.sizes;
    const auto sources = TRY(with_values(request.source, options.values));
    if (options.values.empty()) request.trace = TRY(recorded_launch(options, file));
    for (const OwnSource& source : sources) {
        request.source = source;
        kernels.push_back(TRY(kernel_of(request, options.own_library)));
    }
    return kernels;
}

}  // namespace tilereel
