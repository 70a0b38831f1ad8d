#include <assert.h>
#include <signal.h>

int main(int count, char **words) {
    (void)words;
    if (count > 1) {
        raise(SIGSEGV);
    }
    assert(1 + 1 == 3);
    return 0;
}
