package org.troupe.serialization;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.troupe.serialization.graph.TypeDefinition;
import org.troupe.serialization.internal.classes.ClassLayout;

/** Type definitions as another version of a class would have made them. */
final class Definitions {

  private Definitions() {}

  static TypeDefinition without(TypeDefinition definition, String level) {
    return changed(
        definition,
        l ->
            new ClassLayout(
                l.kind(),
                l.className(),
                l.levels().stream().filter(x -> !x.className().equals(level)).toList(),
                l.constants()));
  }

  /** Only one level, with these fields: name, type, name, type ... */
  static TypeDefinition withFields(TypeDefinition definition, String... namesAndTypes) {
    List<ClassLayout.Slot> fields = new ArrayList<>();
    for (int i = 0; i < namesAndTypes.length; i += 2) {
      fields.add(new ClassLayout.Slot(namesAndTypes[i], namesAndTypes[i + 1]));
    }
    return changed(
        definition,
        l ->
            new ClassLayout(
                l.kind(),
                l.className(),
                List.of(new ClassLayout.Level(l.className(), false, fields)),
                l.constants()));
  }

  /** The same, but if it is of one class, or an array of it, then of another. */
  static TypeDefinition ofClass(TypeDefinition definition, String one, String other) {
    return changed(
        definition,
        l ->
            new ClassLayout(
                l.kind(),
                l.className().replace(one, other),
                l.levels().stream()
                    .map(
                        level ->
                            new ClassLayout.Level(
                                level.className().replace(one, other),
                                level.hooked(),
                                level.fields()))
                    .toList(),
                l.constants()));
  }

  /** With fields that have other names: old, new, old, new ... */
  static TypeDefinition renamed(TypeDefinition definition, String... names) {
    Map<String, String> renames = new HashMap<>();
    for (int i = 0; i < names.length; i += 2) {
      renames.put(names[i], names[i + 1]);
    }
    return changed(
        definition,
        l ->
            new ClassLayout(
                l.kind(),
                l.className(),
                l.levels().stream().map(level -> renamed(level, renames)).toList(),
                l.constants()));
  }

  private static ClassLayout.Level renamed(ClassLayout.Level level, Map<String, String> renames) {
    return new ClassLayout.Level(
        level.className(),
        level.hooked(),
        level.fields().stream()
            .map(f -> new ClassLayout.Slot(renames.getOrDefault(f.name(), f.name()), f.type()))
            .toList());
  }

  static TypeDefinition withConstants(TypeDefinition definition, String... names) {
    return changed(
        definition, l -> new ClassLayout(l.kind(), l.className(), l.levels(), List.of(names)));
  }

  private static TypeDefinition changed(
      TypeDefinition definition, UnaryOperator<ClassLayout> change) {
    ClassLayout layout = change.apply(ClassLayout.decode(definition.encoded()));
    return new TypeDefinition(definition.id(), layout.encode());
  }
}
