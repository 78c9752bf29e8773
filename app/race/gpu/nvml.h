#pragma once
// NVIDIA's management library, if it is installed: the GPU's clock, temperature and power.
#include <memory>
#include <string>

#include "app/race/race.h"
#include "app/race/runners/shared_library.h"

namespace tilereel {

class Nvml {
  public:
    // Opens NVML for the GPU at this PCI address ("0000:3b:00.0").
    static Result<Nvml> open(const std::string& pci_bus_id);
    // Values that NVML does not report are nullopt.
    [[nodiscard]] Conditions conditions() const;

  private:
    // Function types of nvml.h. Its enumerations are passed as int.
    using Init = int();
    using GetHandle = int(const char* pci_bus_id, void** device);
    using GetOf = int(void* device, int which, unsigned* value);
    using Get = int(void* device, unsigned* value);
    struct ShutDown {
        Init* shut_down;
        void operator()(void*) const { static_cast<void>(shut_down()); }
    };

    std::unique_ptr<void, ShutDown> device_;  // owned by the library; the deleter shuts NVML down
    GetOf* clock_ = nullptr;
    GetOf* temperature_ = nullptr;
    Get* power_ = nullptr;
};

}  // namespace tilereel
