package org.troupe.descriptors.convert;

import static org.troupe.descriptors.text.QuotedText.quote;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.troupe.descriptors.convert.DescriptorDraft.JvmDraft;
import org.troupe.descriptors.text.ValueType;
import org.troupe.descriptors.xml.Element.Value;

/** Converts the JVMs of legacy descriptors. */
final class LegacyJvms {

  private static final Pattern PROACTIVE_JAR =
      Pattern.compile("(?i)(.*/)?(proactive|ibis)[^/]*\\.jar");

  /** Options that Java no longer accepts, or that no library reads. */
  private static final Pattern GONE =
      Pattern.compile(
          "-D(proactive|fractal|java\\.security\\.(policy|manager)|java\\.rmi)\\b.*"
              + "|-XX:(Max)?PermSize.*|-Xincgc|-XX:\\+UseConcMarkSweepGC|-X(no)?classgc");

  private final DescriptorDraft draft;

  LegacyJvms(DescriptorDraft draft) {
    this.draft = draft;
  }

  /** Returns the settings of a {@code jvmProcess}, added to those that it extends. */
  JvmDraft ofProcess(LegacyElement process, boolean isElsewhere, Optional<LegacyElement> extended) {
    JvmDraft base =
        extended.map(old -> ofProcess(old, isElsewhere, Optional.empty())).orElse(JvmDraft.USUAL);
    process.child("extendedJvm").ifPresent(old -> old.accept("overwriteParameters"));
    process.accept("priority", "normal");
    process.accept("os", "unix");
    List<String> options = new ArrayList<>(base.options());
    List<String> boot =
        process.at("bootclasspath").stream().flatMap(old -> paths(old).stream()).toList();
    if (!boot.isEmpty()) {
      options.add("-Xbootclasspath/a:" + String.join(":", boot));
    }
    for (LegacyElement parameter : process.at("jvmParameters", "parameter")) {
      parameter.attribute("value").ifPresent(value -> options.addAll(options(value)));
    }
    List<String> classPath =
        process.at("classpath").stream().flatMap(old -> paths(old).stream()).toList();
    if (isElsewhere && !classPath.isEmpty()) {
      draft
          .losses()
          .report(
              process.place(),
              "the class path was one of other machines, and is copied from here to them",
              "see that its files are on this machine, or say sharedFiles=\"true\"");
    }
    return new JvmDraft(
        process.child("javaPath").flatMap(this::javaHome).or(base::javaHome),
        options,
        Stream.concat(classPath.stream(), base.classPath().stream()).distinct().toList(),
        base.environment());
  }

  /** Returns the options in a text that may hold several. */
  List<String> options(Value written) {
    List<String> options = new ArrayList<>();
    for (String option : draft.text(written.text().strip()).split("\\s+(?=-)")) {
      if (option.isEmpty()) {
        continue;
      }
      if (GONE.matcher(option).matches()) {
        draft
            .losses()
            .report(
                written.place(),
                "option " + quote(option) + " means nothing any more",
                "leave it out");
      } else if (ValueType.OPTION.accepts(option) || option.startsWith("${")) {
        options.add(option);
      } else {
        draft
            .losses()
            .report(
                written.place(),
                quote(option) + " is not " + ValueType.OPTION.meaning() + ", so it is left out",
                ValueType.OPTION.remedy());
      }
    }
    return options;
  }

  private List<String> paths(LegacyElement parent) {
    List<String> paths = new ArrayList<>();
    for (LegacyElement path : parent.children()) {
      path(path).ifPresent(text -> addPath(path, text, paths));
    }
    return paths;
  }

  /** Adds an entry of a class path, unless it is one of ProActive's own jars. */
  void addPath(LegacyElement old, String path, List<String> paths) {
    if (PROACTIVE_JAR.matcher(path).matches()) {
      old.report(quote(path) + " is replaced by the jars of Troupe", "leave it out");
    } else {
      paths.add(path);
    }
  }

  /** Returns an absolute path, or one from a known origin. */
  private Optional<String> path(LegacyElement path) {
    Optional<String> value = draft.value(path.attribute("value"), ValueType.PATH);
    Optional<Value> origin = path.attribute("origin");
    if (origin.isEmpty()) {
      return value;
    }
    return switch (origin.get().text().strip()) {
      case "user.home", "userHome" -> value.map(v -> "~/" + v);
      case "user.dir", "workingDirectory" -> value;
      default -> {
        draft
            .losses()
            .report(
                origin.get().place(),
                "a path from " + quote(origin.get().text()) + " has no counterpart",
                "the class path of your program is there anyway; name what else is needed");
        yield Optional.empty();
      }
    };
  }

  private Optional<String> javaHome(LegacyElement javaPath) {
    return javaPath.children().stream()
        .findFirst()
        .flatMap(old -> path(old).flatMap(p -> javaHome(old, p)));
  }

  /**
   * Returns the {@code javaHome} of a Java program, which is the folder with {@code bin/java} in
   * it.
   */
  Optional<String> javaHome(LegacyElement old, String path) {
    String java = path.replaceAll("/+", "/").replaceFirst("^\"(.*)\"$", "$1");
    if (java.endsWith("/bin/java") && (java.startsWith("/") || java.startsWith("${"))) {
      String home = java.substring(0, java.length() - "/bin/java".length());
      old.report(
          "the Java in " + quote(home) + " may be too old", "see that it is 25 or newer there");
      return Optional.of(home);
    }
    old.report(
        quote(path) + " names no Java by its whole path, so the usual one is taken",
        "write javaHome=\"/...\" with the folder that has bin/java in it");
    return Optional.empty();
  }
}
