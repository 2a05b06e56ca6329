package org.troupe.serialization;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ObjectInputStream;
import java.io.Serializable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.troupe.serialization.graph.Serializer;
import org.troupe.serialization.graph.TypeTable;

/** Nothing that is not on the receiver's list is made, initialised or even loaded. */
class AllowListTest {

  static class Gadget implements Serializable {
    static final List<String> RAN = new ArrayList<>();
    int x = 1;

    private void readObject(ObjectInputStream in) {
      RAN.add("readObject");
    }
  }

  private static TypeTable definitions(Serializer sender, EncodedGraph body) {
    TypeTable table = new TypeTable();
    for (int id : body.typeIds()) {
      table.define(sender.ownTypes().definition(id));
    }
    return table;
  }

  @Test
  void aGadgetNeverRuns() {
    Serializer sender = Serializer.builder().build();
    EncodedGraph body = sender.encode(new ArrayList<>(List.of(new Gadget())));
    Serializer receiver = Serializer.builder().allow(TypeFilter.patterns("com.lib.*")).build();

    assertThatThrownBy(() -> receiver.decode(body, definitions(sender, body), t -> t))
        .isInstanceOf(SerializationException.class)
        .hasMessageContaining(
            "type '" + Gadget.class.getName() + "' is not allowed here, only types named com.lib.*")
        .hasMessageContaining("add it to the allow-list");
    assertThat(Gadget.RAN).isEmpty();
  }

  enum Colour {
    RED,
    GREEN
  }

  @Test
  void manyConstantsOfOneEnumNeedItsPermission() {
    Serializer sender = Serializer.builder().build();
    EncodedGraph body = sender.encode(new ArrayList<>(List.of(Colour.RED, Colour.GREEN)));

    assertThatThrownBy(
            () -> Serializer.builder().build().decode(body, definitions(sender, body), t -> t))
        .hasMessageContaining("type '" + Colour.class.getName() + "' is not allowed");
  }

  @Test
  void aForeignNameIsNotEvenLoaded() {
    Serializer sender = Serializer.builder().build();
    EncodedGraph body =
        sender.encode(new ClassMaker().with("evil.Box").instance("evil.Box"), "and", 1);
    ClassMaker here = new ClassMaker().with("evil.Box");
    Serializer receiver = Serializer.builder().classLoader(here).build();

    assertThatThrownBy(() -> receiver.decode(body, definitions(sender, body), t -> t))
        .hasMessageContaining("type 'evil.Box' is not allowed here");
    assertThat(here.loaded).isEmpty();
  }

  @Test
  void aClassThatIsRefusedAfterLoadingIsNotInitialised() {
    Serializer sender = Serializer.builder().build();
    EncodedGraph body = sender.encode(new ClassMaker().with("evil.Init").instance("evil.Init"));
    Serializer receiver =
        Serializer.builder()
            .classLoader(new ClassMaker().withInitializer("evil.Init", "troupe.test.evil"))
            .allow(TypeFilter.codeSources(List.of(Path.of("/nowhere"))))
            .build();

    assertThatThrownBy(() -> receiver.decode(body, definitions(sender, body), t -> t))
        .hasMessageContaining("type 'evil.Init' is not allowed here, only classes loaded from");
    assertThat(System.getProperty("troupe.test.evil")).isNull();
  }

  @Test
  void arraysAreJudgedByTheirElements() {
    Serializer sender = Serializer.builder().build();
    EncodedGraph body = sender.encode((Object) new Gadget[0][0]);

    assertThatThrownBy(
            () -> Serializer.builder().build().decode(body, definitions(sender, body), t -> t))
        .hasMessageContaining("type '" + Gadget.class.getName() + "' is not allowed");
  }

  @Test
  void classObjectsOfOthersNeedPermissionToo() {
    EncodedGraph body = Serializer.builder().build().encode(Gadget.class);

    assertThatThrownBy(() -> Serializer.builder().build().decode(body, new TypeTable(), t -> t))
        .hasMessageContaining("type '" + Gadget.class.getName() + "' is not allowed");
  }

  @Test
  void placesOfClassesAreAllowedAsAWhole() {
    var here = Gadget.class.getProtectionDomain().getCodeSource().getLocation();
    TypeFilter filter = TypeFilter.codeSources(List.of(here));

    assertThat(filter.allows(Gadget.class)).isTrue();
    assertThat(filter.allows(assertThat("").getClass())).isFalse();
    assertThat(filter.allows(Thread.class)).isFalse();
    assertThat(filter.describe()).startsWith("classes loaded from file:");
  }

  @Test
  void patternsNameClassesPackagesAndTrees() {
    TypeFilter filter = TypeFilter.patterns("a.One", "b.*", "c.**");

    assertThat(List.of("a.One", "a.One$Inner", "b.Two", "b.Two$Inner", "c.Three", "c.d.e.Four"))
        .allMatch(filter::allowsName);
    assertThat(List.of("a.Oneness", "a.Two", "b.sub.Two", "bb.Two", "cc.Three"))
        .noneMatch(filter::allowsName);
    assertThatThrownBy(() -> TypeFilter.patterns("a.*.b"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void filtersAreCombined() {
    TypeFilter either = TypeFilter.platform().or(TypeFilter.patterns("org.troupe.**"));
    TypeFilter both = either.and(TypeFilter.patterns("java.**"));

    assertThat(either.allows(Gadget.class)).isTrue();
    assertThat(either.allows(java.util.Date.class)).isTrue();
    assertThat(both.allows(Gadget.class)).isFalse();
    assertThat(both.allows(java.util.Date.class)).isTrue();
    assertThat(either.allows(java.net.URL.class)).isFalse();
    assertThat(either.describe())
        .isEqualTo("the platform's value types or types named org.troupe.**");
  }
}
