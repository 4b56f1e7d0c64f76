// SPDX-License-Identifier: MIT
//
// shared_ptr: a page that is drawn by several threads and replaced by any of them. The
// pointer counts its users, so no page goes away while it is drawn.
//
// But `draw` asks for the page twice, once for the number of its lines and once for its
// text. If the page is replaced between, it draws the text of another page.
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
    SERIATIM_ATOMIC_SCOPE("draw");
    int lines = cache.get()->lines;
    int letters = cache.get()->letters;
    return letters == 10 * lines;
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
