//go:build !unix

package filesystem

const nonBlocking = 0
