package org.troupe.deployment.tree;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.Map;
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
 * The tree by which many hosts are started: the launcher starts the first, and each of these, once
 * its node has joined, some of the others. Thread-safe.
 */
public final class LaunchTree {

  /*
   * A login costs both sides most of what the start of a node does, and the launcher alone would log in to one host
   * after the other. The hosts of a level are dealt out to those of the level before, so that each gets as few as
   * possible.
   */
  private static final System.Logger LOG = System.getLogger("org.troupe.deployment");

  /** How many hosts are started from one place at least. */
  public static final int FAN_OUT = 32;

  /** What does not join for so long is waited for no more: the launcher starts the others. */
  private static final long PATIENCE_SECONDS = 60;

  private final int fanOut;
  private final SigningService lender;
  private final Map<String, CompletableFuture<Branch>> branches = new ConcurrentHashMap<>();
  private final Map<Integer, BranchMachine> machines = new ConcurrentHashMap<>(); // by host
  private final Set<String> joined = ConcurrentHashMap.newKeySet();

  public LaunchTree(int fanOut, SshKeys keys) {
    this.fanOut = fanOut;
    lender = new SigningService(keys);
  }

  /** Returns which host starts another one; nothing if the launcher does. */
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

  /** Says that a node is going to start others, if it joins. */
  public void expect(String node) {
    branches.computeIfAbsent(node, name -> new CompletableFuture<>());
  }

  /** The process of a node has been started. */
  public void started(String node) {
    var expected = branches.get(node);
    if (expected != null) {
      expected.orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }
  }

  /** A node has joined. */
  public void joined(Node node) {
    joined.add(node.name());
    var expected = branches.get(node.name());
    if (expected == null) {
      return;
    }
    try {
      ActiveObjects.on(node)
          .createAsync(Branch.class)
          .thenAccept(branch -> begin(node.name(), branch))
          .exceptionally(
              failure -> {
                expected.completeExceptionally(failure);
                return null;
              });
    } catch (RuntimeException e) { // there is no stub for it here
      expected.completeExceptionally(e);
    }
  }

  /** A node can start others. */
  void begin(String node, Branch branch) {
    Thread.ofVirtual().name("troupe-branch-" + node).start(() -> answerAll(branch));
    branches.get(node).complete(branch);
  }

  public boolean hasJoined(String node) {
    return joined.contains(node);
  }

  /** The process of a node has ended. */
  public void ended(String node) {
    var expected = branches.get(node);
    if (expected != null) {
      expected.completeExceptionally(new IOException("its process has ended"));
    }
  }

  /** Until the node is lost, or the grid closed. */
  private void answerAll(Branch branch) {
    try {
      while (true) {
        var question = branch.question().join();
        Thread.ofVirtual()
            .start(
                () ->
                    branch
                        .answer(question.id(), answer(branch, question))
                        .exceptionally(failure -> null)); // the next question ends, too
      }
    } catch (CompletionException e) {
      LOG.log(Level.DEBUG, "a branch has nothing more to ask", e);
    }
  }

  private Branch.Answer answer(Branch branch, Branch.Question question) {
    var machine = machines.get(question.host());
    return machine == null || !machine.isOf(branch) || !machine.isStarting()
        ? Branch.Answer.no("no login that the launcher has asked for")
        : lender.answer(machine.host(), question);
  }

  /**
   * Waits for the branch that is to start nodes on a host.
   *
   * @param parent the name of its node
   * @throws IOException if there is none, or not in time
   */
  public BranchMachine machine(int host, SshHost login, String parent) throws IOException {
    Branch branch;
    try {
      branch = branches.get(parent).get();
    } catch (ExecutionException e) {
      var reason =
          e.getCause() instanceof TimeoutException
              ? "it has taken more than " + PATIENCE_SECONDS + " s"
              : e.getCause().getMessage();
      throw new IOException("'%s' has not joined: %s".formatted(parent, reason), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
    var lent = lender.host(host, login);
    return machines.computeIfAbsent(host, number -> new BranchMachine(branch, parent, login, lent));
  }
}
