// SPDX-License-Identifier: MIT
//
// shared_ptr, the correct twin: `draw` asks for the page once, and keeps it. (The block
// starts after that: others may count themselves in and out of a page at any time.)
//
// Blocks: markers

#include <cstdio>
#include <memory>
#include <mutex>
#include <seriatim/annotate.h>
#include <thread>
#include <utility>

struct Page {
    int lines;
    int letters;
};

class Cache
{
  public:
    void replace(std::shared_ptr<const Page> page)
    {
        std::lock_guard<std::mutex> hold(lock);
        current.swap(page);
    }

    std::shared_ptr<const Page> get()
    {
        std::lock_guard<std::mutex> hold(lock);
        return current;
    }

  private:
    std::mutex lock;
    std::shared_ptr<const Page> current;
};

static Cache cache;

// Pages here have ten letters a line. True if what was drawn did.
static bool draw()
{
    std::shared_ptr<const Page> page = cache.get();
    SERIATIM_ATOMIC_SCOPE("draw");
    return page->letters == 10 * page->lines;
}

static void work(int lines, bool &well)
{
    cache.replace(std::make_shared<const Page>(Page{lines, 10 * lines}));
    well = draw();
}

int main()
{
    bool first = false, second = false;
    std::thread one(work, 30, std::ref(first));
    std::thread two(work, 50, std::ref(second));
    one.join();
    two.join();
    std::puts(first && second ? "drawn well" : "two pages in one");
}
