package org.troupe.em3d.state;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;
import org.troupe.deployment.files.AtomicFile;
import org.troupe.em3d.maxwell.PolynomialOrder;

/**
 * The state of a whole run, and its file format. A state does not depend on the division.
 *
 * @param run the run, as far as it determines the fields
 * @param position step, energies and readings
 * @param e E of all cells, by global number: {@link PolynomialOrder#cellValues} numbers each
 * @param h H of all cells, likewise
 */
public record RunCheckpoint(Run run, RunPosition position, double[] e, double[] h) {

  /*
   * File format, big-endian; README.md documents it for other programs:
   *
   *   8 bytes  "em3d" 0x0d 0x0a 0x1a 0x0a: detects transfers in text mode
   *   int      version
   *   int      length of the header that follows
   *   header   mesh (UTF: 2 bytes of length, bytes), long fingerprint, long problem, long cells, int order, double cfl,
   *            double dt, int step, int samples, and for each: int step, double energy; int monitors, and for each:
   *            int numbers, doubles
   *   doubles  E of cell 0 (x, y, z; of order 1: of its first vertex, of its second ...), of cell 1 ..., then H alike
   *   long     CRC-32C of all bytes before
   *
   * A file is written under a temporary name and then renamed, so the folder holds a complete state at any moment.
   */
  static final int VERSION = 2;

  private static final String FILE = "state.em3d";
  private static final byte[] MAGIC = "em3d\r\n\u001a\n".getBytes(StandardCharsets.US_ASCII);
  private static final int PREFIX = MAGIC.length + 2 * Integer.BYTES;
  private static final int BUFFER = 1 << 20;
  private static final double[] NONE = {};

  /**
   * The inputs that determine the fields of every step.
   *
   * @param mesh the mesh as the user named it
   * @param fingerprint identifies the mesh
   * @param problem identifies the problem on the mesh
   * @param order the polynomial order of the fields
   * @param cfl the time step as a fraction of the proved bound
   */
  public record Run(
      String mesh, long fingerprint, long problem, long cells, PolynomialOrder order, double cfl) {

    /** Rejects a state of another run. */
    public void requireSame(Run other, Path folder) {
      if (fingerprint != other.fingerprint || cells != other.cells) {
        throw new CheckpointException(
            "%s is a state of '%s' with %,d cells, not of '%s' with %,d; give that one"
                .formatted(file(folder), mesh, cells, other.mesh, other.cells));
      }
      if (problem != other.problem) {
        throw new CheckpointException(
            "%s is a state of '%s', which solves something else on this mesh than '%s'; give that"
                    .formatted(file(folder), mesh, other.mesh)
                + " one, with the same variables, and unchanged");
      }
      if (order != other.order) {
        throw new CheckpointException(
            "%s is a state of a run with order %d, not %d; give that one, or none"
                .formatted(file(folder), order.degree(), other.order.degree()));
      }
      if (cfl != other.cfl) {
        throw new CheckpointException(
            "%s is a state of a run with cfl %s, not %s; give that one, or none"
                .formatted(file(folder), cfl, other.cfl));
      }
    }

    /** Returns the size of a field. */
    long values() {
      return order.cellValues() * cells;
    }
  }

  /** Returns the state file in a folder. */
  static Path file(Path folder) {
    return folder.resolve(FILE);
  }

  public static boolean isIn(Path folder) {
    return Files.exists(file(folder));
  }

  /**
   * Estimates the memory for the states of a run in bytes: the last one, the next one, and its
   * parts in transit.
   */
  public static long memory(Run run) {
    return 3 * 2 * Double.BYTES * run.values();
  }

  // Writing

  /**
   * Writes the state into a folder, which is created if necessary, and replaces an older state
   * there.
   */
  public void write(Path folder) throws IOException {
    Files.createDirectories(folder);
    AtomicFile.removeUnfinished(file(folder)); // of a run that was killed
    AtomicFile.write(file(folder), this::writeTo);
  }

  private void writeTo(FileChannel channel) throws IOException {
    var out = new Output(channel);
    var header = header();
    out.put(MAGIC);
    out.put(ByteBuffer.allocate(8).putInt(VERSION).putInt(header.length).array());
    out.put(header);
    out.put(e);
    out.put(h);
    out.end();
  }

  private byte[] header() throws IOException {
    var bytes = new ByteArrayOutputStream();
    var out = new DataOutputStream(bytes);
    out.writeUTF(run.mesh);
    out.writeLong(run.fingerprint);
    out.writeLong(run.problem);
    out.writeLong(run.cells);
    out.writeInt(run.order.degree());
    out.writeDouble(run.cfl);
    out.writeDouble(position.dt());
    out.writeInt(position.step());
    out.writeInt(position.samples().size());
    for (var sample : position.samples()) {
      out.writeInt(sample.step());
      out.writeDouble(sample.energy());
    }
    out.writeInt(position.series().size());
    for (var numbers : position.series()) {
      out.writeInt(numbers.length);
      for (var number : numbers) {
        out.writeDouble(number);
      }
    }
    return bytes.toByteArray();
  }

  /** Writes and computes the checksum. */
  private static final class Output {

    private final FileChannel channel;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER);
    private final CRC32C sum = new CRC32C();

    Output(FileChannel channel) {
      this.channel = channel;
    }

    void put(byte[] bytes) throws IOException {
      for (var at = 0; at < bytes.length; ) {
        var count = Math.min(bytes.length - at, buffer.remaining());
        buffer.put(bytes, at, count);
        at += count;
        flushIfFull();
      }
    }

    void put(double[] values) throws IOException {
      flush(); // aligns the doubles in the buffer
      for (var at = 0; at < values.length; ) {
        var count = Math.min(values.length - at, buffer.remaining() / Double.BYTES);
        buffer.asDoubleBuffer().put(values, at, count);
        buffer.position(buffer.position() + count * Double.BYTES);
        at += count;
        flushIfFull();
      }
    }

    void end() throws IOException {
      flush();
      buffer.putLong(sum.getValue());
      flush();
    }

    private void flushIfFull() throws IOException {
      if (!buffer.hasRemaining()) {
        flush();
      }
    }

    private void flush() throws IOException {
      buffer.flip();
      sum.update(buffer.duplicate());
      while (buffer.hasRemaining()) {
        channel.write(buffer);
      }
      buffer.clear();
    }
  }

  // Reading

  /**
   * Reads the state of a folder.
   *
   * @throws CheckpointException if the folder holds no complete state; the message names the defect
   */
  static RunCheckpoint read(Path folder) {
    return read(folder, true);
  }

  /** Checks the state in a folder like {@link #read}, and returns it without its fields. */
  public static RunCheckpoint readHeader(Path folder) {
    return read(folder, false);
  }

  private static RunCheckpoint read(Path folder, boolean fields) {
    var file = file(folder);
    try (var channel = FileChannel.open(file, StandardOpenOption.READ)) {
      return new Input(file, channel).read(fields);
    } catch (NoSuchFileException e) {
      throw new CheckpointException(
          "'" + folder + "' holds no " + FILE + "; name the folder that --checkpoint wrote to");
    } catch (IOException e) {
      throw new CheckpointException(
          file + " cannot be read: " + e.getMessage() + "; name another folder, or start again");
    }
  }

  /** Reads and computes the checksum. */
  private static final class Input {

    private final Path file;
    private final FileChannel channel;
    private final long size;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER).limit(0);
    private final CRC32C sum = new CRC32C();

    Input(Path file, FileChannel channel) throws IOException {
      this.file = file;
      this.channel = channel;
      this.size = channel.size();
    }

    RunCheckpoint read(boolean fields) throws IOException {
      if (size < PREFIX || !Arrays.equals(bytes(MAGIC.length), MAGIC)) {
        throw new CheckpointException(file + " is no state of em3d; name another folder");
      }
      var prefix = ByteBuffer.wrap(bytes(2 * Integer.BYTES));
      var version = prefix.getInt();
      if (version != VERSION) {
        throw new CheckpointException(
            "%s is of format %d, and this em3d reads %d; go on with the em3d that wrote it"
                .formatted(file, version, VERSION));
      }
      var headerLength = prefix.getInt();
      if (headerLength < 0 || headerLength > size - PREFIX) {
        throw truncated("the header is not whole");
      }
      var state = header(new DataInputStream(new ByteArrayInputStream(bytes(headerLength))));
      var values = state.run.values();
      var whole = PREFIX + headerLength + 2 * Double.BYTES * values + Long.BYTES;
      if (state.run.cells < 1 || values > Integer.MAX_VALUE - 8) {
        throw damaged();
      }
      if (size < whole) {
        throw truncated("it has %,d of %,d bytes".formatted(size, whole));
      }
      var e = doubles((int) values, fields);
      var h = doubles((int) values, fields);
      var found = sum.getValue();
      if (size > whole || ByteBuffer.wrap(bytes(Long.BYTES)).getLong() != found) {
        throw damaged();
      }
      return new RunCheckpoint(state.run, state.position, e, h);
    }

    private RunCheckpoint header(DataInputStream in) {
      try {
        var run =
            new Run(
                in.readUTF(),
                in.readLong(),
                in.readLong(),
                in.readLong(),
                PolynomialOrder.of(in.readInt()),
                in.readDouble());
        var dt = in.readDouble();
        var step = in.readInt();
        var samples = new ArrayList<RunPosition.Sample>();
        for (var left = in.readInt(); left > 0; left--) {
          samples.add(new RunPosition.Sample(in.readInt(), in.readDouble()));
        }
        List<double[]> series = new ArrayList<>();
        for (var left = in.readInt(); left > 0; left--) {
          var numbers = in.readInt();
          if (numbers < 0 || numbers > in.available() / Double.BYTES) {
            throw damaged();
          }
          var values = new double[numbers];
          for (var k = 0; k < numbers; k++) {
            values[k] = in.readDouble();
          }
          series.add(values);
        }
        return new RunCheckpoint(run, new RunPosition(step, dt, samples, series), NONE, NONE);
      } catch (IOException | IllegalArgumentException e) {
        throw damaged();
      }
    }

    private CheckpointException truncated(String how) {
      return new CheckpointException(
          file + " is truncated: " + how + "; use an older copy, or start again");
    }

    private CheckpointException damaged() {
      return new CheckpointException(
          file
              + " is damaged: its checksum is not that of its contents; take an older copy, or"
              + " start again");
    }

    private byte[] bytes(int count) throws IOException {
      var bytes = new byte[count];
      for (var at = 0; at < count; ) {
        var some = Math.min(count - at, available(1));
        buffer.get(bytes, at, some);
        sum.update(bytes, at, some);
        at += some;
      }
      return bytes;
    }

    /** Reads this many doubles; returns them if asked to, otherwise none. */
    private double[] doubles(int count, boolean keep) throws IOException {
      var doubles = keep ? new double[count] : NONE;
      for (var at = 0; at < count; ) {
        var some = Math.min(count - at, available(Double.BYTES) / Double.BYTES);
        sum.update(buffer.slice(buffer.position(), some * Double.BYTES));
        if (keep) {
          buffer.asDoubleBuffer().get(doubles, at, some);
        }
        buffer.position(buffer.position() + some * Double.BYTES);
        at += some;
      }
      return doubles;
    }

    /** Fills the buffer to at least this many bytes; returns the number of bytes in it. */
    private int available(int least) throws IOException {
      while (buffer.remaining() < least) {
        buffer.compact();
        if (channel.read(buffer) < 0) {
          throw truncated("it has %,d bytes".formatted(size));
        }
        buffer.flip();
      }
      return buffer.remaining();
    }
  }
}
