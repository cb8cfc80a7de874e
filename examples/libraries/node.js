// One of nine symmetric cases with Node's crypto: node node.js CASE MEBIBYTES. Two runs of different length show what a byte takes.
const crypto = require("crypto");

const [name, mebibytes] = process.argv.slice(2);
const key = Buffer.from("000102030405060708090a0b0c0d0e0f", "hex");
const iv = Buffer.alloc(16);
const cipher = (algorithm, key, iv) => crypto.createCipheriv(algorithm, key, iv);
const cases = {
  "aes-128-ecb": () => cipher("aes-128-ecb", key, null),
  "aes-128-ctr": () => cipher("aes-128-ctr", key, iv),
  "aes-128-gcm": () => cipher("aes-128-gcm", key, iv.subarray(4)),
  "aes-128-xts": () => cipher("aes-128-xts", Buffer.concat([key, iv]), iv),
  sha256: () => crypto.createHash("sha256"),
  sha512: () => crypto.createHash("sha512"),
  sm3: () => crypto.createHash("sm3"),
  "sm4-ecb": () => cipher("sm4-ecb", key, null),
  chacha20: () => cipher("chacha20", Buffer.concat([key, key]), iv),
};

// In XTS each update is a message of its own; the others are one message.
const context = cases[name]();
const buffer = Buffer.alloc(16384);
for (let i = 0; i < mebibytes * 64; i++) context.update(buffer);
