package org.troupe.deployment.runs;

import java.lang.reflect.RecordComponent;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.troupe.deployment.process.HiddenValues;
import org.troupe.descriptors.Descriptor;
import org.troupe.descriptors.SourcePosition;

/**
 * With which settings a deployment runs, and where each comes from. Immutable.
 *
 * @param java the version of the program's JVM, and where it is
 * @param system the operating system of the program's machine
 * @param transport the name of the transport between the nodes
 * @param drivers the drivers that carry calls between the program and its nodes
 * @param jvmOptions the program's options for the JVMs of all nodes
 * @param variables the variables of the descriptor
 * @param descriptor the values of the descriptor, by their paths
 * @param properties the system properties that nodes receive
 */
public record GridSettings(
    String java,
    String system,
    String transport,
    SortedSet<String> drivers,
    List<String> jvmOptions,
    List<Setting> variables,
    List<Setting> descriptor,
    List<Setting> properties) {

  private static final int MOST = 2_000; // values of a descriptor
  private static final int MOST_DEPTH = 12;

  /** Copies the lists. */
  public GridSettings {
    drivers = new TreeSet<>(drivers);
    jvmOptions = List.copyOf(jvmOptions);
    variables = List.copyOf(variables);
    descriptor = List.copyOf(descriptor);
    properties = List.copyOf(properties);
  }

  /**
   * A value. One whose name sounds like a secret is not shown, nor that of an option with a
   * property.
   *
   * @param origin where it comes from, such as a place in a file; empty if it is not known
   */
  public record Setting(String name, String value, String origin) {

    /** Hides the value of a secret. */
    public Setting {
      value = HiddenValues.value(name, HiddenValues.line(HiddenValues.option(value)));
    }
  }

  /** Returns the settings of this program's deployment of a descriptor. */
  public static GridSettings of(
      Descriptor descriptor,
      String transport,
      SortedSet<String> drivers,
      List<String> jvmOptions,
      Map<String, String> properties) {
    return new GridSettings(
        Runtime.version() + " in " + System.getProperty("java.home"),
        System.getProperty("os.name") + " " + System.getProperty("os.version"),
        transport,
        drivers,
        jvmOptions.stream().map(HiddenValues::option).toList(),
        descriptor.variables().stream()
            .map(each -> new Setting(each.name(), each.value(), origin(each)))
            .toList(),
        new Walk().of(descriptor),
        properties.entrySet().stream()
            .map(each -> new Setting(each.getKey(), each.getValue(), "property of the program"))
            .toList());
  }

  private static String origin(org.troupe.descriptors.Variable variable) {
    return variable.origin() + ", " + variable.place();
  }

  /** Follows the records of a descriptor to its values. */
  private static final class Walk {

    private final List<Setting> found = new ArrayList<>();

    List<Setting> of(Descriptor descriptor) {
      visit("virtualNodes", descriptor.virtualNodes(), "", 0);
      visit("mapping", descriptor.mapping(), "", 0);
      for (var each : descriptor.infrastructure()) {
        visit("infrastructure." + each.id(), each, "", 0);
      }
      return found;
    }

    private void visit(String path, @Nullable Object value, String origin, int depth) {
      if (depth > MOST_DEPTH || found.size() >= MOST) {
        return;
      }
      switch (value) {
        case null -> {
          // Not given.
        }
        case SourcePosition _ -> {
          // The origin of the others.
        }
        case Optional<?> optional -> visit(path, optional.orElse(null), origin, depth + 1);
        case OptionalInt number when number.isEmpty() -> {
          // Not given.
        }
        case OptionalInt number -> add(path, number.getAsInt(), origin);
        case OptionalLong number -> number.ifPresent(it -> add(path, it, origin));
        case OptionalDouble number -> number.ifPresent(it -> add(path, it, origin));
        case Path file -> add(path, file, origin); // an iterable, too
        case Collection<?> all -> {
          var index = 0;
          for (var each : all) {
            visit(path + "[" + index++ + "]", each, origin, depth + 1);
          }
        }
        case Map<?, ?> map when path.endsWith(".properties") ->
            map.forEach(
                (key, its) -> {
                  var shown = HiddenValues.property(key.toString(), its.toString());
                  add(path + "." + key, shown, origin);
                });
        case Map<?, ?> map ->
            map.forEach((key, its) -> visit(path + "." + key, its, origin, depth + 1));
        case Record fields -> visitFields(path, fields, origin, depth);
        default -> add(path, value, origin);
      }
    }

    private void visitFields(String path, Record fields, String origin, int depth) {
      var own = origin;
      List<RecordComponent> components = List.of(fields.getClass().getRecordComponents());
      for (var each : components) {
        if (value(each, fields) instanceof SourcePosition place) {
          own = place.toString();
        }
      }
      for (var each : components) {
        visit(path + "." + each.getName(), value(each, fields), own, depth + 1);
      }
    }

    private static @Nullable Object value(RecordComponent component, Record of) {
      try {
        return component.getAccessor().invoke(of);
      } catch (ReflectiveOperationException e) {
        return null; // a record that is not public
      }
    }

    private void add(String path, Object value, String origin) {
      var text = value.toString();
      if (!text.isEmpty()) {
        found.add(new Setting(path, text, origin));
      }
    }
  }
}
