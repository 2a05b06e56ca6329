package org.troupe.transport.ibis;

import ibis.ipl.ConnectionFailedException;
import ibis.ipl.Ibis;
import ibis.ipl.IbisCapabilities;
import ibis.ipl.IbisConfigurationException;
import ibis.ipl.IbisCreationFailedException;
import ibis.ipl.IbisFactory;
import ibis.ipl.IbisIdentifier;
import ibis.ipl.IbisProperties;
import ibis.ipl.PortType;
import ibis.ipl.ReadMessage;
import ibis.ipl.ReceivePort;
import ibis.ipl.ReceivePortConnectUpcall;
import ibis.ipl.SendPort;
import ibis.ipl.SendPortIdentifier;
import ibis.ipl.WriteMessage;
import ibis.ipl.server.Server;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.transport.Frame;
import org.troupe.activeobjects.transport.Transport.Connection;
import org.troupe.activeobjects.transport.Transport.Endpoint;
import org.troupe.activeobjects.transport.Transport.EndpointOptions;
import org.troupe.activeobjects.transport.Transport.Receiver;
import org.troupe.activeobjects.transport.Transport.RefusedConnectionException;
import org.troupe.serialization.SerializationException;

/** An endpoint over a receive port of another implementation of the Ibis Portability Layer. */
final class PortsEndpoint implements Endpoint {

  /*
   * Why. Implementations other than Troupe's offer no links, so messages carry the frames and upcalls
   * deliver them.
   *
   * Handshake. Such an implementation need not know secrets. Caller and callee therefore prove to each
   * other that they know the deployment's secret before the first frame. Ports are one-way, so the
   * answer to a greeting goes to the caller's receive port:
   *
   *   GREETING  caller to callee: challenge A
   *   WELCOME   callee to caller, over a connection for this message: A, challenge B, the proof for A
   *   PROOF     caller to callee: the proof for B
   *   FRAMES    caller to callee, any number
   *
   * The handshake authenticates both sides and encrypts nothing; confidentiality is up to the
   * implementation.
   *
   * Bounds. Welcomes are sent by one thread with a bounded queue; a greeting beyond it closes its
   * connection.
   */

  static final byte GREETING = 1;
  static final byte WELCOME = 2;
  static final byte PROOF = 3;
  static final byte FRAMES = 4;

  static final String OF_CALLEE = "callee";
  static final String OF_CALLER = "caller";

  static final PortType TYPE =
      new PortType(
          PortType.CONNECTION_MANY_TO_ONE,
          PortType.CONNECTION_UPCALLS,
          PortType.CONNECTION_TIMEOUT,
          PortType.COMMUNICATION_RELIABLE,
          PortType.COMMUNICATION_FIFO,
          PortType.SERIALIZATION_DATA,
          PortType.RECEIVE_AUTO_UPCALLS);

  static final long PATIENCE_MILLIS = 10_000;

  private static final String PORT = "troupe-frames";
  private static final int MOST_WELCOMES = 64;
  private static final long KEPT_SECONDS = 1;
  private static final System.Logger LOG = System.getLogger(PortsEndpoint.class.getPackageName());

  private final Ibis ibis;
  private final SecretProof proof;
  private final Receiver receiver;
  private final ReceivePort port;
  private final Map<SendPortIdentifier, Caller> callers = new ConcurrentHashMap<>();
  private final Map<Challenge, PortsConnection> greeting = new ConcurrentHashMap<>();
  private final ThreadPoolExecutor welcomes;
  private volatile boolean closed;

  /** A challenge as the key of a map. */
  private record Challenge(java.nio.ByteBuffer bytes) {
    Challenge(byte[] bytes) {
      this(java.nio.ByteBuffer.wrap(bytes));
    }
  }

  /**
   * The state of a connected caller.
   *
   * @param expected the proof to come; {@code null} once it has been received
   */
  private record Caller(byte @Nullable [] expected) {
    static final Caller PROVED = new Caller(null);
  }

  private PortsEndpoint(Ibis ibis, EndpointOptions options, Receiver receiver) throws IOException {
    this.ibis = ibis;
    this.proof = new SecretProof(options.secret());
    this.receiver = receiver;
    this.welcomes =
        new ThreadPoolExecutor(
            1,
            1,
            KEPT_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(MOST_WELCOMES),
            Thread.ofPlatform().daemon().name("troupe-welcome-", 0).factory());
    welcomes.allowCoreThreadTimeOut(true);
    this.port =
        ibis.createReceivePort(
            TYPE,
            PORT,
            this::received,
            new ReceivePortConnectUpcall() {
              @Override
              public boolean gotConnection(ReceivePort port, SendPortIdentifier applicant) {
                return !closed;
              }

              @Override
              public void lostConnection(
                  ReceivePort port, SendPortIdentifier origin, @Nullable Throwable reason) {
                callers.remove(origin);
              }
            },
            null);
    port.enableConnections();
    port.enableMessageUpcalls();
  }

  /** Creates an instance of the implementation that the user has chosen. */
  static Ibis instance(EndpointOptions options) throws IOException {
    var properties = new Properties();
    var chosen = System.getProperty(IbisProperties.IMPLEMENTATION);
    if (chosen != null) {
      properties.setProperty(
          IbisProperties.IMPLEMENTATION, chosen); // the factory reads its defaults only once
    }
    properties.setProperty(IbisProperties.REGISTRY_IMPLEMENTATION, "null");
    properties.setProperty(IbisProperties.POOL_NAME, "troupe");
    properties.setProperty(IbisProperties.SECRET, options.secret());
    properties.setProperty(Server.LISTEN_ADDRESS, options.listening().host());
    try {
      return IbisFactory.createIbis(new IbisCapabilities(), properties, true, null, TYPE);
    } catch (IbisCreationFailedException | IbisConfigurationException e) {
      throw new IOException(
          "no Ibis instance could be created as a transport: " + e.getMessage(), e);
    }
  }

  static PortsEndpoint open(Ibis ibis, EndpointOptions options, Receiver receiver)
      throws IOException {
    if (options.listening().port() != 0) {
      throw new IOException(
          "port "
              + options.listening().port()
              + " cannot be set for an Ibis implementation other than Troupe's; use port 0");
    }
    LOG.log(
        Level.INFO,
        "frames go through the ports of Ibis implementation {0}, which has no call lanes: calls take"
            + " longer; peers prove the secret, and frames are not encrypted",
        ibis.getVersion());
    return new PortsEndpoint(ibis, options, receiver);
  }

  @Override
  public String address() {
    try {
      return InstanceAddress.of(ibis.identifier());
    } catch (IOException e) {
      throw new java.io.UncheckedIOException("an Ibis identifier must be serializable", e);
    }
  }

  @Override
  public Connection connect(String address) throws IOException {
    IbisIdentifier peer = InstanceAddress.parse(address, ibis.identifier());
    var connection = new PortsConnection(peer, proof);
    connection.open(ibis.createSendPort(TYPE, null, connection, null));
    var key = new Challenge(connection.challenge());
    greeting.put(key, connection);
    boolean proved = false;
    try {
      connection.connect(PORT);
      proved = true;
      return connection;
    } finally {
      greeting.remove(key);
      if (!proved) {
        connection.close();
      }
    }
  }

  // Upcalls for messages; on the threads of the implementation

  private void received(ReadMessage message) throws IOException {
    switch (message.readByte()) {
      case GREETING -> greeted(message);
      case WELCOME -> welcomed(message);
      case PROOF -> proved(message);
      case FRAMES -> frames(message);
      default -> throw new BadFrameException("a message of an unknown kind came");
    }
  }

  private static byte[] bytes(ReadMessage message) throws IOException {
    byte[] bytes = new byte[SecretProof.BYTES];
    message.readArray(bytes);
    return bytes;
  }

  private void greeted(ReadMessage message) throws IOException {
    byte[] theirs = bytes(message);
    SendPortIdentifier caller = message.origin();
    byte[] ours = SecretProof.challenge();
    callers.put(caller, new Caller(proof.answer(OF_CALLER, ours, theirs)));
    try {
      welcomes.execute(() -> welcome(caller.ibisIdentifier(), theirs, ours));
    } catch (RejectedExecutionException e) {
      throw new IOException("too many greetings are pending", e); // closes its connection
    }
  }

  private void welcome(IbisIdentifier caller, byte[] theirs, byte[] ours) {
    try {
      SendPort back = ibis.createSendPort(TYPE);
      try {
        back.connect(caller, PORT, PATIENCE_MILLIS, true);
        WriteMessage message = back.newMessage();
        message.writeByte(WELCOME);
        message.writeArray(theirs);
        message.writeArray(ours);
        message.writeArray(proof.answer(OF_CALLEE, theirs, ours));
        message.finish();
      } finally {
        back.close();
      }
    } catch (ConnectionFailedException e) {
      LOG.log(Level.DEBUG, "a caller disconnected before it was welcomed", e);
    } catch (IOException e) {
      LOG.log(Level.DEBUG, "a caller could not be welcomed", e);
    }
  }

  private void welcomed(ReadMessage message) throws IOException {
    PortsConnection connection = greeting.get(new Challenge(bytes(message)));
    if (connection != null) {
      connection.welcomed(bytes(message), bytes(message));
    }
  }

  private void proved(ReadMessage message) throws IOException {
    byte[] answer = bytes(message);
    Caller caller = callers.get(message.origin());
    if (caller == null
        || caller.expected() == null
        || !SecretProof.isSame(answer, caller.expected())) {
      LOG.log(
          Level.WARNING,
          "{0} does not know this deployment''s secret; its connection is refused",
          message.origin());
      throw new IOException("the peer knows another secret");
    }
    callers.put(message.origin(), Caller.PROVED);
  }

  private void frames(ReadMessage message) throws IOException {
    if (callers.get(message.origin()) != Caller.PROVED) {
      throw new IOException("frames came from a peer that has not proved the secret");
    }
    for (int left = message.readInt(); left > 0 && !closed; left--) {
      int headerLength = message.readInt();
      int bodyLength = message.readInt();
      FrameInput.check(headerLength, bodyLength);
      Frame frame =
          new Frame(
              part(message, headerLength),
              part(message, bodyLength),
              PortsArrays.read(message, headerLength + (long) bodyLength));
      try {
        receiver.received(frame, null);
      } catch (SerializationException e) {
        throw new BadFrameException(
            message.origin() + " sent a frame that cannot be read: " + e.getMessage());
      } catch (RefusedConnectionException e) {
        throw new IOException(e.getMessage(), e);
      } catch (RuntimeException e) {
        LOG.log(Level.ERROR, "an incoming frame could not be processed", e);
      }
    }
  }

  private static byte[] part(ReadMessage message, int length) throws IOException {
    return (byte[]) PortsArrays.read(message, ArrayKind.BYTE, length);
  }

  @Override
  public void close() {
    closed = true;
    welcomes.shutdownNow();
    try {
      ibis.end();
    } catch (IOException e) {
      LOG.log(Level.WARNING, "an Ibis instance could not be ended properly", e);
    }
  }
}
