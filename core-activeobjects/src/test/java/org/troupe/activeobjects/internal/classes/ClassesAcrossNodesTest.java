package org.troupe.activeobjects.internal.classes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.internal.membership.FaultyTransport;
import org.troupe.activeobjects.internal.runtime.InProcessGrid;
import org.troupe.activeobjects.internal.runtime.NodeRuntime;
import org.troupe.serialization.SerializationException;

/** A node gets the classes that it lacks from whoever sends their objects. */
@Timeout(60)
class ClassesAcrossNodesTest {

  private static final Map<String, String> SOURCES =
      Map.of(
          "Square.java",
          """
          package shapes;
          public record Square(double side) implements java.util.function.Supplier<Double> {
            public Double get() { return Maths.product(side, side); }
          }
          """,
          "Maths.java",
          """
          package shapes;
          import java.io.Serializable;
          import java.util.function.Supplier;
          class Maths {
            static double product(double a, double b) { return a * b; }
            static Supplier<Double> more(Square square) {
              return (Supplier<Double> & Serializable) () -> square.get() + 1;
            }
          }
          """,
          "Store.java",
          """
          package shapes;
          import java.util.function.Function;
          public class Store implements Function<Object, Object> {
            private Square kept = new Square(1);
            private final String name;
            public Store(String name) { this.name = name; }
            public Object apply(Object word) {
              if (word instanceof Square square) {
                return kept = square;
              }
              return switch ((String) word) {
                case "name" -> name;
                case "area" -> kept.get();
                case "kept" -> kept;
                case "loader" -> getClass().getClassLoader().getName();
                case "source" -> getClass().getProtectionDomain().getCodeSource().getLocation() + "";
                case "resource" -> resource();
                case "lambda" -> Maths.more(kept);
                case "failure" -> throw new Trouble("as asked");
                default -> throw new IllegalArgumentException(word + "");
              };
            }
            private String resource() {
              try (var in = getClass().getResourceAsStream("words.txt")) {
                return in == null ? "none" : new String(in.readAllBytes());
              } catch (java.io.IOException e) {
                return e.toString();
              }
            }
          }
          """,
          "Trouble.java",
          """
          package shapes;
          public class Trouble extends RuntimeException {
            public Trouble(String message) { super(message); }
          }
          """);

  /** An active object that every node knows. */
  public static class Post {
    public String loaderOf(Object object) {
      return object.getClass().getClassLoader().getName();
    }

    public Object echo(Object object) {
      return object;
    }

    public Object get(Supplier<?> supplier) {
      return supplier.get();
    }

    public String forwarded(Post next, Object object) {
      return loaderOf(object) + ", " + next.loaderOf(object);
    }

    public int identity(Object object) {
      return System.identityHashCode(object.getClass());
    }
  }

  private static InProcessGrid grid;

  private static int tests;

  /** Each test has classes of its own, which no node has seen. */
  private final String pack = "shapes" + ++tests;

  @TempDir private Path folder;

  @BeforeAll
  static void start() {
    grid = InProcessGrid.start(3, new FaultyTransport());
  }

  @AfterAll
  static void end() {
    grid.close();
  }

  private Path program() throws Exception {
    var sources = new HashMap<String, String>();
    SOURCES.forEach(
        (file, text) -> sources.put(file, text.replace("package shapes", "package " + pack)));
    return CompiledProgram.from(Files.createDirectory(folder.resolve("program")), sources).folder();
  }

  @SuppressWarnings("unchecked") // a Store is one
  private Function<Object, Object> store(ClassLoader loader, int node) throws Exception {
    return (Function<Object, Object>)
        ActiveObjects.on(grid.get(node)).create(loader.loadClass(pack + ".Store"), "the store");
  }

  private Object square(ClassLoader loader, double side) throws Exception {
    return loader.loadClass(pack + ".Square").getConstructor(double.class).newInstance(side);
  }

  private static Post post(int node) {
    return ActiveObjects.on(grid.get(node)).create(Post.class);
  }

  @Test
  void anActiveObjectIsMadeOfAClassThatOnlyTheLauncherHas() throws Exception {
    var store = store(CompiledProgram.loader(program()), 0);

    assertThat(store.apply("name")).isEqualTo("the store");
    assertThat(store.apply("area")).isEqualTo(1.0);
    assertThat(store.apply("loader")).isEqualTo("troupe:program");
    assertThat((String) store.apply("source")).matches("troupe:/[0-9a-f]{64}/program");
  }

  @Test
  void argumentsAndResultsOfSuchClassesTravelBothWays() throws Exception {
    var loader = CompiledProgram.loader(program());
    var store = store(loader, 0);
    var square = square(loader, 3);

    assertThat(store.apply(square)).isEqualTo(square);
    assertThat(store.apply("area")).isEqualTo(9.0);
    assertThat(store.apply("kept")).isEqualTo(square).hasSameClassAs(square);
    assertThat(((Supplier<?>) store.apply("lambda")).get()).isEqualTo(10.0);
    assertThatThrownBy(() -> store.apply("failure"))
        .isInstanceOf(loader.loadClass(pack + ".Trouble"))
        .hasMessage("as asked");
  }

  @Test
  void aKnownObjectGetsArgumentsOfUnknownClasses() throws Exception {
    var loader = CompiledProgram.loader(program());
    store(loader, 0);
    var post = post(1);
    var squares =
        List.of(square(loader, 2), square(loader, 3).getClass(), new Object[] {square(loader, 4)});

    assertThat(post.get((Supplier<?>) square(loader, 2))).isEqualTo(4.0);
    assertThat(post.loaderOf(square(loader, 2))).isEqualTo("troupe:program");
    assertThat(post.echo(squares)).usingRecursiveComparison().isEqualTo(squares);
  }

  @Test
  void aNodeServesOnWhatItGot() throws Exception {
    var loader = CompiledProgram.loader(program());
    store(loader, 0);

    assertThat(post(0).forwarded(post(2), square(loader, 1)))
        .isEqualTo("troupe:program, troupe:program");
  }

  @Test
  void eachNodeHasItsOwnClassAndKeepsIt() throws Exception {
    var loader = CompiledProgram.loader(program());
    store(loader, 0);
    var square = square(loader, 1);

    assertThat(post(0).identity(square))
        .isEqualTo(post(0).identity(square))
        .isNotEqualTo(post(1).identity(square));
  }

  @Test
  void manyThreadsFetchASourceOnce() throws Exception {
    var loader = CompiledProgram.loader(program());
    store(loader, 0);
    var square = square(loader, 1);
    var posts = IntStream.range(0, 8).mapToObj(each -> ActiveObjects.ref(post(1))).toList();

    var identities = posts.stream().map(each -> each.ask(post -> post.identity(square))).toList();

    assertThat(identities.stream().map(each -> each.join()).distinct()).hasSize(1);
  }

  @Test
  void anArchiveBringsItsResources() throws Exception {
    var jar =
        new CompiledProgram(program())
            .jar(folder.resolve("shapes.jar"), pack + "/words.txt", "words of the archive");
    var store = store(CompiledProgram.loader(jar), 0);

    assertThat(store.apply("loader")).isEqualTo("troupe:shapes.jar");
    assertThat(store.apply("resource")).isEqualTo("words of the archive");
  }

  @Test
  void aClassThatIsNotOfTheProgramIsRefusedByName() throws Exception {
    var stranger = square(CompiledProgram.loader(program()), 1);

    assertThatThrownBy(() -> post(0).loaderOf(stranger))
        .isInstanceOf(SerializationException.class)
        .hasMessageContaining("class '" + pack + ".Square' comes from 'program'")
        .hasMessageContaining("on node 'main', which is not part of the program")
        .hasMessageContaining("put it on the class path of the launcher");
  }

  @Test
  void aSourceThatWasChangedIsRefused() throws Exception {
    var place = program();
    var loader = CompiledProgram.loader(place);
    var main = NodeRuntime.main().classes();
    main.trust(loader.loadClass(pack + ".Store"));
    main.sourceOf(pack + ".Store");
    Files.copy(
        place.resolve(pack).resolve("Trouble.class"), place.resolve(pack).resolve("Added.class"));

    assertThatThrownBy(() -> store(loader, 0).apply("name"))
        .hasMessageContaining("is not what was announced; it was changed");
  }

  @Test
  void nothingIsLoadedWhereThatIsSwitchedOff() throws Exception {
    System.setProperty("troupe.classes.load", "off");
    try (var strict = InProcessGrid.start(1, new FaultyTransport())) {
      var loader = CompiledProgram.loader(program());
      var square = square(loader, 1);
      NodeRuntime.main().classes().trust(square.getClass());
      var post = ActiveObjects.on(strict.get(0)).create(Post.class);

      assertThatThrownBy(() -> post.loaderOf(square))
          .hasMessageContaining(
              "class '" + pack + ".Square' is not known here; put it on the class path");
      assertThatThrownBy(
              () ->
                  ActiveObjects.on(strict.get(0))
                      .create(loader.loadClass(pack + ".Store"), "store"))
          .hasMessageContaining("this node has no class " + pack + ".Store");
    } finally {
      System.clearProperty("troupe.classes.load");
    }
  }

  @Test
  void saysWhereClassesOfTheShellExist() {
    assertThatThrownBy(() -> NodeRuntime.main().classes().find("REPL.$JShell$11$Counter", null))
        .hasMessageContaining("this node has no class REPL.$JShell$11$Counter")
        .hasMessageContaining("exists in the shell's JVM only; use nodes of that JVM");
  }

  @Test
  void onlyInterfacesOfThePlatformAndTheProgramHaveStubs() {
    var classes = NodeRuntime.main().classes();

    assertThat(classes.find("java.util.List", null)).isEqualTo(List.class);
    assertThatThrownBy(() -> classes.find("org.assertj.core.api.Descriptable", null))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("is not allowed here");
    assertThatThrownBy(() -> classes.find("java.lang.ProcessBuilder", null))
        .hasMessageContaining("is not allowed here");
  }
}
