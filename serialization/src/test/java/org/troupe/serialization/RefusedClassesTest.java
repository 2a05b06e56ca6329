package org.troupe.serialization;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.text.DecimalFormat;
import java.text.SimpleDateFormat;
import java.time.format.DateTimeFormatter;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;
import java.util.WeakHashMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.troupe.serialization.graph.Serializer;

/** What cannot travel is refused at its first use, with the way out. */
class RefusedClassesTest {

  private final Serializer serializer = Serializer.builder().build();

  static class OwnStream extends ByteArrayInputStream {
    OwnStream() {
      super(new byte[0]);
    }
  }

  static class OwnThread extends Thread implements java.io.Serializable {}

  static Stream<Arguments> refused() throws Exception {
    return Stream.of(
        Arguments.of(new Thread(), "make the field transient and start one there"),
        Arguments.of(new OwnThread(), "make the field transient and start one there"),
        Arguments.of(new Socket(), "send what it was made of"),
        Arguments.of(new ByteArrayInputStream(new byte[1]), "send what it was made of"),
        Arguments.of(new OwnStream(), "send what it was made of"),
        Arguments.of(RefusedClassesTest.class.getClassLoader(), "make the field transient"),
        Arguments.of(ThreadLocal.withInitial(() -> 1), "make the field static or transient"),
        Arguments.of(ByteBuffer.allocate(1), "send an array"),
        Arguments.of(List.of(1).iterator(), "send the collection"),
        Arguments.of(Stream.of(1), "send a list"),
        Arguments.of(new CompletableFuture<>(), "wait for it and send its result"),
        Arguments.of(Object.class.getModule(), "send the name"),
        Arguments.of(new WeakHashMap<>(Map.of("k", 1)), "new HashMap<>(it)"),
        Arguments.of(URI.create("http://localhost/").toURL(), "send its toURI()"),
        Arguments.of(new SimpleDateFormat("yyyy", Locale.ROOT), "send its pattern"),
        Arguments.of(new DecimalFormat("0.0"), "send its pattern"),
        Arguments.of(new CountDownLatch(1), "by calls to an active object"),
        Arguments.of(new SecureRandom(), "create one there"),
        Arguments.of(DateTimeFormatter.ISO_DATE, "send the pattern"),
        Arguments.of(new StringJoiner(","), "send its text"),
        Arguments.of(Pattern.compile("x").matcher("x"), "send its pattern and the text"),
        Arguments.of(new ByteArrayOutputStream(), "send its toByteArray()"),
        Arguments.of((Runnable) () -> {}, "cast it to (Type & Serializable)"),
        Arguments.of(new Object() {}.getClass().getDeclaredConstructors()[0], "send the class and"),
        Arguments.of(Map.of(1, 2).values().iterator(), "send the collection"));
  }

  @ParameterizedTest
  @MethodSource("refused")
  void theMessageSaysTheWayOut(Object value, String remedy) {
    assertThatThrownBy(() -> serializer.encode(value))
        .isInstanceOf(SerializationException.class)
        .hasMessageStartingWith("cannot encode '")
        .hasMessageContaining("' cannot travel: ")
        .hasMessageContaining(remedy);
  }

  @Test
  void aPathInAnArchiveIsRefused(@TempDir Path folder) throws Exception {
    URI archive = URI.create("jar:" + folder.resolve("a.zip").toUri());
    try (FileSystem zip = FileSystems.newFileSystem(archive, Map.of("create", "true"))) {
      assertThatThrownBy(() -> serializer.encode(zip.getPath("/x")))
          .hasMessageContaining("send its toString()");
    }
  }

  static class Countdown implements Iterator<Integer> {
    int left = 2;

    @Override
    public boolean hasNext() {
      return left > 0;
    }

    @Override
    public Integer next() {
      return left--;
    }
  }

  record Direct() implements Executor {
    @Override
    public void execute(Runnable task) {
      task.run();
    }
  }

  @Test
  void aUsersOwnIteratorOrExecutorIsAnObjectLikeAnyOther() {
    Countdown countdown = new Countdown();
    countdown.next();

    assertThat(serializer.copy(countdown).left).isEqualTo(1);
    assertThat(serializer.copy(new Direct())).isEqualTo(new Direct());
  }

  static class Mesh {
    Face[] faces = {new Face(), null, new Face()};
  }

  static class Face {
    Object owner = Map.of("key", 1);
    private transient Thread allowedBecauseTransient = new Thread();
  }

  @Test
  void theMessageNamesThePathFromTheRoot() {
    Mesh mesh = new Mesh();
    mesh.faces[2].owner = new Thread();

    assertThatThrownBy(() -> serializer.encode(mesh))
        .hasMessage(
            "cannot encode 'Mesh.faces[2].owner': an object of class 'java.lang.Thread' cannot travel: "
                + "a thread runs in its own JVM; make the field transient and start one there");
  }

  @Test
  void thePathPassesThroughMapsAndRecords() {
    record Pair(Object left, Object right) {}
    Iterator<?> iterator = List.of().iterator();

    assertThatThrownBy(() -> serializer.encode(Map.of("k", new Pair(null, iterator))))
        .hasMessageStartingWith("cannot encode 'Map1[value 0].right': ");
  }
}
