package org.troupe.activeobjects.internal.store;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/** The memory behind the last record of a long segment, to which further records are copied. */
final class MappedSegmentEnd {

  /*
   * Design: appending without a system call
   *
   * A write of a record of 200 bytes to a file of ext4 takes 2.4 us, a copy into a mapped page 0.03 to 0.17 us (400,000
   * records, one core, E, 2026-11-26). Either leaves the record in the page cache, where it survives the process.
   *
   * A store into a mapped page for which the file system has no block ends in a signal rather than an error. So a part of the
   * file is mapped only after zeros have been written to it through the channel, which reports a full disk, and only
   * on file systems that overwrite a block in its place. If zeros cannot be written, the journal goes on through the
   * channel. Should the signal come nevertheless, the JVM turns it into an InternalError, which is a failure of the log.
   *
   * A process that is killed leaves zeros behind its last record, and within the one that it was copying. The head is stored
   * first and the end mark last, so a reader takes that for a torn end (LogSegment). The zeros are cut when the segment is
   * closed or left, before a later segment is begun.
   *
   * A segment is mapped when it is FROM bytes long, and then in parts that double it, so most objects, which take few
   * requests, need neither the space nor the memory map of their process, which is limited.
   *
   * Not chosen for synced stores: after a failure of the host, pages of records that were not synced may be on the disk
   * in any order, and a record behind a torn one is damage.
   */

  /** The length from which on a segment is mapped. */
  static final long FROM = 1 << 16;

  private static final long MOST_AT_ONCE = 1 << 20;
  private static final long PAGE = 1 << 12;

  /** A process of Linux has 65,530 maps at most, unless its host is set up otherwise. */
  private static final Semaphore MAPS = new Semaphore(1 << 12);

  private static final ByteBuffer ZEROS = ByteBuffer.allocateDirect(1 << 16).asReadOnlyBuffer();

  /** Those that overwrite a block in its place, so that a store needs no new one. */
  private static final Set<String> FILE_SYSTEMS =
      Set.of("ext2", "ext3", "ext4", "xfs", "tmpfs", "overlay");

  private final Arena arena = Arena.ofShared(); // records may be appended by any thread
  private final ByteBuffer memory;
  private final long from; // the offset of the memory in the file

  private MappedSegmentEnd(FileChannel file, long from, long end) throws IOException {
    this.from = from;
    try {
      memory = file.map(MapMode.READ_WRITE, from, end - from, arena).asByteBuffer();
    } catch (IOException | RuntimeException | Error e) {
      arena.close();
      throw e;
    }
  }

  /** Returns whether files in a folder may be mapped. */
  static boolean isPossible(Path folder) throws IOException {
    return folder.getFileSystem() == FileSystems.getDefault()
        && FILE_SYSTEMS.contains(Files.getFileStore(folder).type());
  }

  /**
   * Maps the end of a segment; returns {@code null} if this process has enough maps.
   *
   * @param at the offset behind the last record, and the position of the channel
   * @param bytes the size of the next record
   * @param most the size that the segment should not exceed
   * @throws IOException if the disk is full; the segment then has to be {@linkplain #cut cut}
   */
  static @Nullable MappedSegmentEnd map(
      FileChannel file, DiskAccess disk, long at, long bytes, long most) throws IOException {
    if (!MAPS.tryAcquire()) {
      return null;
    }
    var isMapped = false;
    try {
      var end = Math.max(at + bytes, Math.min(most, at + Math.clamp(at, FROM, MOST_AT_ONCE)));
      for (var left = end - at; left > 0; left -= ZEROS.capacity()) {
        disk.write(file, ZEROS.duplicate().limit((int) Math.min(left, ZEROS.capacity())));
      }
      var mapped = new MappedSegmentEnd(file, at / PAGE * PAGE, end);
      isMapped = true;
      return mapped;
    } finally {
      if (!isMapped) {
        MAPS.release();
      }
    }
  }

  /** Returns whether a record fits. */
  boolean hasSpace(long at, long bytes) {
    return at + bytes <= from + memory.capacity();
  }

  /** Copies a record behind the last one. */
  void append(long at, long number, int length, ByteBuffer[] parts) throws IOException {
    try {
      LogSegment.copy(number, length, parts, memory.position((int) (at - from)));
    } catch (InternalError fault) {
      throw new IOException("its page could not be written", fault);
    }
  }

  /** Ends the use of the memory; the bytes behind the last record stay in the file. */
  void unmap() {
    arena.close();
    MAPS.release();
  }

  /** Removes what follows the last record, and lets the channel continue there. */
  static void cut(FileChannel file, long at) throws IOException {
    file.truncate(at);
    file.position(at);
  }
}
