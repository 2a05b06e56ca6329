package org.troupe.deployment.tree;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.troupe.deployment.process.Machine;
import org.troupe.deployment.process.RemoteProcess;
import org.troupe.deployment.ssh.SshHost;

/** A machine that a branch logs in to, as the launcher sees it. */
public final class BranchMachine implements Machine {

  private final Branch branch;
  private final String through;
  private final SshHost host;
  private final Branch.Host lent;
  private final AtomicInteger starting = new AtomicInteger();

  /**
   * @param through the name of the branch's node
   * @param lent the same host, as the branch knows it
   */
  BranchMachine(Branch branch, String through, SshHost host, Branch.Host lent) {
    this.branch = branch;
    this.through = through;
    this.host = host;
    this.lent = lent;
  }

  @Override
  public String name() {
    return host.name();
  }

  boolean isOf(Branch other) {
    return branch == other;
  }

  SshHost host() {
    return host;
  }

  /** Says that a node is being started there, for which the branch may log in. */
  public void beginStart() {
    starting.incrementAndGet();
  }

  public void endStart() {
    starting.decrementAndGet();
  }

  boolean isStarting() {
    return starting.get() > 0;
  }

  @Override
  public RemoteProcess start(
      List<String> command, Map<String, String> environment, Optional<String> folder)
      throws IOException {
    return start(command, environment, folder, () -> false);
  }

  /**
   * Starts a command that may live on when the branch is lost.
   *
   * @param livesOn whether it would do so now
   */
  public RemoteProcess start(
      List<String> command,
      Map<String, String> environment,
      Optional<String> folder,
      BooleanSupplier livesOn)
      throws IOException {
    var number = awaited(branch.start(lent, command, environment, folder));
    return new BranchProcess(branch, number, through, livesOn);
  }

  /** The branch has the same file, known by its content. */
  @Override
  public void put(Path file, String path) throws IOException {
    awaited(branch.put(lent, path));
  }

  @Override
  public void put(byte[] content, String path) throws IOException {
    awaited(branch.put(lent, path));
  }

  /** Lets a port there lead to an address that the branch can reach; returns the port. */
  public int forward(InetSocketAddress target) throws IOException {
    return awaited(branch.forward(lent, target));
  }

  private <T> T awaited(CompletableFuture<T> answer) throws IOException {
    try {
      return answer.join();
    } catch (CompletionException e) {
      throw new IOException("through " + through + ": " + e.getCause().getMessage(), e);
    }
  }

  /** The connection is the branch's. */
  @Override
  public void close() {}
}
