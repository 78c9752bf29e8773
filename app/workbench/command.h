#pragma once
// The commands that panels and stage return. They only read the model; only the workbench applies
// commands. A command is one line of text, too: command_text.h.
#include <concepts>
#include <memory>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "app/workbench/commands/launch_commands.h"
#include "app/workbench/commands/learn_commands.h"
#include "app/workbench/commands/picture_commands.h"
#include "app/workbench/commands/play_commands.h"
#include "app/workbench/commands/program_commands.h"
#include "app/workbench/commands/view_commands.h"
#include "app/workbench/commands/window_commands.h"
#include "app/workbench/race/race_action.h"

namespace tilereel {

template <class Type, class Family>
inline constexpr bool kIsOf = false;
template <class Type, class... Types>
inline constexpr bool kIsOf<Type, std::variant<Types...>> = (std::same_as<Type, Types> || ...);

// Which of the families has commands of a type; void: none has.
template <class Type, class Families>
struct FamilyAmong : std::type_identity<void> {};
template <class Type, class First, class... Others>
struct FamilyAmong<Type, std::variant<First, Others...>>
    : std::conditional_t<kIsOf<Type, First>, std::type_identity<First>,
                         FamilyAmong<Type, std::variant<Others...>>> {};
template <class Type, class Families>
using FamilyOf = typename FamilyAmong<Type, Families>::type;

// A command of one of the families. Copies share one value, which never changes; so the files that
// make and hand on commands compile no code for the types that they do not name. For the same
// reason value_of() is compiled in command.cpp alone, for each type and family, and no constructor
// takes a family as such: for each command that is made, the compiler would try all conversions to
// it.
class Command {
  public:
    using Value = std::variant<PlayCommand, LaunchCommand, ProgramCommand, ViewCommand,
                               PictureCommand, LearnCommand, RaceAction, WindowCommand>;

    template <class Type>
    requires(kIsOf<Type, Value> || !std::is_void_v<FamilyOf<Type, Value>>) Command(Type command)
        : value_(value_of(std::move(command))) {}
    // `command`: of a family, or a family.
    template <class Type>
    [[nodiscard]] static std::shared_ptr<const Value> value_of(Type&& command);

    // Only the session carries it out.
    [[nodiscard]] bool is_of_window() const;
    // nullptr: it is another command.
    template <class Type>
    [[nodiscard]] const Type* get_if() const {
        return get_if_of<Type>(*value_);
    }
    template <class Type>
    [[nodiscard]] bool holds() const {
        return get_if<Type>() != nullptr;
    }
    [[nodiscard]] const Value& value() const { return *value_; }

    // Whether it is of the right side of a comparison: it came from that side's picture.
    [[nodiscard]] bool of_right() const { return of_right_; }
    [[nodiscard]] Command on_right() const {
        Command command = *this;
        command.of_right_ = true;
        return command;
    }

  private:
    template <class Type, class... Families>
    static const Type* get_if_of(const std::variant<Families...>& value) {
        const Type* found = nullptr;
        const auto look = [&]<class Family>() {
            if constexpr (kIsOf<Type, Family>)
                if (const Family* const family = std::get_if<Family>(&value))
                    found = std::get_if<Type>(family);
        };
        (look.template operator()<Families>(), ...);
        return found;
    }

    std::shared_ptr<const Value> value_;
    bool of_right_ = false;
};
using Commands = std::vector<Command>;
void append(Commands& commands, Commands more);
// The same commands, of the right side.
[[nodiscard]] Commands on_right(const Commands& commands);

}  // namespace tilereel
