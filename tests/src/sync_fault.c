/* Stands before the system's syncs in a program that is started with LD_PRELOAD. While the file that
 * SYNC_FAULT names is there, they fail as on a broken disk; while the file that SYNC_HOLD names is locked,
 * they wait; each that succeeds adds a byte to the file that SYNC_COUNT names. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/syscall.h>
#include <unistd.h>

static void wait_while_held(void) {
    const char *hold = getenv("SYNC_HOLD");
    int gate = hold ? open(hold, O_RDONLY | O_CLOEXEC) : -1;
    if (gate < 0)
        return;
    while (flock(gate, LOCK_SH) != 0 && errno == EINTR)
        ;
    close(gate);
}

static int sync_by(long call, int file) {
    wait_while_held();
    const char *fault = getenv("SYNC_FAULT");
    if (fault && access(fault, F_OK) == 0) {
        errno = EIO;
        return -1;
    }
    int result = (int)syscall(call, file);
    const char *count = getenv("SYNC_COUNT");
    if (result == 0 && count) {
        int log = open(count, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
        if (log < 0 || write(log, ".", 1) != 1)
            abort();
        close(log);
    }
    return result;
}

int fsync(int file) { return sync_by(SYS_fsync, file); }

int fdatasync(int file) { return sync_by(SYS_fdatasync, file); }
