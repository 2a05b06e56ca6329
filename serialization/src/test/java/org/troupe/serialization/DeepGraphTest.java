package org.troupe.serialization;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.util.LinkedList;
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
