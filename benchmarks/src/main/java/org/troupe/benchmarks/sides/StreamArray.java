package org.troupe.benchmarks.sides;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;

/**
 * An array at one end of a socket's streams, to be sent and received over and over.
 *
 * <p>Those of doubles are converted one by one, as {@code java.io} has it; those of bytes are not:
 * no program that has doubles could be faster by streams.
 */
public abstract class StreamArray {

  /** Arrays of doubles. */
  public static final String DOUBLES = "stream-doubles:";

  /** Arrays of as many bytes as those doubles. */
  public static final String BYTES = "stream-bytes:";

  private static final int BUFFER = 1 << 16;

  final DataInputStream in;
  final DataOutputStream out;

  private StreamArray(DataInputStream in, DataOutputStream out) {
    this.in = in;
    this.out = out;
  }

  static DataInputStream in(Socket socket) throws IOException {
    return new DataInputStream(new BufferedInputStream(socket.getInputStream(), BUFFER));
  }

  static DataOutputStream out(Socket socket) throws IOException {
    socket.setTcpNoDelay(true);
    return new DataOutputStream(new BufferedOutputStream(socket.getOutputStream(), BUFFER));
  }

  /**
   * Makes one.
   *
   * @param load {@link #DOUBLES} or {@link #BYTES}, and how many doubles
   */
  static StreamArray of(String load, DataInputStream in, DataOutputStream out) {
    var doubles = Integer.parseInt(load.substring(load.indexOf(':') + 1));
    return load.startsWith(DOUBLES)
        ? new OfDoubles(doubles, in, out)
        : new OfBytes(doubles * Double.BYTES, in, out);
  }

  abstract void send() throws IOException;

  abstract void receive() throws IOException;

  private static final class OfDoubles extends StreamArray {

    private final double[] values;

    OfDoubles(int doubles, DataInputStream in, DataOutputStream out) {
      super(in, out);
      values = new double[doubles];
    }

    @Override
    void send() throws IOException {
      for (var each : values) {
        out.writeDouble(each);
      }
      out.flush();
    }

    @Override
    void receive() throws IOException {
      for (var i = 0; i < values.length; i++) {
        values[i] = in.readDouble();
      }
    }
  }

  private static final class OfBytes extends StreamArray {

    private final byte[] values;

    OfBytes(int bytes, DataInputStream in, DataOutputStream out) {
      super(in, out);
      values = new byte[bytes];
    }

    @Override
    void send() throws IOException {
      out.write(values);
      out.flush();
    }

    @Override
    void receive() throws IOException {
      in.readFully(values);
    }
  }
}
