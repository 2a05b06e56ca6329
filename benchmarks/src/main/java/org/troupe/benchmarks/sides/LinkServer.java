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
 * Reads a length, so many bytes into an array, and answers with eight. The array is the one of the
 * time before, unless {@link #FRESH} asks for another.
 */
final class LinkServer {

  /** Added to a length: they are to come into an array that nobody has used, as those of a call. */
  static final long FRESH = 1L << 32;

  private LinkServer() {}

  static void main(String[] arguments) throws Exception {
    var listener = listen(arguments[0]);
    Thread.ofPlatform().daemon().start(() -> watch(listener));
    System.out.println(listener.address());
    try (var link = listener.accept()) {
      serve(link);
    } catch (EOFException e) {
      // the client is done
    }
  }

  private static BareListener listen(String kind) throws IOException {
    return kind.equals(PortLink.NAME) ? PortLink.listen() : BareDriver.valueOf(kind).listen();
  }

  /** Hears from the client that it has connected, and that it has ended. */
  private static void watch(BareListener listener) {
    var told = new BufferedReader(new InputStreamReader(System.in));
    try (listener) {
      told.readLine();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    told.lines().forEach(_ -> {});
    System.exit(0);
  }

  private static void serve(BareLink link) throws IOException {
    var small = ByteBuffer.allocateDirect(Long.BYTES);
    var target = MemorySegment.ofArray(new double[0]);
    for (; ; ) {
      link.readFully(small.clear());
      var wanted = small.getLong(0);
      var length = (int) wanted;
      if (length != target.byteSize() || (wanted & FRESH) != 0) {
        target = MemorySegment.ofArray(new byte[length]);
      }
      link.readFully(target);
      link.write(small.clear());
    }
  }
}
