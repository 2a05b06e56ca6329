package org.troupe.serialization;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.troupe.serialization.graph.Serializer;

/** Exceptions arrive as themselves, with the frames of where they were thrown. */
class ExceptionsTest {

  static class Overheated extends RuntimeException {
    static int constructed;
    private final int degrees;
    private final List<String> sensors;

    Overheated(int degrees, Throwable cause) {
      super("too hot: " + degrees, cause);
      constructed++;
      this.degrees = degrees;
      this.sensors = List.of("s1", "s2");
    }
  }

  private static Overheated thrownDeepInside(Throwable cause) {
    return new Overheated(90, cause);
  }

  @Test
  void anExceptionKeepsItsFieldsFramesCauseAndSuppressed() {
    Overheated original = thrownDeepInside(new UncheckedIOException(new IOException("fan")));
    original.addSuppressed(new IllegalStateException("while closing"));
    int before = Overheated.constructed;

    Overheated copy = Serializer.builder().build().copy(original);

    assertThat(Overheated.constructed).isEqualTo(before);
    assertThat(copy.degrees).isEqualTo(90);
    assertThat(copy.sensors).containsExactly("s1", "s2");
    assertThat(copy).hasMessage("too hot: 90").hasRootCauseMessage("fan");
    assertThat(copy.getStackTrace()).isEqualTo(original.getStackTrace());
    assertThat(copy.getStackTrace()[0]).hasToString(original.getStackTrace()[0].toString());
    assertThat(copy.getCause().getCause().getStackTrace())
        .isEqualTo(original.getCause().getCause().getStackTrace());
    assertThat(copy.getSuppressed()).singleElement().isInstanceOf(IllegalStateException.class);
  }

  @Test
  void anExceptionWithoutCauseCanStillBeGivenOne() {
    Exception copy = Serializer.builder().build().copy(new Exception("alone"));

    assertThat(copy.getCause()).isNull();
    copy.initCause(new Error("later"));
    copy.addSuppressed(new Error("too"));
    assertThat(copy).hasCauseInstanceOf(Error.class);
  }

  @Test
  void anExceptionCanBeItsOwnCausesCause() {
    Exception a = new Exception("a");
    Exception b = new Exception("b", a);
    a.initCause(b);

    Exception copy = Serializer.builder().build().copy(a);

    assertThat(copy.getCause().getCause()).isSameAs(copy);
  }

  static class Unset {
    private Unset next;
  }

  @Test
  void whatTheJvmSaysOfANullPointerArrives() {
    NullPointerException thrown = null;
    try {
      Object unset = new Unset().next.next;
      assertThat(unset).isNull();
    } catch (NullPointerException e) {
      thrown = e;
    }

    NullPointerException copy = Serializer.builder().build().copy(thrown);

    assertThat(copy).hasMessage(thrown.getMessage()).hasMessageContaining("is null");
    assertThat(copy.getStackTrace()).isEqualTo(thrown.getStackTrace());
    assertThat(Serializer.builder().build().copy(new NullPointerException("mine")))
        .hasMessage("mine");
  }
}
