#pragma once
// The launches of a program as products.
#include <string>

#include "app/cli/options/program_options.h"
#include "instrumentation/base/result.h"
#include "instrumentation/program/program_run.h"
#include "instrumentation/trace/trace.h"

namespace tilereel {

// Reads launches as products, and remembers whether any launch has the product of --product.
class ProductUse {
  public:
    explicit ProductUse(const ProgramOptions& options) : options_(options) {}

    // Reads a launch as the product of --product, if it has these arrays. Otherwise as the product
    // that was recognised.
    [[nodiscard]] Result<Trace> read(const program::LaunchSummary& launch);
    [[nodiscard]] bool used() const { return used_; }
    // kWrongCall if launches were read and none has the product of --product.
    [[nodiscard]] Status check() const;

  private:
    const ProgramOptions& options_;
    bool used_ = false;
    std::string missing_;
};

}  // namespace tilereel
