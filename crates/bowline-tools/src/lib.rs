//! bowline's own tools, one small file each.
