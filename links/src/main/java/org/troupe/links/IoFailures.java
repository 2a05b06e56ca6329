package org.troupe.links;

import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import org.jspecify.annotations.Nullable;

/** Helpers for the exceptions and the closing of failed connections. */
public final class IoFailures {

  private IoFailures() {}

  /** Returns an exception after setting its cause, for classes without such a constructor. */
  public static <E extends Throwable> E caused(E exception, Throwable cause) {
    exception.initCause(cause);
    return exception;
  }

  /** Closes a resource whose failure to close has no remedy; ignores {@code null}. */
  public static void closeQuietly(@Nullable Closeable resource) {
    if (resource != null) {
      try {
        resource.close();
      } catch (IOException _) {
        // the descriptor is released all the same
      }
    }
  }

  /**
   * Converts the exception of a closed channel to one that names the connection and the cause.
   *
   * @param name the connection, for the message
   * @return any other exception unchanged
   */
  public static IOException named(IOException e, String name) {
    return switch (e) {
      case ClosedByInterruptException _ ->
          caused(
              new InterruptedIOException(
                  "interrupted while waiting for " + name + ", which was therefore closed"),
              e);
      case ClosedChannelException _ -> caused(new IOException(name + " is closed"), e);
      default -> e;
    };
  }
}
