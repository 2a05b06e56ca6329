package org.troupe.deployment.ssh;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.sshd.common.util.threads.ThreadUtils;
import org.junit.jupiter.api.Test;

class SshThreadsTest {

  @Test
  void areDaemons() throws Exception {
    var threads = new SshThreads();
    var isDaemon = new CompletableFuture<Boolean>();

    threads.execute(() -> isDaemon.complete(Thread.currentThread().isDaemon()));

    assertThat(isDaemon.get(30, TimeUnit.SECONDS)).isTrue();
    threads.shutdown();
  }

  @Test
  void discardTasksAfterTheShutdown() {
    var threads = ThreadUtils.noClose(new SshThreads()); // as MINA takes them
    var hasRun = new AtomicBoolean();

    threads.shutdown();
    threads.execute(() -> hasRun.set(true));

    assertThat(threads.isTerminated()).isTrue();
    assertThat(hasRun).isFalse();
  }
}
