// As correct/shared_text.cc, but who drops a reference looks first whether it is the last one: two
// may do so at once, and nobody frees the text, or both do.
#include <atomic>
#include <cassert>
#include <cstring>
#include <thread>

struct Text {
    std::atomic<int> count;
    char letters[12];
};

static Text *make(const char *letters)
{
    Text *made = new Text{{1}, {}};
    std::strncpy(made->letters, letters, sizeof made->letters - 1);
    return made;
}

class Name
{
  public:
    explicit Name(const char *letters) : text(make(letters)) {}

    Name(const Name &other) : text(other.text)
    {
        if (text->count.load() != -1)
            text->count++;
    }

    ~Name() { drop(text); }

    void set_first(char letter)
    {
        if (text->count.load() != 1) {
            Text *own = make(text->letters);
            drop(text);
            text = own;
        }
        text->letters[0] = letter;
    }

    char first() const { return text->letters[0]; }

  private:
    Text *text;

    static void drop(Text *text)
    {
        if (text->count.load() == 1)
            delete text;
        else
            text->count--;
    }
};

static void rename(Name *mine, char letter)
{
    Name other = *mine;
    other.set_first(letter);
    assert(other.first() == letter && mine->first() == 'a');
}

int main()
{
    Name *one = new Name("abc"), *two = new Name(*one);
    std::thread first([=] {
        rename(one, 'x');
        delete one;
    });
    std::thread second([=] {
        rename(two, 'y');
        delete two;
    });
    first.join();
    second.join();
}
