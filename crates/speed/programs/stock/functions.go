package main

// A compiler's input without imports; the table repeats it.
type nodeN struct {
	left, right *nodeN
	key, height int
}

func heightN(n *nodeN) int {
	if n == nil {
		return 0
	}
	return n.height
}

func rotateN(n *nodeN) *nodeN {
	r := n.right
	n.right, r.left = r.left, n
	n.height = max(heightN(n.left), heightN(n.right)) + 1
	r.height = max(heightN(r.left), heightN(r.right)) + 1
	return r
}

func insertN(n *nodeN, key int) *nodeN {
	if n == nil {
		return &nodeN{key: key, height: 1}
	}
	if key < n.key {
		n.left = insertN(n.left, key)
	} else {
		n.right = insertN(n.right, key)
	}
	if heightN(n.right) > heightN(n.left)+1 {
		return rotateN(n)
	}
	return n
}

func mixN(table map[string][]float64, names []string) (sum float64) {
	for i, name := range names {
		switch {
		case len(name) > 3 && name[0] == 'k':
			table[name] = append(table[name], float64(i)*1.5)
		case i%7 == 3:
			delete(table, name)
		default:
			for _, v := range table[name] {
				sum += v / float64(i+1)
			}
		}
	}
	return
}
