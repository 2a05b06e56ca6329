package ibis.ipl.internal.port;

import ibis.ipl.internal.message.ChunkOutput;
import ibis.ipl.internal.message.MessageChunk;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** The receivers of a send port as one destination. */
final class ReceiverSet implements ChunkOutput.Sink {

  /** Handles a receiver to which a write failed. */
  interface Losses {
    /** Removes the receiver; throws if no receiver remains. */
    void lose(OutboundConnection outbound, IOException cause) throws IOException;
  }

  private static final OutboundConnection[] NOBODY = {};

  private final Losses losses;

  /** Serializes chunks of the message and nudges, so that each is written as a whole. */
  private final ReentrantLock writing = new ReentrantLock();

  private volatile OutboundConnection[] all = NOBODY;
  private volatile boolean isInMessage;
  private boolean interrupted;
  private @Nullable IOException failure; // confined to the thread that writes the message

  ReceiverSet(Losses losses) {
    this.losses = losses;
  }

  void set(Collection<OutboundConnection> outbounds) {
    all = outbounds.toArray(OutboundConnection[]::new);
  }

  int count() {
    return all.length;
  }

  void addFailure(IOException e) {
    if (failure == null) {
      failure = e;
    } else {
      failure.addSuppressed(e);
    }
  }

  /** Ends the message; returns the failure while it was written, or {@code null}. */
  @Nullable IOException takeFailure() {
    isInMessage = false;
    IOException taken = failure;
    failure = null;
    return taken;
  }

  @Override
  public void begin() {
    writing.lock();
    interrupted = Thread.interrupted(); // an interrupted write would break all connections
  }

  @Override
  public void end(boolean isInMessage) {
    this.isInMessage = isInMessage;
    boolean again = interrupted;
    writing.unlock();
    if (again) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void write(ByteBuffer part) throws IOException {
    int from = part.position();
    for (OutboundConnection outbound : all) {
      try {
        outbound.link().write(part.position(from));
      } catch (IOException e) {
        losses.lose(outbound, e);
      }
    }
  }

  @Override
  public void write(MemorySegment part) throws IOException {
    for (OutboundConnection outbound : all) {
      try {
        outbound.link().write(part);
      } catch (IOException e) {
        losses.lose(outbound, e);
      }
    }
  }

  /** Sends an empty chunk, unless a message is being written, which wakes the reader as well. */
  void nudge(OutboundConnection outbound) {
    if (!writing.tryLock()) {
      return;
    }
    try {
      if (!isInMessage) {
        byte[] chunk = new byte[MessageChunk.HEAD];
        chunk[0] = MessageChunk.NUDGE;
        outbound.link().write(ByteBuffer.wrap(chunk));
      }
    } catch (IOException _) {
      // the broken link wakes the reader, too
    } finally {
      writing.unlock();
    }
  }
}
