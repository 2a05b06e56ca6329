package org.troupe.activeobjects.internal.keeping;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.store.Journals;

/** The journals of a store that belong to save points, and the lists of them. */
final class SaveNames {

  /*
   * Design: a save point is journals
   *
   * A save point of a store has a copy of each journal, named save.NAME.JOURNAL, and a list of these in the image of the
   * journal save.NAME, which is written last and deleted first: without it there is no save point. So a store needs to know nothing
   * of save points, and they remain until they are deleted.
   *
   * A journal of the name PENDING has the name of a save point to which the objects of the store are being put back. A program that resumes
   * the store completes that first.
   */

  /** The journal that names the save point to which a store is being put back. */
  static final String PENDING = "pending-save";

  private static final String PREFIX = "save.";
  private static final String FORM = "troupe-save-1";

  private SaveNames() {}

  /** Returns the name of the list of a save point. */
  static String list(String save) {
    return PREFIX + save;
  }

  /** Returns the name of the copy of a journal. */
  static String copy(String save, String journal) {
    return PREFIX + save + "." + journal;
  }

  /** Returns whether a journal belongs to save points, and not to an object. */
  static boolean isOfSaves(String journal) {
    return journal.startsWith(PREFIX) || journal.equals(PENDING);
  }

  /** Returns the names of the save points of a store. */
  static List<String> saves(Journals journals) throws IOException {
    List<String> found = new ArrayList<>();
    for (var each : journals.names()) {
      if (each.startsWith(PREFIX)
          && each.indexOf('.', PREFIX.length()) < 0
          && read(journals, each) != null) {
        found.add(each.substring(PREFIX.length()));
      }
    }
    return found;
  }

  /** Stores the list of a save point, or another text, as the image of a journal. */
  static void write(Journals journals, String journal, List<String> lines) throws IOException {
    try (var list = journals.open(journal, journals.epoch(journal).orElse(0))) {
      var text = FORM + "\n" + String.join("\n", lines);
      list.replace(list.last(), ByteBuffer.wrap(text.getBytes(UTF_8)));
    }
  }

  /** Returns what {@link #write} has stored; {@code null} if there is no such journal. */
  static @Nullable List<String> read(Journals journals, String journal) throws IOException {
    var epoch = journals.epoch(journal);
    if (epoch.isEmpty()) {
      return null;
    }
    try (var list = journals.open(journal, epoch.getAsLong())) {
      var image = list.image();
      if (image.isEmpty()) {
        return null; // it was being written
      }
      var lines = new String(image.get().content(), UTF_8).lines().toList();
      if (lines.isEmpty() || !lines.getFirst().equals(FORM)) {
        throw new IOException(
            "the journal '%s' in %s has an unknown form; read it with the version of the library that wrote it"
                .formatted(journal, journals));
      }
      return lines.subList(1, lines.size());
    }
  }

  /** Copies a whole journal to another name, at which there may be one already. */
  static void copy(Journals journals, String from, String to) throws IOException {
    journals.delete(to);
    var epoch = journals.epoch(from).orElse(0);
    try (var source = journals.openExisting(from, epoch);
        var copy = journals.open(to, epoch)) {
      var image = source.image();
      if (image.isPresent()) {
        copy.replace(0, ByteBuffer.wrap(image.get().content()));
      }
      source.records((number, content) -> copy.append(ByteBuffer.wrap(content)));
    }
  }

  /** Deletes a save point, complete or not. */
  static void delete(Journals journals, String save) throws IOException {
    journals.delete(list(save));
    for (var each : journals.names()) {
      if (each.startsWith(copy(save, ""))) {
        journals.delete(each);
      }
    }
  }
}
