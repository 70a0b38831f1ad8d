package main

func main() {
	var count int = "three"
	println(count)
}
