import java.security.MessageDigest;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/** Ciphers and hashes of the Java Cryptography Architecture. */
public class Ciphers {
    public static void main(String[] args) throws Exception {
        byte[] data = new byte[16384], key = new byte[16];
        for (int n = 0; n < data.length; n++) data[n] = (byte) (n * 31);
        SecretKeySpec aes = new SecretKeySpec(key, "AES");
        for (String name : new String[] {"SHA-256", "SHA-512", "SHA3-256", "MD5"}) {
            MessageDigest hash = MessageDigest.getInstance(name);
            for (int n = 0; n < 10; n++) hash.update(data);
            System.out.println(name + " " + hash.digest()[0]);
        }
        Cipher cbc = Cipher.getInstance("AES/CBC/NoPadding");
        cbc.init(Cipher.ENCRYPT_MODE, aes, new javax.crypto.spec.IvParameterSpec(key));
        for (int n = 0; n < 10; n++) data = cbc.update(data);
        Cipher gcm = Cipher.getInstance("AES/GCM/NoPadding");
        for (int n = 0; n < 5; n++) {
            byte[] nonce = new byte[12];
            nonce[0] = (byte) n;
            gcm.init(Cipher.ENCRYPT_MODE, aes, new GCMParameterSpec(128, nonce));
            data = java.util.Arrays.copyOf(gcm.doFinal(data), 16384);
        }
        System.out.println(data[0] + " " + data[16383]);
    }
}
