package shop.legacy;

public final class Price {
    private Price() {}

    public static String show(int cents) {
        return cents / 100 + "." + cents % 100;
    }
}
