package org.troupe.links.driver;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.AbstractInterruptibleChannel;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.troupe.links.Driver;
import org.troupe.links.IoFailures;
import org.troupe.links.Link;
import org.troupe.links.LinkAddresses;
import org.troupe.links.host.LinuxSystemCalls;

/** A link over shared memory. */
final class RingLink extends Link {

  /*
   * Waiting
   *
   * A waiting thread sleeps in a system call, which neither an interrupt nor the scheduler of
   * virtual threads reaches. Therefore a wait registers itself as an interruptible channel
   * operation does, and a platform thread writes for a virtual one that would have to wait.
   *
   * Memory
   *
   * close() releases the memory. A thread that touches it later gets an IllegalStateException from
   * the JDK, which guards the segment; the link reports that it is closed.
   */

  private final SharedMemory memory;
  private final Ring out;
  private final Ring in;
  private final SocketChannel connection;
  private final LinkMonitor monitor;
  private final ExecutorService threads;
  private final Set<Closeable> open;
  private final String name;
  private final AtomicBoolean closed = new AtomicBoolean();
  private final Wait readerWait = new Wait();
  private final Wait writerWait = new Wait();
  private volatile boolean shared;

  /**
   * Creates a link that owns a connection and memory.
   *
   * @param connection carries no more bytes; its end signals the end of the peer
   * @param threads platform threads that may block
   */
  RingLink(
      LinuxSystemCalls system,
      SharedMemory memory,
      boolean isCaller,
      SocketChannel connection,
      LinkMonitor monitor,
      ExecutorService threads,
      String name,
      Set<Closeable> open) {
    this.memory = memory;
    this.connection = connection;
    this.monitor = monitor;
    this.threads = threads;
    this.name = name;
    this.open = open;
    out = new Ring(system, isCaller ? memory.fromCaller() : memory.toCaller(), name);
    in = new Ring(system, isCaller ? memory.toCaller() : memory.fromCaller(), name);
    open.add(this);
    monitor.add(this);
  }

  SharedMemory memory() {
    return memory;
  }

  SocketChannel connection() {
    return connection;
  }

  /** The waits of one side, which an interrupt ends as it ends those of a channel. */
  private final class Wait extends AbstractInterruptibleChannel implements Ring.WaitStrategy {

    @Override
    public void await(LinuxSystemCalls system, MemorySegment flag, int raised) throws IOException {
      if (shared) {
        system.await(flag, raised);
        return;
      }
      boolean done = false;
      try {
        begin();
        if (isOpen()) {
          system.await(flag, raised);
        }
        done = true;
      } finally {
        end(done);
      }
    }

    @Override
    protected void implCloseChannel() {
      RingLink.this.close();
    }
  }

  @Override
  public Driver driver() {
    return Driver.SHM;
  }

  @Override
  public LinkAddresses addresses() {
    return LinkAddresses.of(connection).withFile(SharedMemory.FILE);
  }

  @Override
  public int read(ByteBuffer into) throws IOException {
    if (!into.hasRemaining()) {
      return 0;
    }
    try {
      checkOpen();
      int count = in.take(into);
      while (count == 0) {
        if (!in.awaitBytes(readerWait)) {
          return -1;
        }
        checkOpen();
        count = in.take(into);
      }
      return count;
    } catch (IOException | IllegalStateException e) {
      throw ended(e);
    }
  }

  @Override
  public int tryRead(ByteBuffer into) throws IOException {
    try {
      checkOpen();
      boolean isOver = in.isOver(); // read before the counter
      int count = in.take(into);
      return count == 0 && isOver ? read(into) : count;
    } catch (IOException | IllegalStateException e) {
      throw ended(e);
    }
  }

  @Override
  public void readFully(MemorySegment into) throws IOException {
    try {
      checkOpen();
      long done = in.take(into, 0);
      while (done < into.byteSize()) {
        if (!in.awaitBytes(readerWait)) {
          throw new EOFException(
              name + " ended " + (into.byteSize() - done) + " bytes before the expected end");
        }
        checkOpen();
        done += in.take(into, done);
      }
    } catch (EOFException e) {
      throw e;
    } catch (IOException | IllegalStateException e) {
      throw ended(e);
    }
  }

  @Override
  public void write(ByteBuffer... parts) throws IOException {
    try {
      if (!put(parts)) {
        onPlatformThread(() -> putAll(parts));
      }
    } catch (IOException | IllegalStateException e) {
      throw ended(e);
    }
  }

  /** Writes the bytes that fit; returns whether those were all. */
  private boolean put(ByteBuffer... parts) throws IOException {
    checkOpen();
    out.checkWritable();
    boolean all = true;
    for (ByteBuffer part : parts) {
      out.put(part);
      if (part.hasRemaining()) {
        all = false;
        break;
      }
    }
    out.flush();
    return all;
  }

  private Void putAll(ByteBuffer... parts) throws IOException {
    while (!put(parts)) {
      out.awaitFree(writerWait);
    }
    return null;
  }

  @Override
  public void write(MemorySegment part) throws IOException {
    try {
      checkOpen();
      out.checkWritable();
      long done = out.put(part, 0);
      out.flush();
      if (done < part.byteSize()) {
        onPlatformThread(() -> putAll(part, done));
      }
    } catch (IOException | IllegalStateException e) {
      throw ended(e);
    }
  }

  private Void putAll(MemorySegment part, long from) throws IOException {
    long done = from;
    while (done < part.byteSize()) {
      out.awaitFree(writerWait);
      checkOpen();
      done += out.put(part, done);
    }
    out.flush();
    return null;
  }

  /** Runs a task that may block, on a platform thread. */
  private void onPlatformThread(Callable<Void> task) throws IOException {
    try {
      if (Thread.currentThread().isVirtual()) {
        await(threads.submit(task));
      } else {
        task.call();
      }
    } catch (RejectedExecutionException e) {
      throw IoFailures.caused(new IOException("the port of " + name + " is closed"), e);
    } catch (IOException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new AssertionError("unexpected exception of a write", e);
    }
  }

  private void await(Future<Void> task) throws Exception {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          task.get();
          return;
        } catch (InterruptedException _) {
          interrupted = true;
          if (!shared) {
            close();
            throw new InterruptedIOException(interruption());
          }
        }
      }
    } catch (ExecutionException e) {
      throw e.getCause() instanceof Exception cause ? cause : e;
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Override
  public void share() throws IOException {
    checkOpen();
    shared = true;
  }

  @Override
  public boolean offer(ByteBuffer... parts) throws IOException {
    if (!shared) {
      throw new IllegalStateException(
          "offer() on " + name + ", which is not shared; share() first");
    }
    try {
      return put(parts);
    } catch (IOException | IllegalStateException e) {
      throw ended(e);
    }
  }

  @Override
  public boolean tryWrite(ByteBuffer beginning, List<MemorySegment> rest) throws IOException {
    try {
      checkOpen();
      out.checkWritable();
      long size = beginning.remaining();
      for (MemorySegment each : rest) {
        size += each.byteSize();
      }
      if (!out.hasRoom(size)) {
        return false;
      }
      out.put(beginning);
      for (MemorySegment each : rest) {
        out.put(each, 0);
      }
      out.flush();
      return true;
    } catch (IOException | IllegalStateException e) {
      throw ended(e);
    }
  }

  @Override
  public long offer(MemorySegment part, long from) throws IOException {
    try {
      checkOpen();
      out.checkWritable();
      long count = out.put(part, from);
      out.flush();
      return count;
    } catch (IOException | IllegalStateException e) {
      throw ended(e);
    }
  }

  @Override
  public boolean hasRoom(long bytes) {
    try {
      out.checkWritable();
      return out.hasRoom(bytes);
    } catch (IOException | IllegalStateException _) {
      return true; // the write throws the cause
    }
  }

  @Override
  public boolean canPoll() {
    return true;
  }

  @Override
  public long available() {
    try {
      return closed.get() ? 0 : in.unread();
    } catch (IllegalStateException _) {
      return 0; // closed meanwhile
    }
  }

  @Override
  public boolean isOver() {
    try {
      return closed.get() || in.isOver();
    } catch (IllegalStateException _) {
      return true; // closed meanwhile
    }
  }

  @Override
  public boolean awaitReadable() throws IOException {
    try {
      checkOpen();
      return in.awaitBytes(readerWait);
    } catch (IOException | IllegalStateException e) {
      throw ended(e);
    }
  }

  @Override
  public void poll(boolean begins) {
    try {
      in.poll(begins);
    } catch (IllegalStateException _) {
      // closed meanwhile
    }
  }

  private void checkOpen() throws IOException {
    if (closed.get()) {
      throw new IOException(name + " is closed");
    }
  }

  private String interruption() {
    return "interrupted while waiting for " + name + ", which was therefore closed";
  }

  private IOException ended(Exception e) {
    boolean wasClosed = closed.get();
    close();
    if (e instanceof ClosedByInterruptException) {
      return IoFailures.caused(new InterruptedIOException(interruption()), e);
    }
    if (wasClosed && !(e instanceof InterruptedIOException)) {
      return IoFailures.caused(new IOException(name + " is closed"), e);
    }
    if (e instanceof IllegalStateException bug) {
      throw bug;
    }
    return (IOException) e;
  }

  /** Ends the waits for a peer that has ended; bytes that it has written can still be read. */
  void peerGone() {
    IoFailures.closeQuietly(connection);
    try {
      out.breakOff();
      in.breakOff();
    } catch (IllegalStateException _) {
      // closed on this side meanwhile
    }
  }

  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    open.remove(this);
    out.closeWriter();
    in.closeReader();
    out.breakOff();
    in.breakOff();
    IoFailures.closeQuietly(connection);
    monitor.release(memory);
    IoFailures.closeQuietly(readerWait);
    IoFailures.closeQuietly(writerWait);
  }

  @Override
  public String toString() {
    return name;
  }
}
