package org.troupe.deployment.site;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.troupe.deployment.files.AtomicFile;
import org.troupe.descriptors.DescriptorException;
import org.troupe.descriptors.Login;
import org.troupe.descriptors.read.DescriptorReader;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * A folder of sites: for each a descriptor, which users edit, and a record of the site's answers.
 */
public final class SiteFolder {

  /*
   * Design: updates. The record has the descriptor as it was generated. When a site is asked again, the lines that the
   * user has changed since stay, and the others follow the site (LineMerge). The result replaces the file only if it is
   * a valid descriptor. The descriptor is written before its record: after a crash between the two, the next merge sees
   * the same changes on both sides.
   */
  private static final JsonMapper JSON = new JsonMapper();
  private static final String DESCRIPTOR = ".xml";
  private static final String RECORD = ".json";

  private final Path folder;

  /** The record of a site. */
  record Recorded(SiteFacts facts, List<String> generated) {}

  /** A site in a folder. */
  public record Site(String name, SiteFacts facts) {

    /** Returns the facts for users, in lines. */
    public List<String> lines() {
      return SiteText.of(facts);
    }
  }

  /**
   * The effect of writing a site.
   *
   * @param file the descriptor that was written
   * @param isNew whether there was none before
   * @param notes what was done with the user's edits, in sentences
   */
  public record Written(Path file, boolean isNew, List<String> notes) {}

  public SiteFolder(Path folder) {
    this.folder = folder;
  }

  /** Returns the descriptor of a site, whether it is there or not. */
  public Path descriptor(String name) {
    return folder.resolve(name + DESCRIPTOR);
  }

  /**
   * Returns the sites, in the order of their names.
   *
   * @throws IOException if a record cannot be read
   */
  public List<Site> sites() throws IOException {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    var sites = new ArrayList<Site>();
    try (var files = Files.list(folder)) {
      for (var file : files.sorted().toList()) {
        var name = file.getFileName().toString();
        if (name.endsWith(DESCRIPTOR)) {
          site(name.substring(0, name.length() - DESCRIPTOR.length())).ifPresent(sites::add);
        }
      }
    }
    return sites;
  }

  /** Returns a site that 'site add' has written; empty if there is none. */
  public Optional<Site> site(String name) throws IOException {
    return read(name).map(recorded -> new Site(name, recorded.facts()));
  }

  private Optional<Recorded> read(String name) throws IOException {
    var file = folder.resolve(name + RECORD);
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    try {
      return Optional.of(JSON.readValue(Files.readAllBytes(file), Recorded.class));
    } catch (JacksonException e) {
      throw new IOException(
          "the record '%s' cannot be read; remove it, and add the site again: %s"
              .formatted(file, e.getOriginalMessage()),
          e);
    }
  }

  /**
   * Writes the descriptor of a site, or updates it without losing the user's edits.
   *
   * @throws IOException if the files cannot be written; they are unchanged then
   */
  public Written write(String name, Login login, SiteFacts facts) throws IOException {
    var generated = SiteDescriptor.of(name, login, facts);
    var file = descriptor(name);
    if (!Files.exists(file)) {
      Files.createDirectories(folder);
      put(file, generated);
      record(name, facts, generated);
      return new Written(file, true, List.of());
    }
    var before = read(name);
    if (before.isEmpty()) {
      return beside(
          name,
          generated,
          "'%s' was not written by 'site add', or its record '%s' is gone"
              .formatted(file, folder.resolve(name + RECORD)));
    }
    var edited = edited(file);
    var merge = LineMerge.of(before.get().generated(), edited, generated);
    var problem = merge.lines().equals(edited) ? "" : problem(merge.lines());
    if (!problem.isEmpty()) {
      return beside(
          name,
          generated,
          "the update does not fit your edits of '%s': %s".formatted(file, problem));
    }
    put(file, merge.lines());
    record(name, facts, generated);
    var notes = new ArrayList<String>();
    for (var kept : merge.kept()) {
      notes.add(
          "kept your lines %s; the site would now have %s"
              .formatted(shown(kept.kept()), shown(kept.proposed())));
    }
    return new Written(file, false, notes);
  }

  private static List<String> edited(Path file) throws IOException {
    try {
      return Files.readAllLines(file, StandardCharsets.UTF_8);
    } catch (CharacterCodingException e) {
      throw new IOException(
          "'%s' is not in UTF-8, so it cannot be updated; save it in UTF-8, and add the site again"
              .formatted(file),
          e);
    }
  }

  /** Writes a descriptor beside one that cannot be updated, and beside those written before. */
  private Written beside(String name, List<String> generated, String why) throws IOException {
    var file = descriptor(name + ".new");
    for (var number = 2; Files.exists(file) && !has(file, generated); number++) {
      file = descriptor(name + ".new-" + number); // the user may have edited the others
    }
    put(file, generated);
    return new Written(file, true, List.of(why + "; compare the two, and keep one of them"));
  }

  /** Returns the first problem of a descriptor; empty if it is valid. */
  private String problem(List<String> lines) throws IOException {
    var trial = Files.createTempFile(folder, ".site", DESCRIPTOR);
    try {
      Files.write(trial, lines);
      DescriptorReader.read(trial, Map.of(), System.getenv());
      return "";
    } catch (DescriptorException e) {
      return e.problems().getFirst().toString().replace(trial + ":", "line ");
    } finally {
      Files.deleteIfExists(trial);
    }
  }

  private static void put(Path file, List<String> lines) throws IOException {
    AtomicFile.write(file, text(lines));
  }

  private static boolean has(Path file, List<String> lines) throws IOException {
    return Files.isRegularFile(file)
        && Arrays.equals(Files.readAllBytes(file), text(lines).getBytes(StandardCharsets.UTF_8));
  }

  private static String text(List<String> lines) {
    return String.join("\n", lines) + "\n";
  }

  private void record(String name, SiteFacts facts, List<String> generated) throws IOException {
    var text =
        JSON.writerWithDefaultPrettyPrinter().writeValueAsString(new Recorded(facts, generated));
    AtomicFile.write(folder.resolve(name + RECORD), text + "\n");
  }

  private static String shown(List<String> lines) {
    return lines.isEmpty()
        ? "nothing"
        : "'" + String.join(" ", lines.stream().map(String::strip).toList()) + "'";
  }

  /** Returns sites as a JSON array. */
  public static String toJson(List<Site> sites) {
    return JSON.writerWithDefaultPrettyPrinter().writeValueAsString(sites);
  }
}
