package org.troupe.transport.ibis;

import ibis.ipl.IbisIdentifier;
import ibis.ipl.ReceivePortIdentifier;
import ibis.ipl.SendPort;
import ibis.ipl.SendPortDisconnectUpcall;
import ibis.ipl.WriteMessage;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.transport.Frame;
import org.troupe.activeobjects.transport.Transport.Connection;

/** A connection over a send port of another implementation of the Ibis Portability Layer. */
final class PortsConnection implements Connection, SendPortDisconnectUpcall {

  private static final System.Logger LOG = System.getLogger(PortsConnection.class.getPackageName());

  private final IbisIdentifier peer;
  private final SecretProof proof;
  private final byte[] challenge = SecretProof.challenge();
  private final CompletableFuture<byte[]> answered = new CompletableFuture<>();
  private final CompletableFuture<Void> ended = new CompletableFuture<>();
  private @Nullable SendPort port; // set by open
  private volatile boolean closed;

  PortsConnection(IbisIdentifier peer, SecretProof proof) {
    this.peer = peer;
    this.proof = proof;
  }

  void open(SendPort made) {
    port = made;
  }

  private SendPort port() {
    return Objects.requireNonNull(port, "the connection has not been opened");
  }

  byte[] challenge() {
    return challenge;
  }

  /** Connects, and returns when both sides have proved the secret. */
  void connect(String portName) throws IOException {
    port().connect(peer, portName, PortsEndpoint.PATIENCE_MILLIS, true);
    send(PortsEndpoint.GREETING, challenge);
    byte[] theirs = welcome();
    send(PortsEndpoint.PROOF, proof.answer(PortsEndpoint.OF_CALLER, theirs, challenge));
  }

  private void send(byte kind, byte[] bytes) throws IOException {
    WriteMessage message = port().newMessage();
    message.writeByte(kind);
    message.writeArray(bytes);
    message.finish();
  }

  private byte[] welcome() throws IOException {
    try {
      return answered.get(PortsEndpoint.PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while connecting to " + peer);
    } catch (TimeoutException e) {
      throw new IOException(peer + " did not answer a greeting", e);
    } catch (ExecutionException e) {
      var cause = Objects.requireNonNullElse(e.getCause(), e);
      throw new IOException(cause.getMessage(), cause);
    }
  }

  /** Checks the peer's welcome; called by a thread of the implementation. */
  void welcomed(byte[] theirs, byte[] answer) {
    if (SecretProof.isSame(answer, proof.answer(PortsEndpoint.OF_CALLEE, challenge, theirs))) {
      answered.complete(theirs);
    } else {
      answered.completeExceptionally(
          new IOException(peer + " does not know this deployment's secret"));
    }
  }

  @Override
  public void send(List<Frame> frames) throws IOException {
    throwIfClosed();
    if (frames.isEmpty()) {
      return;
    }
    WriteMessage message = port().newMessage();
    try {
      message.writeByte(PortsEndpoint.FRAMES);
      message.writeInt(frames.size());
      for (Frame frame : frames) {
        message.writeInt(frame.header().length);
        message.writeInt(frame.body().length);
        PortsArrays.write(message, frame.header(), frame.header().length);
        PortsArrays.write(message, frame.body(), frame.body().length);
        PortsArrays.write(message, frame.withWholeArrays().arrays());
      }
      message.finish();
    } catch (IOException e) {
      message.finish(e);
      if (closed) {
        closePort(); // the unfinished message had kept it open
      }
      throw e;
    }
    throwIfClosed(); // a send port without a connection discards messages silently
  }

  private void throwIfClosed() throws IOException {
    if (closed || ended.isDone()) {
      throw new IOException("the connection to " + peer + " is closed");
    }
  }

  /**
   * Sends the frame and returns {@code null}: ports are one-way, so the reply arrives as a separate
   * frame.
   */
  @Override
  public @Nullable Frame exchange(Frame frame) throws IOException {
    boolean interrupted = Thread.interrupted(); // an interrupt must not break the shared port
    try {
      send(List.of(frame));
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
    return null;
  }

  @Override
  public void lostConnection(SendPort lost, ReceivePortIdentifier receiver, Throwable reason) {
    ended.complete(null);
    answered.completeExceptionally(new IOException(peer + " has closed the connection"));
  }

  @Override
  public void onEnd(Runnable action) {
    ended.thenRun(
        () -> {
          if (!closed) {
            action.run();
          }
        });
  }

  /** Closes the port asynchronously; a write in progress fails first. */
  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    Thread.ofPlatform().daemon().name("troupe-close").start(this::closePort);
  }

  private void closePort() {
    try {
      port().close();
    } catch (IOException e) {
      LOG.log(Level.DEBUG, "a send port to " + peer + " could not be closed properly", e);
    }
  }
}
