def price(:
    pass
