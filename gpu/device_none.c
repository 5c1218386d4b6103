/* device_none.c - a program built without CUDA: there is no device, and none can be used. */
#include "gpu/device.h"
#include "gpu/device_loop.h"
#include "gpu/device_waits.h"

bool device_is_built(void) { return false; }

int device_count(failure *f)
{
    fail(f, "no usable GPU: this program was built without CUDA");
    return 0;
}

bool device_describe(int index, device_description *d, failure *f)
{
    (void)d;
    return fail(f, "GPU %d: this program was built without CUDA", index);
}

const char *device_runtime_version(void) { return ""; }
const char *device_driver_version(void) { return ""; }

bool device_open(int index, failure *f)
{
    return fail(f, "GPU %d asked for, but this program was built without CUDA", index);
}

int device_index(void) { return 0; }
void device_share_with_ranks(void) {}
bool device_is_shared(void) { return false; }

static _Noreturn void no_device(void)
{
    fatal("a GPU is needed here, but this program was built without CUDA");
}

void *device_alloc(size_t bytes, const char *what)
{
    fatal("%s needs %zu bytes of GPU memory, but this program was built without CUDA", what, bytes);
}

void device_free(void *p)
{
    if (p)
        no_device();
}

size_t device_bytes_now(void) { return 0; }
size_t device_bytes_peak(void) { return 0; }

void device_copy_to(void *device, const void *host, size_t bytes)
{
    (void)device, (void)host, (void)bytes;
    no_device();
}

void *device_pinned_alloc(size_t bytes, const char *what)
{
    return device_alloc(bytes, what);
}

void device_pinned_free(void *p)
{
    device_free(p);
}

void device_push(void *device, const void *pinned, size_t bytes)
{
    device_copy_to(device, pinned, bytes);
}

void device_copy_from(void *host, const void *device, size_t bytes)
{
    (void)device, (void)host, (void)bytes;
    no_device();
}

void device_copy_within(void *to, const void *from, size_t bytes)
{
    (void)to, (void)from, (void)bytes;
    no_device();
}

void device_zero(void *p, size_t bytes)
{
    (void)p, (void)bytes;
    no_device();
}

bool device_reach(const int *device, int count, failure *f)
{
    (void)device, (void)count;
    return fail(f, "this program was built without CUDA");
}

void device_lend_begin(void) {}
void device_lend_end(void) {}

bool device_lend(device_place *at, const void *p, failure *f)
{
    (void)at, (void)p;
    return fail(f, "this program was built without CUDA");
}

void *device_borrow(const device_place *at, failure *f)
{
    (void)at;
    fail(f, "this program was built without CUDA");
    return NULL;
}

void device_borrow_end(void *chunk)
{
    (void)chunk;
    no_device();
}

device_traffic device_traffic_so_far(void) { return (device_traffic){ 0, 0 }; }
void *device_stream(void) { return NULL; }
void device_side_begin(void) {}
void device_side_end(void) {}
void device_side_join(void) {}
void device_check_launch(const char *kernel) { (void)kernel; }
void device_wait(void) {}
void device_watch_begin(device_watch *w) { (void)w; }
void device_watch_end(device_watch *w) { (void)w; }
device_mark *device_mark_create(void) { no_device(); }
void device_mark_free(device_mark *m) { (void)m; }
void device_mark_set(device_mark *m) { (void)m, no_device(); }
double device_mark_seconds(const device_mark *from, const device_mark *to) { (void)from, (void)to, no_device(); }

bool device_decides_loops(void) { return false; }

device_loop *device_loop_begin(const int *going, bool decides)
{
    (void)going, (void)decides;
    no_device();
}

void device_loop_end(device_loop *l) { (void)l, no_device(); }
void device_loop_run(device_loop *l) { (void)l, no_device(); }
void device_loop_free(device_loop *l) { (void)l, no_device(); }
