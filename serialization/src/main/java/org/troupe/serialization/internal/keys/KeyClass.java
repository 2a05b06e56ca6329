package org.troupe.serialization.internal.keys;

import java.lang.reflect.Array;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.troupe.serialization.internal.classes.ClassFields;
import org.troupe.serialization.internal.classes.ClassKinds;
import org.troupe.serialization.internal.classes.PlatformValues;

/** The objects that hashing or comparing an object of one class visits. */
final class KeyClass {

  private enum Form {
    /** The object itself only. */
    LEAF,
    NUMBER,
    TEXT,
    ADDRESS,
    BITS,
    NUMBERS,
    OBJECTS,
    FIELDS,
    ELEMENTS,
    ENTRIES,
    ENTRY,
    OPTIONAL,
    PROXY,
    /** All objects that were read into it. */
    CONTENT
  }

  private static final Object[] NOTHING = {};
  private static final int[] NO_REFERENCES = {};

  /** The squared number of bytes of a decimal per step. */
  private static final int DECIMAL = 4096;

  /** The characters of an address per step, which are compared one by one. */
  private static final int ADDRESS = 8;

  /** The number of comparisons of elements that cost as much as one step. */
  private static final int SCANNED_PER_STEP = 8;

  /** Sets and maps that compare to find an element. */
  private static final List<Class<?>> SEARCHING =
      List.of(CopyOnWriteArraySet.class, TreeSet.class, TreeMap.class, ConcurrentSkipListMap.class);

  /** A list of one repeated element, which is compared once per repetition. */
  private static final Class<?> COPIES = Collections.nCopies(1, null).getClass();

  private final Class<?> type;
  private final Form form;
  private final @Nullable ClassFields fields; // of FIELDS, else null
  private final boolean isShort;
  private final boolean comparesAlone; // without its comparator, and each element once
  private final int[] references; // the fields of FIELDS that are no primitives

  private volatile HashedFields.@Nullable Found code; // null until it is asked for

  /** The fields that its code reads, or {@code null} if its code has not been analysed. */
  private volatile int @Nullable [] hashed;

  KeyClass(Class<?> type, Function<Class<?>, KeyClasses.Content> contents) {
    this.type = type;
    Form known = formOf(type);
    if (known == null) {
      KeyClasses.Content content = contents.apply(type);
      this.form = formOf(type, content);
      this.fields = content.fields();
    } else {
      this.form = known;
      this.fields = null;
    }
    this.references = fields == null ? NO_REFERENCES : references(fields.types());
    this.isShort = isAlwaysShort();
    this.comparesAlone = SEARCHING.stream().noneMatch(c -> c.isAssignableFrom(type));
  }

  private static int[] references(Class<?>[] types) {
    return IntStream.range(0, types.length).filter(i -> !types[i].isPrimitive()).toArray();
  }

  static long textSize(CharSequence text) {
    return 1L + text.length() / 64;
  }

  /** Returns whether objects of the class refer to no others. */
  boolean isLeaf() {
    return switch (form) {
      case LEAF, TEXT, ADDRESS, NUMBER, BITS, NUMBERS -> true;
      default -> false;
    };
  }

  /**
   * Returns whether objects of the class refer only to texts and similar values, and run no code of
   * a program.
   */
  boolean isShort() {
    return isShort;
  }

  private ClassFields fields() {
    return Objects.requireNonNull(fields, "the form is FIELDS");
  }

  /** Returns the size of an object that {@link #isShort}, if its texts are short too. */
  long shortSize() {
    return 1L + references.length;
  }

  private boolean isAlwaysShort() {
    return form == Form.FIELDS
        && type.isRecord()
        && IntStream.of(references).allMatch(i -> isShort(fields().types()[i]));
  }

  private static boolean isShort(Class<?> declared) {
    return declared == String.class
        || declared.isEnum()
        || Modifier.isFinal(declared.getModifiers())
            && PlatformValues.include(declared)
            && declared != Class.class;
  }

  /** Returns whether hashing or comparing its objects may lead to other objects. */
  boolean hasReferences() {
    return form != Form.LEAF;
  }

  /** Returns the form of a class, or null if only its codec tells. */
  private static @Nullable Form formOf(Class<?> type) {
    if (type.isArray()) {
      return type.getComponentType().isPrimitive() ? Form.NUMBERS : Form.OBJECTS;
    }
    if (CharSequence.class.isAssignableFrom(type) && ClassKinds.isPlatform(type)) {
      return Form.TEXT;
    }
    if (type == BigInteger.class || type == BigDecimal.class) {
      return Form.NUMBER;
    }
    if (type == BitSet.class) {
      return Form.BITS;
    }
    if (type == URI.class) {
      return Form.ADDRESS;
    }
    if (PlatformValues.include(type)
        || Enum.class.isAssignableFrom(type)
        || !overrides(type) && !ClassKinds.isLambda(type)) {
      return Form.LEAF;
    }
    if (Proxy.isProxyClass(type)) {
      return Form.PROXY;
    }
    return type == COPIES ? Form.ELEMENTS : null;
  }

  private static Form formOf(Class<?> type, KeyClasses.Content content) {
    if (!content.isListed()) {
      return content.fields() == null ? Form.CONTENT : Form.FIELDS;
    }
    if (type == Optional.class) {
      return Form.OPTIONAL;
    }
    if (Map.class.isAssignableFrom(type)) {
      return Form.ENTRIES;
    }
    if (Collection.class.isAssignableFrom(type)) {
      return Form.ELEMENTS;
    }
    return Map.Entry.class.isAssignableFrom(type) ? Form.ENTRY : Form.LEAF;
  }

  /** Returns whether a comparator may call a method. */
  private static boolean isFunction(Class<?> type) {
    return Arrays.stream(type.getInterfaces())
        .anyMatch(each -> each.getPackageName().equals("java.util.function"));
  }

  private static boolean overrides(Class<?> type) {
    if (Comparable.class.isAssignableFrom(type)
        || Comparator.class.isAssignableFrom(type)
        || isFunction(type)
        || type.isRecord()) {
      return true;
    }
    try {
      return type.getMethod("hashCode").getDeclaringClass() != Object.class
          || type.getMethod("equals", Object.class).getDeclaringClass() != Object.class;
    } catch (NoSuchMethodException | LinkageError e) { // a class that a signature names is missing
      return true;
    }
  }

  /** Returns whether its objects run code of a program whose cost is not that of their parts. */
  boolean runsForeignCode() {
    return switch (form) {
      case PROXY -> true;
      case FIELDS, CONTENT -> !ClassKinds.isPlatform(type) && !code().isStraight();
      default -> false;
    };
  }

  private HashedFields.Found code() {
    HashedFields.Found known = code;
    if (known == null) {
      known = HashedFields.of(type);
      code = known;
    }
    return known;
  }

  /** Returns the cost of visiting an object itself, in steps of a few nanoseconds. */
  long size(Object object) {
    return switch (form) {
      case TEXT -> textSize((CharSequence) object);
      case ADDRESS -> 1 + object.toString().length() / ADDRESS;
      case NUMBER -> numberSize(object);
      case BITS -> 1 + ((BitSet) object).size() / 64;
      case ELEMENTS -> 1 + (object instanceof Set<?> set ? searched(set.size()) : 0);
      case ENTRIES -> 1 + searched(((Map<?, ?>) object).size());
      case NUMBERS -> 1 + Array.getLength(object) / 8;
      default -> 1;
    };
  }

  /** To compare a table with another is to find its keys, of which a few may collide. */
  private static long searched(long keys) {
    return Math.min(keys * keys / HashingBudget.COUNTED_PER_STEP, HashingBudget.FEW_SEARCHED);
  }

  private static long numberSize(Object number) {
    int bits =
        number instanceof BigDecimal decimal
            ? decimal.unscaledValue().bitLength()
            : ((BigInteger) number).bitLength();
    long bytes = bits / 8;
    // To compare decimals of different scales takes a product of numbers of their length.
    return 1 + bytes / 8 + (number instanceof BigDecimal ? bytes * bytes / DECIMAL : 0);
  }

  /**
   * Returns the objects that hashing or comparing an object looks at; some may be null.
   *
   * @param content what was read into it, or null if that was not noted
   * @param precisely whether to leave out what its code, which is read for that, does not look at
   */
  Object[] parts(Object object, @Nullable List<Object> content, boolean precisely)
      throws Throwable {
    Object[] parts = partsOnce(object, content, precisely);
    return comparesAlone ? parts : withComparisons(parts, object);
  }

  /** Returns whether comparing two objects may take more steps than visiting their elements. */
  private static Object[] withComparisons(Object[] parts, Object object) {
    Object repeated;
    int times;
    switch (object) {
      case CopyOnWriteArraySet<?> set -> { // each element with each
        repeated = set.toArray();
        times = set.size() / SCANNED_PER_STEP;
      }
      case SortedSet<?> set -> {
        repeated = set.comparator();
        times = set.size();
      }
      case SortedMap<?, ?> map -> {
        repeated = map.comparator();
        times = map.size();
      }
      default -> throw new AssertionError(object.getClass());
    }
    if (repeated == null || times == 0) {
      return parts;
    }
    Object[] all = Arrays.copyOf(parts, parts.length + times, Object[].class);
    Arrays.fill(all, parts.length, all.length, repeated);
    return all;
  }

  private Object[] partsOnce(Object object, @Nullable List<Object> content, boolean precisely)
      throws Throwable {
    return switch (form) {
      case LEAF, TEXT, ADDRESS, NUMBER, BITS, NUMBERS -> NOTHING;
      case OBJECTS -> (Object[]) object;
      case FIELDS -> content == null ? fields(object, precisely) : content.toArray();
      case ELEMENTS -> ((Collection<?>) object).toArray();
      case ENTRIES -> entries((Map<?, ?>) object);
      case ENTRY -> {
        Map.Entry<?, ?> entry = (Map.Entry<?, ?>) object;
        yield new Object[] {entry.getKey(), entry.getValue()};
      }
      case OPTIONAL -> new Object[] {((Optional<?>) object).orElse(null)};
      case PROXY -> new Object[] {Proxy.getInvocationHandler(object)};
      case CONTENT ->
          content == null || precisely && hashesNoReferences() ? NOTHING : content.toArray();
    };
  }

  private static Object[] entries(Map<?, ?> map) {
    Object[] parts = new Object[2 * map.size()];
    int i = 0;
    for (Map.Entry<?, ?> entry : map.entrySet()) {
      parts[i++] = entry.getKey();
      parts[i++] = entry.getValue();
    }
    return parts;
  }

  private Object[] fields(Object object, boolean precisely) throws Throwable {
    if (precisely && hashed == null) {
      Set<String> read = code().fields();
      String[] names = fields().names();
      hashed =
          read == null
              ? references
              : IntStream.of(references).filter(i -> read.contains(names[i])).toArray();
    }
    int[] followed = hashed == null ? references : hashed;
    if (followed.length == 0) {
      return NOTHING;
    }
    Object[] parts = new Object[followed.length];
    for (int i = 0; i < parts.length; i++) {
      parts[i] = fields().reference(object, followed[i]);
    }
    return parts;
  }

  /** For a class with hooks it is unknown which of the objects read went into which field. */
  private boolean hashesNoReferences() {
    if (ClassKinds.isPlatform(type)) {
      return false;
    }
    if (hashed == null) {
      Set<String> read = code().fields();
      boolean none = read != null && read.stream().allMatch(this::isLeafField);
      hashed = none ? new int[0] : new int[1];
    }
    return hashed.length == 0;
  }

  private boolean isLeafField(String name) {
    for (Class<?> c = type; !ClassKinds.isPlatform(c); c = c.getSuperclass()) {
      try {
        Class<?> declared = c.getDeclaredField(name).getType();
        if (!declared.isPrimitive()
            && !(PlatformValues.include(declared) || Enum.class.isAssignableFrom(declared))) {
          return false;
        }
      } catch (NoSuchFieldException e) {
        // a field of another class of the hierarchy
      }
    }
    return true;
  }
}
