package org.troupe.deployment.batch;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The functions of a {@code libdrmaa.so}, and the meaning of their results. */
final class NativeLibrary {

  /*
   * All functions of DRMAA's C binding return an error code, and take a buffer for a diagnosis and its length as their
   * last arguments. The library stays loaded for as long as the JVM lives, since libraries of batch systems start
   * threads of their own, whose code must not be unloaded.
   */

  // The codes of DRMAA 1.0's C binding that are distinguished.
  private static final int DRM_COMMUNICATION_FAILURE = 2;
  private static final int ALREADY_ACTIVE_SESSION = 11;
  private static final int TRY_LATER = 16;
  private static final int INVALID_JOB = 18;
  private static final int EXIT_TIMEOUT = 23;
  private static final int NO_RUSAGE = 24;

  /** Errors that are none here: the session is shared, and the use of resources is not read. */
  private static final Set<Integer> HARMLESS = Set.of(0, ALREADY_ACTIVE_SESSION, NO_RUSAGE);

  private static final long DIAGNOSIS = 1024;
  private static final List<String> NAMES = List.of("libdrmaa.so", "libdrmaa.so.1.0");
  private static final String STATIC_TLS = "static TLS";

  private final String name;
  private final SymbolLookup symbols;
  private final Map<String, MethodHandle> functions = new ConcurrentHashMap<>();

  private NativeLibrary(String name, SymbolLookup symbols) {
    this.name = name;
    this.symbols = symbols;
  }

  /**
   * Loads the library.
   *
   * @param file empty for the system's own
   * @throws BatchException if it cannot be loaded; the message states the reason and the remedy
   */
  static NativeLibrary load(Optional<Path> file) throws BatchException {
    var problems = new ArrayList<String>();
    for (var candidate :
        file.map(each -> List.of(each.toString())).orElseGet(NativeLibrary::usual)) {
      try {
        var symbols =
            candidate.contains("/")
                ? SymbolLookup.libraryLookup(Path.of(candidate), Arena.global())
                : SymbolLookup.libraryLookup(candidate, Arena.global());
        if (symbols.find("drmaa_run_job").isPresent()) {
          return new NativeLibrary(candidate, symbols);
        }
        problems.add("'" + candidate + "' is no DRMAA 1 library");
      } catch (IllegalArgumentException e) {
        problems.add(whyNot(candidate));
      }
    }
    throw new BatchException(String.join("; ", problems));
  }

  private static List<String> usual() {
    var names = new ArrayList<>(NAMES);
    var root = System.getenv("SGE_ROOT");
    if (root != null) {
      for (var folder : List.of("drmaa", "lib/lx-amd64")) {
        NAMES.forEach(each -> names.add(Path.of(root, folder, each).toString()));
      }
    }
    names.removeIf(each -> each.contains("/") && !Files.exists(Path.of(each)));
    return names;
  }

  /**
   * Returns why a library cannot be loaded, from the older API, since the lookup does not report
   * it.
   */
  private static String whyNot(String library) {
    if (!library.contains("/")) {
      return "there is no '" + library + "' where the system looks for libraries";
    }
    try {
      System.load(Path.of(library).toAbsolutePath().toString());
      return "'" + library + "' cannot be loaded";
    } catch (UnsatisfiedLinkError e) {
      return "'"
          + library
          + "' cannot be loaded: "
          + e.getMessage()
          + (String.valueOf(e.getMessage()).contains(STATIC_TLS)
              ? "; start this program with GLIBC_TUNABLES=glibc.rtld.optional_static_tls=16384 in"
                  + " its environment"
              : "");
    }
  }

  String name() {
    return name;
  }

  /**
   * Calls a function.
   *
   * @param arguments all but the diagnosis: pointers, {@link Integer} for int, {@link Long} for
   *     size_t and long
   * @throws BatchException if it returns an error
   */
  void call(String function, Object... arguments) throws BatchException {
    try (var arena = Arena.ofConfined()) {
      var diagnosis = arena.allocate(DIAGNOSIS);
      var all = new ArrayList<Object>(List.of(arguments));
      all.add(diagnosis);
      all.add(DIAGNOSIS);
      var code = (int) handle(function, all).invokeWithArguments(all);
      if (!HARMLESS.contains(code)) {
        throw exception(code, text(diagnosis, function + " gave error " + code));
      }
    } catch (BatchException | RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new AssertionError(e); // a C function throws no exception
    }
  }

  private MethodHandle handle(String function, List<Object> arguments) {
    return functions.computeIfAbsent(
        function,
        same ->
            Linker.nativeLinker()
                .downcallHandle(
                    address(same),
                    FunctionDescriptor.of(
                        JAVA_INT,
                        arguments.stream()
                            .map(NativeLibrary::layout)
                            .toArray(MemoryLayout[]::new))));
  }

  private MemorySegment address(String function) {
    return symbols
        .find(function)
        .orElseThrow(() -> new IllegalStateException(name + " has no function " + function));
  }

  private static MemoryLayout layout(Object argument) {
    return switch (argument) {
      case MemorySegment pointer -> ADDRESS;
      case Integer number -> JAVA_INT;
      case Long number -> JAVA_LONG;
      default -> throw new IllegalArgumentException("no C type for " + argument.getClass());
    };
  }

  private static String text(MemorySegment diagnosis, String otherwise) {
    var text = diagnosis.getString(0).strip();
    return text.isEmpty() ? otherwise : text;
  }

  private static BatchException exception(int code, String text) {
    return switch (code) {
      case DRM_COMMUNICATION_FAILURE, TRY_LATER -> new BatchException.Away(text);
      case INVALID_JOB -> new BatchException.UnknownJob(text);
      case EXIT_TIMEOUT -> new BatchException.NotEnded(text);
      default -> new BatchException(text);
    };
  }
}
