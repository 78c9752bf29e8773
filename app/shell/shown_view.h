#pragma once
// Converts the present view of the window to a SavedView, and shows a SavedView.
#include <optional>
#include <string>
#include <utility>

#include "app/workbench/view/saved_view.h"
#include "app/workbench/workbench.h"

namespace tilereel {

// nullopt if nothing is recorded yet.
[[nodiscard]] std::optional<SavedView> shown_view(const Workbench& workbench);
// Copies a command that opens the view to the clipboard. Returns a message for the user.
[[nodiscard]] std::string copy_view(const Workbench& workbench);

// Shows a saved view in a workbench that has opened its kernel or file: chooses the launch, the
// block, the comparison, then the rest. Each step waits until the recording that it needs is there:
// a step before it may have read a trace or run the program again.
class ViewRestorer {
  public:
    explicit ViewRestorer(SavedView view) : view_(std::move(view)) {}
    // Called after every frame.
    void advance(Workbench& workbench);

  private:
    enum class Next : std::uint8_t { kLaunch, kBlock, kCompare, kRest, kNothing };
    void do_next(Workbench& workbench);
    void show(Workbench& workbench) const;
    SavedView view_;
    Next next_ = Next::kLaunch;
};

}  // namespace tilereel
