// SPDX-License-Identifier: MIT
// blocks: locks
// Files take free blocks of a disk; each file and each block has a lock.
#include "../team.h"
#include <stdio.h>

enum { FILES = 4, BLOCKS = 8 };
pthread_mutex_t file_lock[FILES], block_lock[BLOCKS];
int block_of[FILES], busy[BLOCKS];

void *create(void *argument)
{
    int file = *(int *)argument;
    pthread_mutex_lock(&file_lock[file]);
    for (int b = file * 2; block_of[file] == 0; b = (b + 1) % BLOCKS) {
        pthread_mutex_lock(&block_lock[b]);
        if (!busy[b]) {
            busy[b] = 1;
            block_of[file] = b + 1;
        }
        pthread_mutex_unlock(&block_lock[b]);
    }
    pthread_mutex_unlock(&file_lock[file]);
    return NULL;
}

int main(void)
{
    int files[FILES];
    for (int i = 0; i < FILES; i++)
        pthread_mutex_init(&file_lock[i], NULL), files[i] = i;
    for (int i = 0; i < BLOCKS; i++)
        pthread_mutex_init(&block_lock[i], NULL);
    team_of(FILES, create, files);
    for (int i = 0; i < FILES; i++)
        printf("file %d: block %d\n", i, block_of[i]);
}
