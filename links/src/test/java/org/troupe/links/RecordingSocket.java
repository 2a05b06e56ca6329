package org.troupe.links;

import java.io.ByteArrayOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;

/** Remembers what was written to it, as somebody on the way would. */
public final class RecordingSocket extends Socket {

  private final ByteArrayOutputStream sent = new ByteArrayOutputStream();

  @Override
  public OutputStream getOutputStream() throws IOException {
    return new FilterOutputStream(super.getOutputStream()) {
      @Override
      public void write(byte[] bytes, int from, int count) throws IOException {
        sent.write(bytes, from, count);
        out.write(bytes, from, count);
      }
    };
  }

  public byte[] sent() {
    return sent.toByteArray();
  }
}
