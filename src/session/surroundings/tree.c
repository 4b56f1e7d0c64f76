/* SPDX-License-Identifier: MIT */
/*
 * Folders are walked by their descriptors, so that paths of any length work and no symbolic link is
 * followed.
 */
#include "session/surroundings/tree.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct copying {
    struct stat target, except; /* folders that are not copied; st_ino 0: none */
    ser_error *error;
} copying;

static ser_status complain(ser_error *error, const char *verb, const char *name)
{
    return ser_fail(error, SER_INPUT, "cannot %s %s: %s", verb, name, strerror(errno));
}

static bool is_same(const struct stat *one, const struct stat *other)
{
    return one->st_ino == other->st_ino && one->st_dev == other->st_dev;
}

static bool is_dot(const char *name)
{
    return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

static int open_folder(int parent, const char *name)
{
    return openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

/* --- copying -------------------------------------------------------------------- */

static bool copy_bytes(int from, int to)
{
    enum { AT_ONCE = 1 << 16 };
    char bytes[AT_ONCE];
    ssize_t got;
    while ((got = copy_file_range(from, NULL, to, NULL, 1 << 30, 0)) > 0)
        ;
    if (got == 0)
        return true;
    while ((got = read(from, bytes, sizeof bytes)) > 0)
        for (ssize_t done = 0, put; done < got; done += put)
            if ((put = write(to, bytes + done, (size_t)(got - done))) < 0)
                return false;
    return got == 0;
}

/* Mode and times come last: a folder may be read-only, and what is put into it changes its time. */
static void copy_manners(int to, const struct stat *about)
{
    const struct timespec times[] = {about->st_atim, about->st_mtim};
    if (fchmod(to, about->st_mode & 07777) == 0)
        futimens(to, times);
}

/* `about` is NULL if the copy is not complete. */
static void close_both(int from, int to, const struct stat *about)
{
    if (about)
        copy_manners(to, about);
    if (from >= 0)
        close(from);
    if (to >= 0)
        close(to);
}

static ser_status copy_file(copying *work, int from_folder, int to_folder, const char *name,
                            const struct stat *about)
{
    int from = openat(from_folder, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    int to = from < 0 ? -1 : openat(to_folder, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    bool copied = to >= 0 && copy_bytes(from, to);
    ser_status status = copied ? SER_OK : complain(work->error, "copy", name);
    close_both(from, to, copied ? about : NULL);
    return status;
}

static ser_status copy_link(copying *work, int from_folder, int to_folder, const char *name)
{
    char target[PATH_MAX + 1];
    ssize_t length = readlinkat(from_folder, name, target, PATH_MAX);
    if (length < 0)
        return complain(work->error, "copy", name);
    target[length] = '\0';
    return symlinkat(target, to_folder, name) == 0 ? SER_OK : complain(work->error, "copy", name);
}

static ser_status copy_folder(copying *work, int from, int to);

static ser_status copy_inner(copying *work, int from_folder, int to_folder, const char *name,
                             const struct stat *about)
{
    int from = open_folder(from_folder, name), to = -1;
    if (from >= 0 && mkdirat(to_folder, name, 0700) == 0)
        to = open_folder(to_folder, name);
    ser_status status =
        from >= 0 && to >= 0 ? copy_folder(work, from, to) : complain(work->error, "copy", name);
    close_both(from, to, status == SER_OK ? about : NULL);
    return status;
}

static ser_status copy_entry(copying *work, int from, int to, const char *name)
{
    struct stat about;
    if (fstatat(from, name, &about, AT_SYMLINK_NOFOLLOW) != 0)
        return errno == ENOENT ? SER_OK : complain(work->error, "copy", name);
    switch (about.st_mode & S_IFMT) {
    case S_IFDIR:
        if (is_same(&about, &work->target) || is_same(&about, &work->except))
            return SER_OK;
        return copy_inner(work, from, to, name, &about);
    case S_IFREG:
        return copy_file(work, from, to, name, &about);
    case S_IFLNK:
        return copy_link(work, from, to, name);
    case S_IFIFO:
        return mkfifoat(to, name, about.st_mode & 07777) == 0 ? SER_OK
                                                              : complain(work->error, "copy", name);
    default:
        return SER_OK;
    }
}

/* Closes neither. */
static ser_status copy_folder(copying *work, int from, int to)
{
    int own = dup(from);
    DIR *entries = own < 0 ? NULL : fdopendir(own);
    if (!entries)
        return complain(work->error, "read", "a folder");
    ser_status status = SER_OK;
    for (struct dirent *entry; status == SER_OK && (entry = readdir(entries));)
        if (!is_dot(entry->d_name))
            status = copy_entry(work, from, to, entry->d_name);
    closedir(entries);
    return status;
}

ser_status ser_tree_copy(const char *source, const char *target, const char *except,
                         ser_error *error)
{
    copying work = {.error = error};
    struct stat about;
    if (except && stat(except, &work.except) != 0)
        work.except.st_ino = 0;
    int from = open(source, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (from < 0 || fstat(from, &about) != 0)
        return complain(error, "copy the folder", source);
    int to = mkdir(target, 0700) == 0 ? open_folder(AT_FDCWD, target) : -1;
    if (to >= 0)
        fstat(to, &work.target);
    ser_status status =
        to >= 0 ? copy_folder(&work, from, to) : complain(error, "make the folder", target);
    close_both(from, to, status == SER_OK ? &about : NULL);
    return status;
}

/* --- removing ------------------------------------------------------------------- */

static bool remove_at(int folder, const char *name);

static bool empty(int folder)
{
    DIR *entries = fdopendir(folder);
    bool done = entries != NULL;
    for (struct dirent *entry; done && (entry = readdir(entries));)
        if (!is_dot(entry->d_name))
            done = remove_at(dirfd(entries), entry->d_name);
    int reason = errno;
    if (entries)
        closedir(entries);
    errno = reason;
    return done;
}

/* The program may have taken our rights away from its folders. */
static bool remove_at(int folder, const char *name)
{
    struct stat about;
    if (unlinkat(folder, name, 0) == 0 || errno == ENOENT)
        return true;
    if (fstatat(folder, name, &about, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISDIR(about.st_mode))
        return false;
    fchmodat(folder, name, 0700, 0);
    int inner = open_folder(folder, name);
    return inner >= 0 && empty(inner) && unlinkat(folder, name, AT_REMOVEDIR) == 0;
}

ser_status ser_tree_remove(const char *path, ser_error *error)
{
    return remove_at(AT_FDCWD, path) ? SER_OK : complain(error, "remove", path);
}

/* --- counting ------------------------------------------------------------------- */

static uint64_t bytes_at(int folder, const char *name);

static uint64_t bytes_in(int folder)
{
    uint64_t bytes = 0;
    DIR *entries = fdopendir(folder);
    for (struct dirent *entry; entries && (entry = readdir(entries));)
        if (!is_dot(entry->d_name))
            bytes += bytes_at(dirfd(entries), entry->d_name);
    if (entries)
        closedir(entries);
    return bytes;
}

static uint64_t bytes_at(int folder, const char *name)
{
    struct stat about;
    if (fstatat(folder, name, &about, AT_SYMLINK_NOFOLLOW) != 0)
        return 0;
    int inner = S_ISDIR(about.st_mode) ? open_folder(folder, name) : -1;
    return (uint64_t)about.st_blocks * 512 + (inner >= 0 ? bytes_in(inner) : 0);
}

uint64_t ser_tree_bytes(const char *path)
{
    return bytes_at(AT_FDCWD, path);
}
