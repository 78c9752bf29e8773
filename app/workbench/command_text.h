#pragma once
// A command as one line of text, for logs: its name and its fields, in the form of a subject.
//
//   play_pause
//   seek_to tick=120,scrubbing=0
//   right choose_warp warp=3                 of the right side of a comparison
//   compare right=kernel%3D02_naive,...
#include <string>
#include <string_view>
#include <vector>

#include "app/workbench/command.h"

namespace tilereel {

[[nodiscard]] std::string text_of(const Command& command);
// Fields that are missing have their defaults. kWrongCall names the wrong command or field.
[[nodiscard]] Result<Command> parse_command(std::string_view line);
// Of every family, in the order of their types.
[[nodiscard]] std::vector<std::string_view> command_names();

}  // namespace tilereel
