package ibis.ipl.internal.port;

import ibis.ipl.internal.message.ChunkInput;
import ibis.ipl.internal.message.GraphDecoder;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.troupe.links.Link;

/** A receive port's end of a connection; what can change belongs to the port's lock. */
final class InboundConnection implements ChunkInput.Source {

  /** Who may read the link. */
  enum State {
    /** Nobody yet. */
    HELD,
    /** Nobody does: it can be read by who waits for a message, or by a thread of its own. */
    FREE,
    /** A thread of its own waits for the next message. */
    READ_AHEAD,
    /** The thread that wants the next message waits for it here. */
    READ_DIRECTLY,
    /** A message is here and waits for its reader. */
    READY,
    /** A message is being read. */
    DELIVERED,
    /** It is over. */
    GONE;

    /** Says whether news of its end may still be on their way. */
    boolean isUnread() {
      return this == HELD || this == FREE || this == READ_AHEAD;
    }
  }

  private final LinkReceivePort port;
  private final PortTable ports;
  private final SendPortName origin;
  private final Link link;
  private final long number;
  private final long theirs;
  private final ChunkInput input;
  private final @Nullable GraphDecoder graphs;

  State state = State.HELD;

  /** The sender knows that it is connected. */
  boolean begun;

  /** The sender has disconnected; only what it sent before is still to come. */
  boolean departed;

  /** It is in the list of lost connections that the user asks for. */
  boolean listed;

  /** The user knows that the connection is lost. */
  boolean reported;

  /** How many messages have been finished, or polled for in vain. */
  int turns;

  /** A later look is planned for whether somebody reads it. */
  boolean watched;

  /** What the message that is ready waits for, or {@code null}. */
  UpcallOrder.@Nullable Turn turn;

  InboundConnection(
      LinkReceivePort port, PortTable ports, SendPortName origin, Link link, long theirs) {
    this.port = port;
    this.ports = ports;
    this.origin = origin;
    this.link = link;
    this.number = ports.nextNumber();
    this.theirs = theirs;
    this.graphs = ports.decoder(port.form());
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

  /** Returns what makes objects, or {@code null} if the port's messages hold none. */
  @Nullable GraphDecoder graphs() {
    return graphs;
  }

  /** Returns what our instance calls this connection. */
  long number() {
    return number;
  }

  /** Returns what the sender's instance calls this connection. */
  long theirs() {
    return theirs;
  }

  void close() {
    link.close();
  }

  /** Links are read by platform threads only: a virtual one asks another to do it. */
  @Override
  public int read(ByteBuffer into) throws IOException {
    return Thread.currentThread().isVirtual()
        ? ports.onPlatformThread(() -> link.read(into))
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
        ports.onPlatformThread(
            () -> {
              link.readFully(into);
              return true;
            });
  }
}
