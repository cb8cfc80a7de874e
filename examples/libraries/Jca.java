import java.security.MessageDigest;
import javax.crypto.Cipher;
import javax.crypto.spec.ChaCha20ParameterSpec;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * One of six symmetric cases with Java's JCA: java Jca CASE MEBIBYTES. Two runs of different length show what a byte takes; the
 * shorter one must be long enough for the virtual machine to have compiled what it repeats.
 */
class Jca {
    static final byte[] KEY = new byte[16];

    static Cipher cipher(String name) throws Exception {
        SecretKeySpec key = new SecretKeySpec(KEY, "AES");
        Cipher c = Cipher.getInstance(switch (name) {
            case "aes-128-ecb" -> "AES/ECB/NoPadding";
            case "aes-128-ctr" -> "AES/CTR/NoPadding";
            case "aes-128-gcm" -> "AES/GCM/NoPadding";
            case "chacha20" -> "ChaCha20";
            default -> throw new IllegalArgumentException("not offered: " + name);
        });
        switch (name) {
            case "aes-128-ecb" -> c.init(Cipher.ENCRYPT_MODE, key);
            case "aes-128-ctr" -> c.init(Cipher.ENCRYPT_MODE, key, new IvParameterSpec(new byte[16]));
            case "aes-128-gcm" -> c.init(Cipher.ENCRYPT_MODE, key, new GCMParameterSpec(128, new byte[12]));
            default -> c.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(new byte[32], "ChaCha20"),
                    new ChaCha20ParameterSpec(new byte[12], 0));
        }
        return c;
    }

    public static void main(String[] arguments) throws Exception {
        String name = arguments[0];
        int pieces = Integer.parseInt(arguments[1]) * 64;
        byte[] in = new byte[16384], out = new byte[2 * in.length];
        if (name.startsWith("sha")) {
            MessageDigest digest = MessageDigest.getInstance(name.replace("sha", "SHA-"));
            for (int i = 0; i < pieces; i++) {
                digest.update(in);
            }
        } else {
            Cipher c = cipher(name);
            for (int i = 0; i < pieces; i++) {
                c.update(in, 0, in.length, out, 0);
            }
        }
    }
}
