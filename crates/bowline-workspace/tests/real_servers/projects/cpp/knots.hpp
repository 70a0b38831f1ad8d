#pragma once

#include "rope.hpp"

namespace rigging {

/// A loop that does not slip.
class Bowline : public Knot {
public:
    const char* name() const override { return "bowline"; }
    double strength(const Rope& rope) const override { return rope.metres * 0.65; }
};

/// A rope spliced to itself.
inline Rope doubled(const Rope& rope) { return splice(rope, rope); }

}  // namespace rigging
