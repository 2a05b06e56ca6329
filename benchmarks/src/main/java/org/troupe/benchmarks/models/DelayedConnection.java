package org.troupe.benchmarks.models;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.transport.Frame;
import org.troupe.activeobjects.transport.Transport.Connection;

/** A connection over which each frame, and each reply, travels for some time. */
final class DelayedConnection implements Connection {

  /** Frames, and the time at which they have travelled far enough. */
  private record Travelling(List<Frame> frames, long arrivalNanos) {}

  private final Connection prompt;
  private final long nanos;
  private final BlockingQueue<Travelling> travelling = new LinkedBlockingQueue<>();
  private final Thread carrier;
  private volatile @Nullable IOException failure;

  /**
   * Delays a connection.
   *
   * @param nanos the time of each way
   */
  DelayedConnection(Connection prompt, long nanos) {
    this.prompt = prompt;
    this.nanos = nanos;
    carrier = Thread.ofPlatform().daemon().name("delay").start(this::carry);
  }

  private void carry() {
    try {
      while (true) {
        var next = travelling.take();
        TimeUnit.NANOSECONDS.sleep(next.arrivalNanos - System.nanoTime());
        prompt.send(next.frames);
      }
    } catch (IOException e) {
      failure = e;
      prompt.close();
    } catch (InterruptedException e) {
      // The connection is closed.
    }
  }

  @Override
  public String driver() {
    return prompt.driver();
  }

  @Override
  public void send(List<Frame> frames) throws IOException {
    var failed = failure;
    if (failed != null) {
      throw new IOException("the delayed connection is broken", failed);
    }
    if (!frames.isEmpty()) {
      var copies = frames.stream().map(DelayedConnection::copy).toList();
      travelling.add(new Travelling(copies, System.nanoTime() + nanos));
    }
  }

  private static Frame copy(Frame frame) {
    return new Frame(frame.header().clone(), frame.body(), frame.withArraysCopied().arrays());
  }

  @Override
  public boolean canOffer() {
    return true;
  }

  @Override
  public boolean offer(List<Frame> frames) throws IOException {
    send(frames);
    return true;
  }

  @Override
  public @Nullable Frame exchange(Frame frame) throws IOException {
    travel();
    var reply = prompt.exchange(frame);
    travel();
    return reply;
  }

  private void travel() throws IOException {
    try {
      TimeUnit.NANOSECONDS.sleep(nanos);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted during the delay", e);
    }
  }

  @Override
  public void onEnd(Runnable action) {
    prompt.onEnd(action);
  }

  @Override
  public void close() {
    carrier.interrupt();
    prompt.close();
  }
}
