package org.troupe.activeobjects.internal.copies;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.store.StoredImage;

/** An image and the records behind it, in memory. Not thread-safe. */
final class JournalContent {

  private @Nullable StoredImage image;
  private long upTo; // the record before the first
  private final Deque<byte[]> records = new ArrayDeque<>();

  Optional<StoredImage> image() {
    return Optional.ofNullable(image);
  }

  /** Returns the number of the last record. */
  long last() {
    return upTo + records.size();
  }

  /** Returns the number of the last record before those that are here. */
  long upTo() {
    return upTo;
  }

  long append(byte[] record) {
    records.add(record);
    return last();
  }

  /** Replaces the image, and the records whose effect the new one contains. */
  void replace(StoredImage next) {
    while (!records.isEmpty() && upTo < next.upTo()) {
      records.remove();
      upTo++;
    }
    upTo = next.upTo();
    image = next;
  }

  /** Returns the records behind a number, which is not before the image. */
  List<byte[]> after(long number) {
    List<byte[]> found = new ArrayList<>((int) (last() - number));
    var all = records.descendingIterator(); // usually the last few of many
    for (var left = last() - number; left > 0; left--) {
      found.add(all.next());
    }
    Collections.reverse(found);
    return found;
  }

  /** Replaces all, or appends the records that are not here yet, behind which there is no gap. */
  void apply(CopyUpdate update) {
    if (update.isWhole()) {
      records.clear();
      upTo = update.upTo();
      image = update.image() == null ? null : new StoredImage(upTo, update.image());
    }
    var news = update.records();
    var known = (int) Math.min(last() + 1 - update.first(), news.size());
    records.addAll(news.subList(known, news.size()));
  }

  /** Returns the size of the image and the records. */
  long bytes() {
    var all = image == null ? 0L : image.content().length;
    for (var each : records) {
      all += each.length;
    }
    return all;
  }

  /** Returns all as an update. */
  CopyUpdate whole(String journal, long birth, long epoch) {
    return new CopyUpdate(
        journal,
        birth,
        epoch,
        true,
        upTo,
        image == null ? null : image.content(),
        upTo + 1,
        List.copyOf(records));
  }
}
