import com.sun.net.httpserver.*;
import java.io.*;
import java.net.*;
import java.security.*;
import javax.net.ssl.*;

/** Answers over TLS on all addresses. */
public class Server {
    public static void main(String[] args) throws Exception {
        char[] password = "changeit".toCharArray();
        KeyStore store = KeyStore.getInstance(new File("store.p12"), password);
        KeyManagerFactory keys = KeyManagerFactory.getInstance("PKIX");
        keys.init(store, password);
        SSLContext tls = SSLContext.getInstance("TLSv1.3");
        tls.init(keys.getKeyManagers(), null, null);
        HttpsServer server = HttpsServer.create(new InetSocketAddress(8445), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(tls));
        server.createContext("/", exchange -> {
            byte[] text = (exchange.getRequestMethod() + " " + exchange.getRequestURI() + "\n").getBytes();
            exchange.sendResponseHeaders(200, text.length);
            exchange.getResponseBody().write(text);
            exchange.close();
        });
        server.start();
    }
}
