package org.troupe.activeobjects.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The journals of a store, some of which cannot be closed. */
class OpenJournalsTest {

  private final OpenJournals<Journal> open = new OpenJournals<>();
  private final List<Object> closed = new ArrayList<>();

  /** A journal on a disk that is full when it is closed. */
  private final class FailingJournal implements Journal {
    @Override
    public Optional<StoredImage> image() {
      return Optional.empty();
    }

    @Override
    public void records(RecordReader reader) {}

    @Override
    public long last() {
      return 0;
    }

    @Override
    public long append(ByteBuffer... parts) {
      throw new UnsupportedOperationException("only closed");
    }

    @Override
    public CompletableFuture<Void> stable(long number) {
      throw new UnsupportedOperationException("only closed");
    }

    @Override
    public void replace(long upTo, ByteBuffer... parts) {
      throw new UnsupportedOperationException("only closed");
    }

    @Override
    public void close() throws IOException {
      closed.add(this);
      throw new IOException("the disk is full");
    }
  }

  @Test
  void closesAllJournalsAlsoIfSomeFail() {
    List<Object> all = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      var journal = new FailingJournal();
      all.add(journal);
      assertThat(open.add(journal)).isTrue();
    }
    assertThatThrownBy(() -> open.close(() -> closed.add("the store")))
        .hasMessage("the disk is full");
    assertThat(closed).containsAll(all).hasSize(4).last().isEqualTo("the store");
  }

  @Test
  void tellsOfTheFirstFailureWithThoseThatFollow() {
    assertThat(open.add(new FailingJournal())).isTrue();
    var gone = new IOException("the lock is gone");
    assertThatThrownBy(
            () ->
                open.close(
                    () -> {
                      throw gone;
                    }))
        .hasMessage("the disk is full")
        .hasSuppressedException(gone);
  }

  @Test
  void tellsOfAStoreThatCannotBeReleased() {
    var gone = new IOException("the lock is gone");
    assertThatThrownBy(
            () ->
                open.close(
                    () -> {
                      throw gone;
                    }))
        .isSameAs(gone);
  }
}
