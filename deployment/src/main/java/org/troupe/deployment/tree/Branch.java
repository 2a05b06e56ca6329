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
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.troupe.activeobjects.LifeCycle;
import org.troupe.activeobjects.hosting.MiddlewareObject;
import org.troupe.deployment.process.RemoteProcess;
import org.troupe.deployment.ssh.MinaMachine;
import org.troupe.deployment.ssh.SshConnector;
import org.troupe.deployment.ssh.SshHost;
import org.troupe.descriptors.Login.HostKeys;

/**
 * An inner node of the launch tree: an active object that the launcher creates on a node that has
 * joined, and that starts further nodes from there. It logs in over ssh to the hosts that the
 * launcher names, with signatures that it requests from the launcher.
 */
class Branch implements LifeCycle, MiddlewareObject {

  /*
   * Only the launcher makes calls; a branch never calls the launcher. Output, ends of processes and questions are the
   * results of calls that the launcher has made and that wait here. So each side learns from these calls that it has
   * lost the other, and a slow reader delays one process and nothing else. The body only starts work: anything that
   * may take time runs on a virtual thread and answers later.
   */
  private static final int CHUNK_BYTES = 8192;

  /** Few, since the node has other work, and several nodes may share a machine. */
  private static final int LOGINS_AT_ONCE = 8;

  /**
   * A host to log in to.
   *
   * @param number the launcher's number for the host
   * @param keys the public keys that the launcher signs with
   * @param keyTypes the types of the keys by which the host is known
   */
  record Host(
      int number,
      String name,
      String hostName,
      int port,
      String user,
      Duration timeout,
      List<byte[]> keys,
      List<String> keyTypes) {

    SshHost login() {
      return new SshHost(
          name,
          "the descriptor",
          hostName,
          port,
          user,
          hostName,
          List.of(),
          Optional.empty(),
          List.of(),
          HostKeys.STRICT,
          timeout,
          Optional.empty(),
          Optional.empty());
    }
  }

  /** A question that only the launcher can answer, about a host that it has named. */
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
   * @param refusal the reason of a refusal; empty if the launcher agrees
   * @param algorithm the algorithm of the signature, if the question asks for one
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
   * A chunk of the output of a process.
   *
   * @param pid the id of the process on its machine, 0 if it is not known
   * @param bytes the chunk; empty at the end of the output
   */
  record Output(long pid, byte[] bytes) {}

  /**
   * How a process ended.
   *
   * @param explanation empty if the exit code is known; otherwise why the connection to the process
   *     broke
   */
  record End(int exitCode, String explanation) {}

  private final RemoteKeys keys = new RemoteKeys();
  private final SshConnector connector = new SshConnector(keys, LOGINS_AT_ONCE);
  private final Map<SshHost, MinaMachine> machines = new ConcurrentHashMap<>();
  private final Map<Long, RemoteProcess> processes = new ConcurrentHashMap<>();
  private final AtomicLong started = new AtomicLong();

  /** The last operation on the input of each process. Touched only by the body. */
  private final Map<Long, CompletableFuture<Void>> inputs = new HashMap<>();

  Branch() {}

  @Override
  public void ended() {
    machines.values().forEach(MinaMachine::close);
    connector.close();
  }

  /** Completes with the next question, once there is one. */
  CompletableFuture<Question> question() {
    return later(keys::question);
  }

  CompletableFuture<Void> answer(long question, Answer answer) {
    keys.answered(question, answer);
    return CompletableFuture.completedFuture(null);
  }

  /** Starts a command as {@code Machine.start} does; completes with a number for the process. */
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

  /** Completes with further output of a process, once there is some. */
  CompletableFuture<Output> read(long process, boolean ofErrors) {
    return later(
        () -> {
          var from = process(process);
          var bytes = new byte[CHUNK_BYTES];
          var count =
              (ofErrors ? from.getErrorStream() : from.getInputStream())
                  .read(bytes, 0, CHUNK_BYTES);
          return new Output(pid(from), Arrays.copyOf(bytes, Math.max(0, count)));
        });
  }

  private RemoteProcess process(long number) {
    return Objects.requireNonNull(processes.get(number), "no process has this number");
  }

  private static long pid(Process process) {
    try {
      return process.pid();
    } catch (UnsupportedOperationException e) {
      return 0;
    }
  }

  /** Writes to the input of a process; completes when the connection has accepted the bytes. */
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

  /** An operation on an input. */
  private interface InputOperation {
    void of(OutputStream stream) throws IOException;
  }

  private CompletableFuture<Void> input(long process, InputOperation use) {
    var before = inputs.getOrDefault(process, CompletableFuture.completedFuture(null));
    var done =
        later(
            () -> {
              before.handle((nothing, failure) -> null).join();
              use.of(process(process).getOutputStream());
              return (Void) null;
            });
    inputs.put(process, done);
    return done;
  }

  /** Completes with the end of a process, once it has ended. */
  CompletableFuture<End> end(long process) {
    var ending = process(process);
    return ending
        .onExit()
        .thenApply(ended -> new End(ending.exitValue(), ending.explanation().orElse("")));
  }

  /** Kills a process. */
  CompletableFuture<Void> destroy(long process) {
    return later(
        () -> {
          process(process).destroyForcibly();
          return null;
        });
  }

  /**
   * Copies a file of the program from this machine to a host.
   *
   * @param path relative to the home directory, on this machine, too
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

  /**
   * Forwards a port of a host to an address that can be reached from here; completes with its
   * number.
   */
  CompletableFuture<Integer> forward(Host host, InetSocketAddress target) {
    return later(() -> machine(host).forward(target));
  }

  private MinaMachine machine(Host host) {
    keys.register(host);
    return machines.computeIfAbsent(
        host.login(), login -> new MinaMachine(login, Optional.empty(), connector));
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
