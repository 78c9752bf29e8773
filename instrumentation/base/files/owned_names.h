#pragma once
// Names of temporary files and folders that say who made them:
//   BEGIN process "-" start of the process "-" start of the system "-" counter END
// with a process number (PID), the process's start in clock ticks, and the first eight digits of
// the system's boot id. The owner also holds a lock on the file or folder until it ends, and a
// folder contains a file kOwnerMark, which names the folder and its inode. What lacks one of
// these is not ours, whatever its name is, and stays.
#include <filesystem>
#include <string>
#include <string_view>

namespace tilereel {

struct OwnedNames {
    std::string_view begin, end;
};
inline constexpr const char* kOwnerMark = ".tilereel-owner";
// A name that nothing in `folder` has yet.
[[nodiscard]] std::filesystem::path new_owned_name(const std::filesystem::path& folder,
                                                   const OwnedNames& names);
// Locks an open file or folder that has such a name. The system releases the lock when the process
// ends.
void lock_for_owner(int descriptor);
// Writes kOwnerMark into an open folder that is called `name`. False if it cannot be written.
[[nodiscard]] bool mark_owned_folder(int descriptor, const std::string& name);
// Removes what ended processes of this user have left in `folder`: plain files, or marked folders
// with all that is in them.
void remove_abandoned_files(const std::filesystem::path& folder, const OwnedNames& names);
void remove_abandoned_folders(const std::filesystem::path& folder, const OwnedNames& names);

}  // namespace tilereel
