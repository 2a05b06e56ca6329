package org.troupe.activeobjects.internal.object;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.troupe.activeobjects.Store;
import org.troupe.activeobjects.store.Journal;
import org.troupe.activeobjects.store.Journals;
import org.troupe.activeobjects.store.StoreUser;

/** A store in a directory, whose methods fail that a test has chosen. Its copies share that. */
record FaultyDirectory(String folder) implements Store {

  private static final Set<String> failing = ConcurrentHashMap.newKeySet();
  private static final AtomicInteger faults = new AtomicInteger();
  private static final Map<String, Journals> opened = new ConcurrentHashMap<>();

  FaultyDirectory(Path folder) {
    this(folder.toString());
  }

  /** Lets methods fail until all are mended: "Journal.append", for instance. */
  static void fail(String... methods) {
    failing.addAll(List.of(methods));
  }

  static void mend() {
    failing.clear();
    faults.set(0);
  }

  /** Returns how many calls have failed. */
  static int faults() {
    return faults.get();
  }

  @Override
  public Journals open(StoreUser user) throws IOException {
    var journals = Store.directory(Path.of(folder)).open(user);
    opened.put(folder, journals);
    return faulty(Journals.class, journals);
  }

  /** Returns the journals without faults. */
  Journals journals() {
    return opened.get(folder);
  }

  private static <T> T faulty(Class<T> type, T real) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              if (failing.contains(type.getSimpleName() + "." + method.getName())) {
                faults.incrementAndGet();
                throw new IOException("no " + method.getName());
              }
              try {
                var result = method.invoke(real, arguments);
                return result instanceof Journal journal ? faulty(Journal.class, journal) : result;
              } catch (InvocationTargetException failure) {
                throw failure.getCause();
              }
            }));
  }
}
