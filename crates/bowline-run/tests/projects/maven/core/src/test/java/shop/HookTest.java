package shop;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class HookTest {
    @BeforeEach
    void open() {
        throw new IllegalStateException("no database");
    }

    @Test
    void first() {}
}
