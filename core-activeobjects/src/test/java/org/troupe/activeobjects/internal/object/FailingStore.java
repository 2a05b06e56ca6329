package org.troupe.activeobjects.internal.object;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.Store;
import org.troupe.activeobjects.store.Journal;
import org.troupe.activeobjects.store.Journals;
import org.troupe.activeobjects.store.StoreUser;
import org.troupe.activeobjects.store.StoredImage;

/** A store in a directory, one of whose appended records fails. Its copies share their state. */
final class FailingStore implements FaultyStore {

  private static final Map<String, State> STATES = new ConcurrentHashMap<>();

  private final String folder;

  private static final class State {
    final AtomicInteger appends = new AtomicInteger();
    final AtomicInteger images = new AtomicInteger();
    volatile int failsAt;
    volatile @Nullable CompletableFuture<Void> stability; // of the next records; null if at once
    volatile @Nullable Journals open;
    volatile @Nullable CompletableFuture<Void> hold; // of images; null if none is held
    volatile boolean isImageHeld;
    volatile boolean wasReadMeanwhile;
  }

  FailingStore(Path folder) {
    this.folder = folder.toString();
  }

  private State state() {
    return STATES.computeIfAbsent(folder, each -> new State());
  }

  /** Lets an append fail, and all later ones of the same journal. */
  @Override
  public void failAfter(int appends) {
    var state = state();
    state.failsAt = appends == 0 ? 0 : state.appends.get() + appends;
  }

  /** Lets no record that is appended from now on become stable until the future completes. */
  void stableWith(CompletableFuture<Void> stability) {
    state().stability = stability;
  }

  /** Lets no image be written until the future completes. */
  void holdImages(CompletableFuture<Void> hold) {
    state().hold = hold;
  }

  /** Returns whether an image is held. */
  boolean isImageHeld() {
    return state().isImageHeld;
  }

  /** Returns whether an image was read while another one was held. */
  boolean wasReadMeanwhile() {
    return state().wasReadMeanwhile;
  }

  /** Returns how many images were written. */
  int images() {
    return state().images.get();
  }

  /** Returns how many records were appended. */
  int appends() {
    return state().appends.get();
  }

  @Override
  public boolean hasFailed() {
    var state = state();
    var chosen = state.failsAt;
    return chosen > 0 && state.appends.get() >= chosen;
  }

  Set<String> names() {
    var open = state().open;
    try {
      return open == null ? Set.of() : open.names();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof FailingStore its && folder.equals(its.folder);
  }

  @Override
  public int hashCode() {
    return folder.hashCode();
  }

  @Override
  public Journals open(StoreUser user) throws IOException {
    var journals = Store.directory(Path.of(folder)).open(user);
    state().open = journals;
    return new WrappedJournals(journals, FailingJournal::new);
  }

  private final class FailingJournal extends WrappedJournal {
    private final Map<Long, CompletableFuture<Void>> stabilities = new ConcurrentHashMap<>();
    private boolean hasFailed;

    FailingJournal(Journal journal) {
      super(journal);
    }

    @Override
    public Optional<StoredImage> image() throws IOException {
      var state = state();
      state.wasReadMeanwhile |= state.isImageHeld;
      return super.image();
    }

    @Override
    public long append(ByteBuffer... parts) throws IOException {
      var state = state();
      var stability = state.stability;
      if (stability != null) {
        stabilities.put(super.last() + 1, stability);
      }
      if (state.appends.incrementAndGet() == state.failsAt || hasFailed) {
        hasFailed = true;
        throw new IOException("the disk is full");
      }
      return super.append(parts);
    }

    @Override
    public CompletableFuture<Void> stable(long number) {
      var stability = stabilities.get(number);
      return stability == null ? super.stable(number) : stability;
    }

    @Override
    public void replace(long upTo, ByteBuffer... parts) throws IOException {
      var state = state();
      var hold = state.hold;
      if (hold != null) {
        state.isImageHeld = true;
        hold.join();
        state.hold = null;
      }
      super.replace(upTo, parts);
      state.isImageHeld = false;
      state.images.incrementAndGet();
    }
  }
}
