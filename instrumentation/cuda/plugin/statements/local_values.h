#pragma once
// Numbers the values that the statements of a basic block compute, so that two expressions with the
// same number have the same value: p + 8 * i and p + 8 * i, computed twice.
#include <map>
#include <vector>

#include "../gcc.h"

namespace tilereel::runtime {

class LocalValues {
  public:
    using Number = unsigned;
    // The value that a statement assigns to a register.
    void note(gimple* statement);
    // The place of an object: references with the same number refer to the same object.
    [[nodiscard]] Number place(tree reference);

  private:
    using Key = std::vector<unsigned long>;
    Number value(tree operand);
    Number number_of(const Key& key);
    Number fresh() { return ++last_; }

    std::map<tree, Number> current_;  // of registers
    std::map<Key, Number> known_;
    Number last_ = 0;
};

}  // namespace tilereel::runtime
