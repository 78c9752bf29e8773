#include <algorithm>
#include <filesystem>
#include <system_error>

#include "app/cli/options/checked_option.h"
#include "app/cli/subcommands.h"
#include "app/ladder/whole_program.h"
#include "app/workbench/launch/fit_parameters.h"
#include "instrumentation/base/files/replacing_file.h"

namespace tilereel {

void NewCommand::add_to(CLI::App& app) {
    add_file_option(app, "FILE", output, "The CUDA file to write: multiply.cu")->required();
    app.add_option("--from", kernel, "The kernel of the ladder to begin with")
        ->required()
        ->type_name("KERNEL");
    add_size_options(app, options);
    app.add_flag("--force", force, "Replace the file if it is there");
}

Result<std::string> NewCommand::run() const {
    const std::filesystem::path path(output);
    const std::string name = path.filename().string();
    if (path.extension() != ".cu")
        return wrong_call("'" + output + "' does not end in .cu, as a CUDA file does");
    if (std::ranges::any_of(name, [](unsigned char letter) { return letter < ' '; }))
        return wrong_call("the name of the file has a line end or another control character");
    std::error_code ignored;
    if (!force && std::filesystem::exists(path, ignored))
        return wrong_call("'" + output + "' is already there; --force replaces it");
    const KernelInfo* const info = TRY(known_kernel(kernel));
    const RecordRequest request = TRY(request_of(kernel, options));
    const std::string text = TRY(whole_program(*info, request.parameters, name));
    TRY(replace_file(path, std::as_bytes(std::span(text))));
    return "wrote " + output + ", a program around " + std::string(info->title) +
           ". 'tilereel open " + output + "' shows it, 'tilereel report " + output +
           "' counts what it does\n";
}

}  // namespace tilereel
