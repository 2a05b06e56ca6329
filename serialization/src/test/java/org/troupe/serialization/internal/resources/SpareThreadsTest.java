package org.troupe.serialization.internal.resources;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.Externalizable;
import java.io.IOException;
import java.io.ObjectInput;
import java.io.ObjectInputStream;
import java.io.ObjectInputValidation;
import java.io.ObjectOutput;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.serialization.SerializationException;
import org.troupe.serialization.graph.Serializer;

/** Code of a program whose cost cannot be foreseen runs on no carrier of virtual threads. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SpareThreadsTest {

  private final Serializer serializer = Serializer.builder().build();

  private static volatile boolean watching;
  private static final List<Boolean> ON_CARRIER = new ArrayList<>();

  private static void note() {
    if (watching) {
      synchronized (ON_CARRIER) {
        ON_CARRIER.add(Thread.currentThread().isVirtual());
      }
    }
  }

  static class Hooked implements Serializable, ObjectInputValidation {
    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.defaultReadObject();
      in.registerValidation(this, 0);
      note();
    }

    @Override
    public void validateObject() {
      note();
    }

    private Object readResolve() {
      note();
      return this;
    }
  }

  static class Resolved implements Serializable {
    int v;

    private Object readResolve() {
      note();
      return this;
    }
  }

  public static class External implements Externalizable {
    public External() {}

    @Override
    public void writeExternal(ObjectOutput out) {}

    @Override
    public void readExternal(ObjectInput in) {
      note();
    }
  }

  static class Looping {
    final int[] numbers = {1, 2};

    @Override
    public int hashCode() {
      note();
      int hash = 0;
      for (int number : numbers) {
        hash += number;
      }
      return hash;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Looping;
    }
  }

  private <T> T copyOnVirtualThread(T value) throws Exception {
    CompletableFuture<T> copied = new CompletableFuture<>();
    Thread.ofVirtual()
        .start(() -> copied.completeAsync(() -> serializer.copy(value), Runnable::run));
    return copied.get();
  }

  @Test
  void hooksAndKeysOfAProgramRunElsewhere() throws Exception {
    Comparator<Integer> order =
        (Comparator<Integer> & Serializable)
            (one, other) -> {
              note();
              return Integer.compare(one, other);
            };
    TreeSet<Integer> ordered = new TreeSet<>(order);
    ordered.addAll(List.of(1, 2, 3));
    List<Object> all =
        new ArrayList<>(
            List.of(
                new Hooked(),
                new Resolved(),
                new External(),
                new HashMap<>(Map.of(new Looping(), 1)),
                ordered));
    ON_CARRIER.clear();
    watching = true;

    copyOnVirtualThread(all);

    watching = false;
    assertThat(ON_CARRIER).hasSizeGreaterThan(8).doesNotContain(true);
  }

  private static volatile boolean released;

  static class Spinning implements Serializable {
    private void readObject(ObjectInputStream in) {
      while (!released) {
        Thread.onSpinWait();
      }
    }
  }

  @Test
  void hooksThatDoNotEndHoldUpNoOtherVirtualThread() throws Exception {
    released = false;
    int many = Runtime.getRuntime().availableProcessors() + 1;
    CountDownLatch done = new CountDownLatch(many);
    for (int i = 0; i < many; i++) {
      Thread.ofVirtual()
          .start(
              () -> {
                serializer.copy(new Spinning());
                done.countDown();
              });
    }

    Thread.ofVirtual().start(() -> released = true);

    assertThat(done.await(50, TimeUnit.SECONDS)).isTrue();
  }

  static class Chain implements Serializable {
    Chain next;

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.defaultReadObject();
    }
  }

  @Test
  void hooksThatNestWithoutEndAreRefused() {
    Chain first = new Chain();
    Chain last = first;
    for (int i = 0; i < 150_000; i++) {
      last.next = new Chain();
      last = last.next;
    }

    org.assertj.core.api.Assertions.assertThatThrownBy(() -> serializer.encode(first))
        .isInstanceOf(SerializationException.class)
        .hasMessageContaining("its hooks call each other more than 100000 objects deep");
  }
}
