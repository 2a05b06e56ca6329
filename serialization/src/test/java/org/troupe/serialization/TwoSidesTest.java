package org.troupe.serialization;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.ref.WeakReference;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.troupe.serialization.graph.Serializer;
import org.troupe.serialization.graph.TypeDefinition;
import org.troupe.serialization.graph.TypeTable;
import org.troupe.testing.Polling;

/** Sender and receiver with class loaders, versions and modules of their own. */
class TwoSidesTest {

  private final Serializer sender = Serializer.builder().build();

  private static Serializer receiver(ClassLoader loader) {
    return Serializer.builder()
        .allow(TypeFilter.any(TypeFilter.platform(), TypeFilter.patterns("lib.*", "org.troupe.**")))
        .classLoader(loader)
        .build();
  }

  private static Object receive(Serializer receiver, Serializer sender, EncodedGraph body) {
    TypeTable table = new TypeTable();
    for (int id : body.typeIds()) {
      table.define(sender.ownTypes().definition(id));
    }
    return receiver.decode(body, table, t -> t)[0];
  }

  @Test
  void theReceiversLoaderFindsTheClass() throws Exception {
    ClassMaker there = new ClassMaker().with("lib.Box", "x", int.class);
    ClassMaker here = new ClassMaker().with("lib.Box", "x", int.class);

    Object box = receive(receiver(here), sender, sender.encode(there.instance("lib.Box")));

    assertThat(box.getClass()).isSameAs(here.loadClass("lib.Box"));
  }

  @Test
  void theContextLoaderIsAskedWhenNoneIsGiven() throws Exception {
    ClassMaker one = new ClassMaker().with("lib.Box", "x", int.class);
    ClassMaker two = new ClassMaker().with("lib.Box", "x", int.class);
    EncodedGraph body = sender.encode(one.instance("lib.Box"));
    TypeTable table = new TypeTable();
    table.define(sender.ownTypes().definition(0));
    Serializer receiver = receiver(null);
    ClassLoader before = Thread.currentThread().getContextClassLoader();
    try {
      for (ClassMaker loader : new ClassMaker[] {one, two}) {
        Thread.currentThread().setContextClassLoader(loader);
        Object box = receiver.decode(body, table, t -> t)[0];
        assertThat(box.getClass()).isSameAs(loader.loadClass("lib.Box"));
      }
    } finally {
      Thread.currentThread().setContextClassLoader(before);
    }
  }

  @Test
  void aFieldOfAnotherTypeIsAnErrorThatNamesIt() {
    ClassMaker there = new ClassMaker().with("lib.Box", "x", int.class, "y", int.class);
    ClassMaker here = new ClassMaker().with("lib.Box", "x", long.class, "y", int.class);
    EncodedGraph body = sender.encode(there.instance("lib.Box"));

    assertThatThrownBy(() -> receive(receiver(here), sender, body))
        .isInstanceOf(SerializationException.class)
        .hasMessage(
            "cannot decode: class 'lib.Box' differs between the encoded object and this JVM: "
                + "field 'x' has type 'int' in the encoded object, but 'long' in the class of this JVM; "
                + "run the same version of it everywhere, or annotate it with @Evolving");
  }

  @Test
  void aFieldThatOneSideLacksIsAnErrorThatNamesIt() {
    ClassMaker there = new ClassMaker().with("lib.Box", "x", int.class, "more", String.class);
    ClassMaker here = new ClassMaker().with("lib.Box", "x", int.class, "less", String.class);
    EncodedGraph body = sender.encode(there.instance("lib.Box"));

    assertThatThrownBy(() -> receive(receiver(here), sender, body))
        .hasMessageContaining("class 'lib.Box' differs between the encoded object and this JVM: ")
        .hasMessageContaining(
            "field 'more' of type 'java.lang.String' exists in the encoded object, but not in the class of this JVM")
        .hasMessageContaining(
            "field 'less' of type 'java.lang.String' exists in the class of this JVM, but not in the encoded object");
  }

  record Pair(int left, int right) {}

  @Test
  void theOrderOfARecordsComponentsMatters() {
    EncodedGraph body = sender.encode(new Pair(1, 2));
    TypeTable table = new TypeTable();
    table.define(
        Definitions.withFields(sender.ownTypes().definition(0), "right", "int", "left", "int"));

    assertThatThrownBy(() -> receiver(null).decode(body, table, t -> t))
        .hasMessageContaining("its parts come in another order");
  }

  enum Level {
    LOW,
    HIGH
  }

  @Test
  void enumConstantsAreMatchedByName() {
    EncodedGraph body = sender.encode(Level.HIGH, Level.LOW);
    TypeTable swapped = new TypeTable();
    swapped.define(
        Definitions.withConstants(sender.ownTypes().definition(0), "HIGH", "LOW", "TOP"));
    TypeTable unknown = new TypeTable();
    unknown.define(Definitions.withConstants(sender.ownTypes().definition(0), "LOW", "TOP"));

    assertThat(receiver(null).decode(body, swapped, t -> t)).containsExactly(Level.LOW, Level.HIGH);
    assertThatThrownBy(() -> receiver(null).decode(body, unknown, t -> t))
        .hasMessageContaining(
            "has a constant 'TOP' in the encoded object, but not in the class of this JVM");
  }

  @Test
  void aClassThatOneSideLacksIsNamed() {
    EncodedGraph body = sender.encode(new ClassMaker().with("lib.Gone").instance("lib.Gone"));

    assertThatThrownBy(() -> receive(receiver(null), sender, body))
        .hasMessageContaining("class 'lib.Gone' is not known here; put it on the class path");
  }

  @Test
  void aClosedModuleIsToldTheLineToAdd(@TempDir Path folder) {
    Object secret = ClassMaker.inClosedModule(folder, "closed.lib", "closed.pack.Box");

    assertThatThrownBy(() -> sender.encode(secret))
        .isInstanceOf(SerializationException.class)
        .hasMessageContaining("module 'closed.lib' does not open package 'closed.pack'")
        .hasMessageContaining(
            "opens closed.pack to org.troupe.stubs, org.troupe.serialization, org.troupe.activeobjects;");
  }

  @Test
  void aTypeWithoutDefinitionIsAnError() {
    EncodedGraph body = sender.encode(Level.HIGH);

    assertThatThrownBy(() -> receiver(null).decode(body, new TypeTable(), t -> t))
        .hasMessageContaining("type id '0' has no definition");
  }

  @Test
  void anIdCannotBeGivenAnotherMeaning() {
    sender.encode(Level.HIGH, new Pair(1, 2));
    TypeTable table = new TypeTable();
    table.define(sender.ownTypes().definition(0));
    table.define(sender.ownTypes().definition(0));

    assertThatThrownBy(
            () -> table.define(new TypeDefinition(0, sender.ownTypes().definition(1).encoded())))
        .isInstanceOf(SerializationException.class)
        .hasMessageContaining("type id '0' is defined twice");
  }

  @Test
  void anApplicationsClassesCanBeUnloaded() throws Exception {
    WeakReference<ClassLoader> loader = new WeakReference<>(useAndDrop());

    Polling.until(
        "the loader is collected",
        () -> {
          System.gc();
          return loader.refersTo(null);
        });
    assertThat(sender.ownTypes().definition(0).className()).isEqualTo("lib.Box");
  }

  @Test
  void aSerializerIsCollectedThoughItsClassesLive() {
    WeakReference<Serializer> dropped = new WeakReference<>(encodeOnce());

    Polling.until(
        "the serializer is collected",
        () -> {
          System.gc();
          return dropped.refersTo(null);
        });
  }

  private static Serializer encodeOnce() {
    Serializer serializer =
        Serializer.builder().allow(TypeFilter.patterns("org.troupe.serialization.**")).build();
    serializer.encode(new Pair(1, 2));
    return serializer;
  }

  private ClassLoader useAndDrop() {
    ClassMaker loader = new ClassMaker().with("lib.Box", "x", int.class, "y", Object.class);
    sender.copy(loader.instance("lib.Box"));
    return loader;
  }
}
