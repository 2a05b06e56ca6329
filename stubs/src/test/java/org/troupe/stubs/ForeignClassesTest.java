package org.troupe.stubs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Stubs and objects of classes that come from other class loaders, packages and modules. */
class ForeignClassesTest {

  private static final ClassLoader OURS = ForeignClassesTest.class.getClassLoader();

  private static final String WORKER =
      """
      a/Worker.java
      package a;
      public class Worker implements java.util.concurrent.Callable<Helper> {
        private int n = 3;
        protected Worker() {}
        public Helper call() { return new Helper(); }
        protected Object guarded(String s) { return s + n; }
      }
      """;
  private static final String HELPER =
      """
      a/Helper.java
      package a;
      public class Helper {}
      """;
  private static final String HIDDEN =
      """
      a/Hidden.java
      package a;
      class Hidden {
        private int n = 3;
        int n() throws java.io.IOException { return n; }
        Hidden self() { return this; }
      }
      """;

  @TempDir Path temporary;

  private final RecordingHandler handler = new RecordingHandler();

  /** A kind that the class loaders of the tests do not all see. */
  public static final class Kind extends RecordingHandler {
    public Object call(int method) throws Throwable {
      return record("()", method, List.of());
    }
  }

  @Test
  void standsForPackagePrivateClassesOfAChildLoader() throws Throwable {
    Class<?> hidden = Compiled.from(temporary, HIDDEN).loader(OURS).loadClass("a.Hidden");
    StubClass<?> stubs = Stubs.define(hidden, Kind.class);
    var kind = new Kind();
    Object stub = stubs.newStub(kind);
    kind.answer = 8;

    int n = StubsTest.index(stubs, "n()");
    assertThat(stubs.invoke(n, stub, null)).isEqualTo(8);
    assertThat(kind.calls).containsExactly("() " + n + "[]");
    assertThat(stub.getClass().getClassLoader()).isSameAs(hidden.getClassLoader());
    kind.failure = new IOException("far away");
    assertThat(catchThrowable(() -> stubs.invoke(n, stub, null))).isSameAs(kind.failure);
    Object real = ObjectConstruction.construct(hidden);
    assertThat(stubs.invoke(n, real, null)).isEqualTo(3);
    assertThat(stubs.invoke(StubsTest.index(stubs, "self()"), real, null)).isSameAs(real);
  }

  @Test
  void standsForPublicClassesOfALoaderThatDoesNotSeeUs() throws Throwable {
    var compiled = Compiled.from(temporary, WORKER, HELPER);
    Class<?> worker = compiled.loader(null).loadClass("a.Worker");
    StubClass<?> stubs = Stubs.define(worker, Kind.class);
    assertThat(stubs.methods())
        .extracting(StubMethod::toString)
        .containsExactly("call()", "equals(Object)", "guarded(String)", "hashCode()", "toString()");
    var kind = new Kind();
    Object stub = stubs.newStub(kind);
    kind.answer = ObjectConstruction.construct(worker.getClassLoader().loadClass("a.Helper"));
    assertThat(((Callable<?>) stub).call()).isSameAs(kind.answer);
    assertThat(Stubs.handlerOf(stub)).isSameAs(kind);
    assertThat(Stubs.typeOf(stub)).isEqualTo(worker);

    Object real = ObjectConstruction.construct(worker);
    int guarded = StubsTest.index(stubs, "guarded(String)");
    assertThat(stubs.invoke(guarded, real, new Object[] {"n"})).isEqualTo("n3");
    kind.answer = "from stub";
    assertThat(stubs.invoke(guarded, stub, new Object[] {"n"})).isEqualTo("from stub");
  }

  @Test
  void refusesPackagePrivateClassesOfALoaderThatDoesNotSeeUs() throws Exception {
    Class<?> hidden = Compiled.from(temporary, HIDDEN).loader(null).loadClass("a.Hidden");
    ReifiableTest.assertRefused(
        hidden,
        "it is not public and its class loader does not find Troupe",
        "method 'n()' (Hidden.java:4) is package-private and the class loader");
  }

  private static final String BASE =
      """
      base/Base.java
      package base;
      public class Base {
        private int n = 5;
        int near() { return n; }
        int lifted() { return n; }
        protected int guarded(int by) { return n * by; }
      }
      """;
  private static final String HEIR =
      """
      heir/Heir.java
      package heir;
      public class Heir extends base.Base {}
      """;
  private static final String ROOT =
      """
      base/Root.java
      package base;
      abstract class Root {
        abstract int lifted();
        public static int look(Root r) { return r.lifted(); }
      }
      """;
  private static final String LIFTED =
      """
      base/Lifted.java
      package base;
      public class Lifted extends Root {
        private int n = 5;
        public int lifted() { return n; }
        protected int guarded(int by) { return n * by; }
      }
      """;

  @Test
  void refusesPackagePrivateMethodsOfAnotherPackage() throws Exception {
    Class<?> heir = Compiled.from(temporary, BASE, HEIR).loader(OURS).loadClass("heir.Heir");
    ReifiableTest.assertRefused(
        heir,
        "method 'near()' of base.Base (Base.java:4) is package-private in package base",
        "method 'lifted()' of base.Base (Base.java:5) is package-private");
  }

  @Test
  void overridesPackagePrivateMethodsThatTheirPackageMadePublic() throws Throwable {
    String heir = "heir/Heir.java\npackage heir;\npublic class Heir extends base.Lifted {}";
    var compiled = Compiled.from(temporary, ROOT, LIFTED, heir);
    ClassLoader loader = compiled.loader(OURS);
    Class<?> type = loader.loadClass("heir.Heir");
    StubClass<?> stubs = Stubs.define(type);
    Object stub = stubs.newStub(handler);
    handler.answer = 11;
    var look =
        loader.loadClass("base.Root").getDeclaredMethod("look", loader.loadClass("base.Root"));
    look.setAccessible(true);
    assertThat(look.invoke(null, stub)).isEqualTo(11);

    Object real = ObjectConstruction.construct(type);
    assertThat(stubs.invoke(StubsTest.index(stubs, "guarded(int)"), real, new Object[] {2}))
        .isEqualTo(10);
    assertThat(stubs.invoke(StubsTest.index(stubs, "lifted()"), real, null)).isEqualTo(5);
  }

  @Test
  void refusesResultsThatAStubCannotName() throws Exception {
    String base =
        """
        base/Base.java
        package base;
        public class Base {
          public Hidden hidden() { return null; }
          public int takes(Hidden h) { return 3; }
        }
        class Hidden {}
        """;
    var compiled = Compiled.from(temporary, base, HEIR);
    ReifiableTest.assertRefused(
        compiled.loader(OURS).loadClass("heir.Heir"),
        "method 'hidden()' of base.Base (Base.java:3) returns base.Hidden, which a stub could not");
  }

  @Test
  void passesParametersThatAStubCannotName() throws Throwable {
    String base =
        """
        base/Base.java
        package base;
        public class Base {
          public int takes(Hidden h) { return 3; }
        }
        class Hidden {}
        """;
    Class<?> heir = Compiled.from(temporary, base, HEIR).loader(OURS).loadClass("heir.Heir");
    StubClass<?> stubs = Stubs.define(heir);
    int takes = StubsTest.index(stubs, "takes(Hidden)");
    Object[] none = {null};
    assertThat(stubs.invoke(takes, ObjectConstruction.construct(heir), none)).isEqualTo(3);
  }

  private static String module(String more) {
    return "module-info.java\nmodule user.code { " + more + " }";
  }

  @Test
  void worksInANamedModuleThatOpensItsPackage() throws Throwable {
    var compiled = Compiled.from(temporary, module("opens a to org.troupe.stubs;"), HIDDEN);
    Class<?> hidden = compiled.layer("user.code").loadClass("a.Hidden");
    assertThat(hidden.getModule().isNamed()).isTrue();
    for (var kind : List.of(CallHandler.class, Kind.class)) {
      StubClass<?> stubs = Stubs.define(hidden, kind);
      Object stub = stubs.newStub(new Kind());
      assertThat(stub.getClass().getModule()).isSameAs(hidden.getModule());
      Object real = ObjectConstruction.construct(hidden);
      assertThat(stubs.invoke(StubsTest.index(stubs, "n()"), real, null)).isEqualTo(3);
    }
  }

  @Test
  void namesTheLineThatOpensAPackage() throws Exception {
    var compiled = Compiled.from(temporary, module("exports a;"), WORKER, HELPER);
    Class<?> worker = compiled.layer("user.code").loadClass("a.Worker");
    ReifiableTest.assertRefused(
        worker,
        "package a of module user.code is not open to Troupe; add 'opens a",
        "' to module-info.java of user.code");
    assertThatThrownBy(() -> ObjectConstruction.construct(worker))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(
            "package 'a' of module user.code is not open to Troupe; add 'opens a");
  }

  @Test
  void standsForExportedInterfacesOfAModuleThatOpensNothing() throws Exception {
    String service = "a/Service.java\npackage a;\npublic interface Service { int size(); }";
    var compiled = Compiled.from(temporary, module("exports a;"), service);
    Class<?> type = compiled.layer("user.code").loadClass("a.Service");
    ReifiableTest.assertAccepted(type);
  }

  @Test
  void refusesClassesWhoseByteCodeCannotBeRead() throws Exception {
    ClassLoader files = Compiled.from(temporary, HIDDEN, HELPER).loader(OURS);
    var mute =
        new ClassLoader(OURS) {
          @Override
          protected Class<?> findClass(String name) throws ClassNotFoundException {
            try (var in = files.getResourceAsStream(name.replace('.', '/') + ".class")) {
              byte[] bytes = in.readAllBytes();
              return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException e) {
              throw new ClassNotFoundException(name, e);
            }
          }
        };
    ReifiableTest.assertRefused(
        mute.loadClass("a.Hidden"), "the byte code of a.Hidden cannot be read");
    ReifiableTest.assertAccepted(mute.loadClass("a.Helper"));
  }

  @Test
  void letsClassLoadersGo() throws Exception {
    var compiled = Compiled.from(temporary, WORKER, HELPER);
    assertCollected(used(compiled, OURS));
    assertCollected(used(compiled, null));
  }

  private static final String OTHER_KIND =
      """
      k/Kind.java
      package k;
      public final class Kind implements org.troupe.stubs.CallHandler {
        public Object call(int method, Object[] arguments) { return method; }
        public Object call(int method) { return 70; }
      }
      """;

  @Test
  void letsTheLoaderOfAHandlerGo() throws Exception {
    assertCollected(usedKind(Compiled.from(temporary, OTHER_KIND)));
  }

  private static WeakReference<ClassLoader> usedKind(Compiled compiled) throws Exception {
    ClassLoader loader = compiled.loader(OURS);
    Class<? extends CallHandler> kind = loader.loadClass("k.Kind").asSubclass(CallHandler.class);
    CallHandler handler = kind.getConstructor().newInstance();
    assertThat(Stubs.define(List.class, kind).newStub(handler).size()).isEqualTo(70);
    assertThat(Stubs.define(Service.class, kind).newStub(handler).size()).isEqualTo(70);
    return new WeakReference<>(loader);
  }

  /** Public, because a kind of another loader takes the stub out of our package. */
  public interface Service {
    int size();
  }

  interface OurService {
    int size();
  }

  @Test
  void refusesPackagePrivateTypesWhereTheirLoaderDoesNotSeeTheHandler() throws Exception {
    ClassLoader loader = Compiled.from(temporary, OTHER_KIND).loader(OURS);
    Class<? extends CallHandler> kind = loader.loadClass("k.Kind").asSubclass(CallHandler.class);
    assertThatThrownBy(() -> Stubs.define(OurService.class, kind))
        .isInstanceOf(NotReifiableException.class)
        .hasMessageContaining("it is not public");
  }

  @Test
  void findsAHandlerInAPackageThatIsOnlyOpenToUs() throws Throwable {
    String opens =
        "module-info.java\nmodule k { requires org.troupe.stubs; opens k to org.troupe.stubs; }";
    ClassLoader loader = Compiled.from(temporary, opens, OTHER_KIND).layer("k");
    Class<? extends CallHandler> kind = loader.loadClass("k.Kind").asSubclass(CallHandler.class);
    CallHandler handler = (CallHandler) ObjectConstruction.construct(kind);
    assertThat(Stubs.define(List.class, kind).newStub(handler).size()).isEqualTo(70);
  }

  @Test
  void namesTheLineThatOpensAHandler() throws Exception {
    String closed = "module-info.java\nmodule k { requires org.troupe.stubs; }";
    ClassLoader loader = Compiled.from(temporary, closed, OTHER_KIND).layer("k");
    Class<? extends CallHandler> kind = loader.loadClass("k.Kind").asSubclass(CallHandler.class);
    assertThatThrownBy(() -> Stubs.define(List.class, kind))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("which has the handler Kind, is not open to Troupe; add 'opens k to");
  }

  /** In a method of its own, so that no local variable holds on to anything. */
  private static WeakReference<ClassLoader> used(Compiled compiled, ClassLoader parent)
      throws Exception {
    ClassLoader loader = compiled.loader(parent);
    Class<?> type = loader.loadClass("a.Worker");
    StubClass<?> stubs = Stubs.define(type, Kind.class);
    Object stub = stubs.newStub(new Kind());
    assertThat(Stubs.handlerOf(stub)).isInstanceOf(Kind.class);
    assertThat(Stubs.define(type, Kind.class)).isSameAs(stubs);
    return new WeakReference<>(loader);
  }

  private static void assertCollected(WeakReference<ClassLoader> loader) {
    for (int i = 0; i < 50 && loader.get() != null; i++) {
      System.gc();
    }
    assertThat(loader.get()).as("the loader after 50 collections").isNull();
  }
}
