/* Stands between a process and its disk and clock (LD_PRELOAD), for files under FAULT_DIR.
 *
 * FAULT_SYNCED=DIR   what survives a power cut: each file as it was when it was last synced
 * FAULT_CONTROL=FILE read at every call: "full" fails writes that need new space with ENOSPC, for
 *                    as long as the file FAULT_SPARE is there; "sync" fails every sync with EIO;
 *                    "clock SECONDS" moves the wall clock
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

/* The path of a file under the folder that is meant, relative to it; NULL for others. */
static const char *inside(int fd, char *path)
{
    const char *dir = getenv("FAULT_DIR");
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, PATH_MAX - 1);
    if (!dir || length <= 0)
        return NULL;
    path[length] = 0;
    size_t prefix = strlen(dir);
    if (strncmp(path, dir, prefix) != 0 || (path[prefix] != '/' && path[prefix] != 0))
        return NULL;
    return path[prefix] ? path + prefix + 1 : path + prefix;
}

/* What the control file says now. */
static void control(char *text, size_t size)
{
    const char *path = getenv("FAULT_CONTROL");
    text[0] = 0;
    int fd = path ? REAL(open)(path, O_RDONLY | O_CLOEXEC) : -1;
    if (fd < 0)
        return;
    ssize_t length = REAL(read)(fd, text, size - 1);
    text[length > 0 ? length : 0] = 0;
    REAL(close)(fd);
}

static int is_on(const char *fault)
{
    char text[128];
    control(text, sizeof text);
    return strstr(text, fault) != NULL;
}

/* Whether this write needs space that a full disk does not have. What lies on the disk already may
 * be written over. */
static int refused(int fd, off_t end)
{
    char path[PATH_MAX];
    struct stat found;
    if (!inside(fd, path) || !is_on("full") || fstat(fd, &found) != 0 || !S_ISREG(found.st_mode))
        return 0;
    const char *spare = getenv("FAULT_SPARE");
    /* The space of a file that is gone is free again. */
    if (spare && access(spare, F_OK) != 0)
        return 0;
    if (end <= found.st_blocks * 512)
        return 0;
    errno = ENOSPC;
    return 1;
}

ssize_t pwrite64(int fd, const void *bytes, size_t count, off64_t at)
{
    if (refused(fd, at + (off_t)count))
        return -1;
    return REAL(pwrite64)(fd, bytes, count, at);
}

ssize_t pwrite(int fd, const void *bytes, size_t count, off_t at)
{
    if (refused(fd, at + (off_t)count))
        return -1;
    return REAL(pwrite)(fd, bytes, count, at);
}

ssize_t write(int fd, const void *bytes, size_t count)
{
    off_t at = lseek(fd, 0, SEEK_CUR);
    if (at >= 0 && refused(fd, at + (off_t)count))
        return -1;
    return REAL(write)(fd, bytes, count);
}

int ftruncate64(int fd, off64_t length)
{
    if (refused(fd, length))
        return -1;
    return REAL(ftruncate64)(fd, length);
}

/* Copies a file to its place among what is synced. */
static void keep(const char *from, const char *to)
{
    char draft[PATH_MAX + 8], buffer[65536];
    for (char *slash = strchr(to + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        mkdir(to, 0700);
        *slash = '/';
    }
    snprintf(draft, sizeof draft, "%s.draft", to);
    int in = REAL(open)(from, O_RDONLY | O_CLOEXEC);
    int out = REAL(open)(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    ssize_t length;
    while (in >= 0 && out >= 0 && (length = REAL(read)(in, buffer, sizeof buffer)) > 0)
        if (REAL(write)(out, buffer, (size_t)length) != length)
            abort();
    if (in >= 0)
        REAL(close)(in);
    if (out >= 0)
        REAL(close)(out);
    REAL(rename)(draft, to);
}

/* Files that were renamed since their folder was last synced, among what is synced. */
static struct {
    char from[PATH_MAX], to[PATH_MAX];
} moved[16];
static int moves;

/* The place of a file of the folder that is meant among what is synced; 0 for others. */
static int place(const char *path, char *to)
{
    const char *dir = getenv("FAULT_DIR"), *kept = getenv("FAULT_SYNCED");
    size_t prefix = dir ? strlen(dir) : 0;
    if (!dir || !kept || strncmp(path, dir, prefix) != 0 || path[prefix] != '/')
        return 0;
    return snprintf(to, PATH_MAX, "%s%s", kept, path + prefix) < PATH_MAX;
}

int rename(const char *from, const char *to)
{
    int result = REAL(rename)(from, to);
    pthread_mutex_lock(&lock);
    /* What was synced under the old name is under the new one, once the folder is synced too. */
    if (result == 0 && moves < 16 && place(from, moved[moves].from) && place(to, moved[moves].to))
        moves++;
    pthread_mutex_unlock(&lock);
    return result;
}

/* Moves what was renamed in this folder. */
static void keep_moves(const char *folder)
{
    int left = 0;
    for (int at = 0; at < moves; at++) {
        const char *slash = strrchr(moved[at].to, '/');
        size_t length = (size_t)(slash - moved[at].to), given = strlen(folder);
        given -= given > 0 && folder[given - 1] == '/';
        if (given == length && strncmp(folder, moved[at].to, length) == 0)
            REAL(rename)(moved[at].from, moved[at].to);
        else
            moved[left++] = moved[at];
    }
    moves = left;
}

/* A folder that is synced keeps its names: new ones come, old ones go. */
static void keep_names(const char *from, const char *to)
{
    char one[PATH_MAX * 3], other[PATH_MAX * 3];
    struct stat found;
    keep_moves(to);
    DIR *entries = opendir(from);
    for (struct dirent *entry; entries && (entry = readdir(entries));) {
        snprintf(one, sizeof one, "%s/%s", from, entry->d_name);
        snprintf(other, sizeof other, "%s/%s", to, entry->d_name);
        if (stat(one, &found) == 0 && S_ISREG(found.st_mode) && access(other, F_OK) != 0)
            keep(one, other);
    }
    if (entries)
        closedir(entries);
    entries = opendir(to);
    for (struct dirent *entry; entries && (entry = readdir(entries));) {
        snprintf(one, sizeof one, "%s/%s", from, entry->d_name);
        snprintf(other, sizeof other, "%s/%s", to, entry->d_name);
        if (lstat(other, &found) == 0 && S_ISREG(found.st_mode) && access(one, F_OK) != 0)
            unlink(other);
    }
    if (entries)
        closedir(entries);
}

static int synced(int fd, int result)
{
    const char *kept = getenv("FAULT_SYNCED");
    char path[PATH_MAX], to[PATH_MAX * 2];
    struct stat found;
    const char *name = inside(fd, path);
    if (!name)
        return result;
    if (is_on("sync")) {
        errno = EIO;
        return -1;
    }
    if (result != 0 || !kept || fstat(fd, &found) != 0)
        return result;
    snprintf(to, sizeof to, "%s/%s", kept, name);
    pthread_mutex_lock(&lock);
    if (S_ISREG(found.st_mode))
        keep(path, to);
    else if (S_ISDIR(found.st_mode))
        keep_names(path, to);
    pthread_mutex_unlock(&lock);
    return result;
}

int fsync(int fd)
{
    return synced(fd, REAL(fsync)(fd));
}

int fdatasync(int fd)
{
    return synced(fd, REAL(fdatasync)(fd));
}

int clock_gettime(clockid_t which, struct timespec *now)
{
    int result = REAL(clock_gettime)(which, now);
    char text[128];
    if (which == CLOCK_REALTIME && result == 0) {
        control(text, sizeof text);
        const char *clock = strstr(text, "clock ");
        if (clock)
            now->tv_sec += atol(clock + 6);
    }
    return result;
}
