package org.troupe.serialization;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

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

  @ParameterizedTest
  @EnumSource(Format.class)
  void anExceptionKeepsItsFieldsFramesCauseAndSuppressed(Format format) {
    Overheated original = thrownDeepInside(new UncheckedIOException(new IOException("fan")));
    original.addSuppressed(new IllegalStateException("while closing"));
    int before = Overheated.constructed;

    Overheated copy = Serializer.builder().format(format).build().copy(original);

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

  @ParameterizedTest
  @EnumSource(Format.class)
  void anExceptionWithoutCauseCanStillBeGivenOne(Format format) {
    Exception copy = Serializer.builder().format(format).build().copy(new Exception("alone"));

    assertThat(copy.getCause()).isNull();
    copy.initCause(new Error("later"));
    copy.addSuppressed(new Error("too"));
    assertThat(copy).hasCauseInstanceOf(Error.class);
  }

  @ParameterizedTest
  @EnumSource(Format.class)
  void anExceptionCanBeItsOwnCausesCause(Format format) {
    Exception a = new Exception("a");
    Exception b = new Exception("b", a);
    a.initCause(b);

    Exception copy = Serializer.builder().format(format).build().copy(a);

    assertThat(copy.getCause().getCause()).isSameAs(copy);
  }
}
