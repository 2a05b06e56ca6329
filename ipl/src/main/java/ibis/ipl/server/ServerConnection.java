package ibis.ipl.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import ibis.ipl.internal.registry.RegistryClient;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A server of another process: one that this program has started with the option {@code --remote}
 * and whose standard input and output it holds, or one that is known by its address. May be shared
 * between threads.
 *
 * <p>Questions about pools take the secret from the default properties, as members do.
 */
public final class ServerConnection implements ServerInterface {

  /** How many milliseconds a server may take to answer a question. */
  public static final int TIMEOUT = 10_000;

  private final @Nullable OutputStream stdin;
  private final RegistryClient registry;

  /**
   * Waits until a server that was started with {@code --remote} says its address. The server ends
   * when the connection does, and at once if this constructor fails.
   *
   * @param stdout what the server prints
   * @param stdin ends the server when it is closed
   * @param output is given the other lines that the server prints
   * @param outputPrefix stands before each of these lines
   * @param timeoutMillis how long to wait for the address
   * @param socketFactory without effect; may be {@code null}
   * @throws IOException if the server ends before it says its address, or is late
   */
  public ServerConnection(
      InputStream stdout,
      OutputStream stdin,
      PrintStream output,
      String outputPrefix,
      long timeoutMillis,
      Object socketFactory)
      throws IOException {
    this.stdin = Objects.requireNonNull(stdin, "stdin");
    Objects.requireNonNull(stdout, "stdout");
    Objects.requireNonNull(output, "output");
    var address = new CompletableFuture<String>();
    Thread.ofPlatform()
        .daemon()
        .name("ibis-server-output")
        .start(() -> forward(stdout, output, outputPrefix, address));
    boolean known = false;
    try {
      registry = client(await(address, timeoutMillis));
      known = true;
    } finally {
      if (!known) {
        closeConnection();
      }
    }
  }

  /**
   * Creates a connection to a server that others have started; asks it nothing yet.
   *
   * @param address as in {@code ibis.server.address}
   * @param socketFactory without effect; may be {@code null}
   */
  public ServerConnection(String address, Object socketFactory) throws IOException {
    stdin = null;
    registry = client(address);
  }

  /**
   * Creates a connection to a server that others have started; asks it nothing yet.
   *
   * @param address as in {@code ibis.server.address}
   * @param hubs without effect, as there are none; may be {@code null}
   */
  public ServerConnection(String address, String hubs) throws IOException {
    this(address, (Object) hubs);
  }

  private static RegistryClient client(String address) {
    return new RegistryClient(address, Duration.ofMillis(TIMEOUT));
  }

  private static String await(CompletableFuture<String> address, long timeoutMillis)
      throws IOException {
    try {
      return address.get(timeoutMillis, TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      throw new IOException(
          "the server did not say its address within "
              + timeoutMillis
              + " ms; start it with the option '--remote', or wait longer",
          e);
    } catch (ExecutionException e) {
      Throwable cause = Objects.requireNonNull(e.getCause(), "what failed");
      throw new IOException(cause.getMessage(), cause);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while waiting for the address of the server");
    }
  }

  private static void forward(
      InputStream stdout, PrintStream output, String prefix, CompletableFuture<String> address) {
    String end = "";
    try (var lines = new BufferedReader(new InputStreamReader(stdout, UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        String found = addressIn(line);
        if (found == null || !address.complete(found)) {
          output.println(prefix == null ? line : prefix + line);
        }
      }
    } catch (IOException e) {
      end = ": " + e.getMessage();
    }
    address.completeExceptionally(
        new IOException(
            "the server ended before it said its address"
                + end
                + "; its standard error says why, and it needs the option '--remote'"));
  }

  /** Returns the address that a line of a server tells, or {@code null} if it tells none. */
  private static @Nullable String addressIn(String line) {
    int begin = line.indexOf(Server.ADDRESS_LINE_PREFIX);
    int end = line.lastIndexOf(Server.ADDRESS_LINE_POSTFIX);
    int first = begin + Server.ADDRESS_LINE_PREFIX.length();
    return begin < 0 || end <= first ? null : line.substring(first, end);
  }

  @Override
  public String getAddress() {
    return registry.address().toString();
  }

  @Override
  public String[] getServiceNames() {
    return new String[] {Server.REGISTRY};
  }

  @Override
  public String[] getHubs() {
    return new String[0];
  }

  @Override
  public void addHubs(String... hubAddresses) {
    // Accepted without effect, for programs that pass their arguments on.
  }

  @Override
  public RegistryServiceInterface getRegistryService() {
    return new RegistryService(registry);
  }

  /**
   * Ends a server that this program has started, at once.
   *
   * @param timeoutMillis without effect: pools that have members are not waited for
   * @throws IOException if others have started the server
   */
  @Override
  public void end(long timeoutMillis) throws IOException {
    if (stdin == null) {
      throw new IOException(
          "the server at "
              + getAddress()
              + " was started by others, who alone can end it; close its standard input or end its"
              + " process");
    }
    closeConnection();
  }

  /** Closes the standard input of a server that this program has started, which ends it. */
  public void closeConnection() {
    if (stdin == null) {
      return;
    }
    try {
      stdin.close();
    } catch (IOException _) {
      // Its pipe is broken, so the server has ended already.
    }
  }

  @Override
  public String toString() {
    return "connection to the Ibis server at " + getAddress();
  }
}
