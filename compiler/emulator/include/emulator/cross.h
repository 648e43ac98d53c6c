// Flags between the cores of a launch.
#pragma once

#include "emulator/system.h"

namespace emulator {

void SetCrossFlag(int mode, pipe_t pipe, int flag, Site site);

void WaitCrossFlag(int mode, pipe_t pipe, int flag, Site site);

// asc: IBSet, IBWait; the posts of a block stand 32 bytes apart, those of the next event behind them
void BlockPost(const char* api, uint8_t* gm, const Tensor& ub, int32_t block, int32_t event, bool vectorOnly, bool set, Site site);

// asc: InitDetermineComputeWorkspace, WaitPreBlock, NotifyNextBlock; blocks take turns, one post for each
enum class Turn { Begin, Wait, Pass };
void TakeTurns(const char* api, uint8_t* gm, const Tensor& ub, Turn turn, Site site);

}  // namespace emulator

namespace AscendC {

template <bool isAIVOnly = true>
inline void IBSet(const GlobalTensor<int32_t>& gmWorkspace, const LocalTensor<int32_t>& ubWorkspace, int32_t blockIdx, int32_t eventID,
                  ASCGRAD_SITE) {
    emulator::BlockPost("IBSet", const_cast<uint8_t*>(emulator::Address(gmWorkspace)), ubWorkspace, blockIdx, eventID, isAIVOnly, true, site);
}
template <bool isAIVOnly = true>
inline void IBWait(const GlobalTensor<int32_t>& gmWorkspace, const LocalTensor<int32_t>& ubWorkspace, int32_t blockIdx, int32_t eventID,
                   ASCGRAD_SITE) {
    emulator::BlockPost("IBWait", const_cast<uint8_t*>(emulator::Address(gmWorkspace)), ubWorkspace, blockIdx, eventID, isAIVOnly, false, site);
}
inline void InitDetermineComputeWorkspace(GlobalTensor<int32_t>& gmWorkspace, LocalTensor<int32_t>& ubWorkspace, ASCGRAD_SITE) {
    emulator::TakeTurns("InitDetermineComputeWorkspace", emulator::Address(gmWorkspace), ubWorkspace, emulator::Turn::Begin, site);
}
inline void WaitPreBlock(GlobalTensor<int32_t>& gmWorkspace, LocalTensor<int32_t>& ubWorkspace, ASCGRAD_SITE) {
    emulator::TakeTurns("WaitPreBlock", emulator::Address(gmWorkspace), ubWorkspace, emulator::Turn::Wait, site);
}
inline void NotifyNextBlock(GlobalTensor<int32_t>& gmWorkspace, LocalTensor<int32_t>& ubWorkspace, ASCGRAD_SITE) {
    emulator::TakeTurns("NotifyNextBlock", emulator::Address(gmWorkspace), ubWorkspace, emulator::Turn::Pass, site);
}

template <uint8_t modeId, pipe_t pipe>
inline void CrossCoreSetFlag(uint16_t flagId, ASCGRAD_SITE) { emulator::SetCrossFlag(modeId, pipe, flagId, site); }
template <uint8_t modeId = 0, pipe_t pipe = PIPE_S>
inline void CrossCoreWaitFlag(uint16_t flagId, ASCGRAD_SITE) { emulator::WaitCrossFlag(modeId, pipe, flagId, site); }

}  // namespace AscendC
