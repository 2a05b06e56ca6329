package org.troupe.activeobjects.internal.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.store.GroupCommit;
import org.troupe.activeobjects.store.Journal;
import org.troupe.activeobjects.store.StoredImage;

/** A journal in a folder of its own: one image, and segments of the log behind it. */
final class DirectoryJournal implements Journal {

  /*
   * Design: one image, and segments behind it
   *
   * A record is written by one system call at the end of the newest segment, so it is in the page cache when append
   * returns. The end of a long segment is mapped, which saves the call (MappedSegmentEnd). A segment that would exceed
   * its size is followed by another one. An image is renamed into its place first, and only then the segments are deleted whose
   * records it contains, oldest first: whenever the process ends, the image and the segments that are left have no gap.
   *
   * Locks, in this order: 'imaging' admits one image at a time. 'files' keeps segments open and in place while they
   * are synced or read. The monitor of this guards the fields; a flush does not hold it, so records are appended while
   * the disk is busy.
   */

  /** The size that a segment exceeds only if it has a single record. */
  static final long SEGMENT_BYTES = 16L << 20;

  private static final String TAKEN_OVER = "the journal has been taken over or deleted";

  private final Path folder;
  private final DiskAccess disk;
  private final long segmentBytes;
  private final GroupCommit commit;
  private final ReentrantLock imaging = new ReentrantLock();
  private final ReentrantLock files = new ReentrantLock();

  // guarded by this
  private final List<Long> segments; // the first numbers of all segments, in order
  private final List<FileChannel> full = new ArrayList<>(); // segments not synced yet
  private @Nullable FileChannel open; // the newest segment; null if the next record begins one
  private @Nullable MappedSegmentEnd mapped; // of the newest segment
  private boolean isNeverMapped;
  private long size; // of the newest segment, up to its last record
  private long last;
  private long upTo; // of the image
  private @Nullable StoredImage known; // the image, until it was asked for once
  private @Nullable List<byte[]> unread; // the records behind it, until then
  private boolean hasImage;
  private boolean isClosed;
  private @Nullable IOException failure;

  private final Consumer<DirectoryJournal> whenClosed;

  private DirectoryJournal(
      Path folder,
      DiskAccess disk,
      long segmentBytes,
      Log log,
      Consumer<DirectoryJournal> whenClosed) {
    this.whenClosed = whenClosed;
    this.folder = folder;
    this.disk = disk;
    this.segmentBytes = segmentBytes;
    this.segments = new ArrayList<>(log.segments());
    this.known = log.image().orElse(null);
    this.upTo = known == null ? 0 : known.upTo();
    this.hasImage = known != null;
    this.last = log.last();
    this.commit = new GroupCommit(last, this::flush);
  }

  /**
   * Opens the journal in a folder, and cuts the torn end of its log.
   *
   * @param whenClosed is told when it is closed
   * @throws IOException if it is damaged
   */
  static DirectoryJournal open(
      Path folder, DiskAccess disk, long segmentBytes, Consumer<DirectoryJournal> whenClosed)
      throws IOException {
    var log = Log.read(folder, (number, content) -> {});
    for (var excess : log.obsolete()) {
      Files.delete(folder.resolve(LogSegment.name(excess)));
    }
    return open(folder, disk, segmentBytes, log, whenClosed);
  }

  /** Opens the journal in a folder whose content is known. */
  static DirectoryJournal open(
      Path folder,
      DiskAccess disk,
      long segmentBytes,
      Log content,
      Consumer<DirectoryJournal> whenClosed)
      throws IOException {
    var journal = new DirectoryJournal(folder, disk, segmentBytes, content, whenClosed);
    journal.continueSegment(content.end());
    return journal;
  }

  /** Returns the content of the folder of a journal that was opened and has got records since. */
  synchronized Log content() {
    return new Log(Optional.ofNullable(known), List.copyOf(segments), List.of(), last, size);
  }

  /**
   * Keeps records in memory until they are {@linkplain #records read} or others follow.
   *
   * @param behind all records behind the image; {@code null} for none
   */
  synchronized void keep(@Nullable List<byte[]> behind) {
    unread = behind;
  }

  private synchronized void continueSegment(long end) throws IOException {
    if (segments.isEmpty()) {
      return;
    }
    var newest =
        FileChannel.open(
                segment(segments.getLast()),
                StandardOpenOption.READ,
                StandardOpenOption.WRITE,
                LinkOption.NOFOLLOW_LINKS)
            .position(end);
    open = newest;
    size = end;
    if (newest.size() > end) {
      newest.truncate(end);
      disk.sync(newest);
    }
  }

  private Path segment(long first) {
    return folder.resolve(LogSegment.name(first));
  }

  /**
   * The content of the folder of a journal.
   *
   * @param segments the first numbers of the segments with records behind the image or before it
   * @param obsolete the first numbers of segments without records to keep
   * @param last the number of the last record
   * @param end the offset in the last segment at which it ends
   */
  record Log(
      Optional<StoredImage> image, List<Long> segments, List<Long> obsolete, long last, long end) {

    /** Returns the content of a folder that has an image, or nothing. */
    static Log of(Optional<StoredImage> image) {
      return new Log(image, List.of(), List.of(), image.map(StoredImage::upTo).orElse(0L), 0);
    }

    /** Reads the journal in a folder, without changing it; passes the records behind the image. */
    static Log read(Path folder, RecordReader reader) throws IOException {
      return read(folder, ImageFile.read(folder), reader);
    }

    /** Reads the records behind an image of a folder. */
    static Log read(Path folder, Optional<StoredImage> image, RecordReader reader)
        throws IOException {
      var upTo = image.map(StoredImage::upTo).orElse(0L);
      return read(folder, image, upTo, Long.MAX_VALUE, reader);
    }

    /**
     * Reads the records behind a number, to which more may be appended meanwhile.
     *
     * @param most the last record that was appended before; nothing behind it is looked at
     */
    private static Log read(
        Path folder, Optional<StoredImage> image, long upTo, long most, RecordReader reader)
        throws IOException {
      var firsts = firsts(folder);
      firsts.removeIf(each -> each > most);
      List<Long> obsolete = new ArrayList<>();
      while (most == Long.MAX_VALUE && !firsts.isEmpty() && isEmpty(folder, firsts.getLast())) {
        obsolete.add(firsts.removeLast());
      }
      // A failure of the host may bring back some of the segments that an image has replaced.
      while (firsts.size() > 1 && firsts.get(1) <= upTo + 1) {
        obsolete.add(firsts.removeFirst());
      }
      var last = upTo;
      var end = 0L;
      if (!firsts.isEmpty() && firsts.getFirst() > upTo + 1) {
        throw gap(folder, upTo + 1, firsts.getFirst() - 1);
      }
      for (int i = 0; i < firsts.size(); i++) {
        var first = firsts.get(i);
        if (i > 0 && first != last + 1) {
          throw gap(folder, last + 1, first - 1);
        }
        var extent =
            LogSegment.read(
                folder.resolve(LogSegment.name(first)),
                i == firsts.size() - 1,
                most,
                (number, content) -> {
                  if (number > upTo) {
                    reader.record(number, content);
                  }
                });
        last = extent.next() - 1;
        end = extent.end();
      }
      if (last < upTo) {
        obsolete.addAll(firsts);
        return new Log(image, List.of(), obsolete, upTo, 0);
      }
      return new Log(image, firsts, obsolete, last, end);
    }

    private static boolean isEmpty(Path folder, long first) throws IOException {
      var extent = // up to its first record
          LogSegment.read(
              folder.resolve(LogSegment.name(first)), true, first, (number, content) -> {});
      return extent.next() == first;
    }

    private static List<Long> firsts(Path folder) throws IOException {
      try (var names = Files.list(folder)) {
        return new ArrayList<>(
            names
                .map(each -> each.getFileName().toString())
                .filter(LogSegment::isName)
                .map(LogSegment::first)
                .sorted()
                .toList());
      }
    }

    private static IOException gap(Path folder, long from, long to) {
      return new IOException(
          "the log in %s is damaged: its records %d to %d are missing; restore the store from a copy, or delete the folder to give up what it keeps"
              .formatted(folder, from, to));
    }
  }

  @Override
  public Optional<StoredImage> image() throws IOException {
    synchronized (this) {
      if (known != null) {
        var image = known;
        known = null;
        return Optional.of(image);
      }
    }
    var image = ImageFile.read(folder);
    if (image.isEmpty() && hasImage()) {
      throw new IOException("the image in " + folder + " is gone: " + TAKEN_OVER);
    }
    return image;
  }

  private synchronized boolean hasImage() {
    return hasImage;
  }

  @Override
  public void records(RecordReader reader) throws IOException {
    files.lock();
    try {
      long imaged;
      long most;
      List<byte[]> kept;
      synchronized (this) {
        imaged = upTo;
        most = last;
        kept = unread;
        unread = null;
      }
      if (kept != null) {
        for (var each : kept) {
          reader.record(++imaged, each);
        }
        return;
      }
      var seen = new long[1];
      var log =
          Log.read(
              folder,
              Optional.empty(), // only its number counts
              imaged,
              most,
              (number, content) -> {
                reader.record(number, content);
                seen[0] = number;
              });
      if (log.last() < most) {
        throw new IOException(
            "the log in %s ends with record %d, but record %d was appended; its files were changed meanwhile"
                .formatted(folder, seen[0], most));
      }
    } catch (NoSuchFileException gone) {
      throw new IOException("the log in " + folder + " is gone: " + TAKEN_OVER, gone);
    } finally {
      files.unlock();
    }
  }

  @Override
  public synchronized long last() {
    return last;
  }

  @Override
  public synchronized long append(ByteBuffer... parts) throws IOException {
    var length = Journal.requireLength(parts);
    checkUsable();
    unread = null;
    var number = last + 1;
    var before = size;
    try {
      if (open != null && size > LogSegment.HEAD) {
        if (size + LogSegment.frameBytes(length) > segmentBytes) {
          leaveSegment();
        }
      }
      if (open == null) {
        before = 0;
        beginSegment(number);
      }
      before = size;
      write(Objects.requireNonNull(open, "begun above"), number, length, parts);
    } catch (IOException cause) {
      cut(before);
      throw failed("the log in " + place() + " could not be written", cause);
    }
    size = before + LogSegment.frameBytes(length);
    last = number;
    return number;
  }

  private void write(FileChannel file, long number, int length, ByteBuffer[] parts)
      throws IOException {
    if (size >= MappedSegmentEnd.FROM && !isNeverMapped) {
      map(file, LogSegment.frameBytes(length));
    }
    if (mapped != null) {
      mapped.append(size, number, length, parts);
    } else {
      disk.write(file, LogSegment.frame(number, length, parts));
    }
  }

  /** Maps a further part of the newest segment for a record, if there is none. */
  private synchronized void map(FileChannel file, long bytes) throws IOException {
    if (mapped != null && mapped.hasSpace(size, bytes)) {
      return;
    }
    try {
      if (mapped != null) {
        unmap(file);
      } else if (disk.isSynced() || !MappedSegmentEnd.isPossible(folder)) {
        isNeverMapped = true;
        return;
      }
      mapped = MappedSegmentEnd.map(file, disk, size, bytes, segmentBytes);
      isNeverMapped = mapped == null;
    } catch (IOException e) { // the disk is full, or the file system does not map files
      isNeverMapped = true;
      MappedSegmentEnd.cut(file, size);
    }
  }

  private synchronized void unmap(FileChannel file) throws IOException {
    if (mapped != null) {
      mapped.unmap();
      mapped = null;
      MappedSegmentEnd.cut(file, size);
    }
  }

  private void checkUsable() throws IOException {
    if (isClosed) {
      throw new IOException("the journal in " + folder + " is closed");
    }
    if (failure != null) {
      throw new IOException(failure.getMessage(), failure);
    }
    commit.check();
  }

  private synchronized void leaveSegment() throws IOException {
    var left = Objects.requireNonNull(open, "a segment is open");
    unmap(left);
    open = null;
    if (disk.isSynced()) {
      full.add(left);
    } else {
      left.close();
    }
  }

  private synchronized void beginSegment(long first) throws IOException {
    var file = segment(first);
    open =
        FileChannel.open(
            file,
            Set.of(
                StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE),
            DiskAccess.usersOnly(file, "rw-------"));
    segments.add(first);
    size = 0;
    disk.write(open, LogSegment.head(first));
    size = LogSegment.HEAD;
    disk.syncNames(folder);
  }

  /** Removes a frame that was written in part, so that the log ends with a whole record. */
  private synchronized void cut(long end) {
    try {
      if (mapped != null) {
        mapped.unmap();
        mapped = null;
      }
      if (open != null && open.size() > end) {
        open.truncate(end);
      }
    } catch (IOException e) {
      // The journal is opened anew before it is written again, which cuts a torn end.
    }
  }

  /**
   * Returns the folder of the journal, for messages about what is to be mended there. The folder of
   * the epoch has another name at each attempt, so equal failures would look different.
   */
  private Path place() {
    return Objects.requireNonNullElse(folder.getParent(), folder);
  }

  private synchronized IOException failed(String what, IOException cause) {
    var reason = Files.isDirectory(folder) ? DiskAccess.reason(cause) : TAKEN_OVER;
    var described = new IOException(what + ": " + reason, cause);
    failure = described;
    commit.fail(described);
    return described;
  }

  @Override
  public CompletableFuture<Void> stable(long number) {
    synchronized (this) {
      Journal.requireAppended(number, last);
    }
    return disk.isSynced() ? commit.stable(number) : CompletableFuture.completedFuture(null);
  }

  private long flush() throws IOException {
    files.lock();
    try {
      List<FileChannel> left;
      FileChannel newest;
      long reached;
      synchronized (this) {
        left = List.copyOf(full);
        newest = open;
        reached = last;
      }
      for (var each : left) {
        disk.sync(each);
      }
      if (newest != null) {
        disk.sync(newest);
      }
      synchronized (this) {
        full.removeAll(left);
      }
      for (var each : left) {
        each.close();
      }
      return reached;
    } catch (IOException cause) {
      throw failed("the log in " + place() + " could not be made stable", cause);
    } finally {
      files.unlock();
    }
  }

  @Override
  public void replace(long to, ByteBuffer... parts) throws IOException {
    imaging.lock();
    try {
      synchronized (this) {
        if (isClosed) {
          throw new IOException("the journal in " + folder + " is closed");
        }
        Journal.requireReplacing(to, upTo, last);
      }
      try {
        ImageFile.write(folder, disk, to, parts);
      } catch (IOException cause) {
        var reason = Files.isDirectory(folder) ? DiskAccess.reason(cause) : TAKEN_OVER;
        throw new IOException("an image could not be written in " + folder + ": " + reason, cause);
      }
      dropSegments(to);
    } finally {
      imaging.unlock();
    }
    commit.replaced(to);
  }

  /** Deletes the segments without a record behind the image, oldest first. */
  private void dropSegments(long to) {
    files.lock();
    try {
      synchronized (this) {
        upTo = to;
        known = null;
        unread = null;
        hasImage = true;
        try {
          while (segments.size() > 1 && segments.get(1) <= to + 1) {
            Files.deleteIfExists(segment(segments.getFirst()));
            segments.removeFirst();
          }
          if (segments.size() == 1 && last <= to && failure == null) {
            var newest = open;
            open = null;
            if (newest != null) {
              unmap(newest);
              newest.close();
            }
            Files.deleteIfExists(segment(segments.getFirst()));
            segments.removeFirst();
          }
        } catch (IOException e) {
          // The rest is skipped by readers, and deleted with the next image.
        }
      }
    } finally {
      files.unlock();
    }
  }

  @Override
  public void close() throws IOException {
    synchronized (this) {
      if (isClosed) {
        return;
      }
      isClosed = true;
    }
    whenClosed.accept(this);
    commit.await();
    imaging.lock();
    files.lock();
    try {
      boolean isWhole;
      synchronized (this) {
        isWhole = failure == null;
      }
      if (isWhole && disk.isSynced()) {
        flush();
      }
    } finally {
      closeFiles();
      files.unlock();
      imaging.unlock();
    }
  }

  private synchronized void closeFiles() throws IOException {
    for (var each : full) {
      each.close();
    }
    if (open != null) {
      unmap(open);
      open.close();
    }
  }

  @Override
  public String toString() {
    return folder.toString();
  }
}
