package org.troupe.activeobjects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.futures.Futures;

@Timeout(60)
class FirstClassFuturesTest {

  static class Text {
    private String text;

    Text(String text) {
      this.text = text;
    }

    String text() {
      return text;
    }

    void append(String more) {
      text += more;
    }
  }

  static final class Letter {
    final Text inside;
    final CompletableFuture<Integer> number;

    Letter(Text inside, CompletableFuture<Integer> number) {
      this.inside = inside;
      this.number = number;
    }
  }

  static class Writer {
    Text write(Gate gate, String text) {
      gate.pass();
      return new Text(text);
    }

    Text fail(Gate gate) {
      gate.pass();
      throw new IllegalStateException("no ink");
    }

    int count(Gate gate) {
      gate.pass();
      return 42;
    }

    Text none() {
      return null;
    }
  }

  static class Reader {
    private Text kept;
    private Letter letter;
    private Reader next;

    void next(Reader reader) {
      next = reader;
    }

    void keep(Text text) {
      kept = text;
    }

    boolean isAwaited() {
      return Futures.isAwaited(kept);
    }

    String read() {
      return kept.text();
    }

    Text pass(Text text) {
      return next == null ? text : next.pass(text);
    }

    CompletableFuture<Integer> passNumber(CompletableFuture<Integer> number) {
      return next == null ? number : next.passNumber(number);
    }

    void keepLetter(Letter given) {
      letter = given;
    }

    Letter letter() {
      return letter;
    }

    String readLetter() {
      return letter.inside.text() + letter.number.join();
    }

    void append(String more) {
      kept.append(more);
    }

    Text kept() {
      return kept;
    }

    boolean idle() {
      return true;
    }
  }

  private final Writer writer = ActiveObjects.here().create(Writer.class);
  private final Reader one = ActiveObjects.here().create(Reader.class);
  private final Reader two = ActiveObjects.here().create(Reader.class);
  private final Reader three = ActiveObjects.here().create(Reader.class);

  @BeforeEach
  void chain() {
    Gate.closeAll();
    one.next(two);
    two.next(three);
  }

  @Test
  void travelAsArgumentsUnresolved() {
    var text = writer.write(Gate.ONE, "Loomings");
    one.keep(text);
    assertThat(one.isAwaited()).isTrue();
    assertThat(one.idle()).as("the body does not wait").isTrue();
    Gate.ONE.open();
    assertThat(one.read()).isEqualTo("Loomings");
    assertThat(text.text()).isEqualTo("Loomings");
  }

  @Test
  void passThroughSeveralHopsAndBackWithoutBlockingABody() {
    var text = writer.write(Gate.ONE, "Loomings");
    var back = one.pass(text);
    var number = one.passNumber(ActiveObjects.ref(writer).ask(w -> w.count(Gate.TWO)));
    assertThat(one.idle() && two.idle() && three.idle()).isTrue();
    assertThat(Futures.isAwaited(back)).isTrue();
    Gate.ONE.open();
    assertThat(back.text()).isEqualTo("Loomings");
    Gate.TWO.open();
    assertThat(number.join()).isEqualTo(42);
    assertThat(Futures.value(back)).isExactlyInstanceOf(Text.class);
  }

  @Test
  void travelInsideFields() {
    var number = ActiveObjects.ref(writer).ask(w -> w.count(Gate.ONE));
    var text = writer.write(Gate.ONE, "Loomings");
    one.keepLetter(new Letter(text, number));
    var back = one.letter();
    assertThat(one.idle()).isTrue();
    assertThat(Futures.isAwaited(back.inside)).isTrue();
    assertThat(back.number.isDone()).isFalse();
    Gate.ONE.open();
    assertThat(back.inside.text() + back.number.join()).isEqualTo("Loomings42");
    assertThat(one.readLetter()).isEqualTo("Loomings42");
  }

  @Test
  void eachReceiverGetsACopyOfItsOwn() {
    var text = writer.write(Gate.ONE, "a");
    one.keep(text);
    two.keep(text);
    Gate.ONE.open();
    one.append("b");
    text.append("c");
    assertThat(one.read()).isEqualTo("ab");
    assertThat(two.read()).isEqualTo("a");
    assertThat(text.text()).isEqualTo("ac");
  }

  @Test
  void onceUsedTravelAsTheyAreThen() {
    Gate.ONE.open();
    var text = writer.write(Gate.ONE, "a");
    text.append("b");
    one.keep(text);
    text.append("c");
    assertThat(one.read()).isEqualTo("ab");
    one.append("d");
    assertThat(one.kept().text()).isEqualTo("abd");
    assertThat(one.pass(text).text()).isEqualTo("abc");
  }

  @Test
  void completableFuturesOfTheUserTravelToo() {
    var mine = new CompletableFuture<Integer>();
    var back = one.passNumber(mine);
    assertThat(one.idle() && two.idle() && three.idle()).isTrue();
    assertThat(back.isDone()).isFalse();
    mine.complete(5);
    assertThat(back.join()).isEqualTo(5);
    assertThat(one.passNumber(CompletableFuture.completedFuture(6)).join()).isEqualTo(6);
    assertThatThrownBy(
            () ->
                one.passNumber(CompletableFuture.failedFuture(new ArithmeticException("x"))).join())
        .hasCauseInstanceOf(ArithmeticException.class);
  }

  @Test
  void failuresTravelLikeValues() {
    var failing = writer.fail(Gate.ONE);
    one.keep(failing);
    var back = one.pass(failing);
    Gate.ONE.open();
    assertThatThrownBy(one::read).isInstanceOf(IllegalStateException.class).hasMessage("no ink");
    assertThatThrownBy(back::text).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(failing::text).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void aNullResultNamesTheCall() {
    var none = writer.none();
    assertThatThrownBy(none::text)
        .isInstanceOf(NullPointerException.class)
        .hasMessageContaining("'text()' was called on the result of Writer.none() on node 'main'");
    assertThat(Futures.value(none)).isNull();
    assertThat(Futures.value(one.pass(none))).isNull();
  }

  /** Gives a future of its partner's future, and so on. */
  static class Mirror {
    private Mirror partner;

    void partner(Mirror other) {
      partner = other;
    }

    Text reflect(int times) {
      return times == 0 ? new Text("light") : partner.reflect(times - 1);
    }
  }

  @Test
  void chainsOfFuturesGiveTheLastValue() {
    var left = ActiveObjects.here().create(Mirror.class);
    var right = ActiveObjects.here().create(Mirror.class);
    left.partner(right);
    right.partner(left);
    assertThat(left.reflect(100).text()).isEqualTo("light");
  }

  /** Answers with a future that it is given meanwhile. */
  static class Ring {
    private volatile Text given;

    @Immediate
    void give(Text text) {
      given = text;
    }

    Text given(Gate gate) {
      gate.pass();
      return given;
    }
  }

  private final Ring left = ActiveObjects.here().create(Ring.class);
  private final Ring right = ActiveObjects.here().create(Ring.class);

  @Test
  void aFutureThatIsItsOwnValueFails() {
    var own = left.given(Gate.ONE);
    ActiveObjects.ref(left).tell(ring -> ring.give(own)).join();
    Gate.ONE.open();
    assertThatThrownBy(own::text)
        .isInstanceOf(WaitCycleException.class)
        .hasMessageContaining("this future can never have a value, for it waits for itself:")
        .hasMessageContaining("Ring.given(Gate) on node 'main'");
  }

  @Test
  void aCycleOfFuturesFailsWithItsCycle() {
    var ofLeft = left.given(Gate.ONE);
    var ofRight = right.given(Gate.TWO);
    ActiveObjects.ref(left).tell(ring -> ring.give(ofRight)).join();
    ActiveObjects.ref(right).tell(ring -> ring.give(ofLeft)).join();
    Gate.ONE.open();
    Gate.TWO.open();
    assertThatThrownBy(ofLeft::text)
        .isInstanceOf(WaitCycleException.class)
        .hasMessageContaining("waits for itself");
    assertThatThrownBy(ofRight::text)
        .isInstanceOf(WaitCycleException.class)
        .hasMessageContaining("waits for itself");
  }
}
