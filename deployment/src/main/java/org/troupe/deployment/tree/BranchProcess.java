package org.troupe.deployment.tree;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.troupe.deployment.process.ChunkInputStream;
import org.troupe.deployment.process.RemoteProcess;
import org.troupe.deployment.ssh.SshConnector;

/** The launcher's view of a process that a branch has started. */
final class BranchProcess extends RemoteProcess {

  /*
   * A node that has joined does not need its branch. It survives the loss of the branch, or of the connection to it;
   * from then on only the membership knows the node, and decides when it has ended.
   */

  /** The exit code of ssh if its connection breaks. */
  private static final int UNKNOWN = 255;

  private final Branch branch;
  private final long number;
  private final String branchName;
  private final BooleanSupplier survivesBranch;
  private final OutputStream input = new Input();
  private final InputStream output = new Output(false);
  private final InputStream errors = new Output(true);
  private volatile long pid; // 0 before it is known
  private volatile boolean isLost;
  private volatile boolean isOrphan;
  private volatile boolean isDestroyed;
  private volatile Branch.@Nullable End end; // null if it is not known

  /**
   * @param number the branch's number for the process
   * @param survivesBranch whether the process would now survive the loss of the branch
   */
  BranchProcess(Branch branch, long number, String branchName, BooleanSupplier survivesBranch) {
    this.branch = branch;
    this.number = number;
    this.branchName = branchName;
    this.survivesBranch = survivesBranch;
    branch.end(number).whenComplete(this::ended);
  }

  private void ended(Branch.@Nullable End known, @Nullable Throwable failure) {
    if (known != null && known.explanation().isEmpty()) {
      end = known;
      ended();
      return;
    }
    end = known;
    isLost = true;
    if (isDestroyed || !survivesBranch.getAsBoolean()) {
      isOrphan = known == null && !isDestroyed;
      ended();
    }
  }

  @Override
  public int exitCode() {
    var known = end;
    if (known != null && known.explanation().isEmpty()) {
      return known.exitCode();
    }
    return isDestroyed && !isLost ? KILLED : UNKNOWN;
  }

  @Override
  public Optional<String> explanation() {
    if (isAlive() || !isLost) {
      return Optional.empty();
    }
    var known = end;
    return Optional.of(
        known == null
            ? "how it ended is not known, because '%s', which started it, is lost"
                .formatted(branchName)
            : known.explanation());
  }

  @Override
  public boolean isStartedByNode() {
    return true;
  }

  @Override
  public boolean hasNoInput() {
    return isLost;
  }

  /**
   * Returns whether the branch was lost before the node had joined, since such a node ends with its
   * input.
   */
  @Override
  public boolean isOrphan() {
    return isOrphan;
  }

  /** Ends a process whose branch is lost: neither the grid nor the launcher can reach the node. */
  @Override
  public void checkEnd() {
    if (isLost) {
      ended();
    }
  }

  @Override
  public OutputStream getOutputStream() {
    return input;
  }

  @Override
  public InputStream getInputStream() {
    return output;
  }

  @Override
  public InputStream getErrorStream() {
    return errors;
  }

  @Override
  public long pid() {
    if (pid == 0) {
      throw new UnsupportedOperationException("not known yet");
    }
    return pid;
  }

  @Override
  public void destroy() {
    isDestroyed = true;
    if (isLost) {
      ended();
    } else {
      branch
          .destroy(number)
          .exceptionally(failure -> null); // the branch is lost; the end of the process reports it
    }
  }

  /** Passes each write to the branch as a call. */
  private final class Input extends OutputStream {

    private volatile boolean isUsed; // another thread may close it

    @Override
    public void write(int b) throws IOException {
      write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
      isUsed = true;
      try {
        branch.write(number, java.util.Arrays.copyOfRange(bytes, from, from + length)).join();
      } catch (CompletionException e) {
        throw new IOException(SshConnector.reason(e), e);
      }
    }

    /**
     * Asks a node to end by a byte, since it does not take the mere end of its input for a request.
     */
    @Override
    public void close() {
      if (isUsed) {
        branch.write(number, new byte[1]).exceptionally(failure -> null);
      }
      branch.endInput(number).exceptionally(failure -> null);
    }
  }

  /** Each chunk is the answer to a call that waits for output; ends when the branch is lost. */
  private final class Output extends ChunkInputStream {

    private final boolean ofErrors;

    Output(boolean ofErrors) {
      this.ofErrors = ofErrors;
    }

    @Override
    protected byte[] next() {
      try {
        var more = branch.read(number, ofErrors).join();
        pid = more.pid();
        return more.bytes();
      } catch (CompletionException e) {
        return new byte[0];
      }
    }
  }
}
