package org.troupe.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.troupe.cli.Modules.Module;

/**
 * The rooms of {@code docs/design.md}: the packages of each module and which of them may use which,
 * checked on the class files.
 *
 * <p>{@code rooms.txt} lists the packages of a module from the ground floor up, each with the
 * packages that it uses. A package uses only packages above its line, so that no cycle can be
 * written down. A new arrow is drawn there first.
 */
class RoomsTest {

  private static final Path ROOMS =
      Modules.checkout().resolve("cli/src/test/resources/org/troupe/cli/rooms.txt");

  /** Packages that programs use; any other exported package is exported to named modules only. */
  private static final Set<String> FOR_USERS =
      Set.of(
          "ibis.compile",
          "ibis.io",
          "ibis.ipl",
          "ibis.ipl.impl",
          "ibis.ipl.registry",
          "ibis.ipl.server",
          "ibis.ipl.util.messagecombining",
          "ibis.mpj",
          "ibis.satin",
          "ibis.satin.impl",
          "ibis.util",
          "mpi",
          "org.troupe.activeobjects",
          "org.troupe.activeobjects.spi",
          "org.troupe.activeobjects.store",
          "org.troupe.activeobjects.transport",
          "org.troupe.deployment",
          "org.troupe.deployment.model",
          "org.troupe.descriptors",
          "org.troupe.descriptors.read",
          "org.troupe.futures",
          "org.troupe.groups",
          "org.troupe.groups.spmd",
          "org.troupe.junit",
          "org.troupe.opentelemetry",
          "org.troupe.replicas",
          "org.troupe.serialization",
          "org.troupe.skeletons",
          "org.troupe.store.jdbc",
          "org.troupe.store.s3",
          "org.troupe.stubs",
          "org.troupe.tasks",
          "org.troupe.transport.ibis",
          "org.troupe.transport.rmi");

  private static final Map<String, Map<String, Set<String>>> DRAWN = read();

  static Stream<Module> modules() {
    return Modules.read().stream();
  }

  @Test
  void drawsEveryModule() {
    assertThat(DRAWN.keySet()).containsExactlyElementsOf(modules().map(Module::folder).toList());
  }

  @ParameterizedTest
  @MethodSource("modules")
  void hasTheRoomsAndArrowsThatAreDrawn(Module module) {
    assertThat(Modules.arrows(module))
        .as("packages of %s and what they use, as %s should list them", module.folder(), ROOMS)
        .isEqualTo(DRAWN.get(module.folder()));
  }

  @ParameterizedTest
  @MethodSource("modules")
  void usesOnlyRoomsOfLowerFloors(Module module) {
    Set<String> below = new TreeSet<>();
    DRAWN
        .get(module.folder())
        .forEach(
            (room, used) -> {
              assertThat(below).as("packages above the line of %s", room).containsAll(used);
              below.add(room);
            });
  }

  @ParameterizedTest
  @MethodSource("modules")
  void exportsToSiblingsWhatOnlySiblingsUse(Module module) {
    assertThat(module.descriptor().exports())
        .filteredOn(export -> !export.isQualified())
        .extracting(export -> export.source())
        .as("packages of %s that are exported to all", module.folder())
        .isSubsetOf(FOR_USERS);
  }

  /** Reads the lines {@code module} and {@code " package: package package"}. */
  private static Map<String, Map<String, Set<String>>> read() {
    Map<String, Map<String, Set<String>>> drawn = new LinkedHashMap<>();
    Map<String, Set<String>> rooms = Map.of();
    try {
      for (String line : Files.readAllLines(ROOMS)) {
        if (line.isBlank() || line.startsWith("#")) {
          continue;
        }
        if (!line.startsWith(" ")) {
          rooms = new LinkedHashMap<>();
          drawn.put(line, rooms);
        } else {
          String[] parts = line.strip().split(":\\s*", 2);
          rooms.put(
              parts[0],
              parts.length < 2 || parts[1].isEmpty()
                  ? Set.of()
                  : new TreeSet<>(List.of(parts[1].split("\\s+"))));
        }
      }
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
    return drawn;
  }
}
