//! Files, layers and environment, composed into the options each room owns.
