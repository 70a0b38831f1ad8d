#include "rope.hpp"

int main() {
    rigging::Rope joined = rigging::splice(rigging::Rope{"a", 2}, rigging::Rope{"b", 3});
    return joined.metres == 5 ? 0 : 1;
}
