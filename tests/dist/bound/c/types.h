/* types.h - stands for a program's own header in C.
 * SPDX-License-Identifier: MIT
 */
#ifndef TYPES_H
#define TYPES_H

#include "pkt.h"

struct Player;

typedef struct handle {
    int value;
} handle;

typedef struct vec {
    int secret;
    float x, y, z;
} vec;

typedef struct bag {
    int secret;
    bool open;
    uint8_t slots[8];
    int16_t counts[2][3];
    uint32_t ids[4];
    uint8_t ids_count;
    char name[8];
    char tags[2][8];
    uint8_t blob[8];
    uint8_t blob_size;
    uint8_t blobs[2][4];
    uint8_t blobs_count, blobs_size[2];
    uint8_t team;
    uint8_t keys;
    vec at[2];
    int8_t cells[16];
    uint8_t lanes[16];
    float weights[3];
    pkt_quat turn;
    bool has_warmth;
    float warmth;
    uint8_t holes[70];
    uint64_t holes_present[2];
    vec ways[3];
    uint64_t ways_present[1];
    double length;
    int16_t price;
    int64_t money;
    struct Player *owner;
    uint8_t raw[16];
    uint8_t latch[3];
} bag;

typedef struct kit {
    int secret;
    uint8_t slots[8];
    char name[8];
    char tags[2][8];
    uint8_t tags_count;
    uint8_t blob[8];
    uint8_t blob_size;
    uint8_t blobs[2][4];
    uint8_t blobs_size[2];
    float weights[3];
    vec at[2];
    uint8_t at_count;
    uint8_t lanes[16];
} kit;

#endif
