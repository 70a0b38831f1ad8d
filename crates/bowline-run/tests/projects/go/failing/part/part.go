package part
