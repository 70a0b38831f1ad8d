// What the other files tie knots into. No header of the system is used: a machine may have none.
#pragma once

namespace rigging {

/// A length of line.
struct Rope {
    const char* label;
    double metres;
};

/// Anything that can be tied into a rope.
class Knot {
public:
    virtual ~Knot() = default;
    virtual const char* name() const = 0;
    virtual double strength(const Rope& rope) const = 0;
};

/// Joins two ropes into one.
Rope splice(const Rope& first, const Rope& second);

}  // namespace rigging
