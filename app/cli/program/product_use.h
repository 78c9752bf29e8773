#pragma once
// The launches of a program as products.
#include <cstddef>
#include <string>

#include "app/cli/options/program_options.h"
#include "instrumentation/base/result.h"
#include "instrumentation/program/program_run.h"
#include "instrumentation/trace/trace.h"

namespace tilereel {

inline constexpr const char* kChangedTrace = "the program has changed the file of its recording";

// Reads launches as products, and remembers whether any launch has the product of --product.
class ProductUse {
  public:
    explicit ProductUse(const ProgramOptions& options) : options_(options) {}

    // Reads a launch as the product of --product, if it has these arrays. Otherwise as the product
    // that was recognised.
    [[nodiscard]] Result<Trace> read(const program::LaunchSummary& launch);
    // Without a product.
    [[nodiscard]] Result<Trace> read_as_recorded(const program::LaunchSummary& launch);
    // Whether the last read failed because the file is not as the recorder wrote it. The program
    // can change it. Other launches may be sound.
    [[nodiscard]] bool last_is_changed() const { return last_is_changed_; }
    // Fails with a sentence if any launch was so.
    [[nodiscard]] Status check_files() const;
    [[nodiscard]] bool used() const { return used_; }
    // kWrongCall if launches were read and none has the product of --product.
    [[nodiscard]] Status check() const;

  private:
    const ProgramOptions& options_;
    bool used_ = false, last_is_changed_ = false;
    std::size_t changed_ = 0;  // launches
    std::string missing_;
};

}  // namespace tilereel
