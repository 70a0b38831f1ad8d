package shop;

import java.util.List;

public final class Cart {
    private Cart() {}

    public static int total(List<Integer> prices) {
        return prices.stream().mapToInt(Integer::intValue).sum();
    }

    public static int parse(String text) {
        if (text.isEmpty()) {
            throw new IllegalArgumentException("an empty cart cannot be parsed");
        }
        return Integer.parseInt(text);
    }
}
