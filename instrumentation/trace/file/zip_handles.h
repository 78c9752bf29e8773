#pragma once
// libzip's handles, released on every path. Private to this folder.
#include <zip.h>

#include <memory>
#include <string>

namespace tilereel {

struct DiscardZip {
    void operator()(zip_t* archive) const { zip_discard(archive); }
};
using Zip = std::unique_ptr<zip_t, DiscardZip>;  // discards unsaved changes

struct CloseZipFile {
    void operator()(zip_file_t* file) const { zip_fclose(file); }
};
using ZipFile = std::unique_ptr<zip_file_t, CloseZipFile>;

struct FreeZipSource {
    void operator()(zip_source_t* source) const { zip_source_free(source); }
};
using ZipSource = std::unique_ptr<zip_source_t, FreeZipSource>;

class ZipError {
  public:
    ZipError() { zip_error_init(&error_); }
    ~ZipError() { zip_error_fini(&error_); }
    ZipError(const ZipError&) = delete;
    ZipError& operator=(const ZipError&) = delete;
    [[nodiscard]] zip_error_t* get() { return &error_; }
    [[nodiscard]] std::string text() { return zip_error_strerror(&error_); }

  private:
    zip_error_t error_{};
};

}  // namespace tilereel
