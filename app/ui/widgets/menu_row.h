#pragma once
// The rows of a menu.
#include <functional>
#include <string>
#include <vector>

#include "app/ui/rect.h"

namespace tilereel {

struct MenuAction {  // a button at the right of a row, named <menu>.<name>.<row's name>
    std::string name, label, tip;
    bool on = false;
};

struct MenuRow {
    std::string name{};    // its widget is named <menu>.<name>
    std::string title{};   // typed text is compared with it
    std::string detail{};  // text below the title, wrapped; may be empty
    bool heading = false;  // a heading above the rows that follow; cannot be chosen
    bool current = false;
    std::vector<MenuAction> actions{};
    bool typed = false;   // added because the user typed its title; Enter chooses it
    std::string value{};  // a figure at the right
    bool faint = false;
    std::function<void(const Rect&)> sample{};  // draws a sample at the left of the title
};

}  // namespace tilereel
