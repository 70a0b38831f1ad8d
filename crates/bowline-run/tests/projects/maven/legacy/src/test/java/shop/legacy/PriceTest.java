package shop.legacy;

import static org.junit.Assert.assertEquals;

import org.junit.Ignore;
import org.junit.Test;

public class PriceTest {
    @Test
    public void showsCents() {
        assertEquals("1.05", Price.show(105));
    }

    @Test
    public void showsEuros() {
        assertEquals("2.50", Price.show(250));
    }

    @Test(timeout = 50)
    public void ends() throws InterruptedException {
        Thread.sleep(500);
    }

    @Test(expected = IllegalArgumentException.class)
    public void refusesNegatives() {
        Price.show(-1);
    }

    @Ignore
    @Test
    public void isSkipped() {}
}
