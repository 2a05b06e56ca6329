package org.troupe.deployment.tree;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.troupe.activeobjects.LifeCycle;
import org.troupe.activeobjects.hosting.MiddlewareObject;
import org.troupe.deployment.process.RemoteProcess;
import org.troupe.deployment.ssh.SshConnector;
import org.troupe.deployment.ssh.SshHost;
import org.troupe.deployment.ssh.SshMachine;
import org.troupe.descriptors.Login.HostKeys;

/**
 * Starts nodes from a node that has joined: an active object that the launcher makes there. It logs
 * in over ssh from its own machine, to the hosts that the launcher names, with signatures that it
 * asks the launcher for.
 */
class Branch implements LifeCycle, MiddlewareObject {

  /*
   * Only the launcher calls, and nothing calls the launcher: what comes from here, output, ends of processes and
   * questions, is what calls wait for that the launcher has made. So who loses the other learns it from its calls, and
   * a reader who is far behind holds up one process and nothing else. Whatever may take its time runs on a virtual
   * thread and answers later; the body only hands it out.
   */
  private static final int CHUNK_BYTES = 8192;

  /** The node is there for other work, and several may share a machine. */
  private static final int LOGINS_AT_ONCE = 8;

  /**
   * A host to log in to.
   *
   * @param number the launcher's
   * @param keys public ones that the launcher signs with
   * @param kinds of the keys that the host is known by
   */
  record Host(
      int number,
      String name,
      String hostName,
      int port,
      String user,
      Duration timeout,
      List<byte[]> keys,
      List<String> kinds) {

    SshHost login() {
      return new SshHost(
          name,
          hostName,
          port,
          user,
          hostName,
          List.of(),
          Optional.empty(),
          List.of(),
          HostKeys.STRICT,
          timeout,
          Optional.empty());
    }
  }

  /** What the launcher alone can answer, about a host that it has named. */
  sealed interface Question {

    long id();

    int host();

    /** Asks for the signature of a login. */
    record Sign(long id, int host, byte[] key, String algorithm, byte[] data) implements Question {}

    /** Asks whether this is the host's key. */
    record Check(long id, int host, byte[] key) implements Question {}
  }

  /**
   * The launcher's answer.
   *
   * @param refusal why not; empty if it agrees
   * @param algorithm of the signature, if one was asked for
   */
  record Answer(String refusal, String algorithm, byte[] signature) {

    static Answer no(String reason) {
      return new Answer(reason, "", new byte[0]);
    }

    static Answer yes() {
      return no("");
    }
  }

  /**
   * A part of what a process has printed.
   *
   * @param pid its number on its machine, 0 if that is not known
   * @param bytes none at the end
   */
  record Output(long pid, byte[] bytes) {}

  /**
   * How a process ended.
   *
   * @param explanation empty if the exit code says all; else the connection to it broke
   */
  record End(int exitCode, String explanation) {}

  private final RemoteKeys keys = new RemoteKeys();
  private final SshConnector connector = new SshConnector(keys, LOGINS_AT_ONCE);
  private final Map<SshHost, SshMachine> machines = new ConcurrentHashMap<>();
  private final Map<Long, RemoteProcess> processes = new ConcurrentHashMap<>();
  private final AtomicLong started = new AtomicLong();

  /** The last that was done to the input of each process. Touched only by the body. */
  private final Map<Long, CompletableFuture<Void>> inputs = new HashMap<>();

  Branch() {}

  @Override
  public void ended() {
    machines.values().forEach(SshMachine::close);
    connector.close();
  }

  /** Returns the next question, when there is one. */
  CompletableFuture<Question> question() {
    return later(keys::question);
  }

  CompletableFuture<Void> answer(long question, Answer answer) {
    keys.answered(question, answer);
    return CompletableFuture.completedFuture(null);
  }

  /** Starts a command as {@code Machine.start} does; returns a number for the process. */
  CompletableFuture<Long> start(
      Host host, List<String> command, Map<String, String> environment, Optional<String> folder) {
    return later(
        () -> {
          var process = machine(host).start(command, environment, folder);
          var number = started.incrementAndGet();
          processes.put(number, process);
          return number;
        });
  }

  /** Returns further output of a process, once there is some. */
  CompletableFuture<Output> read(long process, boolean ofErrors) {
    return later(
        () -> {
          var from = processes.get(process);
          var bytes = new byte[CHUNK_BYTES];
          var count =
              (ofErrors ? from.getErrorStream() : from.getInputStream())
                  .read(bytes, 0, CHUNK_BYTES);
          return new Output(pid(from), Arrays.copyOf(bytes, Math.max(0, count)));
        });
  }

  private static long pid(Process process) {
    try {
      return process.pid();
    } catch (UnsupportedOperationException e) {
      return 0;
    }
  }

  /** Gives a process input; completes when the connection has taken it. */
  CompletableFuture<Void> write(long process, byte[] bytes) {
    return input(
        process,
        stream -> {
          stream.write(bytes);
          stream.flush();
        });
  }

  /** Ends the input of a process. */
  CompletableFuture<Void> endInput(long process) {
    return input(process, OutputStream::close);
  }

  /** What is done to an input. */
  private interface Use {
    void of(OutputStream stream) throws IOException;
  }

  private CompletableFuture<Void> input(long process, Use use) {
    var before = inputs.getOrDefault(process, CompletableFuture.completedFuture(null));
    var done =
        later(
            () -> {
              before.handle((nothing, failure) -> null).join();
              use.of(processes.get(process).getOutputStream());
              return (Void) null;
            });
    inputs.put(process, done);
    return done;
  }

  /** Returns how a process ended, when it has. */
  CompletableFuture<End> end(long process) {
    var ending = processes.get(process);
    return ending
        .onExit()
        .thenApply(ended -> new End(ending.exitValue(), ending.explanation().orElse("")));
  }

  /** Ends a process whatever it does. */
  CompletableFuture<Void> destroy(long process) {
    return later(
        () -> {
          processes.get(process).destroyForcibly();
          return null;
        });
  }

  /**
   * Brings a file of the program from this machine to a host.
   *
   * @param path from the home directory, here too
   */
  CompletableFuture<Void> put(Host host, String path) {
    return later(
        () -> {
          machine(host).put(ownCopy(path), path);
          return null;
        });
  }

  private static Path ownCopy(String path) throws IOException {
    return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(entry -> entry.endsWith("/" + path))
        .map(Path::of)
        .findFirst()
        .orElseThrow(() -> new IOException("this node was not started with a copy of " + path));
  }

  /** Lets a port of a host lead to one that can be reached from here; returns its number. */
  CompletableFuture<Integer> forward(Host host, InetSocketAddress target) {
    return later(() -> machine(host).forward(target));
  }

  private SshMachine machine(Host host) {
    keys.lend(host);
    return machines.computeIfAbsent(
        host.login(), login -> new SshMachine(login, Optional.empty(), connector));
  }

  private static <T> CompletableFuture<T> later(Callable<T> work) {
    var result = new CompletableFuture<T>();
    Thread.ofVirtual()
        .name("troupe-branch")
        .start(
            () -> {
              try {
                result.complete(work.call());
              } catch (Exception | Error e) {
                result.completeExceptionally(e);
              }
            });
    return result;
  }
}
