package org.troupe.activeobjects.internal.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
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
   * folder of the former epoch is removed.
   *
   * A process that is only taken for lost goes on with its epoch, and two may take a journal over at a time. Five rules make
   * that harmless:
   *
   * - A process writes only to the folder of its own epoch, and removes only folders of its own and lower ones.
   * - A folder gets another name (<epoch>.closed) before it is read for a higher epoch. A process that has it open can complete an
   *   operation that it has begun there, such as the rename of an image, but begins nothing new. Records that it appends to an open
   *   segment until that is read belong to the journal; all later ones count for nothing.
   * - A folder counts as read if its epoch is still the highest, and its image has no later records. Else the reader begins again.
   * - A folder is removed in one step, by yet another name, so that no reader takes the rest of it for a whole one.
   * - A journal is deleted by removing its epochs, the highest last. It is there as long as it has one, and only open(..) and
   *   create(..) make it.
   */
  private static final String JOURNALS = "journals";
  private static final String NEW = ".new";
  private static final String CLOSED = ".closed";
  private static final String REMOVED = ".removed-";
  private static final int MOST_DIGITS = 18; // of an epoch
  private static final int ATTEMPTS = 5;
  private static final long MOST_KEPT = 64 << 10; // bytes of records, until they are read

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
    requireFolder(folder, "give the directory that the earlier run used");
    if (!Files.exists(folder.resolve(JOURNALS))) {
      throw new MissingJournalException(
          Files.isDirectory(folder)
              ? "the folder %s on host %s exists, but has no store, since no run has kept objects in it; deploy without resuming to begin one there, or give the folder that the earlier run used, which all nodes of its objects must see"
                  .formatted(folder, user.host())
              : "there is no store in %s on host %s; give a directory that all nodes of its objects see"
                  .formatted(folder, user.host()));
    }
    return open(folder, isSynced, user);
  }

  static DirectoryJournals open(Path folder, DiskAccess disk, long segmentBytes, StoreUser user)
      throws IOException {
    try {
      requireFolder(folder, "give a directory that this user may write");
      requireFolder(folder.resolve(JOURNALS), "restore the store from a copy, or move the file");
      disk.createFolder(folder);
      var lock = StoreLock.take(folder, folder.toString(), user);
      try {
        var store = new DirectoryJournals(folder, disk, segmentBytes, lock);
        disk.createFolder(store.journals);
        disk.syncNames(folder);
        return store;
      } catch (IOException failure) {
        lock.release();
        throw failure;
      }
    } catch (FileSystemException cause) {
      throw new IOException(
          "the store %s cannot be opened: %s; give a directory that this user may write"
              .formatted(folder, DiskAccess.reason(cause)),
          cause);
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
    return open(name, epoch, true);
  }

  @Override
  public Journal openExisting(String name, long epoch) throws IOException {
    return open(name, epoch, false);
  }

  private Journal open(String name, long epoch, boolean isCreated) throws IOException {
    Journals.requireEpoch(epoch);
    var own = journals.resolve(Journals.requireName(name));
    checkOpen();
    var journal = open(own, name, epoch, isCreated);
    if (!open.add(journal)) {
      journal.close();
      checkOpen();
    }
    return journal;
  }

  private DirectoryJournal open(Path own, String name, long epoch, boolean isCreated)
      throws IOException {
    var place = own.resolve(Long.toString(epoch));
    for (int attempt = 1; ; attempt++) {
      try {
        var taken = prepare(own, place, name, epoch, isCreated);
        if (taken == null) {
          return DirectoryJournal.open(place, disk, segmentBytes, open::remove);
        }
        var journal =
            DirectoryJournal.open(place, disk, segmentBytes, taken.content(), open::remove);
        journal.keep(taken.records());
        return journal;
      } catch (MissingJournalException missing) {
        throw missing;
      } catch (IOException failure) { // another process may have changed the journal meanwhile
        if (attempt == ATTEMPTS) {
          throw failure instanceof FileSystemException cause
              ? explained("open the journal '" + name + "'", cause)
              : failure;
        }
      }
    }
  }

  /** Returns the error for a file that could not be used, whose own message is only its name. */
  private IOException explained(String what, FileSystemException cause) {
    return new IOException(
        "the store %s could not %s: %s".formatted(folder, what, DiskAccess.reason(cause)), cause);
  }

  private void checkOpen() throws IOException {
    if (open.isClosed()) {
      throw new IOException("the store " + this + " is closed");
    }
  }

  /**
   * Makes the folder of an epoch, with the image and the records of the one before.
   *
   * @return its content if it was taken over; {@code null} if it has to be read
   */
  private @Nullable Taken prepare(Path own, Path place, String name, long epoch, boolean isCreated)
      throws IOException {
    var names = names(own);
    var highest = highest(names);
    Taken taken = null;
    if (highest.isPresent() && highest.getAsLong() > epoch) {
      throw new IOException(
          "the journal '%s' in %s was opened with epoch %d, so epoch %d may not write it any more"
              .formatted(name, folder, highest.getAsLong(), epoch));
    }
    if (highest.isEmpty()) {
      if (!isCreated) {
        throw Journals.missing(this, name);
      }
      disk.createFolder(place);
    } else if (highest.getAsLong() < epoch) {
      taken = takeOver(own, names, highest.getAsLong(), place);
    } else if (!Files.isDirectory(place)) { // its next epoch was broken off
      Files.move(closed(place), place, StandardCopyOption.ATOMIC_MOVE);
    }
    for (var each : List.of(place, own, journals)) { // an earlier attempt may have ended before
      disk.syncNames(each);
    }
    remove(own, names, epoch - 1);
    return taken;
  }

  private static Path closed(Path place) {
    return place.resolveSibling(place.getFileName() + CLOSED);
  }

  private Taken takeOver(Path own, List<String> names, long formerEpoch, Path place)
      throws IOException {
    var former = own.resolve(Long.toString(formerEpoch));
    var closed = closed(former);
    var fresh = own.resolve(place.getFileName() + NEW);
    if (names.contains(place.getFileName() + NEW)) { // an attempt was broken off
      deleteAll(fresh);
    }
    disk.createFolder(fresh);
    if (!Files.isDirectory(closed)) {
      Files.move(former, closed, StandardCopyOption.ATOMIC_MOVE);
    }
    Taken taken;
    try {
      taken = copy(closed, fresh);
      var highest = highest(names(own));
      if (highest.isEmpty() || highest.getAsLong() != formerEpoch || !Files.isDirectory(closed)) {
        throw new IOException(
            "the journal %s was opened by another process meanwhile; open it again".formatted(own));
      }
      Files.move(fresh, place, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException failure) {
      try {
        Files.move(closed, former, StandardCopyOption.ATOMIC_MOVE); // as it was
      } catch (IOException again) {
        throw failure;
      }
      DirectoryJournal.Log.read(former, (number, content) -> {}); // names the files by their names
      throw failure;
    }
    return taken;
  }

  /**
   * The content of a journal that was taken over, which need not be read again.
   *
   * @param records those behind the image; {@code null} if they are too long to be kept in memory
   */
  private record Taken(DirectoryJournal.Log content, @Nullable List<byte[]> records) {}

  /** Copies the content of a folder to a new one; returns it. */
  private Taken copy(Path closed, Path fresh) throws IOException {
    var file = closed.resolve(ImageFile.NAME);
    if (!Files.notExists(file)) { // one that cannot be read is a failure
      link(file, fresh.resolve(ImageFile.NAME));
      disk.sync(file); // a store may be opened as a synced one later
    }
    var image = ImageFile.read(fresh); // that one, even if another takes its place in the former
    Taken taken;
    List<byte[]> records = new ArrayList<>();
    var bytes = new long[1];
    var first = DirectoryJournal.Log.of(image);
    try (var copy = DirectoryJournal.open(fresh, disk, segmentBytes, first, done -> {})) {
      DirectoryJournal.Log.read(
          closed,
          image,
          (number, record) -> {
            copy.append(ByteBuffer.wrap(record));
            bytes[0] += record.length;
            if (bytes[0] <= MOST_KEPT) {
              records.add(record);
            }
          });
      if (ImageFile.upTo(closed) > copy.last()) {
        throw new IOException(
            "the image in %s was replaced while it was read; open the journal again"
                .formatted(closed));
      }
      taken = new Taken(copy.content(), bytes[0] <= MOST_KEPT ? records : null);
    }
    disk.syncNames(fresh);
    return taken;
  }

  private static void link(Path image, Path to) throws IOException {
    try {
      Files.createLink(to, image);
    } catch (UnsupportedOperationException | FileSystemException e) {
      Files.copy(image, to);
    }
  }

  private static OptionalLong highest(List<String> names) {
    return names.stream().mapToLong(DirectoryJournals::epochOf).filter(each -> each >= 0).max();
  }

  /** Returns the names of the folders of a journal; none if there is no such journal. */
  private static List<String> names(Path own) throws IOException {
    if (!Files.isDirectory(own)) {
      requireFolder(
          own, "restore the store from a copy, or delete the file to give up what it keeps");
      return List.of();
    }
    List<String> names = new ArrayList<>();
    try (var folders = Files.newDirectoryStream(own)) {
      folders.forEach(each -> names.add(each.getFileName().toString()));
    } catch (NoSuchFileException e) { // deleted meanwhile
      return List.of();
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    return names;
  }

  /** Returns the epoch of a folder, closed or not, by its name; -1 if it has none. */
  private static long epochOf(String name) {
    return number(name.endsWith(CLOSED) ? without(CLOSED, name) : name);
  }

  /** Returns the number that a text is; -1 if it is none that an epoch can have. */
  private static long number(String text) {
    var isNumber =
        !text.isEmpty()
            && text.length() <= MOST_DIGITS
            && text.chars().allMatch(each -> '0' <= each && each <= '9');
    return isNumber ? Long.parseLong(text) : -1;
  }

  private static String without(String suffix, String name) {
    return name.substring(0, name.length() - suffix.length());
  }

  @Override
  public OptionalLong epoch(String name) throws IOException {
    checkOpen();
    var own = journals.resolve(Journals.requireName(name));
    try {
      return highest(names(own));
    } catch (FileSystemException cause) {
      throw explained("read the journal '" + name + "'", cause);
    }
  }

  @Override
  public Set<String> names() throws IOException {
    checkOpen();
    Set<String> found = new TreeSet<>();
    try {
      List<Path> all;
      try (var folders = Files.list(journals)) {
        all = folders.toList();
      }
      for (var each : all) {
        var name = each.getFileName().toString();
        if (!name.startsWith(".")
            && (!Files.isDirectory(each) || highest(names(each)).isPresent())) {
          found.add(name);
        }
      }
    } catch (FileSystemException cause) {
      throw explained("list its journals", cause);
    }
    return found;
  }

  @Override
  public void delete(String name) throws IOException {
    delete(name, Long.MAX_VALUE);
  }

  @Override
  public void delete(String name, long epoch) throws IOException {
    checkOpen();
    var own = journals.resolve(Journals.requireName(name));
    try {
      if (Files.isDirectory(own, LinkOption.NOFOLLOW_LINKS)) {
        remove(own, names(own), epoch);
      }
      Files.deleteIfExists(own);
      disk.syncNames(journals);
    } catch (DirectoryNotEmptyException e) {
      // a higher epoch has it
    } catch (FileSystemException cause) {
      throw explained("delete the journal '" + name + "'", cause);
    }
  }

  /**
   * Removes the folders of a journal up to an epoch, and the remains of earlier removals.
   *
   * @param listed the names of its folders; a folder that another process adds meanwhile stays
   *     until the next removal
   */
  private void remove(Path own, List<String> listed, long upTo) throws IOException {
    var names = new ArrayList<>(listed);
    names.sort(Comparator.comparingLong(DirectoryJournals::epochOf));
    List<Path> rest = new ArrayList<>();
    var isChanged = false;
    for (var name : names) {
      if (isRest(name, upTo)) {
        rest.add(own.resolve(name));
      } else if (epochOf(name) >= 0 && epochOf(name) <= upTo) {
        isChanged = true;
        putAside(own, name).ifPresent(rest::add);
      }
    }
    if (isChanged) {
      disk.syncNames(own);
    }
    for (var each : rest) {
      deleteAll(each);
    }
  }

  /**
   * Gives the folder of an epoch a name by which no reader finds it.
   *
   * @param name its name, in place of which another process may just have given it its other one
   */
  private static Optional<Path> putAside(Path own, String name) throws IOException {
    var other = name.endsWith(CLOSED) ? without(CLOSED, name) : name + CLOSED;
    var aside = own.resolve(REMOVED + UUID.randomUUID());
    for (var each : List.of(name, other)) {
      try {
        Files.move(own.resolve(each), aside, StandardCopyOption.ATOMIC_MOVE);
        return Optional.of(aside);
      } catch (NoSuchFileException e) {
        // it has the other name, or another process has done so
      }
    }
    return Optional.empty();
  }

  /** Returns whether a folder counts for nothing: it was removed, or has not become an epoch. */
  private static boolean isRest(String name, long upTo) {
    if (!name.endsWith(NEW)) {
      return name.startsWith(REMOVED);
    }
    var epoch = number(without(NEW, name));
    return epoch >= 0 && epoch <= upTo;
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
