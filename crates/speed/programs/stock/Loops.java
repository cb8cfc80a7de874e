/** Loops that the compilers of the virtual machine translate. */
public class Loops {
    static int sieve(int n) {
        boolean[] composite = new boolean[n];
        int primes = 0;
        for (int k = 2; k < n; k++) {
            if (composite[k]) continue;
            primes++;
            for (int m = k * 2; m < n; m += k) composite[m] = true;
        }
        return primes;
    }

    static double[][] multiply(double[][] a, double[][] b) {
        int n = a.length;
        double[][] c = new double[n][n];
        for (int i = 0; i < n; i++)
            for (int k = 0; k < n; k++)
                for (int j = 0; j < n; j++) c[i][j] += a[i][k] * b[k][j];
        return c;
    }

    static long mix(int rounds) {
        long a = 1, b = 2;
        for (int n = 0; n < rounds; n++) {
            a = a * 6364136223846793005L + b;
            b = Long.rotateLeft(b, 7) ^ a;
        }
        return a;
    }

    public static void main(String[] args) {
        int n = 100;
        double[][] m = new double[n][n];
        for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) m[i][j] = (i * 31 + j) % 17 / 16.0;
        double[][] p = m;
        for (int k = 0; k < 4; k++) p = multiply(p, m);
        java.util.HashMap<String, Integer> counts = new java.util.HashMap<>();
        long x = 0;
        for (int k = 0; k < 30000; k++) {
            x = (x * 31 + k) % 1000003;
            counts.merge("k" + x % 997, 1, Integer::sum);
        }
        int primes = 0;
        for (int k = 0; k < 5; k++) primes += sieve(500000);
        System.out.println(primes + " " + p[3][4] + " " + mix(5000000) + " " + counts.size());
    }
}
