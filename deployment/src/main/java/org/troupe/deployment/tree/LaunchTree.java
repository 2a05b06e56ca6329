package org.troupe.deployment.tree;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Node;
import org.troupe.deployment.ssh.SshHost;
import org.troupe.deployment.ssh.SshKeys;

/**
 * The launch tree of an element with many hosts: the launcher starts nodes on the first hosts; the
 * first node of each of these, once it has joined, starts those of further hosts. Thread-safe.
 */
public final class LaunchTree {

  /*
   * A login costs about as much as the rest of a node's start, and one launcher would log in to the hosts one after
   * another. The hosts of a level are dealt out evenly to those of the level above.
   */
  private static final System.Logger LOG = System.getLogger("org.troupe.deployment");

  /** The number of hosts that the launcher itself starts. */
  public static final int FAN_OUT = 32;

  /**
   * How long to wait for a node to join; after that the launcher starts the node's children itself.
   */
  private static final long PATIENCE_SECONDS = 60;

  private final int fanOut;
  private final SigningService signing;
  private final Map<String, CompletableFuture<Branch>> branches = new ConcurrentHashMap<>();
  private final Map<Integer, BranchMachine> machines = new ConcurrentHashMap<>(); // by host
  private final Set<String> joined = ConcurrentHashMap.newKeySet();

  public LaunchTree(int fanOut, SshKeys keys) {
    this.fanOut = fanOut;
    signing = new SigningService(keys);
  }

  /** Returns the host that starts another one; empty if the launcher does. */
  public OptionalInt parent(int host) {
    var begin = 0; // of the host's level
    var width = fanOut;
    var parents = 0; // the width of the level before
    while (host >= begin + width) {
      begin += width;
      parents = width;
      width *= fanOut;
    }
    return parents == 0
        ? OptionalInt.empty()
        : OptionalInt.of(begin - parents + (host - begin) % parents);
  }

  /** Declares that a node will start others, once it has joined. */
  public void expect(String node) {
    branches.computeIfAbsent(node, name -> new CompletableFuture<>());
  }

  /** Called when the process of a node has been started. */
  public void started(String node) {
    var expected = branches.get(node);
    if (expected != null) {
      expected.orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }
  }

  /** Called when a node has joined. */
  public void joined(Node node) {
    joined.add(node.name());
    var expected = branches.get(node.name());
    if (expected == null) {
      return;
    }
    try {
      ActiveObjects.on(node)
          .createAsync(Branch.class)
          .thenAccept(branch -> add(node.name(), branch))
          .exceptionally(
              failure -> {
                expected.completeExceptionally(failure);
                return null;
              });
    } catch (RuntimeException e) { // this JVM has no stub for it
      expected.completeExceptionally(e);
    }
  }

  /** Makes a branch available for starting nodes. */
  void add(String node, Branch branch) {
    Thread.ofVirtual().name("troupe-branch-" + node).start(() -> answerAll(branch));
    branch(node).complete(branch);
  }

  private CompletableFuture<Branch> branch(String node) {
    return Objects.requireNonNull(branches.get(node), "expected before");
  }

  public boolean hasJoined(String node) {
    return joined.contains(node);
  }

  /** Called when the process of a node has ended. */
  public void ended(String node) {
    var expected = branches.get(node);
    if (expected != null) {
      expected.completeExceptionally(new IOException("its process has ended"));
    }
  }

  /** Answers questions of a branch until its node is lost, or the grid closed. */
  private void answerAll(Branch branch) {
    try {
      while (true) {
        var question = branch.question().join();
        Thread.ofVirtual()
            .start(
                () ->
                    branch
                        .answer(question.id(), answer(branch, question))
                        .exceptionally(failure -> null)); // the next question fails, too
      }
    } catch (CompletionException e) {
      LOG.log(Level.DEBUG, "a branch is lost, or the grid closed", e);
    }
  }

  private Branch.Answer answer(Branch branch, Branch.Question question) {
    var machine = machines.get(question.host());
    return machine == null || !machine.isOf(branch) || !machine.isStarting()
        ? Branch.Answer.no("the launcher has not requested a login there")
        : signing.answer(machine.host(), question);
  }

  /**
   * Waits for the branch that will start nodes on a host.
   *
   * @param parent the name of the branch's node
   * @throws IOException if the node does not join in time, or cannot have a branch
   */
  public BranchMachine machine(int host, SshHost login, String parent) throws IOException {
    Branch branch;
    try {
      branch = branch(parent).get();
    } catch (ExecutionException e) {
      var reason =
          e.getCause() instanceof TimeoutException
              ? "it has not joined within " + PATIENCE_SECONDS + " s"
              : Objects.requireNonNull(e.getCause(), "set by get").getMessage();
      throw new IOException("'%s' cannot start it: %s".formatted(parent, reason), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
    var branchHost = signing.host(host, login);
    return machines.computeIfAbsent(
        host, number -> new BranchMachine(branch, parent, login, branchHost));
  }
}
