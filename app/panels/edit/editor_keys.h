#pragma once
// The keys of the editor: text, moves, and those that act as everywhere in the window.
#include "app/panels/edit/source_edit.h"
#include "app/ui/widgets/keys.h"
#include "app/workbench/command.h"

namespace tilereel {

// Reads the keys that the editor has claimed.
class EditorKeys {
  public:
    EditorKeys(SourceEdit& edit, Commands& commands) : edit_(edit), commands_(commands) {}

    // False: the editor is left.
    bool press(const KeyPress& press);

    void save(EditQuestion asked);
    // Whether it is left at once.
    bool leaves(EditQuestion asked);
    void take_disk();

  private:
    bool of_window(const KeyPress& press);  // keys that act as everywhere
    bool of_text(const KeyPress& press);
    void move(const KeyPress& press);

    SourceEdit& edit_;
    Commands& commands_;
};

}  // namespace tilereel
