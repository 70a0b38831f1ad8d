#include "rope.hpp"

/// A rope with a metre more.
rigging::Rope lengthened(const rigging::Rope& rope) {
    return rigging::splice(rope, rigging::Rope{"more", 1});
}
