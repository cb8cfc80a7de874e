import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.spec.AlgorithmParameterSpec;
import java.util.ArrayList;
import java.util.Arrays;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.spec.ChaCha20ParameterSpec;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Java's JCA for the drivers: jca.c calls these functions, and passes data in the arrays `in` and `out`. An object is a cipher
 * with its key, or a hash; jca.c knows it by its place in a list.
 */
final class CapvecJca {
    static final int TAG = 16;
    static final String[] HASHES = {
        "SHA-1", "SHA-224", "SHA-256", "SHA-384", "SHA-512", "SHA-512/224", "SHA-512/256",
        "SHA3-224", "SHA3-256", "SHA3-384", "SHA3-512",
    };
    static final ArrayList<CapvecJca> OBJECTS = new ArrayList<>();

    static byte[] in = new byte[0], out = new byte[0];

    char mode;
    int direction;
    SecretKeySpec key;
    Cipher cipher;
    MessageDigest hash;
    /* Of GCM: the nonce, the associated data, the message so far as it came in, and its tag. */
    byte[] nonce, aad = new byte[0], message = new byte[0], tag;

    private static int add(CapvecJca object) {
        int free = OBJECTS.indexOf(null);
        if (free >= 0) {
            OBJECTS.set(free, object);
            return free + 1;
        }
        OBJECTS.add(object);
        return OBJECTS.size();
    }

    static void free(int object) {
        OBJECTS.set(object - 1, null);
    }

    /** Room for this many bytes, and a tag. */
    static void room(int bytes) {
        in = new byte[bytes];
        out = new byte[bytes + TAG];
    }

    static String version() {
        return System.getProperty("java.version");
    }

    private static String transformation(char mode) {
        return switch (mode) {
            case 'e' -> "AES/ECB/NoPadding";
            case 'c' -> "AES/CBC/NoPadding";
            case 'r' -> "AES/CTR/NoPadding";
            case 'g' -> "AES/GCM/NoPadding";
            default -> "ChaCha20";
        };
    }

    /** A cipher; its key has the first bytes of `in`. mode: e for ECB, c for CBC, r for CTR, g for GCM, s for ChaCha20. */
    static int key(int mode, boolean encrypt, int bytes) throws GeneralSecurityException {
        CapvecJca object = new CapvecJca();
        object.mode = (char) mode;
        object.direction = encrypt ? Cipher.ENCRYPT_MODE : Cipher.DECRYPT_MODE;
        object.key = new SecretKeySpec(in, 0, bytes, mode == 's' ? "ChaCha20" : "AES");
        if (mode == 'e') {
            object.begin(object.direction, null);
        }
        return add(object);
    }

    /** A cipher that begins. JCA refuses to begin twice with a nonce of GCM or ChaCha20, but new objects know no earlier one. */
    private Cipher begin(int direction, AlgorithmParameterSpec parameters) throws GeneralSecurityException {
        if (cipher == null || mode == 'g' || mode == 's') {
            cipher = Cipher.getInstance(transformation(mode));
        }
        cipher.init(direction, key, parameters);
        return cipher;
    }

    /** Begins a message; the IV has the first bytes of `in`. */
    static void iv(int object, int bytes) throws GeneralSecurityException {
        CapvecJca own = OBJECTS.get(object - 1);
        byte[] iv = Arrays.copyOf(in, bytes);
        switch (own.mode) {
            case 'g' -> {
                own.nonce = iv;
                own.aad = own.message = new byte[0];
                own.tag = null;
            }
            case 's' -> {
                int block = iv[0] & 255 | (iv[1] & 255) << 8 | (iv[2] & 255) << 16 | iv[3] << 24;
                byte[] nonce = Arrays.copyOfRange(iv, 4, 16);
                own.begin(own.direction, new ChaCha20ParameterSpec(nonce, block));
            }
            default -> own.begin(own.direction, new IvParameterSpec(iv));
        }
    }

    private static byte[] join(byte[] first, int bytes) {
        byte[] joined = Arrays.copyOf(first, first.length + bytes);
        System.arraycopy(in, 0, joined, first.length, bytes);
        return joined;
    }

    static void authenticate(int object, int bytes) {
        CapvecJca own = OBJECTS.get(object - 1);
        own.aad = join(own.aad, bytes);
    }

    /** A part of the message, from `in` to `out`. In GCM, the tag that the message must have follows it in `in`, if it is known. */
    static void crypt(int object, int bytes, int tagBytes) throws GeneralSecurityException {
        CapvecJca own = OBJECTS.get(object - 1);
        if (own.mode != 'g') {
            own.cipher.update(in, 0, bytes, out, 0);
        } else if (own.direction == Cipher.ENCRYPT_MODE) {
            own.encrypt(bytes);
        } else {
            own.decrypt(bytes, tagBytes);
        }
    }

    /** GCM has calls for whole messages: one that arrives in pieces is computed again with each of them. */
    private void encrypt(int bytes) throws GeneralSecurityException {
        int before = message.length;
        message = join(message, bytes);
        if (before == 0) {
            seal(message, out);
        } else {
            byte[] sealed = new byte[message.length + TAG];
            seal(message, sealed);
            System.arraycopy(sealed, before, out, 0, bytes);
        }
    }

    /** A message in `in`, encrypted with its tag to `out`, whatever the direction: to warm up. */
    static void seal(int object, int bytes) throws GeneralSecurityException {
        OBJECTS.get(object - 1).seal(Arrays.copyOf(in, bytes), out);
    }

    /** Encrypts, and keeps the tag. */
    private void seal(byte[] text, byte[] sealed) throws GeneralSecurityException {
        Cipher c = begin(Cipher.ENCRYPT_MODE, new GCMParameterSpec(8 * TAG, nonce));
        c.updateAAD(aad);
        c.doFinal(text, 0, text.length, sealed, 0);
        tag = Arrays.copyOfRange(sealed, text.length, text.length + TAG);
    }

    private void decrypt(int bytes, int tagBytes) throws GeneralSecurityException {
        int before = message.length;
        if (before == 0 && tagBytes == TAG) {
            Cipher c = begin(Cipher.DECRYPT_MODE, new GCMParameterSpec(8 * TAG, nonce));
            c.updateAAD(aad);
            try {
                c.doFinal(in, 0, bytes + TAG, out, 0);
                message = Arrays.copyOf(in, bytes);
                tag = Arrays.copyOfRange(in, bytes, bytes + TAG);
                return;
            } catch (AEADBadTagException e) {
                // The caller wants the text nevertheless, and compares the tag.
            }
        }
        message = join(message, bytes);
        // The key stream does not depend on the message, so encryption inverts itself.
        byte[] text = new byte[message.length + TAG];
        seal(message, text);
        text = Arrays.copyOf(text, message.length);
        System.arraycopy(text, before, out, 0, bytes);
        seal(text, new byte[text.length + TAG]);
    }

    /** The tag, in `out`. */
    static void tag(int object) throws GeneralSecurityException {
        CapvecJca own = OBJECTS.get(object - 1);
        if (own.tag == null) {
            own.seal(new byte[0], new byte[TAG]);
        }
        System.arraycopy(own.tag, 0, out, 0, TAG);
    }

    static int hashNew(int which) throws GeneralSecurityException {
        CapvecJca object = new CapvecJca();
        object.hash = MessageDigest.getInstance(HASHES[which]);
        return add(object);
    }

    static void hashUpdate(int object, int bytes) {
        OBJECTS.get(object - 1).hash.update(in, 0, bytes);
    }

    static void hashEnd(int object) throws GeneralSecurityException {
        MessageDigest hash = OBJECTS.get(object - 1).hash;
        hash.digest(out, 0, hash.getDigestLength());
    }

    static int hashCopy(int object) throws CloneNotSupportedException {
        CapvecJca copy = new CapvecJca();
        copy.hash = (MessageDigest) OBJECTS.get(object - 1).hash.clone();
        return add(copy);
    }

    /** A whole message. */
    static void hash(int which, int bytes) throws GeneralSecurityException {
        MessageDigest hash = MessageDigest.getInstance(HASHES[which]);
        hash.update(in, 0, bytes);
        hash.digest(out, 0, hash.getDigestLength());
    }
}
