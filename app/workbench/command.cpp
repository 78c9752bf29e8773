#include "app/workbench/command.h"

#include <tuple>

namespace tilereel {

template <class Type>
std::shared_ptr<const Command::Value> Command::value_of(Type&& command) {
    if constexpr (kIsOf<Type, Value>)
        return std::make_shared<const Value>(std::move(command));
    else
        return std::make_shared<const Value>(FamilyOf<Type, Value>(std::move(command)));
}

namespace {

template <class... Types>
constexpr auto value_of_each(std::type_identity<std::variant<Types...>>) {
    return std::tuple(&Command::value_of<Types>...);
}

template <class... Families>
constexpr auto value_of_all(std::type_identity<std::variant<Families...>> families) {
    return std::tuple_cat(value_of_each(families),
                          value_of_each(std::type_identity<Families>())...);
}

// Other files call these functions. The table has the compiler emit them.
[[gnu::used]] constexpr auto kValueOf = value_of_all(std::type_identity<Command::Value>());

}  // namespace

bool Command::is_of_window() const { return std::holds_alternative<WindowCommand>(*value_); }

void append(Commands& commands, Commands more) {
    commands.insert(commands.end(), more.begin(), more.end());
}

Commands on_right(const Commands& commands) {
    Commands moved;
    for (const Command& command : commands) moved.push_back(command.on_right());
    return moved;
}

}  // namespace tilereel
