#pragma once
// The fixture of the tests of `export --html`: a page in a folder of its own, and the browser.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "app/export/html/export_html.h"
#include "app/ladder/ladder.h"
#include "tests/window/browser.h"

namespace tilereel {

inline Trace recorded_for_page(const std::string& kernel, const KernelParameters& parameters) {
    RecordRequest request;
    request.kernel = kernel;
    request.parameters = parameters;
    auto trace = record_built_in(request);
    EXPECT_TRUE(trace) << trace.error().message;
    return std::move(trace).value();
}

class HtmlPage : public ::testing::Test {
  protected:
    HtmlPage()
        : folder_(std::filesystem::temp_directory_path() /
                  ("tilereel_html_" + std::to_string(::getpid()))),
          page_(folder_ / "page.html") {
        std::filesystem::create_directories(folder_);
    }
    ~HtmlPage() override { std::filesystem::remove_all(folder_); }

    std::filesystem::path folder_, page_;
};

}  // namespace tilereel
