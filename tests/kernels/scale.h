#pragma once

struct ScaleTiling {
    uint32_t rows;
    uint32_t columns;
    float factor;
};
