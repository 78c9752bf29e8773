#include <algorithm>
#include <cstdlib>
#include <string>
#include <string_view>

#include "instrumentation/base/files/toml_depth.h"
#include "instrumentation/cuda/text/device_function_text.h"
#include "instrumentation/cuda/text/includes.h"
#include "instrumentation/cuda/text/launch_line_text.h"
#include "instrumentation/cuda/text/launch_text.h"
#include "instrumentation/cuda/text/unsupported.h"
#include "tests/fuzz/targets.h"

namespace tilereel::fuzz {

void run_text(Input input) {
    using namespace program;
    const std::string_view text(reinterpret_cast<const char*>(input.data()), input.size());
    const auto lines = [](std::string_view of) { return std::ranges::count(of, '\n'); };
    const std::string masked = masked_text(text), comments = comments_of(text);
    if (masked.size() != text.size() || comments.size() != text.size()) std::abort();
    if (lines(masked) != lines(text) || lines(rewrite_launches(text)) != lines(text)) std::abort();
    const std::vector<DeviceFunction> functions = find_device_functions(masked);
    const std::vector<DefinedFunction> defined = find_defined_functions(masked);
    for (const DeviceFunction& function : functions)
        if (function.body > function.end || function.end > text.size() ||
            function.line > lines(text) + 1)
            std::abort();
    for (const UnsupportedFeature& feature : find_unsupported(text, masked))
        if (feature.line == 0 || feature.line > lines(text) + 1) std::abort();
    for (const Include& include : find_includes(text, masked))
        if (text.substr(include.at, include.name.size()) != include.name) std::abort();
    static_cast<void>(has_main(masked));
    static_cast<void>(no_main_sentence(functions, defined));
    static_cast<void>(make_main(find_launch_lines(comments, "file.cu"), functions, defined));
    static_cast<void>(too_deep_line(text));
}

}  // namespace tilereel::fuzz
