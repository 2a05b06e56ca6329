package org.troupe.activeobjects.spi;

import java.io.IOException;

/** Carries frames between JVMs. Found by {@link java.util.ServiceLoader}; stateless. */
public interface Transport {

  /** Returns the name by which users choose it, such as {@code rmi}. */
  String name();

  /**
   * Opens this JVM's end.
   *
   * @param options who may come, and where
   * @param receiver gets every frame that arrives
   * @throws IOException if the port cannot be opened; the message says why and what to do
   */
  Endpoint open(EndpointOptions options, Receiver receiver) throws IOException;

  /**
   * What an endpoint needs to know.
   *
   * @param secret what all JVMs of the deployment share, in hexadecimal; peers must prove it
   * @param host the address to listen on
   * @param port the port to listen on, or 0 for any
   */
  record EndpointOptions(String secret, String host, int port) {

    @Override
    public String toString() {
      return "EndpointOptions[host=" + host + ", port=" + port + "]"; // never the secret
    }
  }

  /** One JVM's end of a transport. */
  interface Endpoint extends AutoCloseable {

    /** Returns where peers reach this end, in the transport's own notation, such as host:port. */
    String address();

    /**
     * Connects to another end.
     *
     * @throws IOException if that end is not there or does not know the secret
     */
    Connection connect(String address) throws IOException;

    /** Ends everything at once: no frame is received afterwards. */
    @Override
    void close();
  }

  /** A way to one peer. Used by several threads at once. */
  interface Connection extends AutoCloseable {

    /**
     * Sends frames, in order. Called by one thread at a time; may block while the peer is slow.
     *
     * @throws IOException if it cannot be known that all were received; some may have been
     */
    void send(java.util.List<Frame> frames) throws IOException;

    /**
     * Sends a frame for whose reply the calling thread waits, possibly at the same time as others
     * and overtaking them.
     *
     * @return the reply, or {@code null} if it will come as a frame of its own
     * @throws IOException if it cannot be known that the frame was received
     */
    Frame exchange(Frame frame) throws IOException;

    @Override
    void close();
  }

  /** Where frames arrive. */
  interface Receiver {

    /**
     * Takes a frame. Does not block, but may serve an idle object when the sender waits.
     *
     * @param mayReply whether the sender waits for what is returned, and the thread may be used up
     *     to then
     * @return the reply to an exchanged frame, or {@code null}
     */
    Frame received(Frame frame, boolean mayReply);
  }
}
