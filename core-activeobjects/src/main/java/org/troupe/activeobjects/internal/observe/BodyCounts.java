package org.troupe.activeobjects.internal.observe;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.ref.WeakReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.internal.call.CallMethod;

/** How often one body has served each method in its turn, and how often that failed. */
public final class BodyCounts {

  /*
   * Design: one writer
   *
   * A body serves requests in turn on one thread at a time, and successive threads are ordered. That thread alone writes, so a
   * count needs no atomic operation, which would take as long as a small request. Other threads read the counts at any time: the
   * writes are opaque, so a reader sees each count whole, and soon. The table of rows is replaced as it grows, with release
   * and acquire.
   *
   * The body is known by a weak reference. When it is cleared no thread serves the body any more, so its counts are final.
   */
  private static final VarHandle ROWS;

  static {
    try {
      ROWS = MethodHandles.lookup().findVarHandle(BodyCounts.class, "rows", Row[].class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private static final int FIRST_SIZE = 4; // a power of two

  private final WeakReference<Object> body;
  private @Nullable Row[] rows = new Row[FIRST_SIZE]; // by hash, with linear probing
  private int used;
  private Row last;

  /** The counts of a method. */
  static final class Row {

    private static final VarHandle SERVED;
    private static final VarHandle FAILED;

    static {
      try {
        var lookup = MethodHandles.lookup();
        SERVED = lookup.findVarHandle(Row.class, "served", long.class);
        FAILED = lookup.findVarHandle(Row.class, "failed", long.class);
      } catch (ReflectiveOperationException e) {
        throw new ExceptionInInitializerError(e);
      }
    }

    final CallMethod method;
    private long served;
    private long failed;

    private Row(CallMethod method) {
      this.method = method;
    }

    private void count(boolean hasFailed) {
      SERVED.setOpaque(this, served + 1);
      if (hasFailed) {
        FAILED.setOpaque(this, failed + 1);
      }
    }

    long served() {
      return (long) SERVED.getOpaque(this);
    }

    long failed() {
      return (long) FAILED.getOpaque(this);
    }
  }

  BodyCounts(Object body, CallMethod first) {
    this.body = new WeakReference<>(body);
    last = add(first);
  }

  /** Counts a request; called only by the thread that serves the body in its turn. */
  public void served(CallMethod method, boolean hasFailed) {
    var row = last;
    if (row.method != method) {
      row = row(method);
      last = row;
    }
    row.count(hasFailed);
  }

  private Row row(CallMethod method) {
    var mask = rows.length - 1;
    for (var i = method.hashCode() & mask; ; i = i + 1 & mask) {
      var row = rows[i];
      if (row == null) {
        return add(method);
      }
      if (row.method == method) {
        return row;
      }
    }
  }

  private Row add(CallMethod method) {
    if (2 * ++used > rows.length) {
      var larger = new Row[2 * rows.length];
      for (var each : rows) {
        if (each != null) {
          put(larger, each);
        }
      }
      ROWS.setRelease(this, larger);
    }
    var row = new Row(method);
    put(rows, row);
    return row;
  }

  private static void put(@Nullable Row[] table, Row row) {
    var mask = table.length - 1;
    var i = row.method.hashCode() & mask;
    while (table[i] != null) {
      i = i + 1 & mask;
    }
    table[i] = row;
  }

  /** Passes on the counts of the user's methods, as they are now. */
  void forEach(Consumer<Row> consumer) {
    for (var each : (@Nullable Row[]) ROWS.getAcquire(this)) {
      if (each != null && !each.method.isOfBody()) {
        consumer.accept(each);
      }
    }
  }

  /** Returns the body; {@code null} if it was collected. */
  @Nullable Object body() {
    return body.get();
  }
}
