package org.troupe.em3d.mesh;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.util.Arrays;
import java.util.NoSuchElementException;

/**
 * Binding to METIS 5 (Debian: libmetis5), a C library for graph partitioning that may be installed.
 *
 * <p>G. Karypis, V. Kumar, A fast and high quality multilevel scheme for partitioning irregular
 * graphs, SIAM J. Sci. Comput. 20 (1998) 359-392.
 */
final class MetisLibrary {

  /*
   * METIS's recursive bisection rather than its k-way method: its parts differ by 0.1 % instead of 3 %,
   * and in each step all sub-domains wait for the largest.
   *
   * The indices of options changed between releases, so none is passed; nor is any real number, as the
   * width of reals depends on the build. The width of integers is detected by METIS_SetDefaultOptions,
   * which writes 40 integers of value -1, into a buffer large enough for either width.
   *
   * While METIS runs, it catches SIGABRT and SIGTERM, so a JVM that is terminated at that moment may
   * write a crash report.
   */
  private static final String LIBRARY = "libmetis.so.5";

  private static final int OPTIONS = 40;
  private static final int ROOM = 4 * Long.BYTES * OPTIONS;
  private static final byte UNTOUCHED = 0x55;
  private static final int FEWEST_CELLS =
      16; // on smaller parts METIS prints warnings to standard output
  private static final int OK = 1;
  private static final int OUT_OF_MEMORY = -3;

  /** METIS is not available; the message gives the reason. */
  static final class Unavailable extends Exception {

    private static final long serialVersionUID = 1;

    Unavailable(String message) {
      super(message);
    }

    private Unavailable(String message, Throwable cause) {
      super(message, cause);
    }
  }

  private final MethodHandle partGraphRecursive;
  private final MethodHandle setDefaultOptions;

  @SuppressWarnings("restricted") // parts() checks that native access is enabled
  private MetisLibrary(SymbolLookup library) {
    Linker linker = Linker.nativeLinker();
    MemoryLayout[] thirteenPointers = new MemoryLayout[13];
    Arrays.fill(thirteenPointers, ADDRESS);
    partGraphRecursive =
        linker.downcallHandle(
            library.findOrThrow("METIS_PartGraphRecursive"),
            FunctionDescriptor.of(JAVA_INT, thirteenPointers));
    setDefaultOptions =
        linker.downcallHandle(
            library.findOrThrow("METIS_SetDefaultOptions"),
            FunctionDescriptor.of(JAVA_INT, ADDRESS));
  }

  /**
   * Assigns cells to parts.
   *
   * @param neighbours {@code [4 * cell + face]}, negative where there is none
   * @return the part of each cell
   */
  @SuppressWarnings("restricted")
  static int[] parts(int[] neighbours, int parts) throws Unavailable {
    if (!MetisLibrary.class.getModule().isNativeAccessEnabled()) {
      throw new Unavailable(
          "this JVM may not call native libraries; --enable-native-access=ALL-UNNAMED allows it");
    }
    if (neighbours.length / 4 / parts < FEWEST_CELLS) {
      throw new Unavailable(
          "METIS is not for parts of fewer than %d cells".formatted(FEWEST_CELLS));
    }
    try (Arena arena = Arena.ofConfined()) {
      return new MetisLibrary(SymbolLookup.libraryLookup(LIBRARY, arena))
          .partition(neighbours, parts, arena);
    } catch (IllegalArgumentException | NoSuchElementException e) {
      throw new Unavailable("no " + LIBRARY + " here; Debian has it in libmetis5", e);
    }
  }

  private int[] partition(int[] neighbours, int parts, Arena arena) throws Unavailable {
    boolean wide = hasWideIntegers(arena);
    int cells = neighbours.length / 4;
    long sides = Arrays.stream(neighbours).filter(cell -> cell >= 0).count();
    Integers starts = new Integers(arena, wide, cells + 1L);
    Integers others = new Integers(arena, wide, sides);
    Integers owners = new Integers(arena, wide, cells);
    long next = 0;
    for (int face = 0; face < neighbours.length; face++) {
      if (neighbours[face] >= 0) {
        others.set(next++, neighbours[face]);
      }
      if (face % 4 == 3) {
        starts.set(face / 4 + 1L, (int) next);
      }
    }
    MemorySegment none = MemorySegment.NULL;
    int outcome;
    try {
      outcome =
          (int)
              partGraphRecursive.invokeExact(
                  one(arena, wide, cells),
                  one(arena, wide, 1), // one balancing constraint: the number of cells
                  starts.segment,
                  others.segment,
                  none,
                  none,
                  none,
                  one(arena, wide, parts),
                  none,
                  none,
                  none,
                  one(arena, wide, 0),
                  owners.segment);
    } catch (Throwable e) {
      throw new AssertionError(e); // a C function throws nothing
    }
    if (outcome != OK) {
      throw new Unavailable(
          outcome == OUT_OF_MEMORY ? "METIS ran out of memory" : "METIS failed with " + outcome);
    }
    int[] result = new int[cells];
    for (int cell = 0; cell < cells; cell++) {
      result[cell] = owners.get(cell);
    }
    return result;
  }

  private static MemorySegment one(Arena arena, boolean wide, int value) {
    Integers single = new Integers(arena, wide, 1);
    single.set(0, value);
    return single.segment;
  }

  /** Returns whether the library was built with 64-bit integers. */
  private boolean hasWideIntegers(Arena arena) throws Unavailable {
    MemorySegment options = arena.allocate(ROOM, Long.BYTES).fill(UNTOUCHED);
    try {
      int ignored = (int) setDefaultOptions.invokeExact(options);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
    long written = 0;
    while (written < ROOM && options.get(JAVA_BYTE, written) == -1) {
      written++;
    }
    if (written == (long) OPTIONS * Integer.BYTES) {
      return false;
    }
    if (written == (long) OPTIONS * Long.BYTES) {
      return true;
    }
    throw new Unavailable(LIBRARY + " is not the METIS 5 that this program knows");
  }

  /** An array of integers of the library's width. */
  private static final class Integers {

    private final MemorySegment segment;
    private final boolean wide;

    Integers(Arena arena, boolean wide, long count) {
      this.wide = wide;
      segment =
          arena.allocate(Math.max(1, count) * (wide ? Long.BYTES : Integer.BYTES), Long.BYTES);
    }

    void set(long index, int value) {
      if (wide) {
        segment.setAtIndex(JAVA_LONG, index, value);
      } else {
        segment.setAtIndex(JAVA_INT, index, value);
      }
    }

    int get(long index) {
      return wide
          ? (int) segment.getAtIndex(JAVA_LONG, index)
          : segment.getAtIndex(JAVA_INT, index);
    }
  }
}
