// What cores tell one another through words of global memory: a flag that one writes and others poll, past the data cache
// or with its lines cleaned and dropped. asc: DataSyncBarrier, DataCacheCleanAndInvalid, ReadGmByPassDCache
#pragma once

#include "emulator/rules.h"

namespace emulator {

constexpr uint64_t CACHE_LINE = 64;  // asc: DataCacheCleanAndInvalid

// asc: DataSyncBarrier; what was accessed before is complete, for whoever reads a word that is written from here on
void SettleAccesses(bool global, bool local);

// The words of this core that begin in [low, high) can be seen by other cores now, and tell them what this core knows.
void PublishWords(uint64_t low, uint64_t high);

// The data cache of a scalar unit is not coherent: what it holds and what memory holds may differ, until
// DataCacheCleanAndInvalid writes a line back and drops it. asc: DataCacheCleanAndInvalid, GlobalTensor::GetValue and SetValue
// An access to global memory, as it meets the lines that caches hold.
void MeetCaches(const Instruction& instruction, const Access& access);

// A word is read or written through the cache of this core.
void TouchLine(const Instruction& instruction, const Access& access);

// Lines of the scalar cache go to memory and out of the cache; null: all of them. Of a line, what lies behind the address.
void DropLines(const uint8_t* address);

// Whether the next read of a word comes from memory because the kernel saw to it. It then is in the cache.
bool ReadsMemory(uint64_t address);

// Before a read from memory of a word that others may write: they get their turn.
void Poll(Site site);

// A read from memory of a word that another core wrote. Where nothing orders the two, it may come too early: it gets what
// was there before. A loop that polls reads again, and from there on knows what came with the word; who does not read
// again has used a value that may be old (ReportEarlyReads).
void ReadWord(uint64_t address, void* value, uint64_t bytes, Site site);

void ReportEarlyReads(Core& core);

// A loop around a cached read of a word never ends: what the others write does not reach the cache.
void CountSpins(const uint8_t* address, const std::string& name, Site site);

}  // namespace emulator
