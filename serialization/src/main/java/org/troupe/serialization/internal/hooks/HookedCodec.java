package org.troupe.serialization.internal.hooks;

import java.io.Externalizable;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.ObjectStreamField;
import java.lang.invoke.MethodHandle;
import java.lang.reflect.Constructor;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.troupe.serialization.internal.classes.ClassFields;
import org.troupe.serialization.internal.classes.ClassKinds;
import org.troupe.serialization.internal.classes.ClassLayout;
import org.troupe.serialization.internal.coder.Codec;
import org.troupe.serialization.internal.coder.Decoder;
import org.troupe.serialization.internal.coder.Encoder;
import org.troupe.serialization.internal.fields.EvolvedCodec;
import org.troupe.serialization.internal.fields.FieldCodec;
import org.troupe.serialization.internal.resources.SpareThreads;

/**
 * Objects whose classes have {@code java.io} hooks: each class of the hierarchy writes its part.
 */
public final class HookedCodec extends Codec {

  /**
   * One Serializable class of the hierarchy, or, without a stream class, those above that are not.
   *
   * @param plain the codec of the fields of user classes that are not Serializable
   */
  public record Level(
      String name,
      @Nullable FieldCodec plain,
      @Nullable ObjectStreamClass stream,
      ObjectStreamField[] fields,
      @Nullable MethodHandle defaultWrite,
      @Nullable MethodHandle defaultRead,
      @Nullable MethodHandle writeObject,
      @Nullable MethodHandle readObject,
      @Nullable MethodHandle readNoData) {

    /** Returns the description of java.io; a level with a plain codec has none. */
    ObjectStreamClass described() {
      return Objects.requireNonNull(stream, "the class is Serializable");
    }
  }

  private final ClassLayout layout;
  private final boolean foreign;
  private final List<Level> levels;
  private final Constructor<?> allocator;
  private final @Nullable MethodHandle writeReplace;
  private final @Nullable MethodHandle readResolve;

  /** The local levels that a sender with an older hierarchy does not write. */
  private final List<Level> absent;

  public HookedCodec(
      Class<?> type,
      ClassLayout layout,
      List<Level> levels,
      List<Level> absent,
      Constructor<?> allocator,
      @Nullable MethodHandle writeReplace,
      @Nullable MethodHandle readResolve) {
    super(type);
    this.layout = layout;
    this.levels = levels;
    this.absent = absent;
    this.allocator = allocator;
    this.writeReplace = writeReplace;
    this.readResolve = readResolve;
    this.foreign = runsForeignCode();
  }

  @Override
  public void write(Encoder out, Object value) throws Throwable {
    if (layout.kind() == ClassLayout.Kind.EXTERNALIZABLE) {
      HookOutput hook = new HookOutput(out, this, null, value);
      ((Externalizable) value).writeExternal(hook);
      hook.end();
      return;
    }
    for (Level level : levels) {
      if (level.plain != null) {
        level.plain.writeFields(out, value);
        continue;
      }
      HookOutput hook = new HookOutput(out, this, level, value);
      if (level.writeObject == null) {
        hook.writeBareFields();
      } else {
        level.writeObject.invokeExact(value, (ObjectOutputStream) hook);
        hook.end();
      }
    }
  }

  @Override
  public @Nullable Object read(Decoder in, int handle) throws Throwable {
    return foreign && SpareThreads.areNeeded()
        ? in.onPlatformThread(type(), () -> readHere(in, handle))
        : readHere(in, handle);
  }

  private boolean runsForeignCode() {
    if (levels.stream().anyMatch(level -> HookKeys.hashesOrCompares(level.name))) {
      return true;
    }
    if (ClassKinds.isPlatform(type())) {
      return false;
    }
    return layout.kind() == ClassLayout.Kind.EXTERNALIZABLE
        || levels.stream()
            .anyMatch(
                level ->
                    level.stream != null
                        && !ClassKinds.isPlatform(level.stream.forClass())
                        && (level.readObject != null || level.readNoData != null));
  }

  private Object readHere(Decoder in, int handle) throws Throwable {
    Object value = allocator.newInstance();
    in.register(handle, value);
    List<Object> content = in.keys().content(type(), readResolve != null, value);
    if (layout.kind() == ClassLayout.Kind.EXTERNALIZABLE) {
      HookInput hook = new HookInput(in, this, null, value, content);
      ((Externalizable) value).readExternal(hook);
      hook.end();
      return value;
    }
    for (Level level : levels) {
      if (level.plain != null) {
        level.plain.readFields(in, value);
        noteFields(level.plain.fields(), value, content);
      } else if (absent.contains(level)) {
        if (level.readNoData != null) {
          level.readNoData.invokeExact(value);
        }
      } else {
        readLevel(in, level, value, content);
      }
    }
    return value;
  }

  private static void noteFields(ClassFields fields, Object value, @Nullable List<Object> content)
      throws Throwable {
    for (int i = 0; content != null && i < fields.types().length; i++) {
      if (!fields.types()[i].isPrimitive()) {
        content.add(fields.reference(value, i));
      }
    }
  }

  private void readLevel(Decoder in, Level level, Object value, @Nullable List<Object> content)
      throws Throwable {
    HookInput hook = new HookInput(in, this, level, value, content);
    if (level.writeObject == null) {
      hook.bare();
    }
    if (level.readObject == null) {
      hook.defaultReadObject();
    } else {
      level.readObject.invokeExact(value, (ObjectInputStream) hook);
    }
    hook.end();
  }

  /**
   * Returns a codec for a sender whose hierarchy lacks classes of this one; those are initialised
   * by readObjectNoData.
   */
  @Override
  public Codec readerOf(ClassLayout foreign) {
    if (foreign.equals(layout)) {
      return this;
    }
    List<ClassLayout.Level> common =
        layout.levels().stream()
            .filter(mine -> foreign.levels().stream().anyMatch(mine::equals))
            .toList();
    List<Level> missing =
        levels.stream()
            .filter(l -> common.stream().noneMatch(c -> c.className().equals(l.name)))
            .toList();
    boolean onlyMissing =
        foreign.kind() == layout.kind()
            && common.equals(foreign.levels())
            && !missing.isEmpty()
            && missing.stream().allMatch(l -> l.readNoData != null);
    if (onlyMissing) {
      return new HookedCodec(
          type(), foreign, levels, missing, allocator, writeReplace, readResolve);
    }
    List<Level> evolved = foreign.kind() == layout.kind() ? evolved(foreign) : null;
    if (evolved == null) {
      return super.readerOf(foreign);
    }
    return new HookedCodec(
        type(), foreign, evolved, List.of(), allocator, writeReplace, readResolve);
  }

  /** Returns the levels with the sender's fields, or null if a difference is not allowed. */
  private @Nullable List<Level> evolved(ClassLayout sender) {
    if (levels.size() != sender.levels().size() || !EvolvedCodec.evolves(type(), layout, sender)) {
      return null;
    }
    List<Level> evolved = new ArrayList<>();
    for (int i = 0; i < levels.size(); i++) {
      Level here = levels.get(i);
      ClassLayout.Level there = sender.levels().get(i);
      if (there.equals(layout.levels().get(i))) {
        evolved.add(here);
        continue;
      }
      boolean comparable =
          here.plain == null
              && here.name.equals(there.className())
              && (here.writeObject != null) == there.hooked();
      ObjectStreamField[] fields = comparable ? fields(here, there.fields()) : null;
      if (fields == null) {
        return null;
      }
      evolved.add(
          new Level(
              here.name,
              null,
              here.stream,
              fields,
              here.defaultWrite,
              here.defaultRead,
              here.writeObject,
              here.readObject,
              here.readNoData));
    }
    return evolved;
  }

  private static ObjectStreamField @Nullable [] fields(Level here, List<ClassLayout.Slot> there) {
    ObjectStreamField[] fields = new ObjectStreamField[there.size()];
    for (int i = 0; i < fields.length; i++) {
      ClassLayout.Slot slot = there.get(i);
      ObjectStreamField mine = here.described().getField(slot.name());
      Class<?> primitive = Class.forPrimitiveName(slot.type());
      boolean changed =
          mine != null && mine.getType() != primitive && (primitive != null || mine.isPrimitive());
      if (changed || primitive == void.class) {
        return null;
      }
      fields[i] =
          mine != null
              ? mine
              : new ObjectStreamField(slot.name(), primitive == null ? Object.class : primitive);
    }
    return fields;
  }

  @Override
  public String segment(int slot) {
    return "";
  }

  @Override
  public @Nullable MethodHandle writeReplace() {
    return writeReplace;
  }

  @Override
  public @Nullable MethodHandle readResolve() {
    return readResolve;
  }

  @Override
  public ClassLayout layout() {
    return layout;
  }

  /** Names the slots of one level in messages. */
  static final class Fields extends Codec {

    private final Level level;

    Fields(Class<?> type, Level level) {
      super(type);
      this.level = level;
    }

    @Override
    public void write(Encoder out, Object value) {
      throw new AssertionError("only names slots");
    }

    @Override
    public Object read(Decoder in, int handle) {
      throw new AssertionError("only names slots");
    }

    @Override
    public String segment(int slot) {
      return "." + level.fields[slot].getName();
    }

    @Override
    public Class<?> slotType(int slot) {
      return level.fields[slot].getType();
    }

    @Override
    public ClassLayout layout() {
      throw new AssertionError("only names slots");
    }
  }
}
