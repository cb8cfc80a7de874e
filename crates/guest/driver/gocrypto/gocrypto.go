// Go's crypto packages for the drivers, as a shared library: gocrypto.c calls these functions.
package main

// #include <stddef.h>
// #include <stdint.h>
import "C"

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha3"
	"crypto/sha512"
	"encoding"
	"hash"
	"runtime"
	"runtime/cgo"
	"runtime/debug"
	"unsafe"
)

// Bytes of a tag of GCM.
const tagSize = 16

// A cipher with its key. The functions return whether they succeed.
type state interface {
	begin(iv []byte) bool
	authenticate(aad []byte)
	crypt(out, in, tag []byte) bool
	tag() []byte
}

// AES in ECB, CBC and CTR mode.
type plain struct {
	block   cipher.Block
	mode    byte
	encrypt bool
	blocks  cipher.BlockMode
	stream  cipher.Stream
}

func (p *plain) begin(iv []byte) bool {
	switch {
	case p.mode == 'c' && p.encrypt:
		p.blocks = cipher.NewCBCEncrypter(p.block, iv)
	case p.mode == 'c':
		p.blocks = cipher.NewCBCDecrypter(p.block, iv)
	case p.mode == 'r':
		p.stream = cipher.NewCTR(p.block, iv)
	}
	return true
}

func (p *plain) crypt(out, in, _ []byte) bool {
	switch {
	case p.mode == 'c':
		p.blocks.CryptBlocks(out, in)
	case p.mode == 'r':
		p.stream.XORKeyStream(out, in)
	case p.encrypt:
		for i := 0; i < len(in); i += aes.BlockSize {
			p.block.Encrypt(out[i:], in[i:])
		}
	default:
		for i := 0; i < len(in); i += aes.BlockSize {
			p.block.Decrypt(out[i:], in[i:])
		}
	}
	return true
}

func (p *plain) authenticate([]byte) {}
func (p *plain) tag() []byte         { return nil }

// AES-GCM. Go has calls for whole messages only: one that arrives in pieces is computed again with each of them.
type gcm struct {
	block   cipher.Block
	aead    cipher.AEAD
	encrypt bool
	nonce   []byte
	aad     []byte
	sealed  []byte // ciphertext so far, and the tag
	length  int    // of the ciphertext
}

func (g *gcm) begin(iv []byte) bool {
	var err error
	if len(iv) == 12 {
		g.aead, err = cipher.NewGCM(g.block)
	} else {
		g.aead, err = cipher.NewGCMWithNonceSize(g.block, len(iv))
	}
	g.nonce = append(g.nonce[:0], iv...)
	g.aad, g.sealed, g.length = g.aad[:0], g.sealed[:0], 0
	return err == nil
}

func (g *gcm) authenticate(aad []byte) { g.aad = append(g.aad, aad...) }

// Plaintext of ciphertext, or the reverse: the key stream does not depend on the message.
func (g *gcm) exchange(text []byte) []byte {
	return g.aead.Seal(nil, g.nonce, text, nil)[:len(text)]
}

func (g *gcm) crypt(out, in, tag []byte) bool {
	before := g.length
	if !g.encrypt {
		g.sealed = append(append(g.sealed[:before], in...), tag...)
		g.length = before + len(in)
		if before == 0 && len(tag) == tagSize {
			if _, err := g.aead.Open(out[:0], g.nonce, g.sealed, g.aad); err == nil {
				return true
			}
		}
		text := g.exchange(g.sealed[:g.length])
		copy(out, text[before:])
		g.sealed = g.aead.Seal(g.sealed[:0], g.nonce, text, g.aad)
		return true
	}
	if before > 0 {
		in = append(g.exchange(g.sealed[:before]), in...)
	}
	g.sealed = g.aead.Seal(g.sealed[:0], g.nonce, in, g.aad)
	g.length = len(in)
	copy(out, g.sealed[before:g.length])
	return true
}

func (g *gcm) tag() []byte {
	if g.length == 0 {
		g.sealed = g.aead.Seal(g.sealed[:0], g.nonce, nil, g.aad)
	}
	return g.sealed[g.length:]
}

func bytes(p unsafe.Pointer, n C.size_t) []byte {
	return unsafe.Slice((*byte)(p), int(n))
}

func status(ok bool) C.int {
	if ok {
		return 1
	}
	return 0
}

// The cipher with a new key; 0 on failure. mode: e for ECB, c for CBC, r for CTR, g for GCM.
//
//export go_key
func go_key(old C.uintptr_t, mode, encrypt C.int, key unsafe.Pointer, n C.size_t) C.uintptr_t {
	block, err := aes.NewCipher(bytes(key, n))
	if err != nil {
		return 0
	}
	var s state = &plain{block: block, mode: byte(mode), encrypt: encrypt != 0}
	if mode == 'g' {
		s = &gcm{block: block, encrypt: encrypt != 0}
		if g, ok := valueOf(old).(*gcm); ok {
			g.block, g.encrypt = block, encrypt != 0
			return old
		}
	}
	go_free(old)
	return C.uintptr_t(cgo.NewHandle(s))
}

func valueOf(handle C.uintptr_t) any {
	if handle == 0 {
		return nil
	}
	return cgo.Handle(handle).Value()
}

func stateOf(handle C.uintptr_t) state { return valueOf(handle).(state) }

//export go_iv
func go_iv(handle C.uintptr_t, iv unsafe.Pointer, n C.size_t) C.int {
	return status(stateOf(handle).begin(bytes(iv, n)))
}

//export go_authenticate
func go_authenticate(handle C.uintptr_t, in unsafe.Pointer, n C.size_t) {
	stateOf(handle).authenticate(bytes(in, n))
}

// Decryption with the tag that the message must have, if it is known.
//
//export go_crypt
func go_crypt(handle C.uintptr_t, out, in unsafe.Pointer, n C.size_t, tag unsafe.Pointer, tagLen C.size_t) C.int {
	return status(stateOf(handle).crypt(bytes(out, n), bytes(in, n), bytes(tag, tagLen)))
}

//export go_tag
func go_tag(handle C.uintptr_t, tag unsafe.Pointer) C.int {
	return status(copy(bytes(tag, tagSize), stateOf(handle).tag()) == tagSize)
}

//export go_free
func go_free(handle C.uintptr_t) {
	if handle != 0 {
		cgo.Handle(handle).Delete()
	}
}

// In the order of the table in gocrypto.c.
var hashes = []func() hash.Hash{
	sha1.New, sha256.New224, sha256.New, sha512.New384, sha512.New, sha512.New512_224, sha512.New512_256,
	func() hash.Hash { return sha3.New224() }, func() hash.Hash { return sha3.New256() },
	func() hash.Hash { return sha3.New384() }, func() hash.Hash { return sha3.New512() },
}

func hashOf(handle C.uintptr_t) hash.Hash { return valueOf(handle).(hash.Hash) }

//export go_hash_new
func go_hash_new(which C.int) C.uintptr_t {
	return C.uintptr_t(cgo.NewHandle(hashes[which]()))
}

//export go_hash_update
func go_hash_update(handle C.uintptr_t, in unsafe.Pointer, n C.size_t) {
	hashOf(handle).Write(bytes(in, n))
}

//export go_hash_end
func go_hash_end(handle C.uintptr_t, out unsafe.Pointer) {
	h := hashOf(handle)
	h.Sum(bytes(out, C.size_t(h.Size()))[:0])
}

//export go_hash_copy
func go_hash_copy(handle C.uintptr_t, which C.int) C.uintptr_t {
	text, err := hashOf(handle).(encoding.BinaryMarshaler).MarshalBinary()
	h := hashes[which]()
	if err != nil || h.(encoding.BinaryUnmarshaler).UnmarshalBinary(text) != nil {
		return 0
	}
	return C.uintptr_t(cgo.NewHandle(h))
}

// A whole message, by the call that Go has for it.
//
//export go_hash
func go_hash(which C.int, out, in unsafe.Pointer, n C.size_t) {
	data := bytes(in, n)
	to := func(sum []byte) { copy(bytes(out, C.size_t(len(sum))), sum) }
	switch which {
	case 0:
		sum := sha1.Sum(data)
		to(sum[:])
	case 2:
		sum := sha256.Sum256(data)
		to(sum[:])
	case 4:
		sum := sha512.Sum512(data)
		to(sum[:])
	default:
		h := hashes[which]()
		h.Write(data)
		to(h.Sum(nil))
	}
}

//export go_version
func go_version(out unsafe.Pointer, n C.size_t) {
	text := runtime.Version() + "\x00"
	copy(bytes(out, n), text)
}

// Without the garbage collector: gocrypto.c stops the threads that it needs.
func init() {
	debug.SetGCPercent(-1)
}

func main() {}
