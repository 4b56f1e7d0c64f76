#!/bin/sh
# SPDX-License-Identifier: MIT
# Writes that libraries make for a program are in its trace: memory that is freed, and what
# libstdc++ has compiled of containers and strings.
. "$(dirname "$0")/../lib.sh"
[ -f "$BUILD/seriatim-instrument.so" ] || { echo "built without LLVM: skipped"; exit 0; }

# Every read of a container sees what is recorded to have been written last.
cat > containers.cc <<'END'
#include <cstdio>
#include <list>
#include <map>
#include <mutex>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <unordered_map>
static std::mutex mutex;
static std::map<std::string, int> map;
static std::multiset<int> set;
static std::unordered_map<int, std::string> table;
static std::list<int> list, other;
static std::string text, line;
static std::istringstream lines("word the rest of a line that is long;word and of another one that is;");
static void change(int by)
{
    for (int i = 0; i < 25; i++) {
        std::lock_guard<std::mutex> guard(mutex);
        map["a key of more than a few bytes " + std::to_string(i * by % 13)] += i;
        set.insert(i * by % 7);
        table[i * by] = text;
        list.push_back(i * by % 11);
        text += text.substr(0, 3) + "abc";
        if (i % 3 == 0)
            map.erase(map.begin()), set.erase(i % 7), table.erase(i * by / 2);
        if (i % 4 == 0)
            list.sort(), list.reverse(), other.splice(other.begin(), list, list.begin());
        if (i % 10 == 9)
            list.swap(other), table.reserve(100 + i), text.replace(0, text.size() / 2, "x"), text.erase(1, 2);
        for (auto &pair : map)
            pair.second++;
        if (i == 3)
            lines >> line, text += line, std::getline(lines, line, ';'), text += line;
    }
}
int main()
{
    std::thread one(change, 1), two(change, 3);
    one.join();
    two.join();
    printf("%zu %zu %zu %zu %zu\n", map.size(), set.size(), table.size(), list.size() + other.size(), text.size());
}
END
run c++ -std=c++17 -O1 -pthread containers.cc -o containers
expect_status 0
run record --verify --exact all --own-status -o containers.srt -- ./containers
expect_status 0
! grep -q 'saw a value' err || fail 'expected no read of an unseen write'
grep -q '^[0-9]* [0-9]* [0-9]* [0-9]* [0-9]*$' out || fail 'expected the program to end well'
cp out first
run record --verify --exact all --own-status -o again.srt -- ./containers
expect_status 0
cmp -s containers.srt again.srt || fail "expected the same trace from the same seed"
cmp -s out first || fail "expected the same output"

# What functions of the C library store for their callers is seen.
cat > stores.c <<'END'
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct utsname system_name;
static struct tm date;
static regmatch_t matches[2];
static unsigned short seed[3];
static wchar_t wide[8];
static char narrow[8], path[] = "/tmp/seriatim-XXXXXX", host[64], *rest;
static int address, exponent, status, sum;
static void *call(void *unused)
{
    regex_t pattern;
    pthread_mutex_lock(&mutex);
    system_name.sysname[0] = 0, date.tm_year = 0, matches[1].rm_eo = 0, seed[0] = 1, wide[0] = 0;
    narrow[0] = 0, host[0] = 0, rest = NULL, address = 0, exponent = 0, status = -1;
    strcpy(path, "/tmp/seriatim-XXXXXX");
    uname(&system_name), gethostname(host, sizeof host), strptime("2020", "%Y", &date);
    if (regcomp(&pattern, "b(c)", REG_EXTENDED) == 0)
        regexec(&pattern, "abcd", 2, matches, 0), regfree(&pattern);
    erand48(seed), mbstowcs(wide, "wide", 8), wcstombs(narrow, L"thin", 8), mbstowcs(NULL, "none", 0);
    strtoimax("8x", &rest, 10), inet_pton(AF_INET, "1.2.3.4", &address), frexpf(8, &exponent);
    close(mkstemp(path)), unlink(path);
    sum += system_name.sysname[0] + host[0] + date.tm_year + (int)matches[1].rm_eo + seed[0];
    sum += (int)wide[0] + narrow[0] + *rest + address + exponent + path[14];
    pthread_mutex_unlock(&mutex);
    return unused;
}
int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, call, NULL);
    pthread_create(&two, NULL, call, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return sum == 0;
}
END
run cc -O1 -g -pthread stores.c -o stores -lm
expect_status 0
run record --verify --exact all --own-status -o stores.srt -- ./stores
expect_status 0
! grep -q 'saw a value' err || fail 'expected no read of an unseen write of the C library'

# An access of what was freed, and a second free, are of the same variable as the first.
cat > twice.c <<'END'
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
static int *block;
static sem_t read_it, freed;
static void *first(void *unused)
{
    int *mine = block;
    sem_wait(&read_it);
    free(mine);
    sem_post(&freed);
    return unused;
}
static void *second(void *unused)
{
    int *mine = block;
    sem_post(&read_it);
    sem_wait(&freed);
    *mine = 2;
    free(mine);
    return unused;
}
int main(void)
{
    pthread_t one, two;
    block = malloc(sizeof *block);
    *block = 1;
    pthread_create(&one, NULL, first, NULL);
    pthread_create(&two, NULL, second, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
}
END
run cc -g -pthread twice.c -o twice
for mode in serial parallel; do
    run record --mode=$mode --own-status -o twice.srt -- ./twice
    run convert --to text twice.srt
    variable='[(]\*.*allocated at twice.c:26 (1st)'
    [ "$(grep -c "^T[12]|free$variable" out)" = 2 ] || fail "expected two frees of one variable ($mode)"
    sed -n '/^T1|free(/,/^T2|free(/p' out | grep -q "^T2|w$variable" ||
        fail "expected a write between the frees ($mode)"
done

# Also if nobody had used those bytes before.
cat > later.c <<'END'
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
struct pair { long list[2]; int first, second; };
static struct pair *pair;
static sem_t looked, freed;
static void *use(void *unused)
{
    struct pair *mine = pair;
    sem_post(&looked);
    sem_wait(&freed);
    mine->second = 1;
    return unused;
}
int main(void)
{
    pthread_t user;
    pair = malloc(sizeof *pair);
    pthread_create(&user, NULL, use, NULL);
    sem_wait(&looked);
    free(pair);
    sem_post(&freed);
    pthread_join(user, NULL);
}
END
run cc -g -pthread later.c -o later
run record -q --own-status -o later.srt -- ./later
run convert --to text later.srt
variable='(second of struct pair, allocated at later.c:18 (1st))'
sed -n "/^T0|free$variable/,\$p" out | grep -q "^T1|w$variable" || fail 'expected a free of what is used later'

# What is left of a freed block, when a smaller one has its place, is not freed with that one.
cat > smaller.c <<'END'
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static long *block;
static void *use(void *size)
{
    for (size_t i = 0; i < (size_t)size / sizeof *block; i++)
        block[i] = 1;
    return NULL;
}
int main(void)
{
    long *places[2];
    for (size_t i = 0; i < 2; i++) {
        size_t size = (3 - i) * sizeof *block;
        pthread_t user;
        places[i] = block = malloc(size);
        pthread_create(&user, NULL, use, (void *)size);
        pthread_join(user, NULL);
        free(block);
    }
    puts(places[0] == places[1] ? "one place" : "two places");
}
END
run cc -g -pthread smaller.c -o smaller
run record -q --own-status -o smaller.srt -- ./smaller
expect_out 'one place'
run convert --to text smaller.srt
grep '|free(' out | cut -d'|' -f2 | sort | uniq -d > twice
[ ! -s twice ] || fail "expected nothing to be freed twice"

# The report says what it is, and the program was forced into it.
cp "$here/programs/wrong/freed.c" "$here/programs/team.h" .
sed -i 's|\.\./team.h|team.h|' freed.c
run cc -g -pthread freed.c -o freed
echo use > names
run run --atomic names --json report.json -- ./freed
expect_status 1
expect_out 'frees .*freed.c:'
expect_out 'This is a use after free.'
expect_out 'Confirmed:'
grep -Eq '"memoryError": *"use after free"' report.json || fail 'expected in the report: "memoryError": *"use after free"'
grep -Eq '"operation": *"frees"' report.json || fail 'expected in the report: "operation": *"frees"'
# A new thread's handle is written before the thread does anything. Who sees it comes later than the
# block, in every order; the handle is the only sign of that.
cat > handle.c <<'END'
#include <pthread.h>
#include <sched.h>
#include <seriatim/annotate.h>
static pthread_t second;
static int x;
static void *idle(void *unused)
{
    return unused;
}
static void *await_second(void *unused)
{
    for (int i = 0; i < 100000 && !__atomic_load_n(&second, __ATOMIC_SEQ_CST); i++)
        sched_yield();
    if (__atomic_load_n(&second, __ATOMIC_SEQ_CST))
        x++;
    return unused;
}
int main(void)
{
    pthread_t first;
    pthread_create(&first, NULL, await_second, NULL);
    SERIATIM_ATOMIC_BEGIN("two writes");
    x = 1;
    x = 2;
    SERIATIM_ATOMIC_END();
    pthread_create(&second, NULL, idle, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    second = 0;
    pthread_create(&second, NULL, idle, NULL); /* also if it was another's before */
    return pthread_join(second, NULL);
}
END
"$SERIATIM" cc -g -O1 -pthread handle.c -o handle || fail "the program should build"
for mode in serial parallel; do
    run record -q --verify --mode $mode -o handle.srt -- ./handle
    expect_status 0
    expect_no_err
    run convert handle.srt
    expect_out '^T0\|w\(second\)\|handle.c:[0-9]+\|value=[1-9]'
    run predict --atomic markers handle.srt
    expect_status 0
done
# Functions of the C library that read or write what threads share.
cat > strings.c <<'END'
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
static pthread_mutex_t inner = PTHREAD_MUTEX_INITIALIZER, outer = PTHREAD_MUTEX_INITIALIZER;
static char number[16] = "5", text[32], year[16], list[] = "a b c d e f", *rest = list;
static unsigned seed = 1;
static struct tm when;
static void digits(int begins)
{
    static _Thread_local long value;
    if (begins)
        value = strtol(number, NULL, 10);
    else
        sprintf(number, "%ld", value + 1);
}
static void append(int begins) { strncat(text, begins ? "abc" : "de", 2); }
static void random_twice(int begins) { (void)begins, (void)rand_r(&seed); }
static void words(int begins) { (void)begins, (void)strsep(&rest, " "); }
static void date(int begins) { begins ? (void)mktime(&when) : (void)strftime(year, sizeof year, "%Y", &when); }
static void each(void (*part)(int), int locked)
{
    if (locked)
        pthread_mutex_lock(&outer);
    for (int begins = 1; begins >= 0; begins--) {
        pthread_mutex_lock(&inner);
        part(begins);
        pthread_mutex_unlock(&inner);
    }
    if (locked)
        pthread_mutex_unlock(&outer);
}
static int locked;
static void write_date(void) { each(date, locked); }
static void *work(void *unused)
{
    each(digits, locked), each(append, locked), each(random_twice, locked), each(words, locked), write_date();
    return unused;
}
int main(int argc, char **argv)
{
    (void)argv;
    pthread_t threads[2];
    locked = argc > 1;
    pthread_create(&threads[0], NULL, work, NULL);
    pthread_create(&threads[1], NULL, work, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
END
run cc -g -O1 -pthread strings.c -o strings
expect_status 0
echo write_date > names
run record --verify --exact all --own-status -o strings.srt -- ./strings
run predict --atomic names strings.srt
expect_status 1
run convert --to text -o strings.std strings.srt
for access in 'r(number' 'r(text' 'w(text' 'r(seed)' 'w(seed)' 'r(rest)' 'w(rest)' 'w(when' 'w(year'; do
    for thread in T1 T2; do
        grep -qF "$thread|$access" strings.std || fail "expected $access of $thread"
    done
done
run record --own-status -o locked.srt -- ./strings locked
run predict --atomic names locked.srt
expect_status 0

finish
