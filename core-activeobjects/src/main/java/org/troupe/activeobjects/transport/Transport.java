package org.troupe.activeobjects.transport;

import java.io.IOException;
import java.io.Serial;
import java.lang.reflect.Array;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.troupe.serialization.SerializationException;

/**
 * Carries frames between JVMs. Found by {@link java.util.ServiceLoader}; stateless.
 *
 * <p>The frames of a {@link Connection} flow one way only, from the endpoint that connected; the
 * peer connects back to send its own frames. Only the reply of an exchange returns on the
 * connection of its request. The runtime numbers, acknowledges and retransmits frames, so a
 * transport may lose or repeat frames in transit when a connection breaks, but it must not reorder
 * the frames of one connection.
 */
public interface Transport {

  /** Returns the name by which users select this transport, such as {@code rmi}. */
  String name();

  /**
   * Opens this JVM's endpoint.
   *
   * @param options the address, the reachable networks and the shared secret
   * @param receiver receives every frame that arrives
   * @throws IOException if the port cannot be opened; the message names the cause and a remedy
   */
  Endpoint open(EndpointOptions options, Receiver receiver) throws IOException;

  /**
   * The settings of an endpoint.
   *
   * @param secret the secret that all JVMs of the deployment share, in hexadecimal; a peer must
   *     prove that it knows it
   * @param listening the address on which the endpoint listens, and how peers reach it
   */
  record EndpointOptions(String secret, Listening listening) {

    /**
     * Makes settings for an endpoint that listens on one address, at which all peers can reach it.
     */
    public EndpointOptions(String secret, String host, int port) {
      this(secret, Listening.at(host, port));
    }

    @Override
    public String toString() {
      return "EndpointOptions[listening=" + listening + "]"; // without the secret
    }
  }

  /**
   * Where an endpoint listens, and how peers reach it. Immutable.
   *
   * <p>A transport may support the host and the port only, and ignore the rest. Peers that only a
   * relay could connect then do not reach each other, and traffic of a trusted network is
   * encrypted, too.
   *
   * @param host the address to listen on; {@link #EVERYWHERE} for all addresses of the machine
   * @param port the port to listen on, or 0 for any free port
   * @param networks the networks whose addresses the endpoint announces to peers if it listens on
   *     all, such as {@code 10.1.0.0/16}; empty for all
   * @param isRelay whether the endpoint relays frames between peers that cannot reach each other
   * @param relay the address of the relay to which this endpoint keeps a connection, so that peers
   *     without a direct route can reach it; empty for none
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

    /** Listens on one address, with neither a relay nor a trusted network. */
    public static Listening at(String host, int port) {
      return new Listening(host, port, List.of(), false, "", "");
    }
  }

  /** One JVM's end of a transport. An open endpoint does not keep its JVM alive. */
  interface Endpoint extends AutoCloseable {

    /**
     * Returns the address at which peers reach this endpoint, in the transport's own notation, such
     * as host:port.
     *
     * <p>For nodes behind SSH tunnels the deployment replaces the address in a contact; for that it
     * must be one that {@code Address} of the module {@code org.troupe.links} can parse.
     */
    String address();

    /**
     * Connects to another endpoint. The attempt must end within a bounded time of some seconds,
     * because the thread that connects also detects that the peer is lost.
     *
     * @throws IOException if that endpoint does not answer or does not know the secret
     */
    Connection connect(String address) throws IOException;

    /**
     * Lets a platform thread that waits for a frame poll the connections, for as long as polling is
     * likely to be quicker than blocking until another thread wakes it. Returns soon, perhaps at
     * once.
     *
     * @param isWaiting whether the thread still waits; called very often, without locks
     */
    default void receiveWhile(BooleanSupplier isWaiting) {}

    /**
     * Creates memory that JVMs of this user on this host can share; {@code null} if the transport
     * or its settings do not permit it.
     */
    default @Nullable SharedSegment createMemory(long size) throws IOException {
      return null;
    }

    /**
     * Opens memory that another endpoint has created; {@code null} if that one is on another host,
     * or the transport or its settings do not permit it.
     *
     * @param details as {@link SharedSegment#details} returns them
     * @throws IOException if the memory no longer exists or has another size
     */
    default @Nullable SharedSegment openMemory(byte[] details, long size) throws IOException {
      return null;
    }

    /** Closes the endpoint and its connections at once; no frame is received afterwards. */
    @Override
    void close();
  }

  /**
   * A connection to one peer. Several threads may use it at once, but {@link #send} and {@link
   * #offer} are called by one thread at a time.
   */
  interface Connection extends AutoCloseable {

    /**
     * Returns the name of the mechanism that carries the frames, such as {@code shm}, for people;
     * empty if the transport has only one.
     */
    default String driver() {
      return "";
    }

    /** Returns where the frames go, for people; {@link Addresses#NONE} if that is not known. */
    default Addresses addresses() {
      return Addresses.NONE;
    }

    /**
     * Sends frames in order, after all frames offered before; may block while the peer is slow.
     *
     * <p>A normal return means that the frames are written, not that the peer has received them.
     * The connection keeps no reference to a frame, its header or its arrays after the return.
     *
     * @param frames empty to send only what remains of an earlier offer
     * @throws IOException if the peer may not have received all frames; it may have received some
     */
    void send(List<Frame> frames) throws IOException;

    /** Returns whether {@link #offer} may be called; the answer never changes. */
    default boolean canOffer() {
      return false;
    }

    /**
     * Accepts all frames, and sends as much of them as possible without waiting. Never blocks; any
     * thread may call it, including virtual threads and readers, but not while a send or another
     * offer runs.
     *
     * <p>The connection may keep references to frames until they have been sent; their contents do
     * not change meanwhile.
     *
     * @return whether everything has been sent; if not, the next send transmits the rest, and must
     *     precede another offer
     * @throws IOException if the peer may not have received all frames; it may have received some
     */
    default boolean offer(List<Frame> frames) throws IOException {
      throw new UnsupportedOperationException("this connection sends no frame without waiting");
    }

    /**
     * Sends a frame without copying its arrays; the caller may change them when this returns. The
     * conditions of {@link #offer} hold, and nothing of an earlier offer may remain.
     *
     * @param waits whether the calling platform thread may block while the peer is slow, and
     *     receive frames itself meanwhile; otherwise the frame is sent completely without waiting,
     *     or not at all
     * @return whether the frame has been sent; a transport may always return {@code false}
     * @throws IOException if the peer may not have received the frame
     */
    default boolean sendZeroCopy(Frame frame, boolean waits) throws IOException {
      return false;
    }

    /**
     * Sends a frame and waits for its reply on the calling platform thread. The exchange uses a
     * channel of its own, so it runs concurrently with other frames and may overtake them. The
     * runtime has at most 64 exchanges of platform threads with one peer at a time.
     *
     * <p>An interrupt of the calling thread ends the exchange with an exception and stays set. A
     * transport whose reads cannot be interrupted may wait for the reply first; the interrupt stays
     * set in this case, too.
     *
     * @return the reply, or {@code null} if it will arrive as a separate frame; a reply without a
     *     body is valid only until the thread's next exchange
     * @throws IOException if the peer may not have received the frame, or the reply can no longer
     *     arrive on this channel; the connection as a whole may still be sound
     */
    @Nullable Frame exchange(Frame frame) throws IOException;

    /** Returns whether {@link #begin} may be called; the answer never changes. */
    default boolean canBegin() {
      return false;
    }

    /**
     * Sends a frame as {@link #exchange} does, and lets a thread of the transport read the reply:
     * for virtual threads, which would occupy their carrier during the read. Blocks at most until
     * the frame has been sent. The runtime has at most four of these with one peer at a time.
     *
     * @param caller is notified of the outcome, perhaps before this method returns; not if this
     *     method throws
     * @throws IOException if the peer may not have received the frame
     */
    default void begin(Frame frame, Caller caller) throws IOException {
      throw new UnsupportedOperationException("this connection reads no replies for others");
    }

    /**
     * Registers an action for the case that the transport detects, without anything being sent,
     * that the peer has closed the connection or died. The action runs at most once, on any thread,
     * and perhaps never. This method is called once; an end that precedes the call is reported,
     * too.
     */
    default void onEnd(Runnable action) {}

    /**
     * Closes the connection at once, including its exchanges. Idempotent; any thread may call it.
     */
    @Override
    void close();
  }

  /**
   * The addresses of a connection, in the notation of the transport. Immutable and serializable.
   *
   * @param local that of this side; empty if there is none
   * @param remote that of the other side, which may be a relay or the end of a tunnel; empty if
   *     there is none
   * @param file the file of a Unix domain socket or of shared memory; empty if there is none
   */
  record Addresses(String local, String remote, String file) {

    /** Those of a connection of which nothing is known. */
    public static final Addresses NONE = new Addresses("", "", "");
  }

  /**
   * The party that began an exchange; notified once of the outcome. Its methods neither throw nor
   * block.
   */
  interface Caller {

    /**
     * Reports the end of the exchange.
     *
     * @param reply the reply, or {@code null} if it will arrive as a separate frame; a reply
     *     without a body is valid only until this method returns
     */
    void ended(@Nullable Frame reply);

    /**
     * Reports a failure of the exchange: the reply can no longer arrive on this channel, and the
     * peer may not have received the frame.
     */
    void broke(IOException why);
  }

  /** Receives the frames that arrive. Several threads may call it at once. */
  interface Receiver {

    /**
     * Takes a frame. The receiver keeps no reference to the header: the transport may reuse that
     * array when this returns.
     *
     * @param exchange takes the reply if the sender waits for it; the calling thread then belongs
     *     to this exchange, and may serve an object until the reply is available, or return
     *     earlier. If {@code null}, the receiver takes the frame without blocking and without
     *     running user code
     * @throws SerializationException if no peer of this version sends such a frame, or the sender
     *     has exceeded its permissions. The transport then logs a warning with the reason and
     *     closes the connection, or for an exchange at least its channel: the sender gets an
     *     exception, and frames that follow on it are not received. Other connections are
     *     unaffected
     * @throws RefusedConnectionException if the receiver refuses the connection for a reason that
     *     was reported before. The transport then does the same without a warning
     * @throws RuntimeException if the receiver has a defect. The transport logs an error, an
     *     exchange ends with a {@code null} reply, and the connection remains open
     */
    void received(Frame frame, @Nullable Exchange exchange);

    /**
     * Returns a key for the sender of a frame: equal objects for frames of one peer, so that a
     * transport can account for the memory of each peer; {@code null} if the sender is unknown.
     */
    default @Nullable Object sender(byte[] header) {
      return null;
    }

    /**
     * Returns an array of numbers, with arbitrary content, for arriving data. Does not block.
     *
     * @throws OutOfMemoryError if there is no memory for it
     */
    default Object array(Class<?> element, int length) {
      return Array.newInstance(element, length);
    }

    /**
     * Returns the user's buffer for such an array if a user already waits for the data; {@code
     * null} otherwise. Only for transports that soon detect that no more data will come, because
     * the user waits until then.
     *
     * @param header the header of the frame that the array belongs to
     */
    default @Nullable ReceiveBuffer receiveBuffer(byte[] header, Class<?> element, int length) {
      return null;
    }
  }

  /**
   * Says that a receiver refuses the connection by which a frame has come, for a reason that was
   * reported when it refused the first such connection: a peer tries again soon.
   */
  final class RefusedConnectionException extends RuntimeException {

    @Serial private static final long serialVersionUID = 1;

    /** Creates an exception whose message is the reason. */
    public RefusedConnectionException(String message) {
      super(message);
    }
  }

  /** The receiving side of an exchange; the sender waits until the exchange ends. */
  interface Exchange {

    /**
     * Ends the exchange. Called once, by any thread, even while {@link Receiver#received} still
     * runs; may block while the sender is slow to read its reply.
     *
     * @param reply the reply, or {@code null} if it will be sent as a separate frame, which is
     *     announced without blocking
     * @return whether the reply has been sent; if not, because the transport has ended the exchange
     *     or it has failed, the reply must be sent as a separate frame
     */
    boolean reply(@Nullable Frame reply);
  }
}
