#pragma once
// The fixture of tests that write pictures and films to a folder of their own, and read the
// pictures.
#include <gtest/gtest.h>
#include <stb_image.h>
#include <unistd.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "app/export/export.h"

namespace tilereel {

struct FreePixels {
    void operator()(unsigned char* pixels) const { stbi_image_free(pixels); }
};

struct Picture {
    int width = 0, height = 0;
    std::vector<unsigned char> rgb;
};
inline Picture load(const std::filesystem::path& path) {
    Picture p;
    int channels = 0;
    const std::unique_ptr<unsigned char, FreePixels> pixels(
        stbi_load(path.c_str(), &p.width, &p.height, &channels, 3));
    if (pixels) p.rgb.assign(pixels.get(), pixels.get() + p.width * p.height * 3);
    return p;
}

class ExportTest : public testing::Test {
  protected:
    ExportTest()
        : folder_(std::filesystem::temp_directory_path() /
                  ("tilereel_export_" + std::to_string(::getpid()))) {
        std::filesystem::create_directories(folder_);
    }
    ~ExportTest() override { std::filesystem::remove_all(folder_); }
    static PictureRequest small() {
        PictureRequest request;
        request.request.parameters = {.m = 8, .n = 8, .k = 8, .tile = 4, .pad = 0};
        request.look.width = 960;
        request.look.height = 540;
        return request;
    }
    [[nodiscard]] int files() const {
        int count = 0;
        for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder_))
            ++count;
        return count;
    }
    // Skips where the machine cannot make pictures at all.
    bool made(const Status& status) {
        if (status) return true;
        if (status.error().message.find("EGL") == std::string::npos)
            ADD_FAILURE() << status.error().message;
        return false;
    }
    std::filesystem::path folder_;
};

}  // namespace tilereel
