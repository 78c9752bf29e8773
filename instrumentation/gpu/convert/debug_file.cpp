#include "instrumentation/gpu/convert/debug_file.h"

#include <fcntl.h>
#include <unistd.h>

namespace tilereel::gpu {

DebugFile::DebugFile(const std::filesystem::path& path)
    : file_(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (file_ >= 0) dwarf_ = dwarf_begin(file_, DWARF_C_READ);
}

DebugFile::~DebugFile() {
    if (dwarf_ != nullptr) dwarf_end(dwarf_);
    if (file_ >= 0) close(file_);
}

}  // namespace tilereel::gpu
