package org.troupe.stubs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Which methods a stub overrides, where the compiler or the virtual machine adds some. */
class OverridingTest {

  private final RecordingHandler handler = new RecordingHandler();

  static <T> String table(Class<T> type) {
    return Stubs.define(type).methods().stream()
        .filter(m -> m.method().getDeclaringClass() != Object.class)
        .map(StubMethod::toString)
        .toList()
        .toString();
  }

  static class Box<T> implements Comparable<Box<T>> {
    private T value;

    public void put(T value) {
      this.value = value;
    }

    public T get() {
      return value;
    }

    public Box<T> self() {
      return this;
    }

    @Override
    public int compareTo(Box<T> other) {
      return 42;
    }
  }

  static class TextBox extends Box<String> {
    private int puts;

    @Override
    public void put(String value) {
      puts++;
      super.put(value + puts);
    }

    @Override
    public TextBox self() {
      return this;
    }
  }

  @Test
  void reachesTheHandlerOnceThroughABridge() throws Throwable {
    assertThat(table(TextBox.class)).isEqualTo("[compareTo(Box), get(), put(String), self()]");
    TextBox stub = Stubs.define(TextBox.class).newStub(handler);

    Box<String> general = stub;
    general.put("a");
    handler.answer = stub;
    assertThat(general.self()).isSameAs(stub);
    handler.answer = 7;
    Comparable<Box<String>> comparable = stub;
    assertThat(comparable.compareTo(new Box<>())).isEqualTo(7);

    assertThat(handler.calls).hasSize(3);
    assertThat(handler.calls.get(0)).startsWith("boxed 4[a]");
    assertThat(handler.calls.get(1)).startsWith("boxed 5[]");
    assertThat(handler.calls.get(2)).startsWith("boxed 0[");
  }

  @Test
  void runsTheRightCodeOfARealObject() throws Throwable {
    StubClass<TextBox> stubs = Stubs.define(TextBox.class);
    var box = new TextBox();
    stubs.invoke(StubsTest.index(stubs, "put(String)"), box, new Object[] {"a"});
    assertThat(stubs.invoke(StubsTest.index(stubs, "get()"), box, null)).isEqualTo("a1");
    assertThat(stubs.invoke(StubsTest.index(stubs, "self()"), box, null)).isSameAs(box);
    assertThat(stubs.invoke(StubsTest.index(stubs, "compareTo(Box)"), box, new Object[] {box}))
        .isEqualTo(42);
    StubClass<Box<?>> general = cast(Stubs.define(Box.class));
    general.invoke(StubsTest.index(general, "put(Object)"), box, new Object[] {"b"});
    assertThat(box.get()).isEqualTo("b2");
  }

  @SuppressWarnings("unchecked") // a class literal has no type argument
  private static <T> StubClass<T> cast(StubClass<?> stubs) {
    return (StubClass<T>) stubs;
  }

  abstract static class Concealed {
    private int x = 5;

    public int x() {
      return x;
    }
  }

  /** The compiler adds a bridge x() here that calls super. */
  public static class Revealed extends Concealed {}

  @Test
  void interceptsABridgeThatCallsSuper() throws Throwable {
    assertThat(Revealed.class.getDeclaredMethods()).singleElement().matches(m -> m.isBridge());
    handler.answer = 9;
    assertThat(Stubs.define(Revealed.class).newStub(handler).x()).isEqualTo(9);
    StubClass<Revealed> stubs = Stubs.define(Revealed.class);
    assertThat(stubs.invoke(StubsTest.index(stubs, "x()"), new Revealed(), null)).isEqualTo(5);
  }

  interface Source {
    Object next();

    default String name() {
      return "source of " + next();
    }

    private int hidden() {
      return 1;
    }

    static int count() {
      return 2;
    }
  }

  interface TextSource extends Source, Supplier<String> {
    @Override
    String next();
  }

  @Test
  void interceptsDefaultMethods() throws Throwable {
    assertThat(table(TextSource.class)).isEqualTo("[get(), name(), next()]");
    TextSource stub = Stubs.define(TextSource.class).newStub(handler);
    handler.answer = "x";
    assertThat(stub.name()).isEqualTo("x");
    assertThat(((Source) stub).next()).isEqualTo("x");
    assertThat(((Supplier<?>) stub).get()).isEqualTo("x");
    assertThat(handler.calls).containsExactly("boxed 3[]", "boxed 4[]", "boxed 1[]");

    StubClass<Source> sources = Stubs.define(Source.class);
    Source real = () -> 3;
    assertThat(sources.invoke(StubsTest.index(sources, "name()"), real, null))
        .isEqualTo("source of 3");
  }

  interface Left {
    default String where() {
      return "left";
    }

    Object both();
  }

  interface Right {
    default String where() {
      return "right";
    }

    String both();
  }

  abstract static class Diamond implements Left, Right {
    @Override
    public String where() {
      return Left.super.where();
    }
  }

  @Test
  void overridesEachErasedSignatureOfADiamond() {
    assertThat(table(Diamond.class)).isEqualTo("[both(), both(), where()]");
    Diamond stub = Stubs.define(Diamond.class).newStub(handler);
    handler.answer = "b";
    assertThat(((Left) stub).both()).isEqualTo("b");
    assertThat(((Right) stub).both()).isEqualTo("b");
    assertThat(handler.calls).containsExactly("boxed 0[]", "boxed 1[]");
    assertThat(Stubs.define(Diamond.class).methods().get(0).descriptor())
        .isEqualTo("()Ljava/lang/Object;");
  }

  static class Copyable implements Cloneable {
    private int n = 3;

    @Override
    public Copyable clone() throws CloneNotSupportedException {
      return (Copyable) super.clone();
    }

    @Override
    @SuppressWarnings({"deprecation", "removal"}) // the case under test
    protected void finalize() {
      throw new AssertionError("a stub was finalized " + n);
    }

    String join(String separator, Object... parts) {
      return Arrays.asList(parts) + separator;
    }
  }

  @Test
  void listsCloneWhereOverriddenAndNeverFinalize() throws Throwable {
    assertThat(table(Copyable.class)).isEqualTo("[clone(), join(String, Object[])]");
    Copyable stub = Stubs.define(Copyable.class).newStub(handler);
    handler.answer = stub;
    assertThat(stub.clone()).isSameAs(stub);
    handler.answer = "joined";
    assertThat(stub.join("-", 1, 2)).isEqualTo("joined");
    assertThat(stub.getClass()).hasDeclaredMethods("finalize");
    StubClass<Copyable> stubs = Stubs.define(Copyable.class);
    assertThat(
            stubs.invoke(
                StubsTest.index(stubs, "join(String, Object[])"),
                new Copyable(),
                new Object[] {"-", new Object[] {1, 2}}))
        .isEqualTo("[1, 2]-");
  }

  /** No constructor that anybody could call. */
  static class Closed {
    static final List<String> MADE = new ArrayList<>();

    private Closed(String name) {
      MADE.add(name);
      throw new IllegalStateException("must not run");
    }

    int size() {
      return 1;
    }
  }

  @Test
  void runsNoConstructor() {
    handler.answer = 2;
    assertThat(Stubs.define(Closed.class).newStub(handler).size()).isEqualTo(2);
    assertThat(Closed.MADE).isEmpty();
  }

  class Inner {
    int size() {
      return 1;
    }
  }

  @Test
  void standsForInnerAndAnonymousClasses() {
    handler.answer = 2;
    assertThat(Stubs.define(Inner.class).newStub(handler).size()).isEqualTo(2);
    Class<?> anonymous = new Inner() {}.getClass();
    assertThat(((Inner) Stubs.define(anonymous).newStub(handler)).size()).isEqualTo(2);
  }

  static class Wide {
    private int unused;

    long all(boolean z, byte b, char c, short s, int i, long j, float f, double d, int[] a) {
      return (z ? 1 : 0) + b + c + s + i + j + (long) f + (long) d + a.length;
    }

    float f(float f) {
      return f;
    }

    char c(char c) {
      return c;
    }

    short s(short s) {
      return s;
    }

    byte b(byte b) {
      return b;
    }

    boolean z(boolean z) {
      return !z;
    }
  }

  @Test
  void takesAndGivesEveryPrimitive() throws Throwable {
    StubClass<Wide> stubs = Stubs.define(Wide.class);
    var real = new Wide();
    CallHandler passOn = (method, arguments) -> stubs.invoke(method, real, arguments);
    Wide stub = stubs.newStub(passOn);
    assertThat(stub.all(true, (byte) 2, (char) 3, (short) 4, 5, 6, 7, 8, new int[9])).isEqualTo(45);
    assertThat(stub.f(1.5f)).isEqualTo(1.5f);
    assertThat(stub.c('x')).isEqualTo('x');
    assertThat(stub.s((short) -3)).isEqualTo((short) -3);
    assertThat(stub.b((byte) -4)).isEqualTo((byte) -4);
    assertThat(stub.z(true)).isFalse();
    assertThat(stub.hashCode()).isEqualTo(real.hashCode());
  }
}
