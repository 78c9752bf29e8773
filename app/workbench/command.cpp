#include "app/workbench/command.h"

namespace tilereel {

void append(Commands& commands, Commands more) {
    commands.insert(commands.end(), more.begin(), more.end());
}

}  // namespace tilereel
