package org.troupe.deployment.tree;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.troupe.deployment.process.Machine;
import org.troupe.deployment.process.RemoteProcess;
import org.troupe.deployment.ssh.SshHost;

/** The launcher's view of a machine that a branch logs in to. */
public final class BranchMachine implements Machine {

  private final Branch branch;
  private final String branchName;
  private final SshHost host;
  private final Branch.Host branchHost;
  private final AtomicInteger starting = new AtomicInteger();

  /**
   * @param branchName the name of the branch's node
   * @param branchHost the branch's description of the host
   */
  BranchMachine(Branch branch, String branchName, SshHost host, Branch.Host branchHost) {
    this.branch = branch;
    this.branchName = branchName;
    this.host = host;
    this.branchHost = branchHost;
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

  /** Marks the begin of a node's start, during which the branch may request signatures. */
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
   * Starts a command that may survive the loss of the branch.
   *
   * @param survivesBranch whether the process would now survive the loss of the branch
   */
  public RemoteProcess start(
      List<String> command,
      Map<String, String> environment,
      Optional<String> folder,
      BooleanSupplier survivesBranch)
      throws IOException {
    var number = awaited(branch.start(branchHost, command, environment, folder));
    return new BranchProcess(branch, number, branchName, survivesBranch);
  }

  /** Copies the branch's own copy of the file, which has the same path. */
  @Override
  public void put(Path file, String path) throws IOException {
    awaited(branch.put(branchHost, path));
  }

  @Override
  public void put(byte[] content, String path) throws IOException {
    awaited(branch.put(branchHost, path));
  }

  /** Forwards a port of the machine to an address that the branch can reach; returns the port. */
  public int forward(InetSocketAddress target) throws IOException {
    return awaited(branch.forward(branchHost, target));
  }

  private <T> T awaited(CompletableFuture<T> answer) throws IOException {
    try {
      return answer.join();
    } catch (CompletionException e) {
      throw new IOException(
          "through "
              + branchName
              + ": "
              + Objects.requireNonNull(e.getCause(), "set by join").getMessage(),
          e);
    }
  }

  /** Does nothing: the branch closes the connection. */
  @Override
  public void close() {}
}
