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
   * Each journal is opened with the epoch that it has, which fences no writer, because the lock of the store says that there is
   * none. The node that makes an object again opens its journal with a higher one. A journal without image belongs to an object
   * whose creation did not complete.
   */

  private final Journals journals;
  private final List<ObjectKeeper.Kept> objects = new ArrayList<>();
  private final Map<String, String> problems = new TreeMap<>();

  private StoredObjects(Journals journals) {
    this.journals = journals;
  }

  /**
   * Opens a store and reads its content.
   *
   * @throws IOException if the store is not there, or another run uses it
   */
  static StoredObjects read(Store store, StoreUser user, ImageCodec codec) throws IOException {
    var journals = store.openExisting(user);
    var all = new StoredObjects(journals);
    try {
      for (var name : journals.names()) {
        if (!name.startsWith(ObjectImages.NAME_PREFIX)) { // which a program restores by itself
          all.add(name, store, codec);
        }
      }
      return all;
    } catch (IOException | RuntimeException | Error failure) {
      journals.close();
      throw failure;
    }
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
          KeptObjects.epochOfObject(epoch),
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
    journals.close();
  }

  @Override
  public String toString() {
    return journals.toString();
  }
}
