package org.troupe.futures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class TransparentFutureTest {

  private final Places places = new Places();
  private final FutureResult<Report> result = places.result("Worker.report()");
  private final Report report = result.asTransparent(Report.class);

  static class Report {
    private final String title;

    Report(String title) {
      this.title = title;
    }

    String title() {
      return title;
    }

    void publish() throws IOException {
      throw new IOException("no paper for " + title);
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Report its && title.equals(its.title());
    }

    @Override
    public int hashCode() {
      return title.hashCode();
    }

    @Override
    public String toString() {
      return "Report " + title;
    }
  }

  @Test
  void canBeInterruptedWhileItWaits() throws Exception {
    var failure = new CompletableFuture<Throwable>();
    var flag = new CompletableFuture<Boolean>();
    var user =
        Thread.startVirtualThread(
            () -> {
              failure.complete(catchThrowable(report::title));
              flag.complete(Thread.interrupted());
            });
    places.awaitWaiter();

    user.interrupt();

    assertThat(failure.join())
        .isInstanceOf(WaitInterruptedException.class)
        .hasMessage("interrupted while waiting for Worker.report(); the call goes on");
    assertThat(flag.join()).as("the interrupt stays noted").isTrue();
    result.settle(new Outcome.Success<>(new Report("Loomings")));
    assertThat(report.title()).isEqualTo("Loomings");
  }

  @Test
  void waitsAtTheFirstUse() throws Exception {
    var title = new CompletableFuture<String>();
    Thread.startVirtualThread(() -> title.complete(report.title()));
    places.awaitWaiter();
    assertThat(Futures.isAwaited(report)).isTrue();

    result.settle(new Outcome.Success<>(new Report("Loomings")));
    assertThat(title.join()).isEqualTo("Loomings");
    assertThat(Futures.isAwaited(report)).isFalse();
  }

  @Test
  void isItsValueForEqualsHashCodeAndToString() {
    result.settle(new Outcome.Success<>(new Report("Loomings")));

    assertThat(report).isEqualTo(new Report("Loomings")).hasToString("Report Loomings");
    assertThat(new Report("Loomings")).isEqualTo(report);
    assertThat(report.hashCode()).isEqualTo("Loomings".hashCode());
    assertThat(Map.of(new Report("Loomings"), 1)).containsKey(report);
  }

  @Test
  void standsForAnInterfaceToo() {
    FutureResult<List<String>> names = places.result("Worker.names()");
    @SuppressWarnings("unchecked") // a stub of List stands for the list
    List<String> list = names.asTransparent(List.class);
    names.settle(new Outcome.Success<>(List.of("a", "b")));

    assertThat(list).containsExactly("a", "b");
    assertThat(list).isEqualTo(List.of("a", "b"));
    assertThat(list.stream().map(String::toUpperCase)).containsExactly("A", "B");
  }

  @Test
  void throwsTheMethodsOwnExceptions() {
    result.settle(new Outcome.Success<>(new Report("Loomings")));
    assertThatThrownBy(report::publish)
        .isInstanceOf(IOException.class)
        .hasMessage("no paper for Loomings");
  }

  @Test
  void throwsTheFailureAtEveryUse() {
    var cause = new IllegalStateException("ink");
    result.settle(new Outcome.Failure<>(cause));

    assertThatThrownBy(report::title).isSameAs(cause);
    assertThatThrownBy(report::toString).isSameAs(cause);
  }

  @Test
  void namesTheCallWhoseResultIsNull() {
    result.settle(new Outcome.Success<>(null));

    assertThatThrownBy(report::title)
        .isInstanceOf(NullPointerException.class)
        .hasMessage(
            "'title()' was called on the result of Worker.report(), which is null;"
                + " Futures.value(x) gives the null itself");
    assertThat(Futures.value(report)).isNull();
  }
}
