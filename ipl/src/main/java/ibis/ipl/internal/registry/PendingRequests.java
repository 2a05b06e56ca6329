package ibis.ipl.internal.registry;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.troupe.links.Address;

/** The requests of a member to its server that wait for replies. Thread-safe. */
final class PendingRequests {

  /** Sends a message to the server; fails if the server is lost. */
  interface Transmission {
    void send(byte[] message) throws IOException;
  }

  private final Address server;
  private final Transmission transmission;
  private final long replyMillis;
  private final Map<Integer, CompletableFuture<DataInputStream>> pending =
      new ConcurrentHashMap<>();
  private final AtomicInteger lastNumber = new AtomicInteger();

  /**
   * Creates an empty set.
   *
   * @param replyMillis the longest time that a working server may need for a reply
   */
  PendingRequests(Address server, Transmission transmission, long replyMillis) {
    this.server = server;
    this.transmission = transmission;
    this.replyMillis = replyMillis;
  }

  /** Completes a request with its reply; ignores the reply if the caller has timed out. */
  void complete(int number, DataInputStream reply) {
    CompletableFuture<DataInputStream> request = pending.get(number);
    if (request != null) {
      request.complete(reply);
    }
  }

  /** Fails a request; ignores the failure if the caller has timed out. */
  void fail(int number, IOException cause) {
    CompletableFuture<DataInputStream> request = pending.get(number);
    if (request != null) {
      request.completeExceptionally(cause);
    }
  }

  /** Fails all pending requests. */
  void failAll(IOException cause) {
    for (CompletableFuture<DataInputStream> request : pending.values()) {
      request.completeExceptionally(cause);
    }
  }

  /** Sends a request and waits for its result, for at most the time that a working server needs. */
  <T> T result(int kind, RegistryProtocol.Body arguments, Function<? super DataInputStream, T> read)
      throws IOException {
    return Objects.requireNonNull(
        result(kind, 0, arguments, read), "null stands for the caller's time limit");
  }

  /**
   * Sends a request and waits for the reply.
   *
   * @param timeoutMillis 0 for the longest time that a working server may need
   * @return {@code null} if no reply came within the caller's time limit
   */
  @Nullable DataInputStream reply(int kind, long timeoutMillis, RegistryProtocol.Body arguments)
      throws IOException {
    return result(kind, timeoutMillis, arguments, reply -> reply);
  }

  /** Sends a request and waits for its confirmation. */
  void confirm(int kind, RegistryProtocol.Body arguments) throws IOException {
    DataInputStream _ = result(kind, arguments, reply -> reply);
  }

  /**
   * Sends a request and waits for its result.
   *
   * @param read applied to the reply by the reading thread before it reads further events
   */
  private <T> @Nullable T result(
      int kind,
      long timeoutMillis,
      RegistryProtocol.Body arguments,
      Function<? super DataInputStream, T> read)
      throws IOException {
    int number = lastNumber.incrementAndGet();
    byte[] message =
        RegistryProtocol.message(
            kind,
            out -> {
              out.writeInt(number);
              arguments.writeTo(out);
            });
    var request = new CompletableFuture<DataInputStream>();
    CompletableFuture<T> result = request.thenApply(read);
    // The thread that fails pending requests must see this one before the server counts as lost.
    pending.put(number, request);
    try {
      transmission.send(message);
      return result.get(timeoutMillis > 0 ? timeoutMillis : replyMillis, TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      if (timeoutMillis > 0) {
        return null;
      }
      throw new IOException("the server at " + server + " does not answer; it hangs", e);
    } catch (ExecutionException e) {
      Throwable cause = Objects.requireNonNull(e.getCause(), "the exception of the request");
      throw new IOException(cause.getMessage(), cause);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while waiting for the server at " + server);
    } finally {
      pending.remove(number);
    }
  }
}
