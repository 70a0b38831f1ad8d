int count(void) {
    int unused = 3;
    return missing;
}
