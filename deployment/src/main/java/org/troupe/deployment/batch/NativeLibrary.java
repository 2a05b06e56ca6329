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
import java.util.concurrent.ConcurrentHashMap;
import org.ggf.drmaa.AlreadyActiveSessionException;
import org.ggf.drmaa.AuthorizationException;
import org.ggf.drmaa.ConflictingAttributeValuesException;
import org.ggf.drmaa.DefaultContactStringException;
import org.ggf.drmaa.DeniedByDrmException;
import org.ggf.drmaa.DrmCommunicationException;
import org.ggf.drmaa.DrmaaException;
import org.ggf.drmaa.DrmsExitException;
import org.ggf.drmaa.DrmsInitException;
import org.ggf.drmaa.ExitTimeoutException;
import org.ggf.drmaa.HoldInconsistentStateException;
import org.ggf.drmaa.InternalException;
import org.ggf.drmaa.InvalidAttributeFormatException;
import org.ggf.drmaa.InvalidAttributeValueException;
import org.ggf.drmaa.InvalidContactStringException;
import org.ggf.drmaa.InvalidJobException;
import org.ggf.drmaa.NoActiveSessionException;
import org.ggf.drmaa.NoDefaultContactStringException;
import org.ggf.drmaa.ReleaseInconsistentStateException;
import org.ggf.drmaa.ResumeInconsistentStateException;
import org.ggf.drmaa.SuspendInconsistentStateException;
import org.ggf.drmaa.TryLaterException;

/** The functions of a {@code libdrmaa.so}, and the meaning of their results. */
final class NativeLibrary {

  /*
   * All functions of DRMAA's C binding return an error code, and take a buffer for a diagnosis and its length as their
   * last arguments. The library stays loaded for as long as the JVM lives, since libraries of batch systems start
   * threads of their own, whose code must not be unloaded.
   */

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
   * @throws DrmsInitException if it cannot be loaded; the message states the reason and the remedy
   */
  static NativeLibrary load(Optional<Path> file) throws DrmsInitException {
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
    throw new DrmsInitException(String.join("; ", problems));
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
   * @throws DrmaaException if it returns an error
   */
  void call(String function, Object... arguments) throws DrmaaException {
    try (var arena = Arena.ofConfined()) {
      var diagnosis = arena.allocate(DIAGNOSIS);
      var all = new ArrayList<Object>(List.of(arguments));
      all.add(diagnosis);
      all.add(DIAGNOSIS);
      var code = (int) handle(function, all).invokeWithArguments(all);
      if (code != 0 && code != NativeSession.NO_RUSAGE) { // resource usage is not used
        throw exception(code, text(diagnosis, function + " gave error " + code));
      }
    } catch (DrmaaException | RuntimeException | Error e) {
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

  /** The codes of DRMAA 1.0's C binding. */
  private static DrmaaException exception(int code, String text) {
    return switch (code) {
      case 2 -> new DrmCommunicationException(text);
      case 3 -> new AuthorizationException(text);
      case 5 -> new NoActiveSessionException(text);
      case 7 -> new InvalidContactStringException(text);
      case 8 -> new DefaultContactStringException(text);
      case 9 -> new NoDefaultContactStringException(text);
      case 10 -> new DrmsInitException(text);
      case 11 -> new AlreadyActiveSessionException(text);
      case 12 -> new DrmsExitException(text);
      case 13 -> new InvalidAttributeFormatException(text);
      case 14 -> new InvalidAttributeValueException(text);
      case 15 -> new ConflictingAttributeValuesException(text);
      case 16 -> new TryLaterException(text);
      case 17 -> new DeniedByDrmException(text);
      case 18 -> new InvalidJobException(text);
      case 19 -> new ResumeInconsistentStateException(text);
      case 20 -> new SuspendInconsistentStateException(text);
      case 21 -> new HoldInconsistentStateException(text);
      case 22 -> new ReleaseInconsistentStateException(text);
      case NativeSession.EXIT_TIMEOUT -> new ExitTimeoutException(text);
      default -> throw new InternalException(text); // unchecked, in DRMAA
    };
  }
}
