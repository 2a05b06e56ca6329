package org.troupe.benchmarks.sides;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;

/**
 * An array that is repeatedly sent and received over a socket's streams.
 *
 * <p>Doubles are converted one by one, as {@code java.io} does it. Bytes are not converted, which
 * is the limit for any program that sends doubles over streams.
 */
public abstract class StreamArray {

  /** The load of an array of doubles; their number follows the colon. */
  public static final String DOUBLES = "stream-doubles:";

  /** The load of an array with as many bytes as a number of doubles. */
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
   * Creates the array of a load.
   *
   * @param load {@link #DOUBLES} or {@link #BYTES}, with the number of doubles
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
