package shrink

// reduce is ddmin: it looks for a part of items, in their order, that test accepts and from which no single item can
// be left out. The whole of items is known to be accepted; nothing at all is tried first, since that is so often
// enough.
func reduce[T any](items []T, test func(rest []T) (bool, error)) ([]T, error) {
	if len(items) == 0 {
		return items, nil
	}
	if ok, err := test(nil); ok || err != nil {
		if ok {
			items = nil
		}
		return items, err
	}
	for parts := 2; len(items) > 0; {
		parts = min(parts, len(items))
		reduced := false
		for i := 0; i < parts; i++ {
			from, to := i*len(items)/parts, (i+1)*len(items)/parts
			rest := make([]T, 0, len(items)-(to-from))
			rest = append(append(rest, items[:from]...), items[to:]...)
			ok, err := test(rest)
			if err != nil {
				return items, err
			}
			if ok {
				items, reduced = rest, true
				parts = max(parts-1, 2)
				i-- // what stands at this place now has not been tried
				if len(items) == 0 {
					return items, nil
				}
				parts = min(parts, len(items))
			}
		}
		if !reduced {
			if parts >= len(items) {
				return items, nil
			}
			parts = 2 * parts
		}
	}
	return items, nil
}
