#include "knots.hpp"
#include "rope.hpp"

static double describe(const char*, const rigging::Rope& rope, const rigging::Knot& knot) {
    return knot.strength(rope);
}

int main() {
    rigging::Rope line{"main", 10};
    rigging::Rope spare{"spare", 5};
    double held = describe("é 😀", rigging::splice(line, spare), rigging::Bowline());
    return held < rigging::doubled(line).metres ? 0 : 1;
}
