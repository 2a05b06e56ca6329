package org.troupe.activeobjects.internal.keeping;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.Store;
import org.troupe.activeobjects.collective.ObjectImages;
import org.troupe.activeobjects.internal.body.Origin;
import org.troupe.activeobjects.internal.object.ObjectKeeper;
import org.troupe.activeobjects.internal.replay.ImageForm;
import org.troupe.activeobjects.internal.replay.JournaledObject;
import org.troupe.activeobjects.internal.replay.LogCodec;
import org.troupe.activeobjects.store.Journals;
import org.troupe.activeobjects.store.StoreUser;

/** The objects that a store has from earlier runs, and the store, which is open for the next. */
final class StoredObjects implements ObjectKeeper.Earlier {

  /*
   * Design: nothing changes by reading
   *
   * Only logged objects that are put back to a save point are changed before (SaveNames).
   *
   * Each journal is opened with the epoch that it has, which fences no writer, because the lock of the store says that there is
   * none. The node that makes an object again opens its journal with a higher one. A journal without image belongs to an object
   * whose creation did not complete.
   */

  private final Journals journals;
  private final List<ObjectKeeper.Kept> objects = new ArrayList<>();
  private final Map<String, String> problems = new TreeMap<>();

  private Runnable whenClosed = () -> {};

  private StoredObjects(Journals journals) {
    this.journals = journals;
  }

  /**
   * Opens a store and reads its content.
   *
   * @param save the save point to which logged objects are put back; {@code null} for none
   * @throws IOException if the store is not there, or another run uses it, or it has no such save
   *     point
   */
  static StoredObjects read(Store store, StoreUser user, ImageCodec codec, @Nullable String save)
      throws IOException {
    var journals = store.openExisting(user);
    var all = new StoredObjects(journals);
    try {
      all.putBack(save, codec);
      for (var name : journals.names()) {
        if (isOfObject(name)) {
          all.add(name, store, codec);
        }
      }
      return all;
    } catch (IOException | RuntimeException | Error failure) {
      journals.close();
      throw failure;
    }
  }

  private static boolean isOfObject(String journal) {
    return !journal.startsWith(ObjectImages.NAME_PREFIX) // which a program restores by itself
        && !SaveNames.isOfSaves(journal);
  }

  /** Puts logged objects back to a save point, or completes that if an earlier run was to. */
  private void putBack(@Nullable String save, ImageCodec codec) throws IOException {
    if (save == null) {
      var pending = SaveNames.read(journals, SaveNames.PENDING);
      if (pending != null) {
        putBack(pending.getFirst(), requireList(pending.getFirst()), codec);
      }
      return;
    }
    var list = requireList(save);
    SaveNames.write(journals, SaveNames.PENDING, List.of(save));
    putBack(save, list, codec);
  }

  private List<String> requireList(String save) throws IOException {
    var list = SaveNames.read(journals, SaveNames.list(save));
    if (list == null) {
      throw new IOException(
          "the store %s has no save point '%s'; it has %s"
              .formatted(journals, save, SaveNames.saves(journals)));
    }
    return list;
  }

  private void putBack(String save, List<String> list, ImageCodec codec) throws IOException {
    for (var name : journals.names()) {
      if (isOfObject(name) && (list.contains(name) || logsCalls(name, codec))) {
        journals.delete(name);
      }
    }
    for (var name : list) {
      SaveNames.copy(journals, SaveNames.copy(save, name), name);
    }
    journals.delete(SaveNames.PENDING);
  }

  private boolean logsCalls(String name, ImageCodec codec) throws IOException {
    try (var journal = journals.open(name, journals.epoch(name).orElse(0))) {
      var image = journal.image();
      return image.isPresent() && codec.head(ImageForm.object(image.get().content())).logsCalls();
    } catch (RuntimeException unreadable) { // it is reported when all are read
      return false;
    }
  }

  void whenClosed(Runnable action) {
    whenClosed = action;
  }

  Journals journals() {
    return journals;
  }

  private void add(String name, Store store, ImageCodec codec) {
    try {
      var found = kept(name, store, codec);
      if (found != null) {
        objects.add(found);
      }
    } catch (IOException | RuntimeException failure) { // also content that cannot be decoded
      problems.put(name, String.valueOf(failure.getMessage()));
    }
  }

  private ObjectKeeper.@Nullable Kept kept(String name, Store store, ImageCodec codec)
      throws IOException {
    var epoch = journals.epoch(name).orElse(0);
    try (var journal = journals.open(name, epoch)) {
      var image = journal.image();
      if (image.isEmpty()) {
        return null;
      }
      var head = codec.head(ImageForm.object(image.get().content()));
      var isUnfinished =
          head.logsCalls()
              && JournaledObject.hasUnfinished(
                  journal,
                  new LogCodec<>(new LoggedCall.Content(), new LoggedOutcome.Content()),
                  "the journal '" + name + "'");
      return new ObjectKeeper.Kept(
          head.object(),
          head.type(),
          new Origin.Stored(head.optionsIn(store), name, head.key()),
          JournalNames.epochOfObject(epoch),
          isUnfinished,
          head.run());
    }
  }

  @Override
  public List<ObjectKeeper.Kept> objects() {
    return objects;
  }

  @Override
  public Map<String, String> problems() {
    return problems;
  }

  @Override
  public void close() throws IOException {
    whenClosed.run();
    journals.close();
  }

  @Override
  public String toString() {
    return journals.toString();
  }
}
