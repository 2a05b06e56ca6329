package org.troupe.deployment.ssh;

import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.sshd.common.future.CloseFuture;
import org.apache.sshd.common.util.threads.NoCloseExecutor;

/**
 * The threads on which MINA completes reads, writes and connections: daemons, for which the end of
 * the program does not wait. Tasks that come after the shutdown are discarded.
 */
final class SshThreads extends NoCloseExecutor {

  /*
   * While MINA closes a client or a server, the JDK's thread for events of channels may still have one, of a connection that is
   * closed already. An executor that rejects the completion ends that thread with an exception, whose stack trace a user would
   * see at the end of a program. MINA wraps every executor in a NoCloseExecutor, which rejects, unless it is one itself.
   */

  SshThreads() {
    super(
        new ThreadPoolExecutor(
            0,
            Integer.MAX_VALUE,
            10,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            daemons("troupe-ssh"),
            new ThreadPoolExecutor.DiscardPolicy()));
  }

  static ThreadFactory daemons(String name) {
    return Thread.ofPlatform().daemon().name(name).factory();
  }

  @Override
  public void execute(Runnable task) {
    executor.execute(task);
  }

  @Override
  public CloseFuture close(boolean immediately) {
    executor.shutdownNow();
    return super.close(immediately);
  }
}
