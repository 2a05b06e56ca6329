package org.troupe.serialization.internal.classes;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.troupe.serialization.ByteInput;
import org.troupe.serialization.ByteOutput;
import org.troupe.serialization.SerializationException;

/**
 * The parts of a class on which sender and receiver must agree before its objects can be read.
 *
 * @param className the binary name
 * @param levels the classes of its hierarchy whose fields are written, topmost first
 * @param constants an enum's constants in order, a proxy's interfaces; else empty
 */
public record ClassLayout(Kind kind, String className, List<Level> levels, List<String> constants) {

  /** How a class's objects are written. */
  public enum Kind {
    OBJECT,
    RECORD,
    ENUM,
    ARRAY,
    HOOKED,
    EXTERNALIZABLE,
    PROXY,
    LISTED,
    DESCRIBED
  }

  /** The fields that one class declares. */
  public record Level(String className, boolean hooked, List<Slot> fields) {}

  /** One field and the name of its type. */
  public record Slot(String name, String type) {}

  private static final Kind[] KINDS = Kind.values();
  private static final int NAME = 1 << 16;

  public static ClassLayout of(Kind kind, Class<?> type) {
    return new ClassLayout(kind, type.getName(), List.of(), List.of());
  }

  /** Returns the self-contained form that a {@code TypeDefinition} carries. */
  public byte[] encode() {
    ByteOutput out = new ByteOutput();
    out.writeByte(kind.ordinal());
    out.writeString(className);
    out.writeVarInt(levels.size());
    for (Level level : levels) {
      out.writeString(level.className);
      out.writeBoolean(level.hooked);
      out.writeVarInt(level.fields.size());
      for (Slot field : level.fields) {
        out.writeString(field.name);
        out.writeString(field.type);
      }
    }
    out.writeVarInt(constants.size());
    constants.forEach(out::writeString);
    return out.toByteArray();
  }

  /** Reads a layout that {@link #encode} wrote. */
  public static ClassLayout decode(byte[] encoded) {
    ByteInput in = new ByteInput(encoded);
    int kind = in.readByte();
    if (kind < 0 || kind >= KINDS.length) {
      throw new SerializationException(
          "a type definition is of unknown kind '%d'; the sender is not of this version"
              .formatted(kind));
    }
    String className = in.readString(NAME);
    List<Level> levels = new ArrayList<>();
    for (int rest = in.readLength(NAME, 3); rest > 0; rest--) {
      String name = in.readString(NAME);
      boolean hooked = in.readBoolean();
      List<Slot> fields = new ArrayList<>();
      for (int more = in.readLength(NAME, 2); more > 0; more--) {
        fields.add(new Slot(in.readString(NAME), in.readString(NAME)));
      }
      levels.add(new Level(name, hooked, fields));
    }
    List<String> constants = new ArrayList<>();
    for (int rest = in.readLength(NAME, 1); rest > 0; rest--) {
      constants.add(in.readString(NAME));
    }
    return new ClassLayout(KINDS[kind], className, levels, constants);
  }

  /** Describes how a sender's layout differs from this one, the local one. */
  public String difference(ClassLayout sender) {
    return "class '%s' differs between the encoded object and this JVM: %s; run the same version of it everywhere%s"
        .formatted(
            className,
            String.join(", ", differences(sender)),
            kind == sender.kind && !levels.isEmpty() ? ", or annotate it with @Evolving" : "");
  }

  private List<String> differences(ClassLayout sender) {
    if (kind != sender.kind) {
      return List.of(
          "it is of kind %s in the encoded object, but %s in the class of this JVM"
              .formatted(sender.kind, kind));
    }
    List<String> found = new ArrayList<>();
    for (Level there : sender.levels) {
      Level here = level(levels, there.className);
      if (here == null) {
        found.add(
            "it extends '%s' in the encoded object, but not in this JVM"
                .formatted(there.className));
      } else {
        compare(here, there, found);
      }
    }
    for (Level here : levels) {
      if (level(sender.levels, here.className) == null) {
        found.add(
            "it extends '%s' in this JVM, but not in the encoded object".formatted(here.className));
      }
    }
    return found.isEmpty() ? List.of("its parts come in another order") : found;
  }

  private static void compare(Level here, Level there, List<String> found) {
    for (Slot field : there.fields) {
      Slot mine = slot(here, field.name);
      if (mine == null) {
        found.add(
            "field '%s' of type '%s' exists in the encoded object, but not in the class of this JVM"
                .formatted(field.name, field.type));
      } else if (!mine.equals(field)) {
        found.add(
            "field '%s' has type '%s' in the encoded object, but '%s' in the class of this JVM"
                .formatted(field.name, field.type, mine.type));
      }
    }
    for (Slot field : here.fields) {
      if (slot(there, field.name) == null) {
        found.add(
            "field '%s' of type '%s' exists in the class of this JVM, but not in the encoded object"
                .formatted(field.name, field.type));
      }
    }
    if (here.hooked != there.hooked) {
      found.add(
          "'%s' has a writeObject method %s"
              .formatted(
                  here.className,
                  here.hooked
                      ? "in this JVM, but not in the encoded object"
                      : "in the encoded object, but not in this JVM"));
    }
  }

  private static @Nullable Level level(List<Level> levels, String name) {
    return levels.stream().filter(l -> l.className.equals(name)).findFirst().orElse(null);
  }

  private static @Nullable Slot slot(Level level, String name) {
    return level.fields.stream().filter(f -> f.name.equals(name)).findFirst().orElse(null);
  }
}
