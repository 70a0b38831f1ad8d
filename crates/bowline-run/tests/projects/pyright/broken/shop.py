def price(count: int) -> str:
    return count


price("three")
