package ibis.ipl.internal.port;

import ibis.ipl.internal.message.ChunkOutput;
import ibis.ipl.internal.message.MessageChunk;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** All receivers of a send port, as one to write to. */
final class ReceiverSet implements ChunkOutput.Sink {

  /** Told of a receiver that could not be written to. */
  interface Losses {
    /** Removes it; throws if there is no point in writing on. */
    void lose(OutboundConnection outbound, IOException cause) throws IOException;
  }

  private static final OutboundConnection[] NOBODY = {};

  private final Losses losses;

  /** Chunks leave whole: between those of the message and nudges. */
  private final ReentrantLock writing = new ReentrantLock();

  private volatile OutboundConnection[] all = NOBODY;
  private volatile boolean isInMessage;
  private boolean interrupted;
  private @Nullable IOException failure; // touched by the message's writer only

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

  /** The message is over: returns what happened while it was written, or {@code null}. */
  @Nullable IOException takeFailure() {
    isInMessage = false;
    IOException taken = failure;
    failure = null;
    return taken;
  }

  @Override
  public void begin() {
    writing.lock();
    interrupted = Thread.interrupted(); // it would cost all connections
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

  /** Sends an empty chunk, unless a message is on its way, which does as well. */
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
      // who reads there wakes up all the same
    } finally {
      writing.unlock();
    }
  }
}
