# Prints digests of the given files, computed by a child process for each file and by threads; both must agree.
import hashlib, os, sys, threading, zlib

ALGORITHMS = ("sha1", "sha256", "sha512", "sha3_256", "sm3")

def digests(name):
    with open(name, "rb") as f:
        data = f.read()
    found = [(name, a, hashlib.new(a, data).hexdigest()) for a in ALGORITHMS]
    with open(name, "rb") as f:
        assert hashlib.file_digest(f, "sha256").hexdigest() == found[1][2]
    assert zlib.decompress(zlib.compress(data)) == data
    return "".join("%s %s %s\n" % line for line in found)

def by_child(name):
    reader, writer = os.pipe()
    if os.fork() == 0:
        os.write(writer, digests(name).encode())
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as f:
        text = f.read()
    assert os.wait()[1] == 0
    return text

names = sys.argv[1:]
by_thread = {}
threads = [threading.Thread(target=lambda n: by_thread.update({n: digests(n)}), args=(n,)) for n in names]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
for name in names:
    assert by_child(name) == by_thread[name]
    sys.stdout.write(by_thread[name])
