package org.troupe.groups.checkpoint;

import java.io.IOException;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.Options;
import org.troupe.activeobjects.Store;
import org.troupe.activeobjects.collective.BodyExtension;
import org.troupe.activeobjects.collective.Collectives;
import org.troupe.activeobjects.collective.ObjectImages.Vacancy;

/** Makes one member of a group again on its node: an active object. */
class MemberRestorer {

  private final Store store;
  private transient byte @Nullable [] image; // from read() until it is restored
  private transient @Nullable Vacancy vacancy;

  MemberRestorer(Store store) {
    this.store = store;
  }

  /** Returns the names of all images in the store. */
  List<String> names() throws IOException {
    return List.copyOf(Collectives.current().images().names(store));
  }

  /** Reads an image; returns whether it is there. */
  boolean read(String name) throws IOException {
    image = Collectives.current().images().read(store, name).orElse(null);
    return image != null;
  }

  /** Creates the member without its state, and returns its stub. */
  Object vacancy(String type, Options options) {
    var content = Objects.requireNonNull(image, "the image has been read");
    image = null;
    vacancy = Collectives.current().images().vacancy(content, type, options);
    return vacancy.stub();
  }

  /**
   * Gives the member its state and its place in the group.
   *
   * @param members the stubs of all members, by rank
   */
  void fill(List<?> members, BodyExtension membership) {
    Objects.requireNonNull(vacancy, "the member has been created").fill(members, membership);
  }

  /** Ends the member, if it has no state yet. */
  void abandon() {
    if (vacancy != null) {
      vacancy.abandon("its group could not be restored");
    }
  }
}
