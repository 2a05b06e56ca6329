package org.troupe.serialization;

import java.net.MalformedURLException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.FileSystemNotFoundException;
import java.nio.file.Path;
import java.security.CodeSource;
import java.security.ProtectionDomain;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The filters that come with the library. */
final class TypeFilters {

  /**
   * Platform types that only hold values. Excluded on purpose are types that use the network when
   * hashed or compared (URL), that call methods by name, or that hold code other than comparators.
   */
  private static final Set<String> PLATFORM =
      Set.of(
          "java.io.File",
          "java.lang.Enum",
          "java.lang.Number",
          "java.lang.Object",
          "java.lang.StackTraceElement",
          "java.lang.String$CaseInsensitiveComparator",
          "java.lang.String$CaseInsensitiveComparator$SerializedForm",
          "java.lang.invoke.SerializedLambda",
          "java.lang.reflect.Proxy",
          "java.math.MathContext",
          "java.net.Inet4Address",
          "java.net.Inet6Address",
          "java.net.InetAddress",
          "java.net.InetSocketAddress",
          "java.net.URI",
          "java.util.AbstractMap$SimpleEntry",
          "java.util.AbstractMap$SimpleImmutableEntry",
          "java.sql.Date",
          "java.sql.Time",
          "java.sql.Timestamp",
          "java.util.Arrays$ArrayList",
          "java.util.Calendar",
          "java.util.CollSer",
          "java.util.Collections$AsLIFOQueue",
          "java.util.Collections$CheckedCollection",
          "java.util.Collections$CheckedList",
          "java.util.Collections$CheckedMap",
          "java.util.Collections$CheckedNavigableMap",
          "java.util.Collections$CheckedNavigableSet",
          "java.util.Collections$CheckedQueue",
          "java.util.Collections$CheckedRandomAccessList",
          "java.util.Collections$CheckedSet",
          "java.util.Collections$CheckedSortedMap",
          "java.util.Collections$CheckedSortedSet",
          "java.util.Collections$CopiesList",
          "java.util.Collections$EmptyList",
          "java.util.Collections$EmptyMap",
          "java.util.Collections$EmptySet",
          "java.util.Collections$ReverseComparator",
          "java.util.Collections$ReverseComparator2",
          "java.util.Collections$SetFromMap",
          "java.util.Collections$SingletonList",
          "java.util.Collections$SingletonMap",
          "java.util.Collections$SingletonSet",
          "java.util.Collections$SynchronizedCollection",
          "java.util.Collections$SynchronizedList",
          "java.util.Collections$SynchronizedMap",
          "java.util.Collections$SynchronizedNavigableMap",
          "java.util.Collections$SynchronizedNavigableSet",
          "java.util.Collections$SynchronizedRandomAccessList",
          "java.util.Collections$SynchronizedSet",
          "java.util.Collections$SynchronizedSortedMap",
          "java.util.Collections$SynchronizedSortedSet",
          "java.util.Collections$UnmodifiableCollection",
          "java.util.Collections$UnmodifiableList",
          "java.util.Collections$UnmodifiableMap",
          "java.util.Collections$UnmodifiableMap$UnmodifiableEntrySet",
          "java.util.Collections$UnmodifiableNavigableMap",
          "java.util.Collections$UnmodifiableNavigableMap$EmptyNavigableMap",
          "java.util.Collections$UnmodifiableNavigableSet",
          "java.util.Collections$UnmodifiableNavigableSet$EmptyNavigableSet",
          "java.util.Collections$UnmodifiableRandomAccessList",
          "java.util.Collections$UnmodifiableSequencedCollection",
          "java.util.Collections$UnmodifiableSequencedMap",
          "java.util.Collections$UnmodifiableSequencedSet",
          "java.util.Collections$UnmodifiableSet",
          "java.util.Collections$UnmodifiableSortedMap",
          "java.util.Collections$UnmodifiableSortedSet",
          "java.util.Comparators$NaturalOrderComparator",
          "java.util.Comparators$NullComparator",
          "java.util.Currency",
          "java.util.Date",
          "java.util.EnumMap",
          "java.util.EnumSet",
          "java.util.EnumSet$SerializationProxy",
          "java.util.GregorianCalendar",
          "java.util.Hashtable",
          "java.util.IdentityHashMap",
          "java.util.Locale",
          "java.util.Properties",
          "java.util.Random",
          "java.util.SimpleTimeZone",
          "java.util.Stack",
          "java.util.TimeZone",
          "java.util.TreeMap$AscendingSubMap",
          "java.util.TreeMap$DescendingSubMap",
          "java.util.Vector",
          "java.util.concurrent.ArrayBlockingQueue",
          "java.util.concurrent.ConcurrentHashMap$KeySetView",
          "java.util.concurrent.ConcurrentHashMap$Segment",
          "java.util.concurrent.ConcurrentHashMap$ValuesView",
          "java.util.concurrent.ConcurrentLinkedDeque",
          "java.util.concurrent.ConcurrentLinkedQueue",
          "java.util.concurrent.ConcurrentSkipListMap",
          "java.util.concurrent.ConcurrentSkipListMap$SubMap",
          "java.util.concurrent.ConcurrentSkipListSet",
          "java.util.concurrent.CopyOnWriteArraySet",
          "java.util.concurrent.LinkedBlockingDeque",
          "java.util.concurrent.LinkedBlockingQueue",
          "java.util.concurrent.LinkedTransferQueue",
          "java.util.concurrent.PriorityBlockingQueue",
          "java.util.concurrent.Semaphore",
          "java.util.concurrent.Semaphore$FairSync",
          "java.util.concurrent.Semaphore$NonfairSync",
          "java.util.concurrent.Semaphore$Sync",
          "java.util.concurrent.ThreadLocalRandom",
          "java.util.concurrent.atomic.AtomicIntegerArray",
          "java.util.concurrent.atomic.AtomicLongArray",
          "java.util.concurrent.atomic.AtomicReferenceArray",
          "java.util.concurrent.atomic.DoubleAdder",
          "java.util.concurrent.atomic.LongAdder",
          "java.util.concurrent.atomic.LongAdder$SerializationProxy",
          "java.util.concurrent.atomic.DoubleAdder$SerializationProxy",
          "java.util.concurrent.atomic.DoubleAccumulator$SerializationProxy",
          "java.util.concurrent.atomic.LongAccumulator$SerializationProxy",
          "java.util.concurrent.locks.AbstractOwnableSynchronizer",
          "java.util.concurrent.locks.AbstractQueuedSynchronizer",
          "java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject",
          "java.util.concurrent.locks.ReentrantLock",
          "java.util.concurrent.locks.ReentrantLock$FairSync",
          "java.util.concurrent.locks.ReentrantLock$NonfairSync",
          "java.util.concurrent.locks.ReentrantLock$Sync",
          "java.util.concurrent.locks.ReentrantReadWriteLock",
          "java.util.concurrent.locks.ReentrantReadWriteLock$FairSync",
          "java.util.concurrent.locks.ReentrantReadWriteLock$NonfairSync",
          "java.util.concurrent.locks.ReentrantReadWriteLock$ReadLock",
          "java.util.concurrent.locks.ReentrantReadWriteLock$Sync",
          "java.util.concurrent.locks.ReentrantReadWriteLock$WriteLock",
          "java.util.concurrent.locks.StampedLock",
          "java.util.regex.Pattern",
          "sun.util.calendar.ZoneInfo");

  private TypeFilters() {}

  /** See {@link TypeFilter#platform}. */
  public static TypeFilter platform() {
    return PlatformTypes.INSTANCE;
  }

  private enum PlatformTypes implements TypeFilter {
    INSTANCE;

    @Override
    public boolean allowsName(String name) {
      // Which of the platform's classes are enums or exceptions shows once they are loaded, which
      // runs nothing.
      return name.startsWith("java.") || PLATFORM.contains(name);
    }

    @Override
    public boolean allows(Class<?> type) {
      String name = type.getName();
      return isPlatform(type)
          && allowsName(name)
          && (PLATFORM.contains(name)
              || name.startsWith("java.time.")
              || type.isEnum()
              || Throwable.class.isAssignableFrom(type));
    }

    @Override
    public String describe() {
      return "the platform's value types";
    }
  }

  /** See {@link TypeFilter#patterns}. */
  public static TypeFilter patterns(List<String> patterns) {
    for (String pattern : patterns) {
      String fixed = pattern.replaceFirst("\\.\\*\\*?$", "");
      if (fixed.isEmpty() || fixed.contains("*")) {
        throw new IllegalArgumentException(
            "pattern '%s' is none of 'com.lib.Name', 'com.lib.*' and 'com.lib.**'"
                .formatted(pattern));
      }
    }
    return new Patterns(patterns);
  }

  private record Patterns(List<String> patterns) implements TypeFilter {

    @Override
    public boolean allowsName(String name) {
      return patterns.stream().anyMatch(pattern -> matches(pattern, name));
    }

    private static boolean matches(String pattern, String name) {
      if (pattern.endsWith(".**")) {
        return name.startsWith(pattern.substring(0, pattern.length() - 2));
      }
      if (pattern.endsWith(".*")) {
        int dot = pattern.length() - 1;
        return name.startsWith(pattern.substring(0, dot)) && name.indexOf('.', dot) < 0;
      }
      return name.equals(pattern) || name.startsWith(pattern + "$");
    }

    @Override
    public boolean allows(Class<?> type) {
      return allowsName(type.getName());
    }

    @Override
    public String describe() {
      return "types named " + String.join(", ", patterns);
    }
  }

  /** See {@link TypeFilter#codeSources}. */
  public static TypeFilter codeSources(Collection<?> places) {
    Set<String> locations = new HashSet<>();
    for (Object place : places) {
      locations.add(
          switch (place) {
            case URL url -> normal(url);
            case URI uri -> normal(url(uri));
            case Path path -> normal(url(path.toUri()));
            default ->
                throw new IllegalArgumentException(
                    "'%s' is neither a URL nor a Path".formatted(place));
          });
    }
    return new CodeSources(Set.copyOf(locations));
  }

  private static URL url(URI uri) {
    try {
      return uri.toURL();
    } catch (MalformedURLException e) {
      throw new IllegalArgumentException("'%s' is no place of classes".formatted(uri), e);
    }
  }

  /**
   * One spelling for each file: absolute, links followed. Compared as text, because URL.equals asks
   * the network.
   */
  private static String normal(URL url) {
    if (url.getProtocol().equals("file")) {
      try {
        return Path.of(url.toURI()).toRealPath().toUri().toString();
      } catch (URISyntaxException
          | java.io.IOException
          | IllegalArgumentException
          | FileSystemNotFoundException e) {
        // A place that does not exist yet is compared as it is spelled.
        return url.toExternalForm();
      }
    }
    return url.toExternalForm();
  }

  private static final class CodeSources implements TypeFilter {

    private final Set<String> locations;

    /** Following links costs system calls, and many classes share one domain. */
    private final ClassValue<Boolean> allowed =
        new ClassValue<>() {
          @Override
          protected Boolean computeValue(Class<?> type) {
            ProtectionDomain domain = type.getProtectionDomain();
            CodeSource source = domain == null ? null : domain.getCodeSource();
            return source != null
                && source.getLocation() != null
                && locations.contains(normal(source.getLocation()));
          }
        };

    CodeSources(Set<String> locations) {
      this.locations = locations;
    }

    @Override
    public boolean allows(Class<?> type) {
      return allowed.get(type);
    }

    @Override
    public String describe() {
      return "classes loaded from " + String.join(", ", locations.stream().sorted().toList());
    }
  }

  private static boolean isPlatform(Class<?> type) {
    ClassLoader loader = type.getClassLoader();
    return loader == null || loader == ClassLoader.getPlatformClassLoader();
  }
}
