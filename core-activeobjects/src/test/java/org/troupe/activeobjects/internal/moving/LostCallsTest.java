package org.troupe.activeobjects.internal.moving;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.NodeId;
import org.troupe.activeobjects.NodeLostException;
import org.troupe.activeobjects.internal.call.ActiveType;
import org.troupe.activeobjects.internal.object.CallResult;
import org.troupe.activeobjects.internal.object.Reference;
import org.troupe.activeobjects.internal.peer.Membership;
import org.troupe.activeobjects.internal.peer.Peer;
import org.troupe.activeobjects.internal.runtime.InProcessGrid;
import org.troupe.activeobjects.internal.runtime.NodeRuntime;

/** Calls to objects that may have left a lost node, while the coordinator locates the objects. */
@Timeout(60)
class LostCallsTest {

  private InProcessGrid grid;

  public static class Counter {

    public int count() {
      return 1;
    }
  }

  @BeforeEach
  void start() {
    grid = InProcessGrid.start(1);
  }

  @AfterEach
  void end() {
    grid.close();
  }

  @Test
  void aCallThatIsAnsweredMeanwhileDoesNotFail() {
    var located = new CompletableFuture<RelocationGrid.Located>();
    var objects = new MovedObjects(NodeRuntime.main().objects(), new NoPeers());
    objects.joined(gridThatAnswers(located));
    var object = Reference.require(ActiveObjects.on(grid.get(0)).create(Counter.class));
    var answered = call(object);
    var unanswered = call(object);
    List<CallResult> failed = new ArrayList<>();

    var home = ((Reference.Target.Elsewhere) object.target()).home();
    objects.lost(home, () -> List.of(answered, unanswered), failed::addAll);

    assertThat(objects.answered(answered.callId)).isSameAs(answered);
    assertThat(failed).isEmpty();
    located.completeExceptionally(new NodeLostException("a fault of the test"));
    assertThat(failed).containsExactly(unanswered);
    assertThat(objects.answered(unanswered.callId)).isNull();
  }

  private static CallResult call(Reference<?> object) {
    var node = NodeRuntime.main().objects();
    var count = ActiveType.of(Counter.class).method("count()I");
    var result = new CallResult(node, object, count, true, null);
    node.idOf(result);
    return result;
  }

  private static RelocationGrid gridThatAnswers(CompletableFuture<RelocationGrid.Located> located) {
    return (RelocationGrid)
        Proxy.newProxyInstance(
            RelocationGrid.class.getClassLoader(),
            new Class<?>[] {RelocationGrid.class},
            (_, method, _) -> {
              assertThat(method.getName()).isEqualTo("locate");
              return located;
            });
  }

  private static final class NoPeers implements MovedObjects.Peers {

    @Override
    public Peer named(NodeId node, Membership membership, String address) {
      throw new AssertionError("no message is sent");
    }

    @Override
    public Peer known(NodeId node) {
      return null;
    }

    @Override
    public Iterable<Peer> all() {
      return List.of();
    }
  }
}
