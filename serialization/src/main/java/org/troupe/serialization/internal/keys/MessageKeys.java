package org.troupe.serialization.internal.keys;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.troupe.serialization.internal.resources.DeepStack;
import org.troupe.serialization.internal.resources.SpareThreads;

/**
 * The keys of the collections of one message: each is charged for before it is hashed or compared,
 * and code of a program that this runs is kept off the carriers of virtual threads.
 */
public final class MessageKeys {

  /** Objects of this JVM to which a message refers. */
  public interface OwnObjects {
    /** Returns those met so far. */
    List<Object> met();
  }

  private final KeyClasses classes;
  private final DeepStack stack;
  private final OwnObjects own;
  private DecodedContents contents = new DecodedContents();
  private long bytes;
  private @Nullable HashingBudget budget; // null before the first key

  /**
   * Creates the keys of a decoder's messages.
   *
   * @param own the objects of this JVM, into which nothing was read
   */
  public MessageKeys(KeyClasses classes, DeepStack stack, OwnObjects own) {
    this.classes = classes;
    this.stack = stack;
    this.own = own;
  }

  /** Begins a message of so many bytes. */
  public void begin(long bytes) {
    this.bytes = bytes;
  }

  /** Begins a message of a stream, which refers to objects of earlier ones. */
  public void begin(long bytes, DecodedContents earlier) {
    this.bytes = bytes;
    this.contents = earlier;
  }

  /** Forgets the message. */
  public void reset() {
    contents.forget();
    budget = null;
  }

  /** Returns the budget that bounds the time of hashing keys in this message. */
  public HashingBudget budget() {
    if (budget == null) {
      own.met().forEach(this::addOwn);
      budget = new HashingBudget(bytes, contents, classes);
    }
    return budget;
  }

  /** Records an object of this JVM, into which nothing was read. */
  public void addOwn(@Nullable Object object) {
    contents.put(object, List.of());
  }

  /** Records an object of this JVM if keys have been charged for; otherwise it is among the own. */
  public void meetOwn(@Nullable Object object) {
    if (budget != null) {
      addOwn(object);
    }
  }

  /**
   * Hashes keys into a table, after their cost is known.
   *
   * @param fill returns the table
   */
  public <T> @Nullable T hashed(
      Object[] keys, int stride, HashingBudget.Table table, SpareThreads.Walk<T> fill)
      throws Throwable {
    HashingBudget charged = budget();
    int[] each = charged.chargeKeys(keys, stride);
    Class<?> foreign = charged.foreignCode();
    SpareThreads.Walk<T> rest =
        () -> {
          long collisions = charged.chargeCollisions(keys, stride, table, each);
          T filled = fill.run();
          charged.note(filled, collisions);
          return filled;
        };
    return foreign == null ? rest.run() : stack.onPlatformThread(foreign, rest);
  }

  /** Sorts keys after charging for their comparisons. */
  public <T> @Nullable T ordered(
      Object[] keys, int stride, @Nullable Object order, SpareThreads.Walk<T> fill)
      throws Throwable {
    HashingBudget charged = budget();
    charged.chargeOrder(keys, stride, order);
    Class<?> foreign = charged.foreignCode();
    return foreign == null ? fill.run() : stack.onPlatformThread(foreign, fill);
  }

  /**
   * Returns a list for the objects that are read into one that cannot be looked into, or null if
   * nothing follows them when it is hashed.
   *
   * @param isReplaced whether another object may replace the one that is read
   */
  public @Nullable List<Object> content(Class<?> type, boolean isReplaced, Object value) {
    if (!isReplaced && !classes.of(type).hasReferences()) {
      return null;
    }
    List<Object> content = new ArrayList<>();
    contents.put(value, content);
    return content;
  }

  /** Records that an object was created from the content of another one. */
  public void noteReplacement(@Nullable Object resolved, @Nullable Object read) {
    if (resolved == read) {
      return;
    }
    List<Object> content = contents.remove(read);
    if (content != null && resolved != null && classes.of(resolved.getClass()).hasReferences()) {
      contents.putIfAbsent(resolved, content);
    }
  }
}
