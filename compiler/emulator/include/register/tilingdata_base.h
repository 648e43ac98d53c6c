// The macro style of tiling data: fields at their natural alignment, nested structs at 8 bytes, the whole rounded up
// to 8 bytes (register/tilingdata_base.h of the toolkit).
#pragma once

#if defined(__NPU_ARCH__)
// In a kernel a definition is the plain struct that the host's fills; REGISTER_TILING_DEFAULT says which GET_TILING_DATA reads.
#include "emulator/keywords.h"
#define BEGIN_TILING_DATA_DEF(name) struct name {
// The host's macros end their own declarations, so a definition may leave the semicolons out.
#define TILING_DATA_FIELD_DEF(type, field) type field;
#define TILING_DATA_FIELD_DEF_ARR(type, count, field) type field[count];
#define TILING_DATA_FIELD_DEF_STRUCT(type, field) type field;
#define END_TILING_DATA_DEF }
#define REGISTER_TILING_DATA_CLASS(op, name) static_assert(sizeof(name) > 0);
#else

#include <cstdint>
#include <cstring>

#include "graph/ascend_string.h"

#define BEGIN_TILING_DATA_DEF(Class)                                               \
    class alignas(8) Class {                                                       \
        using Self = Class;                                                        \
                                                                                   \
    public:                                                                        \
        size_t GetDataSize() const { return sizeof(Self); }                        \
        void SaveToBuffer(void* buffer, size_t capacity)                           \
        {                                                                          \
            if (sizeof(Self) <= capacity) {                                        \
                std::memcpy(buffer, static_cast<const void*>(this), sizeof(Self)); \
            }                                                                      \
        }                                                                          \
                                                                                   \
    private:

#define TILING_DATA_FIELD_DEF(Type, name)            \
public:                                              \
    void set_##name(Type value) { name##_ = value; } \
    Type get_##name() const { return name##_; }      \
                                                     \
private:                                             \
    Type name##_ = 0

#define TILING_DATA_FIELD_DEF_ARR(Type, count, name)                                              \
public:                                                                                           \
    void set_##name(const Type* values) { std::memcpy(name##_, values, sizeof(Type) * (count)); } \
    Type* get_##name() { return name##_; }                                                        \
                                                                                                  \
private:                                                                                          \
    Type name##_[count] = {}

#define TILING_DATA_FIELD_DEF_STRUCT(Struct, name) \
public:                                            \
    alignas(8) Struct name

#define END_TILING_DATA_DEF }

#define REGISTER_TILING_DATA_CLASS(Op, Class)
#endif
