#include "app/window/save_source.h"

#include <fstream>
#include <iterator>
#include <span>
#include <system_error>

#include "instrumentation/base/files/replacing_file.h"

namespace tilereel {

Result<SourceSaved> save_source(const SaveSource& save) {
    std::error_code unknown;
    if (!save.replaces && std::filesystem::exists(save.file, unknown)) {
        std::ifstream stream(save.file, std::ios::binary);
        const std::string there{std::istreambuf_iterator<char>(stream), {}};
        if (there != save.was) return SourceSaved::kChangedOnDisk;
    }
    TRY(replace_file(save.file, std::as_bytes(std::span(save.text))));
    return SourceSaved::kSaved;
}

}  // namespace tilereel
