package org.troupe.benchmarks.sides;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.troupe.benchmarks.bare.BareDriver;
import org.troupe.benchmarks.bare.BareLink;
import org.troupe.benchmarks.harness.ServerProcess;
import org.troupe.benchmarks.harness.TurnProtocol;

/**
 * Measures a link without calls: sends bytes to a {@link LinkServer} and receives eight bytes.
 * Loads have the names of {@link CalleeLoads}.
 */
final class LinkClient implements TurnProtocol.Loads {

  /** Like {@link CalleeLoads#DOUBLES}, but received in a new array each time. */
  static final String FRESH_DOUBLES = "fresh-doubles:";

  private final BareLink link;
  private final ByteBuffer small;

  private LinkClient(BareLink link) {
    this.link = link;
    small = ByteBuffer.allocateDirect(Long.BYTES);
  }

  static void main(String[] arguments) throws Exception {
    var kind = arguments[1];
    try (var server = ServerProcess.start(LinkServer.class, kind);
        var link = connect(kind, server.receive())) {
      server.send("connected");
      TurnProtocol.serve(new LinkClient(link), Integer.parseInt(arguments[0]));
    }
  }

  private static BareLink connect(String kind, String address) throws IOException {
    return kind.equals(PortLink.NAME)
        ? PortLink.connect(address)
        : BareDriver.valueOf(kind).connect(address);
  }

  @Override
  public TurnProtocol.Measure measure(String name) {
    if (name.equals(CalleeLoads.CALL)) {
      return millis -> TurnProtocol.microsEach(this::call, millis);
    }
    var size = Integer.parseInt(name.substring(name.indexOf(':') + 1));
    if (name.startsWith(CalleeLoads.DOUBLES)) {
      return sending(size, 0);
    }
    if (name.startsWith(FRESH_DOUBLES)) {
      return sending(size, LinkServer.FRESH);
    }
    if (name.startsWith(CalleeLoads.BYTES)) {
      var message = ByteBuffer.allocateDirect(Long.BYTES + size).putLong(0, size);
      return millis -> TurnProtocol.microsEach(times -> send(message, times), millis);
    }
    throw new IllegalArgumentException("a link has no load '" + name + "'");
  }

  private TurnProtocol.Measure sending(int size, long demand) {
    var array = MemorySegment.ofArray(new double[size]);
    var prefix = array.byteSize() + demand;
    return millis -> TurnProtocol.microsEach(times -> send(prefix, array, times), millis);
  }

  private void call(int times) throws IOException {
    for (var i = 0; i < times; i++) {
      link.write(small.clear().putLong(0).flip());
      link.readFully(small.clear());
    }
  }

  private void send(long prefix, MemorySegment array, int times) throws IOException {
    for (var i = 0; i < times; i++) {
      link.write(small.clear().putLong(prefix).flip());
      link.write(array);
      link.readFully(small.clear());
    }
  }

  private void send(ByteBuffer message, int times) throws IOException {
    for (var i = 0; i < times; i++) {
      link.write(message.clear());
      link.readFully(small.clear());
    }
  }
}
