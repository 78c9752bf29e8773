#pragma once
// CPU threads that help the program's own thread with the blocks of a launch. They start when they
// are first needed and stay.
#include <functional>

namespace tilereel::runtime {

class Team {
  public:
    static Team& instance();
    // The number of helpers: at most one fewer than cores.
    [[nodiscard]] unsigned helpers() const { return helpers_; }
    // Each helper calls work() once. `work` must stay valid until wait() returns.
    void start(const std::function<void()>& work);
    // Waits until all helpers have returned. Interrupts them when time_is_up().
    void wait();

  private:
    Team();
    unsigned helpers_;
    struct Members;
    Members* members_;  // never destroyed: helpers outlive main()
};

}  // namespace tilereel::runtime
