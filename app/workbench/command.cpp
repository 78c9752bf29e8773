#include "app/workbench/command.h"

namespace tilereel {

Command::Command(PlayCommand command) : value_(std::make_shared<const Value>(std::move(command))) {}
Command::Command(LaunchCommand command)
    : value_(std::make_shared<const Value>(std::move(command))) {}
Command::Command(ProgramCommand command)
    : value_(std::make_shared<const Value>(std::move(command))) {}
Command::Command(ViewCommand command) : value_(std::make_shared<const Value>(std::move(command))) {}
Command::Command(PictureCommand command)
    : value_(std::make_shared<const Value>(std::move(command))) {}
Command::Command(LearnCommand command)
    : value_(std::make_shared<const Value>(std::move(command))) {}
Command::Command(RaceAction command) : value_(std::make_shared<const Value>(std::move(command))) {}

void append(Commands& commands, Commands more) {
    commands.insert(commands.end(), more.begin(), more.end());
}

Command::Command(WindowCommand command)
    : value_(std::make_shared<const Value>(std::move(command))) {}

Commands on_right(const Commands& commands) {
    Commands moved;
    for (const Command& command : commands) moved.push_back(command.on_right());
    return moved;
}

}  // namespace tilereel
