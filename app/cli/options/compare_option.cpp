#include "app/cli/options/compare_option.h"

#include "app/workbench/view/side_text.h"

namespace tilereel {

void add_compare_option(CLI::App& app, std::string& what) {
    app.add_option(
           "--compare", what,
           "Show a second launch beside this one, in lock-step: a kernel, a trace, a CUDA "
           "program, or what differs, such as pad=1, tile=16,pad=1, n=32, generation=1.3, "
           "barrier=24 (the line of the barrier that is left out), or of a program define=N=8, "
           "argument=100, launch=1")
        ->type_name("WHAT");
}

Result<Subject> compare_side(const std::string& what, const Subject& own) {
    Result<Subject> side = side_of_text(what, own);
    if (!side) return side;
    TRY(check_compared_file(*side));
    return side;
}

}  // namespace tilereel
