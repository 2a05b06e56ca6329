package org.troupe.activeobjects.transport;

import java.io.IOException;
import java.lang.reflect.Array;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.troupe.serialization.SerializationException;

/**
 * Carries frames between JVMs. Found by {@link java.util.ServiceLoader}; stateless.
 *
 * <p>Frames that are sent on a {@link Connection} flow one way only, from the end that connected;
 * the peer connects back for its own frames. Only the reply of an exchange comes back on the
 * connection that it was asked on. The runtime numbers, acknowledges and retransmits frames, so a
 * transport may lose or repeat what was under way when a connection breaks, but not reorder what
 * was sent on one connection.
 */
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
   */
  record EndpointOptions(String secret, Listening listening) {

    /** Says that the endpoint listens on one address, for peers that can reach it there. */
    public EndpointOptions(String secret, String host, int port) {
      this(secret, Listening.at(host, port));
    }

    @Override
    public String toString() {
      return "EndpointOptions[listening=" + listening + "]"; // never the secret
    }
  }

  /**
   * Where an endpoint listens, and how peers come to it. Immutable.
   *
   * <p>A transport may support the host and the port only, and ignore the rest. Then peers that
   * only a relay could connect do not reach each other, and what is trusted is encrypted, too.
   *
   * @param host the address to listen on; {@link #EVERYWHERE} for all of the machine
   * @param port the port to listen on, or 0 for any
   * @param networks which of the machine's addresses peers are told if it listens on all, such as
   *     {@code 10.1.0.0/16}; empty for all
   * @param isRelay whether the endpoint connects peers that cannot reach each other
   * @param relay the address of the endpoint that does, to which this one keeps a connection so
   *     that peers without another way can come to it; empty for none
   * @param trusted the name of the network whose endpoints talk to each other without encryption;
   *     empty for none
   */
  record Listening(
      String host, int port, List<String> networks, boolean isRelay, String relay, String trusted) {

    /** All addresses of the machine. */
    public static final String EVERYWHERE = "0.0.0.0";

    /** Copies the list. */
    public Listening {
      networks = List.copyOf(networks);
    }

    /** On one address, with neither a relay nor a trusted network. */
    public static Listening at(String host, int port) {
      return new Listening(host, port, List.of(), false, "", "");
    }
  }

  /** One JVM's end of a transport. */
  interface Endpoint extends AutoCloseable {

    /**
     * Returns where peers reach this end, in the transport's own notation, such as host:port.
     *
     * <p>For nodes behind SSH tunnels the deployment replaces the address in a contact; for that it
     * must be one that {@code Address} of the module {@code org.troupe.links} can parse.
     */
    String address();

    /**
     * Connects to another end. The attempt must end within a bounded time, some seconds, because
     * the thread that connects also notices that the peer is lost.
     *
     * @throws IOException if that end is not there or does not know the secret
     */
    Connection connect(String address) throws IOException;

    /**
     * Lets a platform thread that waits for a frame receive what comes by itself, for as long as
     * that is likely to be quicker than to be woken. Returns soon, perhaps at once.
     *
     * @param isWaiting whether it still waits; asked very often, without locks
     */
    default void receiveWhile(BooleanSupplier isWaiting) {}

    /** Ends everything at once: no frame is received afterwards. */
    @Override
    void close();
  }

  /**
   * A way to one peer. Used by several threads at once, but {@link #send} and {@link #offer} by one
   * at a time.
   */
  interface Connection extends AutoCloseable {

    /**
     * Returns what carries the frames, in a word for people such as {@code shm}; empty if the
     * transport has only one way.
     */
    default String driver() {
      return "";
    }

    /**
     * Sends frames, in order, after all that was offered before; may block while the peer is slow.
     *
     * <p>A normal return says that the frames are written, not that the peer has received them. The
     * connection keeps no reference to a frame, its header or its arrays after the return.
     *
     * @param frames none at all if only the rest of an offer is to go
     * @throws IOException if it cannot be known that all were received; some may have been
     */
    void send(List<Frame> frames) throws IOException;

    /** Says whether {@link #offer} may be called; always the same. */
    default boolean canOffer() {
      return false;
    }

    /**
     * Takes all frames, and sends of them what goes without waiting. Never blocks; called from any
     * thread, virtual ones and readers too, but never while a send or another offer runs.
     *
     * <p>The connection may keep references to frames until they have gone: their contents do not
     * change meanwhile.
     *
     * @return whether everything has gone; if not, the rest goes with the next send, which must
     *     come before another offer
     * @throws IOException if it cannot be known that all were received; some may have been
     */
    default boolean offer(List<Frame> frames) throws IOException {
      throw new UnsupportedOperationException("this connection sends no frame without waiting");
    }

    /**
     * Sends a frame, whose arrays are the caller's to change afterwards; called as {@link #offer}
     * is, and if that may be, with nothing left of former offers.
     *
     * @param waits whether the calling platform thread may wait while the peer is slow, and receive
     *     frames by itself meanwhile; else the frame goes whole and without waiting, or not at all
     * @return whether it has been sent; perhaps never
     * @throws IOException if it cannot be known that it was received
     */
    default boolean lend(Frame frame, boolean waits) throws IOException {
      return false;
    }

    /**
     * Sends a frame for whose reply the calling platform thread waits, on a way of its own, so at
     * the same time as others and overtaking them. The runtime has at most 64 exchanges of platform
     * threads with one peer at a time.
     *
     * @return the reply, or {@code null} if it will come as a frame of its own; a reply without a
     *     body is the thread's only until its next exchange
     * @throws IOException if it cannot be known that the frame was received, or the reply can no
     *     longer come this way; the connection as a whole may well be sound
     */
    Frame exchange(Frame frame) throws IOException;

    /** Says whether {@link #begin} may be called; always the same. */
    default boolean canBegin() {
      return false;
    }

    /**
     * Sends a frame as {@link #exchange} does, but leaves it to a thread of the transport to read
     * the reply: for virtual threads, which would keep a carrier while they read. Blocks at most
     * until the frame has gone. The runtime has at most four of these with one peer at a time.
     *
     * @param caller is told the end, unless this throws; perhaps before this returns
     * @throws IOException if it cannot be known that the frame was received
     */
    default void begin(Frame frame, Caller caller) throws IOException {
      throw new UnsupportedOperationException("this connection reads no replies for others");
    }

    /**
     * Runs an action when the transport notices, without anything being sent, that the peer has
     * ended the connection or is gone: at most once, on any thread, perhaps never. Called once;
     * what has ended by then is noticed as well.
     */
    default void onEnd(Runnable action) {}

    /** Ends everything at once, exchanges too. Idempotent; may be called by any thread. */
    @Override
    void close();
  }

  /** Who began an exchange; told once how it ended. Throws nothing, blocks nothing. */
  interface Caller {

    /**
     * The exchange is over.
     *
     * @param reply the reply, or {@code null} if it will come as a frame of its own; without a body
     *     it is no longer the caller's when this returns
     */
    void ended(Frame reply);

    /**
     * The exchange broke: the reply can no longer come this way, perhaps the frame did not arrive
     * either.
     */
    void broke(IOException why);
  }

  /** Where frames arrive. Used by several threads at once. */
  interface Receiver {

    /**
     * Takes a frame, and keeps nothing of its header: the transport may fill that array again when
     * this returns.
     *
     * @param exchange where the reply goes, if the sender waits for it; the calling thread then
     *     belongs to this exchange and may serve an object until the reply is there, or return
     *     before. With {@code null}, the frame is taken without blocking and without running any
     *     user code
     * @throws SerializationException if the frame is none that a peer of this version sends, or is
     *     beyond what its sender may send: the transport closes what it came over, and logs why
     */
    void received(Frame frame, Exchange exchange);

    /**
     * Returns what stands for the sender of a frame: equal objects for frames of one peer, so that
     * transports can count what each peer takes; {@code null} if that cannot be told.
     */
    default Object sender(byte[] header) {
      return null;
    }

    /**
     * Returns an array of numbers to be filled with what arrives; with whatever in it. Blocks
     * nothing.
     *
     * @throws OutOfMemoryError if there is no memory for it
     */
    default Object array(Class<?> element, int length) {
      return Array.newInstance(element, length);
    }

    /**
     * Returns where such an array goes instead if somebody waits for it already; {@code null} else.
     * Only for transports that find out soon when nothing more comes: until then, that user waits.
     *
     * @param header of the frame that it is of
     */
    default ReceiveBuffer room(byte[] header, Class<?> element, int length) {
      return null;
    }
  }

  /** The receiving side of an exchange, whose sender waits until it is ended. */
  interface Exchange {

    /**
     * Ends the exchange. Called once, by any thread, also while {@link Receiver#received} still
     * runs; may block while the sender is slow to read its reply.
     *
     * @param reply the reply, or {@code null} if it will come as a frame of its own, which is said
     *     without blocking
     * @return whether the reply is on its way; if not, because the transport has ended the exchange
     *     or it broke, the reply must travel as a frame of its own
     */
    boolean reply(Frame reply);
  }
}
