package org.troupe.activeobjects.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * The last image of one object, and the records that were appended after it. Records are numbered
 * from 1 without gaps, and an image contains the effect of all records up to a number.
 *
 * <p>What is <em>stable</em> survives whatever the store promises to survive, and a reader finds it
 * or gets an error that says what is damaged; it is never left out silently.
 *
 * <p>A journal that has failed to append or to make a record stable accepts no further record,
 * because its end is not known. It must be opened anew. An image that could not be written leaves
 * the former image and the records as they were, and may be tried again.
 *
 * <p>Thread-safe. All methods may block for a write or a read, except {@link #stable}.
 */
public interface Journal extends AutoCloseable {

  /** The largest record, in bytes. */
  int LARGEST_RECORD = 1 << 30;

  /** Receives records in the order of their numbers. */
  interface RecordReader {
    /** Receives one record, whose content belongs to the reader. */
    void record(long number, byte[] content) throws IOException;
  }

  /** Returns the last stable image. */
  Optional<StoredImage> image() throws IOException;

  /** Passes all records behind the last stable image to a reader. */
  void records(RecordReader reader) throws IOException;

  /** Returns the number of the last record, or 0 if there was none yet. */
  long last();

  /**
   * Appends a record, which is stable once {@link #stable} says so.
   *
   * @param parts the record, in one or more pieces, which may change when this method returns
   * @return the number of the record
   * @throws IOException if the record could not be appended; the journal has failed
   */
  long append(ByteBuffer... parts) throws IOException;

  /**
   * Returns a future that completes when a record and all before it are stable. It fails with an
   * {@link IOException} if that could not be achieved; the journal has then failed.
   */
  CompletableFuture<Void> stable(long number);

  /**
   * Waits until a record and all before it are stable. May do on the calling thread what makes them
   * so.
   *
   * @throws IOException if that could not be achieved; the journal has failed
   */
  default void awaitStable(long number) throws IOException {
    try {
      stable(number).join();
    } catch (CompletionException failure) {
      throw failure.getCause() instanceof IOException cause ? cause : new IOException(failure);
    }
  }

  /**
   * Returns whether a record becomes stable soonest if the thread that has appended it calls {@link
   * #awaitStable} at once, as that saves a hand-over to another thread which takes longer than the
   * rest. An object then waits before it serves a request, rather than before its first output.
   */
  default boolean isStableSoonestByWaiting() {
    return false;
  }

  /**
   * Replaces the last image, and all records whose effect the new one contains. When this method
   * returns, the image is stable.
   *
   * @param upTo the number of the last record whose effect the image contains
   * @param parts the image, in one or more pieces
   * @throws IOException if the image could not be written; the former one stays
   */
  void replace(long upTo, ByteBuffer... parts) throws IOException;

  /** Makes what was appended stable, and releases the resources of this journal. */
  @Override
  void close() throws IOException;

  // The checks that are equal for all stores

  /** Returns the length of a record, unless it is too large for a journal. */
  static int requireLength(ByteBuffer... parts) {
    var length = 0L;
    for (var part : parts) {
      length += part.remaining();
    }
    if (length > LARGEST_RECORD) {
      throw new IllegalArgumentException(
          "a record of %d bytes is too large for a journal, which takes %d"
              .formatted(length, LARGEST_RECORD));
    }
    return (int) length;
  }

  /** Checks that a record has been appended. */
  static void requireAppended(long number, long last) {
    if (number > last) {
      throw new IllegalArgumentException(
          "record %d has not been appended yet; the last one is %d".formatted(number, last));
    }
  }

  /**
   * Checks that an image can replace the present one.
   *
   * @param upTo the last record that the new image contains
   * @param former the last record that the present image contains
   */
  static void requireReplacing(long upTo, long former, long last) {
    if (upTo > last || upTo < former) {
      throw new IllegalArgumentException(
          "an image up to record %d cannot replace one up to %d, behind which the last record is %d"
              .formatted(upTo, former, last));
    }
  }
}
