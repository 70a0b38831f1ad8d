package shop.broken;

import java.util.ArrayList;
import java.util.List;

public final class Broken {
    int count = "three";

    int missing() {
        return nowhere(1);
    }

    @SuppressWarnings("rawtypes")
    List<String> names() {
        return new ArrayList<Integer>();
    }
}
