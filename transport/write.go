package transport

// batchSize is how many bytes the writer gathers for one write.
const batchSize = 64 << 10

// write writes queued lines until quit is closed or a write fails, then closes the output.
func (c *conn) write() error {
	defer c.out.Close()
	var buf []byte
	for {
		select {
		case <-c.wake:
		case <-c.quit:
			return nil
		}
		for {
			batch := c.take()
			if len(batch) == 0 {
				break
			}
			var err error
			if buf, err = c.writeBatch(buf, batch); err != nil {
				return err
			}
		}
	}
}

// take claims the next lines: one, or more while they fit into a batch.
func (c *conn) take() []outgoing {
	c.mu.Lock()
	defer c.mu.Unlock()
	n, size := 0, 0
	for n < len(c.queue) && (n == 0 || size+len(c.queue[n].line) <= batchSize) {
		size += len(c.queue[n].line)
		n++
	}
	batch := c.queue[:n:n]
	if c.queue = c.queue[n:]; len(c.queue) == 0 {
		c.queue = nil
	}
	return batch
}

// writeBatch writes the lines of batch in one write and tells each call that it was sent, in order.
func (c *conn) writeBatch(buf []byte, batch []outgoing) ([]byte, error) {
	kept := batch[:0]
	for _, o := range batch {
		if o.call == nil || o.call.claim() {
			kept = append(kept, o)
		}
	}
	data := buf[:0]
	if len(kept) == 1 {
		data = kept[0].line
	} else {
		for _, o := range kept {
			data = append(data, o.line...)
		}
		buf = data
	}
	n, err := c.out.Write(data)
	for _, o := range kept {
		switch {
		case o.call == nil:
		case n > 0:
			o.call.markSent()
		default:
			o.call.unsent()
		}
		n -= len(o.line)
	}
	return buf, err
}
