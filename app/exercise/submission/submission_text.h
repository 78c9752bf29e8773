#pragma once
// What the text of a submission may not have: words and directives with which it could change the
// code around it, name that code, or hide from the compiler what is the submission's own.
//
// Why text: the plugin checks what the host code of a submission does, after macros and templates
// are resolved (instrumentation/cuda/plugin/submission_rules.cpp). It knows the submission's code
// by the file that the compiler names, so nothing may change that name (#line, #pragma
// system_header), bring other files, or reach Tilereel's own names.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "instrumentation/base/files/file_mistake.h"

namespace tilereel {

// Sentences for the learner, in the order of the text; empty: it may be compiled.
[[nodiscard]] std::vector<FileMistake> check_submission_text(std::string_view text);

// A function of this name that another file cannot call: it is static, inline, a template, or in a
// namespace or class. With what to do about it. nullopt: there is none.
[[nodiscard]] std::optional<FileMistake> hidden_function(std::string_view text,
                                                         std::string_view name);

}  // namespace tilereel
