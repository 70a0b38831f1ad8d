package part

func Twice(n int) int {
	return n * undefinedName
}
