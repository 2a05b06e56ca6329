package org.troupe.activeobjects.internal.object;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.store.GroupCommit;
import org.troupe.activeobjects.store.Journal;
import org.troupe.activeobjects.store.Journals;
import org.troupe.activeobjects.store.StoreUser;
import org.troupe.activeobjects.store.StoredImage;

/**
 * A store in memory that loses all records which are not stable when a flush fails, as a database
 * does. Its copies share their state.
 */
final class FlushedStore implements FaultyStore {

  private static final Map<String, State> STATES = new ConcurrentHashMap<>();

  private final String name;
  private final boolean isLate;

  private static final class State {
    final Map<String, Content> journals = new ConcurrentHashMap<>();
    final AtomicInteger flushes = new AtomicInteger();
    final Semaphore mayFlush = new Semaphore(1);
    volatile int failsAt;
  }

  /** The content of a journal; guarded by itself. */
  private static final class Content {
    private final List<byte[]> records = new ArrayList<>(); // behind the image
    private @Nullable StoredImage image;
    private int stable; // of these records

    long upTo() {
      return image == null ? 0 : image.upTo();
    }

    long last() {
      return upTo() + records.size();
    }
  }

  /** Creates a store that flushes on the thread that asks whether a record is stable. */
  FlushedStore(String name) {
    this(name, false);
  }

  private FlushedStore(String name, boolean isLate) {
    this.name = name;
    this.isLate = isLate;
  }

  /** Creates a store that flushes on a thread of its own, as one on a disk does. */
  static FlushedStore late(String name) {
    return new FlushedStore(name, true);
  }

  /** Holds the flushes that begin from now on. */
  void hold() {
    state().mayFlush.acquireUninterruptibly();
  }

  /** Lets flushes go on. */
  void release() {
    state().mayFlush.release();
  }

  private State state() {
    return STATES.computeIfAbsent(name, each -> new State());
  }

  @Override
  public void failAfter(int flushes) {
    var state = state();
    state.failsAt = flushes == 0 ? 0 : state.flushes.get() + flushes;
  }

  @Override
  public boolean hasFailed() {
    var state = state();
    var chosen = state.failsAt;
    return chosen > 0 && state.flushes.get() >= chosen;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof FlushedStore its && name.equals(its.name);
  }

  @Override
  public int hashCode() {
    return name.hashCode();
  }

  @Override
  public Journals open(StoreUser user) {
    var state = state();
    return new Journals() {
      @Override
      public Journal open(String journal, long epoch) {
        return new FlushedJournal(
            state, state.journals.computeIfAbsent(journal, each -> new Content()), isLate);
      }

      @Override
      public OptionalLong epoch(String journal) {
        return state.journals.containsKey(journal) ? OptionalLong.of(0) : OptionalLong.empty();
      }

      @Override
      public Set<String> names() {
        return Set.copyOf(state.journals.keySet());
      }

      @Override
      public void delete(String journal) {
        state.journals.remove(journal);
      }

      @Override
      public void close() {}
    };
  }

  private static byte[] joined(ByteBuffer... parts) {
    var length = 0;
    for (var part : parts) {
      length += part.remaining();
    }
    var all = ByteBuffer.allocate(length);
    for (var part : parts) {
      all.put(part);
    }
    return all.array();
  }

  private static final class FlushedJournal implements Journal {
    private final State state;
    private final Content content;
    private final @Nullable GroupCommit commit; // if it is late
    private boolean hasFailed; // guarded by the content

    FlushedJournal(State state, Content content, boolean isLate) {
      this.state = state;
      this.content = content;
      this.commit = isLate ? new GroupCommit(last(), this::flush) : null;
    }

    @Override
    public Optional<StoredImage> image() {
      synchronized (content) {
        return Optional.ofNullable(content.image);
      }
    }

    @Override
    public void records(RecordReader reader) throws IOException {
      if (commit == null) {
        flush(last());
      }
      synchronized (content) {
        var number = content.upTo();
        for (var each : content.records) {
          reader.record(++number, each);
        }
      }
    }

    @Override
    public long last() {
      synchronized (content) {
        return content.last();
      }
    }

    @Override
    public long append(ByteBuffer... parts) throws IOException {
      synchronized (content) {
        if (hasFailed) {
          throw new IOException("the database is gone");
        }
        content.records.add(joined(parts));
        return content.last();
      }
    }

    @Override
    public CompletableFuture<Void> stable(long number) {
      if (commit != null) {
        return commit.stable(number);
      }
      try {
        flush(number);
        return CompletableFuture.completedFuture(null);
      } catch (IOException failure) {
        return CompletableFuture.failedFuture(failure);
      }
    }

    private long flush() throws IOException {
      state.mayFlush.acquireUninterruptibly();
      try {
        return flush(Long.MAX_VALUE);
      } finally {
        state.mayFlush.release();
      }
    }

    private long flush(long number) throws IOException {
      synchronized (content) {
        if (hasFailed) {
          throw new IOException("the database is gone");
        }
        if (number <= content.upTo() + content.stable) {
          return number;
        }
        if (state.flushes.incrementAndGet() == state.failsAt) {
          hasFailed = true;
          content.records.subList(content.stable, content.records.size()).clear();
          throw new IOException("the database is gone");
        }
        content.stable = content.records.size();
        return content.last();
      }
    }

    @Override
    public void replace(long upTo, ByteBuffer... parts) {
      synchronized (content) {
        var replaced = (int) (upTo - content.upTo());
        content.records.subList(0, replaced).clear();
        content.stable = Math.max(0, content.stable - replaced);
        content.image = new StoredImage(upTo, joined(parts));
      }
      if (commit != null) {
        commit.replaced(upTo);
      }
    }

    @Override
    public void close() {}

    @Override
    public String toString() {
      return "memory";
    }
  }
}
