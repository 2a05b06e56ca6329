package org.troupe.cli;

import static java.util.function.Function.identity;
import static java.util.stream.Collectors.toMap;
import static java.util.stream.Collectors.toUnmodifiableSet;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.module.ModuleDescriptor;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.troupe.cli.Modules.Module;

/** The house of {@code docs/design.md}: which module may use which, checked on what was built. */
class ArchitectureTest {

  /**
   * The modules that each module uses directly; it may use these and all below them. A new arrow is
   * drawn in {@code docs/design.md} first.
   */
  private static final Map<String, Set<String>> ARROWS =
      Map.ofEntries(
          Map.entry("browser", Set.of()),
          Map.entry("stubs", Set.of()),
          Map.entry("serialization", Set.of()),
          Map.entry("futures", Set.of("stubs")),
          Map.entry("core-activeobjects", Set.of("futures", "serialization", "stubs")),
          Map.entry("store-jdbc", Set.of("core-activeobjects")),
          Map.entry("store-s3", Set.of("core-activeobjects")),
          Map.entry("groups", Set.of("core-activeobjects")),
          Map.entry("models/tasks", Set.of("core-activeobjects", "serialization")),
          Map.entry("models/skeletons", Set.of("models/tasks")),
          Map.entry("models/replicas", Set.of("core-activeobjects")),
          Map.entry("links", Set.of()),
          Map.entry("transport-rmi", Set.of("core-activeobjects", "links")),
          Map.entry("ipl", Set.of("links", "serialization")),
          Map.entry(
              "transport-ibis", Set.of("core-activeobjects", "ipl", "links", "serialization")),
          Map.entry("descriptors", Set.of()),
          Map.entry("deployment", Set.of("core-activeobjects", "descriptors", "links")),
          Map.entry("pages", Set.of()),
          Map.entry("dashboard", Set.of("deployment", "pages")),
          Map.entry("junit", Set.of("deployment")),
          Map.entry("opentelemetry", Set.of("core-activeobjects")),
          Map.entry("models/mpj", Set.of("core-activeobjects", "groups")),
          Map.entry("models/satin", Set.of("models/tasks")),
          Map.entry("apps/em3d-maxwell", Set.of("groups", "deployment")),
          Map.entry("apps/classics", Set.of("groups", "deployment", "pages")),
          Map.entry("apps/kernels", Set.of("models/mpj")),
          Map.entry("apps/satin-programs", Set.of("models/satin")),
          Map.entry(
              "benchmarks",
              Set.of(
                  "browser",
                  "groups",
                  "models/mpj",
                  "models/replicas",
                  "deployment",
                  "apps/em3d-maxwell",
                  "apps/classics",
                  "models/skeletons",
                  "models/tasks",
                  "transport-rmi",
                  "transport-ibis")),
          Map.entry(
              "cli",
              Set.of("dashboard", "deployment", "models/mpj", "models/replicas", "models/satin")));

  /** Modules that are run rather than depended on, and those that only this project uses. */
  private static final Set<String> PROGRAMS =
      Set.of(
          "browser",
          "apps/em3d-maxwell",
          "apps/classics",
          "apps/kernels",
          "apps/satin-programs",
          "benchmarks",
          "cli");

  /** Modules whose packages keep the names that programs know. */
  private static final Set<String> IBIS = Set.of("ipl", "models/mpj", "models/satin");

  private static final List<Module> MODULES = Modules.read();

  private static final Map<String, Module> BY_ARTIFACT =
      MODULES.stream().collect(toMap(Module::artifactId, identity()));

  private static final Map<String, Module> BY_NAME =
      MODULES.stream().collect(toMap(module -> module.descriptor().name(), identity()));

  static Stream<Module> modules() {
    return MODULES.stream();
  }

  @Test
  void knowsEveryModule() {
    assertThat(ARROWS.keySet())
        .as("modules of the design")
        .containsAll(MODULES.stream().map(Module::folder).toList());
  }

  @Test
  void hasNoCycle() {
    List<String> done = new ArrayList<>();
    Set<String> left = new TreeSet<>(ARROWS.keySet());
    while (left.removeIf(folder -> done.containsAll(ARROWS.get(folder)) && done.add(folder))) {
      // each pass removes the modules whose dependencies are all removed
    }
    assertThat(left).as("modules on a cycle, or above one").isEmpty();
  }

  @ParameterizedTest
  @MethodSource("modules")
  void standsInThePomBelowWhatItUses(Module module) {
    List<String> before =
        MODULES.stream().takeWhile(other -> !other.equals(module)).map(Module::artifactId).toList();

    assertThat(before).containsAll(module.dependencies()).containsAll(module.companions());
  }

  @ParameterizedTest
  @MethodSource("modules")
  void dependsOnWhatTheDesignAllows(Module module) {
    assertThat(folders(module.dependencies().stream().map(BY_ARTIFACT::get)))
        .as("dependencies in the pom of %s", module.folder())
        .isSubsetOf(reachable(module.folder()));
  }

  @ParameterizedTest
  @MethodSource("modules")
  void requiresWhatTheDesignAllows(Module module) {
    assertThat(
            folders(
                module.descriptor().requires().stream()
                    .map(ModuleDescriptor.Requires::name)
                    .filter(name -> name.startsWith("org.troupe"))
                    .map(BY_NAME::get)))
        .as("modules that module-info of %s requires", module.folder())
        .isSubsetOf(reachable(module.folder()));
  }

  @ParameterizedTest
  @MethodSource("modules")
  void namesNoClassOfAModuleAbove(Module module) {
    Set<String> reachable = reachable(module.folder());

    assertThat(
            module.references().stream()
                .filter(name -> !reachable.contains(home(name).folder()))
                .toList())
        .as("classes of modules that %s does not stand on", module.folder())
        .isEmpty();
  }

  @ParameterizedTest
  @MethodSource("modules")
  void keepsOutOfTheInternalsOfOthers(Module module) {
    assertThat(
            module.references().stream()
                .filter(name -> name.contains(".internal."))
                .filter(name -> !home(name).equals(module))
                .toList())
        .as("internal classes of others that %s names", module.folder())
        .isEmpty();
  }

  @ParameterizedTest
  @MethodSource("modules")
  void exportsNothingInternal(Module module) {
    assertThat(module.descriptor().exports())
        .filteredOn(export -> export.source().contains("internal"))
        .filteredOn(export -> !export.isQualified())
        .isEmpty();
  }

  @ParameterizedTest
  @MethodSource("modules")
  void isCalledAfterTheProject(Module module) {
    assertThat(module.groupId()).isEqualTo("org.troupe");
    assertThat(module.artifactId()).startsWith("troupe-");
    assertThat(module.descriptor().name()).startsWith("org.troupe.");
    assertThat(module.packages())
        .allMatch(
            name ->
                (name + ".").startsWith(module.descriptor().name() + ".")
                    || name.startsWith("ibis.") && IBIS.contains(module.folder())
                    || name.equals("mpi") && module.folder().equals("models/mpj"));
  }

  @Test
  void managesEveryLibraryAndNothingElseInTheBillOfMaterials() {
    List<String> libraries =
        MODULES.stream()
            .filter(module -> !PROGRAMS.contains(module.folder()))
            .map(Module::artifactId)
            .toList();

    assertThat(Modules.billOfMaterials()).containsOnlyKeys(libraries);
    assertThat(Modules.billOfMaterials().values()).containsOnly(Modules.version());
  }

  private static Set<String> folders(Stream<Module> modules) {
    return modules.map(Module::folder).collect(toUnmodifiableSet());
  }

  /** Returns the module itself and all that it depends on. */
  private static Set<String> reachable(String folder) {
    Set<String> reachable = new HashSet<>(Set.of(folder));
    ARROWS.get(folder).forEach(below -> reachable.addAll(reachable(below)));
    return reachable;
  }

  private static Module home(String className) {
    String packageName = className.substring(0, className.lastIndexOf('.'));
    return MODULES.stream()
        .filter(module -> module.packages().contains(packageName))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no module has class " + className));
  }
}
