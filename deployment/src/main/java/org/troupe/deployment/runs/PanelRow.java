package org.troupe.deployment.runs;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.troupe.deployment.model.PanelItem;
import org.troupe.deployment.watch.WatchRecord;

/** The row of a panel while it is made. It is bounded, whatever the program gives. */
final class PanelRow {

  private static final int MOST_ITEMS = 200;
  private static final int MOST_POINTS = 10 * PanelItem.MOST_POINTS; // of all curves together
  private static final int MOST_PIXELS = 8 * PanelItem.MOST_PIXELS; // of all pictures together
  private static final int MOST_CHARACTERS = 1_000_000; // of all texts together
  private static final int LONGEST_TEXT = 1_000;
  private static final int LONGEST_LINE = 16_000;

  private final List<PanelItem.Fact> facts = new ArrayList<>();
  private final List<PanelItem.Curve> curves = new ArrayList<>();
  private final List<PanelItem.Picture> pictures = new ArrayList<>();
  private final List<String> lines = new ArrayList<>();
  private final List<String> buttons = new ArrayList<>();
  private int points;
  private int pixels;
  private long characters;

  private PanelRow() {}

  /** Asks the program for the items of a panel; returns its row, which says so if that fails. */
  static WatchRecord.Panel of(String name, Supplier<List<PanelItem>> items) {
    try {
      return of(name, Objects.requireNonNull(items.get(), "the program gave no list of items"));
    } catch (RuntimeException | Error e) { // of the program
      return failed(name, e.toString());
    }
  }

  private static WatchRecord.Panel of(String name, List<PanelItem> items) {
    if (items.size() > MOST_ITEMS) {
      return failed(name, "it has %d items; show at most %d".formatted(items.size(), MOST_ITEMS));
    }
    var row = new PanelRow();
    for (var each : items) {
      row.add(Objects.requireNonNull(each, "the program gave an item that is null"));
    }
    if (row.points > MOST_POINTS) {
      return failed(
          name, "its curves have %,d points; show at most %,d".formatted(row.points, MOST_POINTS));
    }
    if (row.pixels > MOST_PIXELS) {
      return failed(
          name,
          "its pictures have %,d pixels; show at most %,d".formatted(row.pixels, MOST_PIXELS));
    }
    if (row.characters > MOST_CHARACTERS) {
      return failed(
          name,
          "its texts have %,d characters; show at most %,d"
              .formatted(row.characters, MOST_CHARACTERS));
    }
    return new WatchRecord.Panel(
        name, row.facts, row.curves, row.pictures, row.lines, row.buttons, "", false);
  }

  /** Returns the row of a panel without items. */
  static WatchRecord.Panel failed(String name, String why) {
    return new WatchRecord.Panel(
        name,
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        shortened(why, LONGEST_LINE),
        false);
  }

  private void add(PanelItem item) {
    switch (item) {
      case PanelItem.Fact(var name, var value) ->
          facts.add(new PanelItem.Fact(text(name), text(value)));
      case PanelItem.Curve(var title, var across, var up, var xs, var ys) -> {
        points += xs.size();
        curves.add(new PanelItem.Curve(text(title), axis(across), axis(up), xs, ys));
      }
      case PanelItem.Picture picture -> {
        pixels += picture.width() * picture.height();
        pictures.add(shortened(picture));
      }
      case PanelItem.Line(var text) -> lines.add(counted(shortened(text, LONGEST_LINE)));
      case PanelItem.Button(var name, _) -> buttons.add(name);
    }
  }

  private PanelItem.Axis axis(PanelItem.Axis axis) {
    return new PanelItem.Axis(text(axis.name()), text(axis.unit()));
  }

  private PanelItem.Picture shortened(PanelItem.Picture picture) {
    return new PanelItem.Picture(
        text(picture.title()),
        text(picture.note()),
        text(picture.unit()),
        picture.width(),
        picture.height(),
        picture.largest(),
        picture.pixels(),
        picture.labels().stream().map(this::text).toList());
  }

  private String text(String text) {
    return counted(shortened(text, LONGEST_TEXT));
  }

  private String counted(String text) {
    characters += text.length();
    return text;
  }

  private static String shortened(String text, int longest) {
    return text.length() <= longest ? text : text.substring(0, longest - 3) + "...";
  }
}
