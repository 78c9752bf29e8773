#include <stb_image_write.h>

#include <vector>

#include "app/export/export.h"
#include "instrumentation/base/files/replacing_file.h"

namespace tilereel {

Result<std::vector<std::byte>> png_of(const Image& image) {
    std::vector<std::byte> bytes;
    const auto append = [](void* context, void* data, int size) {
        auto& to = *static_cast<std::vector<std::byte>*>(context);
        const auto* from = static_cast<const std::byte*>(data);
        to.insert(to.end(), from, from + size);
    };
    if (stbi_write_png_to_func(append, &bytes, image.width, image.height, 4, image.rgba.data(),
                               image.width * 4) == 0)
        return failed(
            "there is not enough memory for a picture of this size; ask for less with "
            "--size");
    return bytes;
}

Status save_png(const Image& image, const std::filesystem::path& path) {
    const Result<std::vector<std::byte>> bytes = png_of(image);
    return bytes ? replace_file(path, *bytes) : Status(bytes.error());
}

}  // namespace tilereel
