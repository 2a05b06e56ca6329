package org.troupe.serialization.internal.registry;

import java.io.Externalizable;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.ObjectStreamField;
import java.io.Serializable;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.troupe.serialization.internal.classes.ClassFields;
import org.troupe.serialization.internal.classes.ClassKinds;
import org.troupe.serialization.internal.classes.ClassLayout;
import org.troupe.serialization.internal.classes.CodecFailure;
import org.troupe.serialization.internal.classes.PlatformReflection;
import org.troupe.serialization.internal.classes.RefusalReasons;
import org.troupe.serialization.internal.codecs.CopiedCodec;
import org.troupe.serialization.internal.codecs.DescribedCodec;
import org.troupe.serialization.internal.codecs.EnumCodec;
import org.troupe.serialization.internal.codecs.ListedCodec;
import org.troupe.serialization.internal.codecs.ObjectArrayCodec;
import org.troupe.serialization.internal.codecs.PlatformCodecs;
import org.troupe.serialization.internal.codecs.ProxyCodec;
import org.troupe.serialization.internal.codecs.RefusedCodec;
import org.troupe.serialization.internal.coder.Codec;
import org.troupe.serialization.internal.fields.CodecGenerator;
import org.troupe.serialization.internal.fields.FieldCodec;
import org.troupe.serialization.internal.hooks.HookedCodec;
import org.troupe.serialization.internal.keys.KeyClasses;

/** Chooses and keeps the codec of each class, for as long as the class lives. */
public final class CodecRegistry {

  private static final MethodType REPLACER = MethodType.methodType(Object.class, Object.class);
  private static final MethodType WRITER =
      MethodType.methodType(void.class, Object.class, ObjectOutputStream.class);
  private static final MethodType READER =
      MethodType.methodType(void.class, Object.class, ObjectInputStream.class);
  private static final MethodType ACTION = MethodType.methodType(void.class, Object.class);

  private static final KeyClasses KEYS =
      new KeyClasses(
          type -> {
            Codec codec = of(type);
            return new KeyClasses.Content(codec.tag() > 0, codec.fields());
          });

  private static final List<String> BACKWARD =
      List.of("prev", "pred", "back", "before", "bwd", "parent", "owner", "up", "head", "first");

  private static final ClassValue<Codec> CODECS =
      new ClassValue<>() {
        @Override
        protected Codec computeValue(Class<?> type) {
          try {
            return choose(type);
          } catch (CodecFailure f) {
            return new RefusedCodec(type, f.getMessage());
          }
        }
      };

  /**
   * The codecs of classes of which {@code java.io} skips superclasses; see {@link
   * #skipsSuperclasses}.
   */
  private static final ClassValue<Codec> PARTIAL_CODECS =
      new ClassValue<>() {
        @Override
        protected Codec computeValue(Class<?> type) {
          try {
            return hasHooks(type) ? hooked(type, true) : fields(type, true, true);
          } catch (CodecFailure f) {
            return new RefusedCodec(type, f.getMessage());
          }
        }
      };

  private CodecRegistry() {}

  /** Returns the classes of keys, as their codecs see them. */
  public static KeyClasses keyClasses() {
    return KEYS;
  }

  /**
   * Returns the codec of a class.
   *
   * @param asJava whether superclasses that are not Serializable are initialised by their
   *     constructor without arguments, as by {@code java.io}, rather than travel
   */
  public static Codec of(Class<?> type, boolean asJava) {
    if (!asJava || !skipsSuperclasses(type)) {
      return of(type);
    }
    Codec codec = PARTIAL_CODECS.get(type);
    codec.rehearse();
    return codec;
  }

  /** Returns whether a Serializable class extends a class of a program that is not Serializable. */
  private static boolean skipsSuperclasses(Class<?> type) {
    return Serializable.class.isAssignableFrom(type)
        && !Externalizable.class.isAssignableFrom(type)
        && !ClassKinds.isPlatform(type)
        && !type.isArray()
        && !type.isEnum()
        && !type.isRecord()
        && !type.isHidden()
        && !Proxy.isProxyClass(type)
        && superclassConstructor(type) != null;
  }

  /** Returns the constructor that {@code java.io} would run, if it is one of a program. */
  private static @Nullable Constructor<?> superclassConstructor(Class<?> type) {
    Class<?> base = type;
    while (Serializable.class.isAssignableFrom(base)) {
      base = base.getSuperclass();
    }
    if (ClassKinds.isPlatform(base)) {
      return null;
    }
    try {
      Constructor<?> constructor = base.getDeclaredConstructor();
      int modifiers = constructor.getModifiers();
      boolean reached =
          Modifier.isPublic(modifiers)
              || Modifier.isProtected(modifiers)
              || !Modifier.isPrivate(modifiers)
                  && base.getPackageName().equals(type.getPackageName())
                  && base.getClassLoader() == type.getClassLoader();
      return reached ? constructor : null;
    } catch (NoSuchMethodException e) {
      return null;
    }
  }

  /**
   * Returns the codec of a class; for a class whose objects cannot travel, a codec that fails when
   * it is used.
   */
  public static Codec of(Class<?> type) {
    Codec codec = CODECS.get(type);
    codec.rehearse();
    return codec;
  }

  /**
   * Returns the codec that reads what a sender with a layout wrote; throws {@link CodecFailure}.
   */
  public static Codec reader(Class<?> type, ClassLayout sender, boolean asJava) {
    Codec codec = of(type, asJava);
    if (codec instanceof RefusedCodec refused) {
      throw refused.refusal();
    }
    return codec.readerOf(sender);
  }

  /** Returns whether objects of the codec's class can travel. */
  public static boolean isSupported(Codec codec) {
    return !(codec instanceof RefusedCodec) && !(codec instanceof CopiedCodec);
  }

  /** Returns whether a class belongs to the platform and needs the permission of the receiver. */
  public static boolean needsPermission(Codec codec) {
    return ClassKinds.isPlatform(codec.type())
        && (codec instanceof HookedCodec || codec instanceof EnumCodec);
  }

  private static Codec choose(Class<?> type) {
    ListedCodec listed = PlatformCodecs.codec(type);
    if (listed != null) {
      return listed;
    }
    DescribedCodec<?> described = DescribedCodec.of(type);
    if (described != null) {
      return described;
    }
    if (type.isArray()) {
      return new ObjectArrayCodec(type, CodecRegistry::of);
    }
    if (Enum.class.isAssignableFrom(type) && type != Enum.class) {
      // A constant with a body is of a class of its own.
      return type.isEnum() ? new EnumCodec(type) : of(type.getSuperclass());
    }
    if (Proxy.isProxyClass(type)) {
      return new ProxyCodec(type);
    }
    if (CopiedCodec.isView(type)) {
      return new CopiedCodec(type);
    }
    boolean serializable = Serializable.class.isAssignableFrom(type);
    RefusalReasons.check(type, serializable);
    if (type.isRecord()) {
      return record(type, serializable);
    }
    if (Externalizable.class.isAssignableFrom(type)) {
      return externalizable(type);
    }
    // Of a serializable lambda only its writeReplace counts.
    if (serializable && (type.isHidden() || hasHooks(type))) {
      return hooked(type, false);
    }
    return fields(type, serializable, false);
  }

  private static Codec record(Class<?> type, boolean serializable) {
    RecordComponent[] components = type.getRecordComponents();
    List<Field> fields = new ArrayList<>();
    for (RecordComponent component : components) {
      fields.add(declaredField(type, component.getName()));
    }
    ClassLayout layout =
        new ClassLayout(
            ClassLayout.Kind.RECORD,
            type.getName(),
            List.of(level(type, fields, false)),
            List.of());
    return CodecGenerator.codec(
        shape(type, layout, fields, null, serializable), ClassFields.recordConstructor(type));
  }

  private static Codec fields(Class<?> type, boolean serializable, boolean half) {
    List<Field> fields = new ArrayList<>();
    List<ClassLayout.Level> levels = new ArrayList<>();
    for (Class<?> c : userHierarchy(type)) {
      if (half && !Serializable.class.isAssignableFrom(c)) {
        continue;
      }
      List<Field> own = instanceFields(c);
      fields.addAll(own);
      levels.add(level(c, own, false));
    }
    ClassLayout layout =
        new ClassLayout(ClassLayout.Kind.OBJECT, type.getName(), levels, List.of());
    MethodHandle allocation =
        half
            ? PlatformReflection.construction(
                PlatformReflection.allocator(type, superclassConstructor(type)))
            : PlatformReflection.allocation(type, allocator(type));
    return CodecGenerator.codec(shape(type, layout, fields, allocation, serializable), null);
  }

  private static FieldCodec.Shape shape(
      Class<?> type,
      ClassLayout layout,
      List<Field> fields,
      @Nullable MethodHandle allocator,
      boolean serializable) {
    ClassFields access = ClassFields.of(type, fields);
    MethodHandle writeReplace =
        serializable ? PlatformReflection.hook("writeReplace", type, REPLACER) : null;
    MethodHandle readResolve =
        serializable ? PlatformReflection.hook("readResolve", type, REPLACER) : null;
    boolean plain = writeReplace == null && readResolve == null;
    int last = fields.size() - 1;
    boolean hasTail =
        plain
            && (allocator != null || type.isRecord())
            && last >= 0
            && fields.get(last).getType().isAssignableFrom(type)
            && !fields.get(last).getName().startsWith("this$");
    return new FieldCodec.Shape(
        type,
        layout,
        access,
        access.types(),
        CodecRegistry::of,
        allocator,
        writeReplace,
        readResolve,
        hasTail ? last : -1,
        plain
            && allocator != null
            && hierarchy(type).stream().noneMatch(CodecRegistry::hasTransients));
  }

  private static boolean hasHooks(Class<?> type) {
    for (Class<?> c = type;
        c != null && Serializable.class.isAssignableFrom(c);
        c = c.getSuperclass()) {
      if (ClassKinds.isPlatform(c)
          || PlatformReflection.hook("writeObject", c, WRITER) != null
          || PlatformReflection.hook("readObject", c, READER) != null
          || PlatformReflection.hook("readObjectNoData", c, ACTION) != null
          || hasPersistentFields(c)) {
        return true;
      }
    }
    return false;
  }

  private static boolean hasPersistentFields(Class<?> type) {
    try {
      Field field = type.getDeclaredField("serialPersistentFields");
      int all = Modifier.PRIVATE | Modifier.STATIC | Modifier.FINAL;
      return field.getType() == ObjectStreamField[].class && (field.getModifiers() & all) == all;
    } catch (NoSuchFieldException e) {
      return false;
    }
  }

  private static Codec hooked(Class<?> type, boolean half) {
    List<HookedCodec.Level> levels = new ArrayList<>();
    List<ClassLayout.Level> layouts = new ArrayList<>();
    for (Class<?> c : hierarchy(type)) {
      if (Serializable.class.isAssignableFrom(c)) {
        HookedCodec.Level level = serializableLevel(c);
        levels.add(level);
        List<ClassLayout.Slot> slots =
            Arrays.stream(level.fields())
                .map(f -> new ClassLayout.Slot(f.getName(), f.getType().getName()))
                .toList();
        layouts.add(new ClassLayout.Level(c.getName(), level.writeObject() != null, slots));
      } else if (!ClassKinds.isPlatform(c) && !half) {
        List<Field> fields = instanceFields(c);
        ClassLayout.Level layout = level(c, fields, false);
        layouts.add(layout);
        ClassLayout plain =
            new ClassLayout(ClassLayout.Kind.OBJECT, c.getName(), List.of(layout), List.of());
        FieldCodec codec = CodecGenerator.codec(shape(c, plain, fields, null, false), null);
        levels.add(
            new HookedCodec.Level(
                c.getName(), codec, null, new ObjectStreamField[0], null, null, null, null, null));
      }
    }
    return new HookedCodec(
        type,
        new ClassLayout(ClassLayout.Kind.HOOKED, type.getName(), layouts, List.of()),
        levels,
        List.of(),
        half ? PlatformReflection.allocator(type, superclassConstructor(type)) : allocator(type),
        PlatformReflection.hook("writeReplace", type, REPLACER),
        PlatformReflection.hook("readResolve", type, REPLACER));
  }

  private static HookedCodec.Level serializableLevel(Class<?> c) {
    ObjectStreamClass stream = ObjectStreamClass.lookup(c);
    return new HookedCodec.Level(
        c.getName(),
        null,
        stream,
        stream.getFields(),
        PlatformReflection.hook("defaultWriteObject", c, WRITER),
        PlatformReflection.hook("defaultReadObject", c, READER),
        PlatformReflection.hook("writeObject", c, WRITER),
        PlatformReflection.hook("readObject", c, READER),
        PlatformReflection.hook("readObjectNoData", c, ACTION));
  }

  private static Codec externalizable(Class<?> type) {
    Constructor<?> constructor = PlatformReflection.externalizableConstructor(type);
    if (constructor == null) {
      throw new CodecFailure(
          "Externalizable class '%s' has no public constructor without arguments, which java.io requires; add one"
              .formatted(type.getName()));
    }
    return new HookedCodec(
        type,
        ClassLayout.of(ClassLayout.Kind.EXTERNALIZABLE, type),
        List.of(),
        List.of(),
        constructor,
        PlatformReflection.hook("writeReplace", type, REPLACER),
        PlatformReflection.hook("readResolve", type, REPLACER));
  }

  /**
   * The constructor of the first platform class that is not Serializable runs, as java.io does it;
   * no other.
   */
  private static Constructor<?> allocator(Class<?> type) {
    Class<?> base = type;
    while (!ClassKinds.isPlatform(base) || Serializable.class.isAssignableFrom(base)) {
      base = base.getSuperclass();
    }
    try {
      return PlatformReflection.allocator(type, base.getDeclaredConstructor());
    } catch (NoSuchMethodException e) {
      throw new CodecFailure(
          "class '%s' extends '%s', which has no constructor without arguments to prepare it with; send what it was made of instead"
              .formatted(type.getName(), base.getName()),
          e);
    }
  }

  private static List<Class<?>> hierarchy(Class<?> type) {
    List<Class<?>> classes = new ArrayList<>();
    for (Class<?> c = type; c != Object.class; c = c.getSuperclass()) {
      classes.addFirst(c);
    }
    return classes;
  }

  private static List<Class<?>> userHierarchy(Class<?> type) {
    return hierarchy(type).stream().filter(c -> !ClassKinds.isPlatform(c)).toList();
  }

  /**
   * Numbers first, those of fixed width before the others; references to the class's own kind last,
   * and of these the one that leads on, which a loop follows, after those that lead back; else in
   * the order of their names, because reflection promises no order.
   */
  private static List<Field> instanceFields(Class<?> c) {
    return Arrays.stream(c.getDeclaredFields())
        .filter(f -> (f.getModifiers() & (Modifier.STATIC | Modifier.TRANSIENT)) == 0)
        .sorted(
            Comparator.comparing((Field f) -> !f.getType().isPrimitive())
                .thenComparing(f -> f.getType() == int.class || f.getType() == long.class)
                .thenComparing(f -> f.getType() == c)
                .thenComparing(f -> f.getType() == c && !isBackwardReference(f.getName()))
                .thenComparing(Field::getName))
        .toList();
  }

  /** Returns whether a field has a usual name of the backward reference of a doubly linked list. */
  private static boolean isBackwardReference(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    return BACKWARD.stream().anyMatch(lower::startsWith);
  }

  private static boolean hasTransients(Class<?> c) {
    return ClassKinds.isPlatform(c)
        || Arrays.stream(c.getDeclaredFields())
            .anyMatch(
                f ->
                    Modifier.isTransient(f.getModifiers()) && !Modifier.isStatic(f.getModifiers()));
  }

  private static ClassLayout.Level level(Class<?> c, List<Field> fields, boolean hooked) {
    return new ClassLayout.Level(
        c.getName(),
        hooked,
        fields.stream()
            .map(f -> new ClassLayout.Slot(f.getName(), f.getType().getName()))
            .toList());
  }

  private static Field declaredField(Class<?> type, String name) {
    try {
      return type.getDeclaredField(name);
    } catch (NoSuchFieldException e) {
      throw new LinkageError("a record component without field", e);
    }
  }
}
