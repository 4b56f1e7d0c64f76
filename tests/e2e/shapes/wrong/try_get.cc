// A reference may only be taken by somebody who has one, or in one step with the look at the count:
// here the object may be freed between the two.
#include <atomic>
#include <thread>

struct Shared {
    std::atomic<int> count{1};
    int data = 7;
};

static void drop(Shared *shared)
{
    if (--shared->count == 0)
        delete shared;
}

static bool try_get(Shared *shared)
{
    if (shared->count.load() == 0)
        return false;
    shared->count++;
    return true;
}

int main()
{
    Shared *shared = new Shared;
    std::thread owner([=] { drop(shared); });
    std::thread user([=] {
        if (try_get(shared)) {
            shared->data++;
            drop(shared);
        }
    });
    owner.join();
    user.join();
}
