module example.com/rigging

go 1.22
