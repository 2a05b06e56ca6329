package org.troupe.deployment.batch;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;

/** Jobs as PBS and OAR print them: a heading with the id, and an indented line per attribute. */
final class JobAttributes {

  /** Begins a line that continues a long value, which may be cut at any character. */
  private static final String CONTINUED = "\t";

  private static final Pattern ATTRIBUTE = Pattern.compile("\\s+([\\w.]+) =(.*)");

  private JobAttributes() {}

  /**
   * Returns the attributes of each job, by its id.
   *
   * @param heading in front of the id
   */
  static Map<String, Map<String, String>> read(String text, String heading) {
    var jobs = new LinkedHashMap<String, Map<String, String>>();
    Map<String, String> job = new LinkedHashMap<>();
    var last = "";
    for (var line : text.split("\n")) {
      var attribute = ATTRIBUTE.matcher(line);
      if (line.startsWith(heading)) {
        job = new LinkedHashMap<>();
        jobs.put(line.substring(heading.length()).strip(), job);
      } else if (attribute.matches()) {
        last = attribute.group(1);
        job.put(last, attribute.group(2));
      } else if (line.startsWith(CONTINUED) && !last.isEmpty()) {
        job.merge(last, line.substring(CONTINUED.length()), String::concat);
      }
    }
    jobs.values().forEach(each -> each.replaceAll((name, value) -> value.strip()));
    return jobs;
  }
}
