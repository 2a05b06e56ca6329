package org.troupe.links.host;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Objects;
import java.util.Optional;

/** The Linux system calls for shared memory that have no Java API. */
public final class LinuxSystemCalls {

  /*
   * The calls go by number through syscall(2), as of them only memfd_create has a function in all C
   * libraries. The results of futex calls are ignored: a caller must check its condition again after
   * every wait, after any cause of its end.
   *
   * One method handle serves all calls: the JVM generates code for each further combination of types, which takes
   * milliseconds in the start of every node. A call ignores the arguments that it does not have. A number goes
   * where the handle takes a pointer as the address of an empty segment.
   */

  /** The option of the JVM that {@link #system} requires. */
  public static final String NATIVE_ACCESS =
      "--enable-native-access="
          + Objects.requireNonNullElse(LinuxSystemCalls.class.getModule().getName(), "ALL-UNNAMED");

  private static final int FUTEX_WAIT = 0;
  private static final int FUTEX_WAKE = 1;
  private static final int CLOSE_ON_EXEC = 1;
  private static final int ALLOW_SEALING = 2;
  private static final int ADD_SEALS = 1033;
  private static final int NO_MORE_SEALS_NO_SHRINKING_NO_GROWING = 1 | 2 | 4;

  private static final Optional<LinuxSystemCalls> SYSTEM = find();

  /** The numbers of the system calls on a processor architecture. */
  private record Numbers(int futex, int memfdCreate, int fcntl, int close) {

    static Optional<Numbers> here() {
      return switch (System.getProperty("os.arch")) {
        case "amd64" -> Optional.of(new Numbers(202, 319, 72, 3));
        case "aarch64" -> Optional.of(new Numbers(98, 279, 25, 57));
        default -> Optional.empty();
      };
    }
  }

  private final Numbers numbers;
  private final MethodHandle call;

  private LinuxSystemCalls(Linker linker, Numbers numbers) {
    this.numbers = numbers;
    var number = ValueLayout.JAVA_LONG;
    var pointer = ValueLayout.ADDRESS;
    call =
        linker.downcallHandle(
            linker.defaultLookup().findOrThrow("syscall"),
            FunctionDescriptor.of(number, number, pointer, number, number, pointer),
            Linker.Option.firstVariadicArg(1));
  }

  /** Returns the system calls, if this is Linux and this module may make native calls. */
  public static Optional<LinuxSystemCalls> system() {
    return SYSTEM;
  }

  private static Optional<LinuxSystemCalls> find() {
    if (!LinuxSystemCalls.class.getModule().isNativeAccessEnabled()
        || !System.getProperty("os.name").equals("Linux")) {
      return Optional.empty();
    }
    try {
      return Numbers.here().map(numbers -> new LinuxSystemCalls(Linker.nativeLinker(), numbers));
    } catch (RuntimeException | LinkageError _) { // no syscall(2), or no linker for this platform
      return Optional.empty();
    }
  }

  /**
   * Waits until {@link #wake} is called for the word, if the word has this value; may return
   * earlier. Called on platform threads; not interruptible.
   */
  public void await(MemorySegment word, int value) {
    long _ = call(numbers.futex, word, FUTEX_WAIT, value);
  }

  /** Wakes all threads, of any process, that wait on the word. */
  public void wake(MemorySegment word) {
    long _ = call(numbers.futex, word, FUTEX_WAKE, Integer.MAX_VALUE);
  }

  /** Returns the descriptor of a new file in memory, without a name in any folder. */
  public int createMemoryFile(String name) throws IOException {
    try (var arena = Arena.ofConfined()) {
      long descriptor =
          call(numbers.memfdCreate, arena.allocateFrom(name), CLOSE_ON_EXEC | ALLOW_SEALING, 0);
      if (descriptor < 0) {
        throw new IOException("the system could not create a file in memory (memfd_create failed)");
      }
      return (int) descriptor;
    }
  }

  /** Seals the size of a file in memory, as shrinking would crash processes that have mapped it. */
  public void seal(int descriptor) throws IOException {
    if (call(
            numbers.fcntl,
            MemorySegment.ofAddress(descriptor),
            ADD_SEALS,
            NO_MORE_SEALS_NO_SHRINKING_NO_GROWING)
        < 0) {
      throw new IOException("the system could not seal the size of a file in memory");
    }
  }

  /** Closes a descriptor. */
  public void close(int descriptor) {
    long _ = call(numbers.close, MemorySegment.ofAddress(descriptor), 0, 0);
  }

  private long call(int number, MemorySegment first, long second, long third) {
    try {
      return (long) call.invokeExact((long) number, first, second, third, MemorySegment.NULL);
    } catch (Throwable e) {
      throw rethrown(e);
    }
  }

  private static RuntimeException rethrown(Throwable e) {
    return switch (e) {
      case RuntimeException known -> known;
      case Error known -> throw known;
      default -> throw new AssertionError("unexpected exception of a native call", e);
    };
  }
}
