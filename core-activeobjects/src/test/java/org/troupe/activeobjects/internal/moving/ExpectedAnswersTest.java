package org.troupe.activeobjects.internal.moving;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Cell;
import org.troupe.activeobjects.internal.call.BodyCalls;
import org.troupe.activeobjects.internal.object.CallResult;
import org.troupe.activeobjects.internal.object.NodeObjects;
import org.troupe.activeobjects.internal.object.Reference;
import org.troupe.activeobjects.internal.relocation.ObjectIdentity;
import org.troupe.activeobjects.internal.relocation.Place;
import org.troupe.activeobjects.internal.runtime.InProcessGrid;

/** The unanswered calls to moved objects, each of which knows its own. */
class ExpectedAnswersTest {

  private final ExpectedAnswers expected = new ExpectedAnswers();
  private InProcessGrid grid;
  private NodeObjects node;
  private MovedObject one;
  private MovedObject other;

  @BeforeEach
  void start() {
    grid = InProcessGrid.start(1);
    node = grid.coordinator().node().objects();
    one = moved(1);
    other = moved(2);
  }

  @AfterEach
  void end() {
    grid.close();
  }

  private MovedObject moved(long number) {
    return new MovedObject(
        new ObjectIdentity(node.id(), "", number),
        grid.coordinator().node().moved(),
        new Place(node.id(), 0));
  }

  private CallResult result() {
    var target = Reference.require(ActiveObjects.here().create(Cell.class));
    return new CallResult(node, target, BodyCalls.NOTHING, false, null);
  }

  private long call(MovedObject object) {
    var result = result();
    var callId = node.idOf(result);
    expected.add(object, callId, result);
    return callId;
  }

  @Test
  void anObjectKnowsItsUnansweredCalls() {
    var first = call(one);
    var second = call(one);
    var third = call(other);
    assertThat(expected.idsOf(one)).containsExactlyInAnyOrder(first, second);
    assertThat(expected.idsOfUnkept(other)).containsExactly(third);

    expected.take(first);
    expected.fail(third, new IllegalStateException("the end of a call"));
    assertThat(one.unanswered()).containsExactly(second);
    assertThat(other.unanswered()).isEmpty();

    expected.failAll(one, new IllegalStateException("the loss of the object"));
    assertThat(one.unanswered()).isEmpty();
    assertThat(expected.isEmpty()).isTrue();
  }

  @Test
  void aCallToALostNodeIsThatOfTheObjectThatItFollows() {
    var call = result();
    var callId = node.idOf(call);
    expected.addLost(call);
    assertThat(expected.follows(call, one)).isTrue();
    assertThat(one.unanswered()).containsExactly(callId);

    assertThat(expected.removeAll(List.of(call))).containsExactly(call);
    assertThat(expected.follows(call, one)).isFalse();
    assertThat(one.unanswered()).isEmpty();
  }
}
