// finds: get_session
// A task of std::async is called while the library holds a lock of its own, which protects nothing
// of what the task does: two tasks look for the session of one user and each makes its own.
#include <future>
#include <map>
#include <memory>
#include <mutex>

struct Session {
    int hits = 0;
};

static std::mutex lock;
static std::map<int, std::shared_ptr<Session>> sessions;

static std::shared_ptr<Session> get_session(int user)
{
    {
        std::lock_guard<std::mutex> guard(lock);
        auto found = sessions.find(user);
        if (found != sessions.end())
            return found->second;
    }
    auto made = std::make_shared<Session>();
    std::lock_guard<std::mutex> guard(lock);
    sessions[user] = made;
    return made;
}

int main()
{
    auto task = [] { return get_session(1).get(); };
    auto first = std::async(std::launch::async, task),
         second = std::async(std::launch::async, task);
    return first.get() == second.get() ? 0 : 1;
}
