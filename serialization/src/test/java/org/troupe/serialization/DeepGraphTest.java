package org.troupe.serialization;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.troupe.serialization.graph.Serializer;

/** A graph may be deeper than any stack. */
class DeepGraphTest {

  private static final int MILLION = 1_000_000;

  private final Serializer serializer = Serializer.builder().build();

  static class Node {
    final int v;
    Node next;

    Node(int v, Node next) {
      this.v = v;
      this.next = next;
    }
  }

  private static Node list(int length) {
    Node first = null;
    for (int i = length - 1; i >= 0; i--) {
      first = new Node(i, first);
    }
    return first;
  }

  private static int lengthInOrder(Node first) {
    int n = 0;
    for (Node node = first; node != null; node = node.next) {
      assertThat(node.v).isEqualTo(n++);
    }
    return n;
  }

  @Test
  void aListOfAMillionNodesArrives() {
    assertThat(lengthInOrder(serializer.copy(list(MILLION)))).isEqualTo(MILLION);
  }

  static class Both {
    int v;
    Both next;
    Both prev;
  }

  @Test
  void aListLinkedBothWaysIsFollowedByALoop() {
    Both first = new Both();
    Both last = first;
    for (int i = 1; i < MILLION; i++) {
      Both node = new Both();
      node.v = i;
      node.prev = last;
      last.next = node;
      last = node;
    }

    AtomicInteger stacks = new AtomicInteger();
    Substitution counting =
        new Substitution() {
          @Override
          public Object tokenFor(Object value) {
            return null;
          }

          @Override
          public Runnable carried(Runnable part) {
            stacks.incrementAndGet();
            return part;
          }
        };
    Both copy = Serializer.builder().substitution(counting).build().copy(first);

    assertThat(stacks).hasValue(0);
    int n = 0;
    for (Both node = copy; node != null; node = node.next) {
      assertThat(node.v).isEqualTo(n++);
      assertThat(node.next == null || node.next.prev == node).isTrue();
    }
    assertThat(n).isEqualTo(MILLION);
  }

  @Test
  void aLinkedListOfAMillionArrives() {
    LinkedList<Integer> list = new LinkedList<>(IntStream.range(0, MILLION).boxed().toList());

    assertThat(serializer.copy(list)).isEqualTo(list);
  }

  record Link(int v, Link next) {}

  @Test
  void aChainOfRecordsArrives() {
    Link chain = null;
    for (int i = 100_000; i > 0; i--) {
      chain = new Link(i, chain);
    }

    int v = 0;
    for (Link link = serializer.copy(chain); link != null; link = link.next) {
      assertThat(link.v).isEqualTo(++v);
    }
    assertThat(v).isEqualTo(100_000);
  }

  @Test
  void aChainOfRecordsIsAsDeepAsItIsLong() {
    Link chain = null;
    for (int i = 0; i < 2000; i++) {
      chain = new Link(i, chain);
    }
    Link first = chain;
    Serializer shallow =
        Serializer.builder()
            .allow(TypeFilter.patterns(Link.class.getName()))
            .limits(new GraphLimits(1000, 1000, 1500, 10_000, 1 << 20))
            .build();

    assertThatThrownBy(() -> shallow.encode(first))
        .isInstanceOf(SerializationException.class)
        .hasMessageStartingWith("cannot encode 'Link.next.next")
        .hasMessageContaining("more than 1500 objects deep");
    byte[] deep = serializer.encode(first).bytes();
    assertThatThrownBy(
            () ->
                shallow.decode(
                    new EncodedGraph(deep, new int[0], List.of()),
                    serializer.ownTypes(),
                    token -> token))
        .isInstanceOf(SerializationException.class)
        .hasMessageContaining("more than 1500 objects deep");
  }

  /**
   * The reference to the rest is not the last field, so that no loop could replace the recursion.
   */
  static class Tree {
    Tree left;
    Object right;
  }

  @Test
  void aDeepTreeThatIsNoListArrives() {
    Tree root = new Tree();
    Tree deepest = root;
    for (int i = 1; i < 100_000; i++) {
      deepest.left = new Tree();
      deepest.right = i;
      deepest = deepest.left;
    }

    Tree copy = serializer.copy(root);

    int depth = 0;
    for (Tree t = copy; t != null; t = t.left) {
      depth++;
    }
    assertThat(depth).isEqualTo(100_000);
  }

  /** Fields of every kind, before, between and after references. */
  static class Mixed {
    private final boolean flag;
    private final byte small;
    private final String text;
    private Object first;
    private final short medium;
    private final char letter;
    private final float single;
    private Object second;
    private final String absent;
    private final int number;
    private final long large;
    private final double precise;

    Mixed(int i) {
      flag = i % 2 == 0;
      small = (byte) i;
      text = "text " + i % 7;
      medium = (short) -i;
      letter = (char) (i + 1000);
      single = i / 3f;
      absent = null;
      number = -i;
      large = (long) i << 40;
      precise = 1.0 / (i + 1);
    }
  }

  record MixedRecord(
      char letter,
      double precise,
      Object inner,
      String text,
      boolean flag,
      byte small,
      short medium,
      float single,
      int number,
      long large,
      Object shared,
      String absent) {}

  static class Empty {}

  @Test
  void fieldsOfEveryKindArriveBelowTheDepthOfRecursion() {
    Object shared = new Empty();
    Object nest = new Mixed(0);
    for (int i = 1; i < 600; i++) {
      if (i % 2 == 0) {
        Mixed mixed = new Mixed(i);
        mixed.first = nest;
        mixed.second = shared;
        nest = mixed;
      } else {
        nest =
            new MixedRecord(
                (char) i,
                1.0 / i,
                nest,
                "text " + i % 7,
                i % 3 == 0,
                (byte) i,
                (short) i,
                i / 7f,
                i << 20,
                -((long) i << 33),
                shared,
                null);
      }
    }

    Object copied = serializer.copy(nest);

    assertThat(levels(copied)).isEqualTo(levels(nest)).hasSize(600);
    assertThat(((Mixed) ((MixedRecord) copied).inner()).second)
        .isSameAs(((MixedRecord) copied).shared());
  }

  /** Returns the values of each level but the references to others. */
  private static List<List<Object>> levels(Object nest) {
    List<List<Object>> levels = new ArrayList<>();
    for (Object level = nest; level != null; ) {
      if (level instanceof Mixed m) {
        levels.add(
            Arrays.asList(
                m.flag, m.small, m.text, m.medium, m.letter, m.single, m.absent, m.number, m.large,
                m.precise));
        level = m.first;
      } else {
        MixedRecord r = (MixedRecord) level;
        levels.add(
            Arrays.asList(
                r.letter, r.precise, r.text, r.flag, r.small, r.medium, r.single, r.number, r.large,
                r.absent));
        level = r.inner;
      }
    }
    return levels;
  }

  @Test
  void theFieldThatFailsDeepDownEndsThePath() {
    Serializer narrow =
        Serializer.builder().limits(new GraphLimits(10_000, 20, 1500, 10_000, 1 << 20)).build();
    Object nest =
        new MixedRecord(
            'c',
            1,
            null,
            "a text of more than twenty characters",
            true,
            (byte) 1,
            (short) 1,
            1,
            1,
            1,
            null,
            null);
    for (int i = 0; i < 300; i++) {
      Mixed mixed = new Mixed(i);
      mixed.second = nest;
      nest = mixed;
    }
    Object deep = nest;

    assertThatThrownBy(() -> narrow.encode(deep))
        .isInstanceOf(SerializationException.class)
        .hasMessageContaining(".second.second.text'")
        .hasMessageContaining("a string has 37 characters, but the limit is 20");
  }

  static class Hooked implements Serializable {
    private Hooked next;

    private void writeObject(ObjectOutputStream out) throws IOException {
      out.defaultWriteObject();
    }

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.defaultReadObject();
    }
  }

  @Test
  void hooksMayNestDeeply() throws Exception {
    Hooked first = new Hooked();
    Hooked last = first;
    for (int i = 1; i < 40_000; i++) {
      last.next = new Hooked();
      last = last.next;
    }

    // On a virtual thread, whose stack is no larger than others'.
    CompletableFuture<Hooked> copied = new CompletableFuture<>();
    Thread.ofVirtual()
        .start(() -> copied.completeAsync(() -> serializer.copy(first), Runnable::run));

    int length = 0;
    for (Hooked h = copied.get(); h != null; h = h.next) {
      length++;
    }
    assertThat(length).isEqualTo(40_000);
  }

  @Test
  void manyShallowThingsBelowADeepOneArrive() {
    Object[] wide = new Object[100_000];
    for (int i = 0; i < wide.length; i++) {
      wide[i] = new Object[] {i};
    }
    Object deep = wide;
    for (int i = 0; i < 147; i++) {
      deep = new Object[] {deep};
    }

    Object copy = serializer.copy(deep);

    for (int i = 0; i < 147; i++) {
      copy = ((Object[]) copy)[0];
    }
    assertThat(((Object[]) ((Object[]) copy)[99_999])[0]).isEqualTo(99_999);
  }

  @Test
  void aPathThroughAMillionObjectsFitsInAMessage() {
    Node first = list(2000);
    Serializer shallow =
        Serializer.builder().limits(new GraphLimits(1000, 1000, 1500, 10_000, 1 << 20)).build();

    assertThatThrownBy(() -> shallow.encode(first))
        .isInstanceOf(SerializationException.class)
        .hasMessageStartingWith("cannot encode 'Node.next.next")
        .hasMessageContaining(" steps) ... .next")
        .hasMessageContaining("more than 1500 objects deep");
  }
}
