package ibis.ipl.internal;

import ibis.ipl.Ibis;
import ibis.ipl.IbisCapabilities;
import ibis.ipl.IbisCreationFailedException;
import ibis.ipl.IbisFactory;
import ibis.ipl.PortType;
import ibis.ipl.ReceivePort;
import ibis.ipl.SendPort;
import ibis.ipl.WriteMessage;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Properties;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.troupe.testing.Polling;

/** Instances of one test, in this JVM, without a registry; ended with it. */
public final class Instances implements AutoCloseable {

  public static final String LINKS = "troupe.links";

  private static final int PATIENCE_SECONDS = 20;

  private final Deque<Ibis> all = new ArrayDeque<>();
  private final PortType[] types;

  public Instances(PortType... types) {
    this.types = types;
  }

  /** A type with everything for receiving and connecting, and objects unless others are named. */
  public static PortType type(String cardinality, String... serialization) {
    Stream<String> form =
        serialization.length == 0
            ? Stream.of(PortType.SERIALIZATION_OBJECT)
            : Arrays.stream(serialization);
    return new PortType(
        Stream.concat(
                Stream.of(
                    cardinality,
                    PortType.COMMUNICATION_FIFO,
                    PortType.COMMUNICATION_RELIABLE,
                    PortType.RECEIVE_EXPLICIT,
                    PortType.RECEIVE_POLL,
                    PortType.RECEIVE_TIMEOUT,
                    PortType.RECEIVE_AUTO_UPCALLS,
                    PortType.CONNECTION_UPCALLS,
                    PortType.CONNECTION_DOWNCALLS),
                form)
            .toArray(String[]::new));
  }

  public Ibis add() {
    return add(new Properties());
  }

  Ibis add(Properties more) {
    var properties = new Properties();
    properties.setProperty("ibis.registry.implementation", "null");
    properties.setProperty("ibis.pool.name", "ports");
    properties.putAll(more);
    try {
      Ibis added = IbisFactory.createIbis(new IbisCapabilities(), properties, true, null, types);
      all.push(added);
      return added;
    } catch (IbisCreationFailedException e) {
      throw new AssertionError("no instance could be made", e);
    }
  }

  @Override
  public void close() throws IOException {
    for (Ibis each : all) {
      each.end();
    }
  }

  /** Makes a receive port that can be connected to. */
  public static ReceivePort receiver(Ibis at, PortType type, String name) throws IOException {
    ReceivePort port = at.createReceivePort(type, name);
    port.enableConnections();
    return port;
  }

  /** Makes a send port that is connected. */
  public static SendPort sender(Ibis at, ReceivePort receiver) throws IOException {
    SendPort port = at.createSendPort(receiver.getPortType());
    port.connect(receiver.identifier());
    return port;
  }

  public static void send(SendPort port, int number) throws IOException {
    WriteMessage message = port.newMessage();
    message.writeInt(number);
    message.finish();
  }

  public static int receive(ReceivePort port) throws IOException {
    var message = port.receive();
    int number = message.readInt();
    message.finish();
    return number;
  }

  /** Runs something on a thread of its own. */
  public static <T> FutureTask<T> start(Callable<T> work) {
    var task = new FutureTask<>(work);
    Thread.ofPlatform().daemon().start(task);
    return task;
  }

  /** Returns what a task gave, or throws what it threw. */
  public static <T> T result(FutureTask<T> task) throws Exception {
    try {
      return task.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof Exception cause) {
        throw cause;
      }
      throw e;
    } catch (TimeoutException e) {
      throw new AssertionError("still not done after " + PATIENCE_SECONDS + " s", e);
    }
  }

  /** Waits until a thread is blocked, so that what it should do can be said to be done by then. */
  public static void untilWaiting(Thread thread) throws Exception {
    Polling.until(
        "the thread waits",
        () ->
            thread.getState() == Thread.State.WAITING
                || thread.getState() == Thread.State.TIMED_WAITING);
  }
}
