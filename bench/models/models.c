/* SPDX-License-Identifier: MIT */
/* Columns 1 and 2 of Table A1, and what the papers' engines made of each trace. */
#include "models.h"

/* clang-format off */
const model models[] = {
    /*                                threads events lock ev. locks acc. vars. w/n blocks     paper: segment % settled none violations */
    {"conpool",       build_conpool,    { 4,    97,    16,   1,    53,   5,    3,   4}, {35.56,   2,   2, 0}},
    {"liveness",      build_liveness,   { 7,   283,    44,   9,   163,  12,    6,  15}, {51.5,    5,   8, 2}},
    {"SynchBench",    build_synchbench, {16,  1510,   306,   2,   533,  15,    0, 124}, { 4.2,  124,   0, 0}},
    {"Barrier1",      build_barrier,    {10,   653,   108,   2,   262,  12,    7,  11}, {40.2,    0,   2, 9}},
    {"Barrier2",      build_barrier,    {13,   805,   136,   2,   340,  16,    7,  11}, {42.5,    0,   2, 9}},
    {"account1",      build_account,    {11,   902,   146,  21,   430,  42,   10,  61}, {34.1,   51,   7, 3}},
    {"account2",      build_account,    {21,  1747,   282,  41,   850,  82,   20, 121}, {37.3,  100,  16, 5}},
    {"DaisyTest1",    build_daisy,      { 3,  2998,   422,  10,  2003,  45,   15, 142}, { 2.9,  140,   1, 1}},
    {"DaisyTest2",    build_daisy,      { 3,  4998,   699,  14,  3330,  64,   25, 203}, { 1.7,  200,   2, 1}},
    {"DaisyTest3",    build_daisy,      { 3,  7999,  1096,  18,  5341,  81,   36, 291}, { 1.4,  288,   2, 1}},
    {"Elevator1",     build_elevator,   { 4,  3004,   370,  11,  1795,  70,    0, 183}, {43.4,  180,   1, 2}},
    {"Elevator2",     build_elevator,   { 4,  5001,   610,  11,  3668, 117,    0, 231}, {37.5,  225,   6, 0}},
    {"Elevator3",     build_elevator,   { 4,  8004,  1128,  11,  5601,  94,    0, 562}, {47.4,  553,   7, 2}},
    {"philo",         build_philo,      { 6,  1141,   126,   6,   857,  23,   22,  28}, {23.9,    6,  21, 1}},
    {"Tsp",           build_tsp,        { 4, 45653,    20,   5, 25366,  42,    3,   5}, { 0.2,    5,   0, 0}},
    {"ThriftTrace1",  build_thrift,     { 4,  2406,   226,  12,   869,  62,   53,  53}, {25.5,   48,   4, 1}},
    {"ThriftTrace2",  build_thrift,     { 4,  2452,   234,  12,   873,  62,   55,  55}, {25.3,   50,   3, 2}},
    {"ThriftTrace3",  build_thrift,     {10,  4844,   404,  18,  1739, 129,   91,  96}, {21.5,   95,   1, 0}},
    {"ThriftTrace4",  build_thrift,     { 4,  6761,   586,  48,  2785, 171,  125, 162}, {19.3,  150,  11, 1}},
    {"ThriftTrace5",  build_thrift,     {20,  8950,   722,  28,  3320, 223,  165, 166}, {24.5,  162,   4, 0}},
    {"ThriftTrace6",  build_thrift,     { 4, 11357,  1384,  48,  3184, 171,  324, 363}, {10.5,  351,  11, 1}},
    {"ThriftTrace7",  build_thrift,     {20, 13561,  1520,  28,  3727, 223,  372, 367}, {18.3,  362,   5, 0}},
    {"ThriftTrace8",  build_thrift,     {40, 15975,  1239,  48,  5485, 429,  259, 313}, {24.2,  309,   3, 0}},
    {"ThriftTrace9",  build_thrift,     {10, 16040,  2981,  18,  1345, 107, 1408,  80}, {14.4,   80,   0, 0}},
    {"ThriftTrace10", build_thrift,     { 6, 20640,  1724, 158,  8818, 519,  349, 502}, {20.9,  501,   1, 0}},
    {"ThriftTrace11", build_thrift,     { 6, 25237,  2522, 158,  9218, 519,  549, 703}, {12.9,  702,   1, 0}},
};
/* clang-format on */

const size_t model_count = sizeof models / sizeof *models;

const model *find_model(const char *name)
{
    for (size_t i = 0; i < model_count; i++)
        if (strcmp(models[i].name, name) == 0)
            return &models[i];
    return NULL;
}
