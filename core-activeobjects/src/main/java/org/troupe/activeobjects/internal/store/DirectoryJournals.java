package org.troupe.activeobjects.internal.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import org.troupe.activeobjects.store.Journal;
import org.troupe.activeobjects.store.Journals;
import org.troupe.activeobjects.store.MissingJournalException;
import org.troupe.activeobjects.store.OpenJournals;
import org.troupe.activeobjects.store.StoreUser;

/** The journals in a directory. */
public final class DirectoryJournals implements Journals {

  /*
   * Design: an epoch has a folder
   *
   *   <store>/lock                                   see StoreLock
   *   <store>/journals/<name>/<epoch>/image          see ImageFile
   *   <store>/journals/<name>/<epoch>/<first>.log    see LogSegment
   *
   * A journal that is opened with a higher epoch gets a new folder, which is filled under another name and then renamed: the
   * image as a link to the same file, which is never written again, and the records behind it as copies. Only then the
   * folder of the former epoch is deleted. A process that still writes there writes to nothing. Records that it has appended
   * until its folder was read belong to the journal, and the new folder says where that ended.
   *
   * Two processes may take a journal over at a time, if one of them is only taken for lost. The one that renames its folder first
   * may delete the former one while the other still reads that. So a folder counts as read only if it is the highest
   * epoch afterwards; else the other one begins again, with the folder of the first.
   */
  private static final String JOURNALS = "journals";
  private static final String NEW = ".new";
  private static final String DELETED = ".deleted-";
  private static final int ATTEMPTS = 5;

  private final Path folder;
  private final Path journals;
  private final DiskAccess disk;
  private final long segmentBytes;
  private final StoreLock lock;
  private final OpenJournals<DirectoryJournal> open = new OpenJournals<>();

  private DirectoryJournals(Path folder, DiskAccess disk, long segmentBytes, StoreLock lock) {
    this.folder = folder;
    this.journals = folder.resolve(JOURNALS);
    this.disk = disk;
    this.segmentBytes = segmentBytes;
    this.lock = lock;
  }

  /**
   * Opens the store in a directory, which is created if it does not exist.
   *
   * @param isSynced whether what is stable survives the host, not only the process
   * @throws IOException if the directory cannot be used, or another run uses it
   */
  public static Journals open(Path folder, boolean isSynced, StoreUser user) throws IOException {
    return open(
        folder,
        isSynced ? DiskAccess.SYNCED : DiskAccess.CACHED,
        DirectoryJournal.SEGMENT_BYTES,
        user);
  }

  /**
   * Opens the store in a directory that has one.
   *
   * @throws MissingJournalException if there is none
   */
  public static Journals openExisting(Path folder, boolean isSynced, StoreUser user)
      throws IOException {
    if (!Files.exists(folder.resolve(JOURNALS))) {
      throw new MissingJournalException(
          Files.isDirectory(folder)
              ? "there is no store in the folder %s on host %s, which is there; begin without an earlier run if it is to get one, or give a directory that all nodes of its objects see"
                  .formatted(folder, user.host())
              : "there is no store in %s on host %s; give a directory that all nodes of its objects see"
                  .formatted(folder, user.host()));
    }
    return open(folder, isSynced, user);
  }

  static DirectoryJournals open(Path folder, DiskAccess disk, long segmentBytes, StoreUser user)
      throws IOException {
    StoreLock lock;
    try {
      requireFolder(folder, "give a directory that this user may write");
      requireFolder(folder.resolve(JOURNALS), "restore the store from a copy, or move the file");
      disk.createFolder(folder);
      lock = StoreLock.take(folder, folder.toString(), user);
    } catch (FileSystemException cause) {
      throw new IOException(
          "the store %s cannot be opened: %s; give a directory that this user may write"
              .formatted(folder, DiskAccess.reason(cause)),
          cause);
    }
    var store = new DirectoryJournals(folder, disk, segmentBytes, lock);
    try {
      disk.createFolder(store.journals);
      disk.syncNames(folder);
      return store;
    } catch (IOException failure) {
      lock.release();
      throw failure;
    }
  }

  /** Checks that a file is not in the place of a folder. */
  private static void requireFolder(Path place, String remedy) throws IOException {
    if (Files.exists(place) && !Files.isDirectory(place)) {
      throw new IOException(
          "%s is a file, where the store needs a folder; %s".formatted(place, remedy));
    }
  }

  @Override
  public Journal open(String name, long epoch) throws IOException {
    Journals.requireEpoch(epoch);
    var own = journals.resolve(Journals.requireName(name));
    checkOpen();
    var place = own.resolve(Long.toString(epoch));
    IOException failure = null;
    for (int i = 0; i < ATTEMPTS; i++) {
      try {
        prepare(own, place, name, epoch);
        failure = null;
        break;
      } catch (IOException e) {
        failure = e; // the holder of the lower epoch may have replaced its image meanwhile
      }
    }
    if (failure != null) {
      throw failure;
    }
    var journal = DirectoryJournal.open(place, disk, segmentBytes, open::remove);
    if (!open.add(journal)) {
      journal.close();
      checkOpen();
    }
    return journal;
  }

  private void checkOpen() throws IOException {
    if (open.isClosed()) {
      throw new IOException("the store " + this + " is closed");
    }
  }

  /** Makes the folder of an epoch, with the image and the records of the one before. */
  private void prepare(Path own, Path place, String name, long epoch) throws IOException {
    var highest = highest(own);
    if (highest.isPresent() && highest.getAsLong() > epoch) {
      throw new IOException(
          "the journal '%s' in %s was opened with epoch %d, so epoch %d may not write it any more"
              .formatted(name, folder, highest.getAsLong(), epoch));
    }
    if (highest.isEmpty()) {
      disk.createFolder(place);
      disk.syncNames(own);
      disk.syncNames(journals);
    } else if (highest.getAsLong() < epoch) {
      takeOver(own, own.resolve(Long.toString(highest.getAsLong())), place);
    }
    for (var each : epochs(own)) {
      if (each < epoch) {
        deleteAll(own.resolve(Long.toString(each)));
      }
    }
  }

  private void takeOver(Path own, Path former, Path place) throws IOException {
    var fresh = own.resolve(place.getFileName() + NEW);
    deleteAll(fresh);
    disk.createFolder(fresh);
    var image = former.resolve(ImageFile.NAME);
    if (ImageFile.read(former).isPresent()) {
      link(image, fresh.resolve(ImageFile.NAME));
      try (var linked = FileChannel.open(image, StandardOpenOption.READ)) {
        disk.sync(linked); // a store may be opened as a synced one later
      }
    }
    try (var copy = DirectoryJournal.open(fresh, disk, segmentBytes, closed -> {})) {
      var begin = copy.last();
      DirectoryJournal.Log.read(
          former,
          (number, content) -> {
            if (number > begin) {
              copy.append(ByteBuffer.wrap(content));
            }
          });
    }
    disk.syncNames(fresh);
    requireHighest(own, former); // else it may have been deleted while it was read
    Files.move(fresh, place, StandardCopyOption.ATOMIC_MOVE);
    disk.syncNames(own);
  }

  /** Checks that no other process has taken a journal over. */
  private static void requireHighest(Path own, Path epoch) throws IOException {
    var highest = highest(own);
    if (highest.isEmpty() || !epoch.endsWith(Long.toString(highest.getAsLong()))) {
      throw new IOException(
          "the journal %s was opened by another process meanwhile; open it again".formatted(own));
    }
  }

  private static void link(Path image, Path to) throws IOException {
    try {
      Files.createLink(to, image);
    } catch (UnsupportedOperationException | FileSystemException e) {
      Files.copy(image, to);
    }
  }

  private static OptionalLong highest(Path own) throws IOException {
    return epochs(own).stream().mapToLong(Long::longValue).max();
  }

  private static List<Long> epochs(Path own) throws IOException {
    requireFolder(
        own, "restore the store from a copy, or delete the file to give up what it keeps");
    if (!Files.isDirectory(own)) {
      return List.of();
    }
    try (var folders = Files.list(own)) {
      return folders
          .map(each -> each.getFileName().toString())
          .filter(each -> each.matches("[0-9]{1,18}"))
          .map(Long::parseLong)
          .toList();
    }
  }

  @Override
  public OptionalLong epoch(String name) throws IOException {
    checkOpen();
    return highest(journals.resolve(Journals.requireName(name)));
  }

  @Override
  public Set<String> names() throws IOException {
    checkOpen();
    Set<String> found = new TreeSet<>();
    List<Path> all;
    try (var folders = Files.list(journals)) {
      all = folders.toList();
    }
    for (var each : all) {
      var name = each.getFileName().toString();
      if (!name.startsWith(".") && (!Files.isDirectory(each) || highest(each).isPresent())) {
        found.add(name);
      }
    }
    return found;
  }

  @Override
  public void delete(String name) throws IOException {
    checkOpen();
    var own = journals.resolve(Journals.requireName(name));
    var aside = journals.resolve(DELETED + name);
    deleteAll(aside);
    try {
      Files.move(own, aside, StandardCopyOption.ATOMIC_MOVE);
    } catch (NoSuchFileException e) {
      return;
    }
    disk.syncNames(journals);
    deleteAll(aside);
  }

  private static void deleteAll(Path folder) throws IOException {
    if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) { // never what a link leads to
      Files.deleteIfExists(folder);
      return;
    }
    List<Path> files;
    try (var listed = Files.list(folder)) {
      files = listed.toList();
    } catch (NoSuchFileException e) {
      return;
    }
    for (var each : files) {
      if (Files.isDirectory(each, LinkOption.NOFOLLOW_LINKS)) {
        deleteAll(each);
      } else {
        Files.deleteIfExists(each);
      }
    }
    try {
      Files.deleteIfExists(folder);
    } catch (DirectoryNotEmptyException e) {
      deleteAll(folder); // a process with a lower epoch has written meanwhile
    }
  }

  @Override
  public void close() throws IOException {
    open.close(lock::release);
  }

  @Override
  public String toString() {
    return folder.toString();
  }
}
