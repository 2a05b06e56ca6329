package org.troupe.benchmarks.bare;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A link over two rings, one in each direction, in a file that both processes have mapped. */
record SharedRingLink(SharedRing out, SharedRing in) implements BareLink {

  /** A file system in memory, on systems that have one. */
  private static final Path MEMORY = Path.of("/dev/shm");

  static BareListener listen() throws IOException {
    var file =
        Files.isWritable(MEMORY)
            ? Files.createTempFile(MEMORY, "troupe-bench", ".ring")
            : Files.createTempFile("troupe-bench", ".ring");
    var rings = map(file);
    return new Listener(file, new SharedRingLink(rings[0], rings[1]));
  }

  static BareLink connect(String address) throws IOException {
    var rings = map(Path.of(address));
    return new SharedRingLink(rings[1], rings[0]);
  }

  private static SharedRing[] map(Path file) throws IOException {
    try (var channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      var memory = channel.map(MapMode.READ_WRITE, 0, 2 * SharedRing.BYTES, Arena.global());
      return new SharedRing[] {
        new SharedRing(memory.asSlice(0, SharedRing.BYTES)),
        new SharedRing(memory.asSlice(SharedRing.BYTES))
      };
    }
  }

  @Override
  public void write(ByteBuffer from) {
    out.write(MemorySegment.ofBuffer(from));
    from.position(from.limit());
  }

  @Override
  public void readFully(ByteBuffer into) {
    in.readFully(MemorySegment.ofBuffer(into));
    into.position(into.limit());
  }

  @Override
  public void write(MemorySegment array) {
    out.write(array);
  }

  @Override
  public void readFully(MemorySegment array) {
    in.readFully(array);
  }

  @Override
  public void close() {
    // The mapping remains until the process ends.
  }

  /**
   * A listener that does not wait: a ring can be written before the other process has mapped it.
   */
  private record Listener(Path file, SharedRingLink link) implements BareListener {

    @Override
    public String address() {
      return file.toString();
    }

    @Override
    public BareLink accept() {
      return link;
    }

    @Override
    public void close() throws IOException {
      Files.deleteIfExists(file);
    }
  }
}
