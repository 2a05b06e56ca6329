package org.troupe.activeobjects.internal.object;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.Store;
import org.troupe.activeobjects.store.Journal;
import org.troupe.activeobjects.store.Journals;
import org.troupe.activeobjects.store.StoreUser;

/**
 * A store in a directory that runs an action, such as the end of a node, at one passage: before or
 * after a record is appended. Its copies share their state.
 */
record KillingStore(String folder) implements Store {

  private static final Map<String, State> STATES = new ConcurrentHashMap<>();

  private static final class State {
    final AtomicInteger passages = new AtomicInteger();
    volatile int chosen;
    volatile @Nullable Runnable action;
  }

  KillingStore(Path folder) {
    this(folder.toString());
  }

  private State state() {
    return STATES.computeIfAbsent(folder, each -> new State());
  }

  /** Runs an action at a later passage, counted from 1. */
  void at(int passage, Runnable action) {
    var state = state();
    state.action = action;
    state.chosen = state.passages.get() + passage;
  }

  /** Returns whether the action has run, or is about to. */
  boolean hasPassed() {
    var state = state();
    return state.chosen > 0 && state.passages.get() >= state.chosen;
  }

  private void passes() {
    var state = state();
    var action = state.action;
    if (state.passages.incrementAndGet() == state.chosen && action != null) {
      action.run();
    }
  }

  @Override
  public Journals open(StoreUser user) throws IOException {
    return wrapped(Store.directory(Path.of(folder)).open(user));
  }

  @Override
  public Journals openExisting(StoreUser user) throws IOException {
    return wrapped(Store.directory(Path.of(folder)).openExisting(user));
  }

  private Journals wrapped(Journals journals) {
    return new WrappedJournals(journals, KillingJournal::new);
  }

  private final class KillingJournal extends WrappedJournal {

    KillingJournal(Journal journal) {
      super(journal);
    }

    @Override
    public long append(ByteBuffer... parts) throws IOException {
      passes();
      var number = super.append(parts);
      passes();
      return number;
    }
  }
}
