package org.troupe.activeobjects.hosting;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

/** The system properties of all modules of Troupe, with the values that they permit. */
public final class TroupeProperties {

  /** How their names begin. */
  public static final String PREFIX = "troupe.";

  /**
   * The values that a property permits.
   *
   * @param permitted the end of the sentence that refuses another value
   */
  private record Form(String permitted, Predicate<String> accepts) {}

  private static final Form BOOLEAN =
      new Form("write true or false", text -> text.matches("(?i)true|false"));
  private static final Form COUNT =
      new Form("write a whole number from 1 on", text -> text.matches("0*[1-9][0-9]{0,8}"));
  private static final Form REPORT =
      new Form("write failure or never", text -> text.matches("failure|never"));

  /** Those whose readers take any value: they are checked before anything else reads them. */
  private static final Map<String, Form> CHECKED_HERE =
      Map.of(
          "troupe.callSites", BOOLEAN,
          "troupe.dashboard", BOOLEAN,
          "troupe.groups.patience", COUNT,
          "troupe.mpj.strict", BOOLEAN,
          "troupe.replicas.check", BOOLEAN,
          "troupe.report", REPORT,
          "troupe.serialization.count", BOOLEAN,
          "troupe.strict", BOOLEAN);

  /** Those whose readers refuse what they cannot use. */
  private static final Set<String> CHECKED_BY_READERS =
      Set.of(
          "troupe.application",
          "troupe.callTimeout",
          "troupe.classes.load",
          "troupe.collect",
          "troupe.collect.idle",
          "troupe.links",
          "troupe.observe",
          "troupe.on",
          "troupe.restart.wait",
          "troupe.serialization.allow",
          "troupe.serialization.without",
          "troupe.ssh.config",
          "troupe.ssh.program",
          "troupe.tasks.copy",
          "troupe.tasks.leave",
          "troupe.tasks.orphans",
          "troupe.tasks.retries",
          "troupe.tasks.stack",
          "troupe.tasks.steal",
          "troupe.tasks.workers",
          "troupe.trace.baggage",
          "troupe.trace.oneWay",
          "troupe.trace.ratio",
          "troupe.transport");

  /** Those by which JVMs of Troupe set up each other; no user sets them. */
  private static final Set<String> BETWEEN_JVMS =
      Set.of(
          "troupe.aotCache", "troupe.prepared", "troupe.run", "troupe.ssh.fanOut", "troupe.woven");

  private TroupeProperties() {}

  /** Returns the names of those that users set. */
  public static SortedSet<String> names() {
    var names = new TreeSet<>(CHECKED_HERE.keySet());
    names.addAll(CHECKED_BY_READERS);
    return names;
  }

  /** Returns a sentence for each value that is not permitted, in the order of the names. */
  public static List<String> problems(Properties properties) {
    var problems = new ArrayList<String>();
    new TreeMap<>(CHECKED_HERE)
        .forEach(
            (name, form) -> {
              var value = properties.getProperty(name);
              if (value != null && !form.accepts.test(value)) {
                problems.add("%s is '%s'; %s".formatted(name, value, form.permitted));
              }
            });
    return problems;
  }

  /** Returns the names that look like those of Troupe, but that nothing reads. */
  public static SortedSet<String> unknown(Properties properties) {
    var unknown = new TreeSet<>(properties.stringPropertyNames());
    unknown.removeIf(each -> !each.startsWith(PREFIX));
    unknown.removeAll(names());
    unknown.removeAll(BETWEEN_JVMS);
    return unknown;
  }
}
