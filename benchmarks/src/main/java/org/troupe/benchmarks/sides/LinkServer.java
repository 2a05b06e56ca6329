package org.troupe.benchmarks.sides;

import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.troupe.benchmarks.bare.BareDriver;
import org.troupe.benchmarks.bare.BareLink;
import org.troupe.benchmarks.bare.BareListener;

/**
 * Reads a length and as many bytes into an array, and answers with eight bytes. It reuses the
 * array, unless {@link #FRESH} requests a new one.
 */
final class LinkServer {

  /**
   * A flag that is added to a length: the bytes are read into a new array, like the argument of a
   * call.
   */
  static final long FRESH = 1L << 32;

  private LinkServer() {}

  static void main(String[] arguments) throws Exception {
    var listener = listen(arguments[0]);
    Thread.ofPlatform().daemon().start(() -> watch(listener));
    System.out.println(listener.address());
    try (var link = listener.accept()) {
      serve(link);
    } catch (EOFException e) {
      // The client has ended.
    }
  }

  private static BareListener listen(String kind) throws IOException {
    return kind.equals(PortLink.NAME) ? PortLink.listen() : BareDriver.valueOf(kind).listen();
  }

  /** Closes the listener once the client has connected, and ends this JVM with the client. */
  private static void watch(BareListener listener) {
    var input = new BufferedReader(new InputStreamReader(System.in));
    try (listener) {
      input.readLine();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    input.lines().forEach(_ -> {});
    System.exit(0);
  }

  private static void serve(BareLink link) throws IOException {
    var small = ByteBuffer.allocateDirect(Long.BYTES);
    var target = MemorySegment.ofArray(new double[0]);
    for (; ; ) {
      link.readFully(small.clear());
      var request = small.getLong(0);
      var length = (int) request;
      if (length != target.byteSize() || (request & FRESH) != 0) {
        target = MemorySegment.ofArray(new byte[length]);
      }
      link.readFully(target);
      link.write(small.clear());
    }
  }
}
