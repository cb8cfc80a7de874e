// Node's module crypto for the drivers: node.c calls these functions, and passes data in the buffers `input` and `output`. An object is a
// cipher with its key, or a hash; node.c knows it by its place in a list.
"use strict";
const crypto = require("crypto");
const { serve, share, ciphers, hashes } = process._linkedBinding("capvec");

const TAG = 16;
const objects = [null];
let input, output;

function add(object) {
  const free = objects.indexOf(undefined, 1);
  return free < 0 ? objects.push(object) - 1 : ((objects[free] = object), free);
}

// Node's users get a cipher for each message: it has no function that sets another IV.
function begin(own, encrypt, iv) {
  const create = encrypt ? crypto.createCipheriv : crypto.createDecipheriv;
  return create(own.name, own.key, iv).setAutoPadding(false);
}

const operations = {
  // Room for this many bytes, and a tag.
  room(bytes) {
    input = Buffer.allocUnsafeSlow(bytes);
    output = Buffer.allocUnsafeSlow(bytes + TAG);
    share(input, output);
  },

  collect() {
    gc();
  },

  // A cipher by its place in the table; its key has the first bytes of `input`.
  key(which, encrypt, bytes) {
    const name = ciphers[which];
    const own = { name, encrypt, key: Buffer.from(input.subarray(0, bytes)) };
    if (name.endsWith("-ecb")) own.cipher = begin(own, encrypt, null);
    return add(own);
  },

  // Begins a message; the IV has the first bytes of `input`.
  iv(object, bytes) {
    const own = objects[object];
    own.iv = Buffer.from(input.subarray(0, bytes));
    own.cipher = begin(own, own.encrypt, own.iv);
  },

  authenticate(object, bytes) {
    objects[object].cipher.setAAD(input.subarray(0, bytes));
  },

  // A part of the message, from `input` to `output`.
  crypt(object, bytes) {
    objects[object].cipher.update(input.subarray(0, bytes)).copy(output);
  },

  // A message in `input`, encrypted with its tag to `output`, whatever the direction: to warm up.
  seal(object, bytes) {
    const own = objects[object];
    const cipher = begin(own, true, own.iv);
    cipher.update(input.subarray(0, bytes)).copy(output);
    cipher.final();
    cipher.getAuthTag().copy(output, bytes);
  },

  // Ends a message that was encrypted; its tag is in `output`.
  tag(object) {
    const { cipher } = objects[object];
    cipher.final();
    cipher.getAuthTag().copy(output);
  },

  // Ends a message that was decrypted, whose tag should be what is in `input`; fails if it is not.
  check(object, bytes) {
    const { cipher } = objects[object];
    cipher.setAuthTag(input.subarray(0, bytes));
    cipher.final();
  },

  free(object) {
    objects[object] = undefined;
  },

  hashNew: (which) => add(crypto.createHash(hashes[which])),

  hashUpdate(object, bytes) {
    objects[object].update(input.subarray(0, bytes));
  },

  hashEnd(object) {
    objects[object].digest().copy(output);
  },

  hashCopy: (object) => add(objects[object].copy()),

  // A whole message.
  hash(which, bytes) {
    crypto.createHash(hashes[which]).update(input.subarray(0, bytes)).digest().copy(output);
  },
};

serve(operations);
