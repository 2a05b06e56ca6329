package ibis.ipl.internal.port;

import ibis.ipl.internal.message.ChunkInput;
import ibis.ipl.internal.message.GraphDecoder;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.troupe.links.Link;

/** A receive port's end of a connection; mutable state is guarded by the port's lock. */
final class InboundConnection implements ChunkInput.Source {

  /** The states of reading the link. */
  enum State {
    /**
     * Not readable yet: the sender is not accepted or its former connection is still being read.
     */
    HELD,
    /** Idle: a receiving thread or a dedicated thread may start to read. */
    FREE,
    /** A dedicated thread waits for the next message. */
    READ_AHEAD,
    /** A receiving thread waits for the next message. */
    READ_DIRECTLY,
    /** A message has arrived and waits to be received. */
    READY,
    /** The program reads a message. */
    DELIVERED,
    /** The connection has ended. */
    GONE;

    /** Returns whether the end of the connection may still be unnoticed. */
    boolean isUnread() {
      return this == HELD || this == FREE || this == READ_AHEAD;
    }
  }

  private final LinkReceivePort port;
  private final SendPortName origin;
  private final Link link;
  private final long number;
  private final long peerNumber;
  private final ChunkInput input;
  private final @Nullable GraphDecoder graphs;
  private final PortThreads threads;

  State state = State.HELD;

  /** Whether the sender has received the reply that accepts it. */
  boolean begun;

  /** Whether the sender has disconnected; its earlier messages may still arrive. */
  boolean disconnected;

  /** Whether the sender was added to the program's list of lost connections. */
  boolean listed;

  /** Whether the program has been informed of the loss. */
  boolean reported;

  /** The number of finished messages and of polls. */
  int reads;

  /** Whether a check is scheduled that has a dedicated thread take over an unread connection. */
  boolean watched;

  /** The turn of the arrived message in the order of upcalls, or {@code null}. */
  UpcallOrder.@Nullable Turn turn;

  /**
   * Creates a held connection.
   *
   * @param number this instance's number for the connection
   * @param peerNumber the number that the sender's instance gave to the connection
   * @param graphs the decoder of objects; {@code null} if the port's messages hold none
   * @param threads read the link for virtual threads
   */
  InboundConnection(
      LinkReceivePort port,
      SendPortName origin,
      Link link,
      long number,
      long peerNumber,
      @Nullable GraphDecoder graphs,
      PortThreads threads) {
    this.port = port;
    this.origin = origin;
    this.link = link;
    this.number = number;
    this.peerNumber = peerNumber;
    this.graphs = graphs;
    this.threads = threads;
    this.input = new ChunkInput(this, graphs == null ? (_, _, _, _) -> {} : graphs);
  }

  LinkReceivePort port() {
    return port;
  }

  SendPortName origin() {
    return origin;
  }

  ChunkInput input() {
    return input;
  }

  /** Returns the decoder of objects; {@code null} if the port's messages hold none. */
  @Nullable GraphDecoder graphs() {
    return graphs;
  }

  /** Returns this instance's number for the connection. */
  long number() {
    return number;
  }

  /** Returns the number that the sender's instance gave to the connection. */
  long peerNumber() {
    return peerNumber;
  }

  void close() {
    link.close();
  }

  /** Reads the link on platform threads; a virtual caller delegates to one. */
  @Override
  public int read(ByteBuffer into) throws IOException {
    return Thread.currentThread().isVirtual()
        ? threads.onPlatformThread(() -> link.read(into))
        : link.read(into);
  }

  /** {@inheritDoc} Only on platform threads. */
  @Override
  public int tryRead(ByteBuffer into) throws IOException {
    return link.tryRead(into);
  }

  @Override
  public void readFully(MemorySegment into) throws IOException {
    if (!Thread.currentThread().isVirtual()) {
      link.readFully(into);
      return;
    }
    boolean _ =
        threads.onPlatformThread(
            () -> {
              link.readFully(into);
              return true;
            });
  }
}
