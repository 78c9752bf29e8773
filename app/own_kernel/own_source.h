#pragma once
// The user's file as part of a program or library that we write: without its main(), and with
// another value for one of its constants.
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "instrumentation/base/result.h"

namespace tilereel {

struct OwnSource {
    std::filesystem::path file;
    std::vector<std::string> defines{};                    // as ProgramRequest::defines
    std::vector<std::filesystem::path> include_folders{};  // besides the file's own
    // A macro or constant of the file, and its value: {"TILE", "16"}; empty: as it is.
    std::pair<std::string, std::string> value{};
    bool operator==(const OwnSource&) const = default;
};

// "multiply.cu", "multiply.cu TILE=16": Contender::kernel.
[[nodiscard]] std::string name_of(const OwnSource& source);
// "TILE=8,16,32" as sources with a value each; an empty text: one source as it is. kWrongCall: the
// text is something else.
[[nodiscard]] Result<std::vector<OwnSource>> with_values(const OwnSource& source,
                                                         const std::string& values);

// The text of a file in which a macro (#define TILE 16) or a constant (constexpr int TILE = 16;)
// has another value; lines stay where they are. A macro that the file only uses or tests (#ifndef
// TILE) is defined before it. A name that is only a template parameter is left alone: the launch
// has to name it. kFailed: the file does not have the name.
[[nodiscard]] Result<std::string> with_value(std::string_view text, const std::string& name,
                                             const std::string& value);

// C++ that has the file, whose main() is called tilereel_users_main. kIncluded: by its path, unless
// it has a value; kWhole: its text, which the recorder's g++ needs. kWrongCall: its path cannot be
// written there.
enum class OwnText { kIncluded, kWhole };
[[nodiscard]] Result<std::string> text_of_source(const OwnSource& source,
                                                 OwnText as = OwnText::kIncluded);
// Defines the value's name for what follows, such as a launch that names it, where it is no macro
// or constant of the file; else empty.
[[nodiscard]] Result<std::string> definition_after(const OwnSource& source);
// A literal of C++ with this text.
[[nodiscard]] std::string literal(const std::string& text);

}  // namespace tilereel
