package org.troupe.activeobjects.internal.moving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.troupe.activeobjects.Waits.valueOf;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

class SerialTasksTest {

  @Test
  void laterTasksAreRunAfterOneThatFails() {
    List<Throwable> failures = new CopyOnWriteArrayList<>();
    var failure = new IllegalStateException("a fault of the test");
    var tasks = new SerialTasks(failures::add);
    var last = new CompletableFuture<String>();

    tasks.execute(
        () -> {
          throw failure;
        });
    tasks.execute(() -> last.complete("run"));

    assertThat(valueOf(last, "the last task")).isEqualTo("run");
    assertThat(failures).containsExactly(failure);
  }

  @Test
  void laterPartsOfATaskAreRunAfterOneThatFails() {
    List<Throwable> failures = new CopyOnWriteArrayList<>();
    var failure = new IllegalStateException("a fault of the test");
    var tasks = new SerialTasks(failures::add);
    var last = new CompletableFuture<String>();

    tasks.execute(
        () -> {
          tasks.attempt(
              () -> {
                throw failure;
              });
          tasks.attempt(() -> last.complete("run"));
        });

    assertThat(valueOf(last, "the last part")).isEqualTo("run");
    assertThat(failures).containsExactly(failure);
  }

  @Test
  void laterTasksAreRunIfAFailureCannotBeReported() {
    var tasks =
        new SerialTasks(
            failure -> {
              throw new OutOfMemoryError("a fault of the test");
            });
    var last = new CompletableFuture<String>();

    tasks.execute(
        () -> {
          throw new IllegalStateException("a fault of the test");
        });
    tasks.execute(() -> last.complete("run"));

    assertThat(valueOf(last, "the last task")).isEqualTo("run");
  }
}
