#pragma once
// Names of temporary files and folders: BEGIN, the process number (PID) of the owner, "-", a
// counter, END. The owner holds a lock on the file or folder until it ends. If no process has this
// number and the lock is free, a killed process has left the file or folder.
#include <filesystem>
#include <string_view>

namespace tilereel {

struct OwnedNames {
    std::string_view begin, end;
};
// A name that nothing in `folder` has yet.
[[nodiscard]] std::filesystem::path new_owned_name(const std::filesystem::path& folder,
                                                   const OwnedNames& names);
// Locks an open file or folder that has such a name. The system releases the lock when the process
// ends.
void lock_for_owner(int descriptor);
// Removes what ended processes of this user have left in `folder`: plain files, or folders with all
// that is in them.
void remove_abandoned_files(const std::filesystem::path& folder, const OwnedNames& names);
void remove_abandoned_folders(const std::filesystem::path& folder, const OwnedNames& names);

}  // namespace tilereel
