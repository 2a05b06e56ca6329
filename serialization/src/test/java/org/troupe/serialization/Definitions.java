package org.troupe.serialization;

import java.util.List;
import java.util.function.UnaryOperator;
import org.troupe.serialization.internal.Layout;

/** Type definitions as another version of a class would have made them. */
final class Definitions {

  private Definitions() {}

  static TypeDefinition without(TypeDefinition definition, String level) {
    return changed(
        definition,
        l ->
            new Layout(
                l.kind(),
                l.className(),
                l.levels().stream().filter(x -> !x.className().equals(level)).toList(),
                l.constants()));
  }

  /** Only one level, with these fields: name, type, name, type ... */
  static TypeDefinition withFields(TypeDefinition definition, String... namesAndTypes) {
    List<Layout.Slot> fields = new java.util.ArrayList<>();
    for (int i = 0; i < namesAndTypes.length; i += 2) {
      fields.add(new Layout.Slot(namesAndTypes[i], namesAndTypes[i + 1]));
    }
    return changed(
        definition,
        l ->
            new Layout(
                l.kind(),
                l.className(),
                List.of(new Layout.Level(l.className(), false, fields)),
                l.constants()));
  }

  static TypeDefinition withConstants(TypeDefinition definition, String... names) {
    return changed(
        definition, l -> new Layout(l.kind(), l.className(), l.levels(), List.of(names)));
  }

  private static TypeDefinition changed(TypeDefinition definition, UnaryOperator<Layout> change) {
    Layout layout = change.apply(Layout.decode(definition.encoded()));
    return new TypeDefinition(definition.id(), layout.encode());
  }
}
