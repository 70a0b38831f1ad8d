package sum

import "testing"

func TestAdd(t *testing.T) {
	if got := Add(1, 2); got != 3 {
		t.Errorf("Add(1, 2) = %d, want 3", got)
	}
}

func TestTable(t *testing.T) {
	t.Run("zero and zero", func(t *testing.T) {
		if Add(0, 0) != 0 {
			t.Fatal("not zero")
		}
	})
	t.Run("one and one", func(t *testing.T) {
		t.Fatal("not two:\nthis is a second line")
	})
}

func TestSkipped(t *testing.T) { t.Skip("later") }
