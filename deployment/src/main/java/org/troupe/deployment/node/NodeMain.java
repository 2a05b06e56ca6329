package org.troupe.deployment.node;

import java.io.BufferedReader;
import java.io.FileReader;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.hosting.GridMember;
import org.troupe.activeobjects.transport.Transport;
import org.troupe.deployment.model.NodeStatus;

/** The main class of a node's JVM. */
public final class NodeMain {

  /*
   * The main thread reads standard input: first the settings, then its end, which comes when the launcher closes the
   * grid and also when it is killed, so that no node outlives it. The node joins its grid on another thread, which may
   * hang without harm. This class uses no regular expression, lambda or logger, since they slow down the start.
   *
   * The input of a node that another node has started comes over that node's connection, which may break. A node that
   * has joined then lives on without its input; any byte before the end of the input means that the launcher has asked
   * it to end.
   *
   * A node that a batch system has started has no such input: its settings are in a file, and it ends when it loses
   * its coordinator, or cannot find it.
   */
  private static final Duration JOIN = Duration.ofSeconds(60);

  /** The reason of a regular end, which is not printed. */
  public static final String CLOSED = "its grid was closed";

  /** The reason of the end of a node that the program has released. */
  public static final String RELEASED = NodeStatus.RELEASED;

  /**
   * How long a node that is asked to end may take to leave; some batch systems kill it after 30 s.
   */
  private static final long LEAVING_MILLIS = 25_000;

  /** The exit code that a shell reports for a process that SIGTERM ended. */
  private static final int TERMINATED = 128 + 15;

  /** The exit code of a node that has lost its coordinator. */
  public static final int ORPHANED = 75;

  /**
   * How long the shutdown hooks may take: those of the program, and the one that stores last
   * images.
   */
  private static final long GRACE_MILLIS = 3_000;

  private static volatile boolean isAskedToEnd;
  private static volatile boolean hasJoined;
  private static volatile @Nullable GridMember member; // null until it is open

  private NodeMain() {}

  /**
   * Runs a node until its standard input ends; or, with arguments, until it has lost its grid.
   *
   * @param arguments none, or a file of settings and the rank of the node in it
   */
  public static void main(String[] arguments) throws IOException {
    ignoreInterrupts();
    var launcher = System.in;
    System.setIn(InputStream.nullInputStream());
    if (arguments.length == 2) {
      inJob(NodeSettings.read(Path.of(arguments[0]), Integer.parseInt(arguments[1])));
      return;
    }
    NodeSettings settings;
    try {
      settings = NodeSettings.read(launcher);
    } catch (IOException e) {
      return; // the launcher gave up
    }
    setProperties(settings);
    daemon(
        "troupe-join",
        new Runnable() {
          @Override
          public void run() {
            join(settings);
          }
        });
    if (!isEndRequested(launcher)
        && hasJoined
        && settings.attributes().containsKey(NodeSettings.STARTED_BY)) {
      awaitEndOfGrid();
    }
    end(0);
  }

  private static void setProperties(NodeSettings settings) {
    for (var each : settings.properties().entrySet()) {
      System.getProperties().putIfAbsent(each.getKey(), each.getValue());
    }
  }

  /** Waits for the end of the input; returns whether a byte came before it. */
  private static boolean isEndRequested(InputStream launcher) {
    try {
      return launcher.read() >= 0;
    } catch (IOException e) {
      return false; // a broken connection is an end, too
    }
  }

  /** Waits until the process ends, which the end of the node causes. */
  private static void awaitEndOfGrid() {
    try {
      Thread.currentThread().join(); // forever
    } catch (InterruptedException e) {
      end(1); // no code interrupts the main thread
    }
  }

  /** Runs a node in a batch job, whose host the launcher does not know. */
  private static void inJob(NodeSettings settings) throws IOException {
    setProperties(settings);
    join(settings.onHost(InetAddress.getLocalHost().getHostName()));
    awaitEndOfGrid();
  }

  private static void join(NodeSettings settings) {
    try {
      @SuppressWarnings("resource") // open until the process ends
      var host =
          GridMember.open(
              new GridMember.Settings(
                  settings.name(),
                  settings.virtualNodes(),
                  settings.host(),
                  attributes(settings),
                  settings.transport(),
                  new Transport.EndpointOptions(settings.secret(), settings.listening()),
                  Duration.ofNanos(settings.silenceNanos())));
      member = host;
      host.onEnd(
          reason -> {
            if (reason.endsWith(CLOSED) || reason.equals(RELEASED)) {
              end(0);
            }
            System.err.println("node '" + settings.name() + "' ends: " + reason);
            end(isAskedToEnd ? TERMINATED : ORPHANED);
          });
      host.join(settings.contact(), JOIN);
      hasJoined = true;
      leaveInOrder(host);
    } catch (IOException | IllegalArgumentException e) {
      System.err.println("node '" + settings.name() + "' cannot join its grid: " + e.getMessage());
      end(1);
    } catch (RuntimeException | Error e) {
      System.err.println("node '" + settings.name() + "' cannot join its grid:");
      Thread.currentThread().getThreadGroup().uncaughtException(Thread.currentThread(), e);
      end(1);
    }
  }

  private static Map<String, String> attributes(NodeSettings settings) {
    var attributes = new HashMap<>(settings.attributes());
    attributes.put("pid", Long.toString(ProcessHandle.current().pid()));
    attributes.put("processors", Integer.toString(Runtime.getRuntime().availableProcessors()));
    attributes.put("heap", Long.toString(Runtime.getRuntime().maxMemory()));
    attributes.put("java", Runtime.version().toString());
    putFirstLine(attributes, "hostname", "/proc/sys/kernel/hostname");
    putFirstLine(attributes, "memory", "/proc/meminfo");
    var job = System.getenv("TROUPE_JOB");
    if (job != null) {
      attributes.put("job", job);
    }
    return attributes;
  }

  /**
   * Reads a value from Linux, such as {@code MemTotal: 65536 kB}, without loading a resolver or
   * management bean.
   */
  private static void putFirstLine(Map<String, String> attributes, String name, String file) {
    try (var in = new BufferedReader(new FileReader(file, StandardCharsets.US_ASCII))) {
      var line = in.readLine();
      attributes.put(name, line.substring(line.indexOf(':') + 1).strip());
    } catch (IOException e) {
      // Another system: the attribute is omitted.
    }
  }

  /**
   * Ignores Ctrl-C, which a terminal sends to all processes: nodes that end before the launcher
   * would be reported as lost. Uses reflection, since the compiler warns of the class.
   */
  private static void ignoreInterrupts() {
    try {
      var signal = Class.forName("sun.misc.Signal");
      var handler = Class.forName("sun.misc.SignalHandler");
      signal
          .getMethod("handle", signal, handler)
          .invoke(
              null,
              signal.getConstructor(String.class).newInstance("INT"),
              handler.getField("SIG_IGN").get(null));
    } catch (ReflectiveOperationException | IllegalArgumentException e) {
      // A JVM without it, or with -Xrs: the node then ends a moment before its launcher does.
    }
  }

  /**
   * Handles SIGTERM, such as from a batch system at the time limit: asks the coordinator to let the
   * node leave, so that others can save its state first. Installed after the node has joined, to
   * keep the start short.
   */
  private static void leaveInOrder(GridMember host) {
    handle(
        "TERM",
        (proxy, method, arguments) -> {
          if (method.getName().equals("handle")) {
            daemon("troupe-leave", () -> leave(host));
          }
          return null;
        });
  }

  private static void leave(GridMember host) {
    isAskedToEnd = true;
    try {
      host.askToLeave("it was asked to end (SIGTERM), as by a batch system at its time limit")
          .join();
      Thread.sleep(LEAVING_MILLIS); // the coordinator ends it before that
    } catch (CompletionException | InterruptedException e) {
      // The coordinator is lost, so it cannot end this node.
    }
    end(TERMINATED);
  }

  private static void handle(String name, InvocationHandler handler) {
    try {
      var signal = Class.forName("sun.misc.Signal");
      var type = Class.forName("sun.misc.SignalHandler");
      signal
          .getMethod("handle", signal, type)
          .invoke(
              null,
              signal.getConstructor(String.class).newInstance(name),
              Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    } catch (ReflectiveOperationException | IllegalArgumentException e) {
      // A JVM without it, or with -Xrs: the node then ends at once.
    }
  }

  /** Ends the JVM, even if the program's shutdown hooks hang. */
  private static void end(int status) {
    daemon(
        "troupe-end",
        new Runnable() {
          @Override
          public void run() {
            try {
              Thread.sleep(GRACE_MILLIS);
            } catch (InterruptedException e) {
              // No code interrupts this thread; an interrupt would end the wait.
            }
            EndedHooks.report(member, GRACE_MILLIS / 1_000, System.err);
            Runtime.getRuntime().halt(status);
          }
        });
    ImmediateExit.prepare(status);
    System.exit(status);
  }

  private static void daemon(String name, Runnable work) {
    Thread.ofPlatform().daemon().name(name).start(work);
  }
}
