package uncompiled

import "testing"

func TestNever(t *testing.T) { missing() }
