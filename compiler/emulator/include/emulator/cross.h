// Flags between the cores of a launch.
#pragma once

#include "emulator/system.h"

namespace emulator {

void Raise(Core& core, int index, uint32_t join, const Shared& told, Site site);

void SetCrossFlag(int mode, pipe_t pipe, int flag, Site site);

void WaitCrossFlag(int mode, pipe_t pipe, int flag, Site site);

}  // namespace emulator

namespace AscendC {

template <uint8_t modeId, pipe_t pipe>
inline void CrossCoreSetFlag(uint16_t flagId, ASCGRAD_SITE) { emulator::SetCrossFlag(modeId, pipe, flagId, site); }
template <uint8_t modeId = 0, pipe_t pipe = PIPE_S>
inline void CrossCoreWaitFlag(uint16_t flagId, ASCGRAD_SITE) { emulator::WaitCrossFlag(modeId, pipe, flagId, site); }

}  // namespace AscendC
