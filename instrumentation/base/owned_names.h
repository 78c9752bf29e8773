#pragma once
// Names of temporary files and folders that say which process has made them: BEGIN, its number,
// "-", a counter, END. What a killed process has left is told from what is in use by that number
// and by a lock, which its owner holds as long as it lives.
#include <filesystem>
#include <string_view>

namespace tilereel {

struct OwnedNames {
    std::string_view begin, end;
};
// A name in `folder` that nothing has.
[[nodiscard]] std::filesystem::path new_owned_name(const std::filesystem::path& folder,
                                                   const OwnedNames& names);
// Of an open file or folder that has such a name. The system takes the lock back with the process.
void lock_for_owner(int descriptor);
// Removes what ended processes of this user have left in `folder`: plain files, or folders with all
// that is in them.
void remove_abandoned_files(const std::filesystem::path& folder, const OwnedNames& names);
void remove_abandoned_folders(const std::filesystem::path& folder, const OwnedNames& names);

}  // namespace tilereel
