package org.troupe.activeobjects.internal.replay;

import java.util.ArrayList;
import java.util.List;

/**
 * The store of a logged object. It survives all crashes, but for the records that are not stable.
 */
final class BankDisk {

  /** An image, with the position of the last record before it. */
  record StoredImage(LoggedObjectImage<BankCall, Long> accounts, BankState state, long upTo) {}

  StoredImage image;
  final List<LogRecord<BankCall, Long>> records = new ArrayList<>(); // behind the image
  long stable;

  BankDisk(StoredImage image) {
    this.image = image;
  }

  /** Returns the position of the last record. */
  long last() {
    return image.upTo + records.size();
  }

  /** Loses the records behind a position. */
  void cut(long position) {
    while (last() > position) {
      records.removeLast();
    }
  }

  /** Writes an image, and removes the records before it. */
  void replaceImage(StoredImage next) {
    while (image.upTo < next.upTo) {
      records.removeFirst();
      image = new StoredImage(image.accounts, image.state, image.upTo + 1);
    }
    image = next;
    stable = Math.max(stable, next.upTo);
  }
}
