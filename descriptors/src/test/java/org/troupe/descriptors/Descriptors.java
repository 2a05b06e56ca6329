package org.troupe.descriptors;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.troupe.descriptors.read.DescriptorReader;

/** Descriptors for tests, and their problems. */
public final class Descriptors {

  public static final Map<String, String> ENVIRONMENT =
      Map.of("HOME", "/home/ada", "SCRATCH", "/scratch");

  private Descriptors() {}

  public static String example(String name) {
    try (var in = Descriptors.class.getResourceAsStream(name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Writes a file named {@code grid.xml}. */
  public static Path write(Path folder, String text) {
    return write(folder, text.getBytes(StandardCharsets.UTF_8));
  }

  public static Path write(Path folder, byte[] bytes) {
    try {
      return Files.write(folder.resolve("grid.xml"), bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the lines of the message, without the folder; empty if the descriptor is valid. */
  public static List<String> errors(Path folder, Supplier<Descriptor> reading) {
    try {
      Descriptor _ = reading.get();
      return List.of();
    } catch (DescriptorException e) {
      return e.getMessage().lines().map(line -> line.replace(folder.toString() + "/", "")).toList();
    }
  }

  public static List<String> errors(Path folder, String text, Map<String, String> given) {
    Path file = write(folder, text);
    return errors(folder, () -> DescriptorReader.read(file, given, ENVIRONMENT));
  }

  static List<String> warnings(Path folder, String text, Map<String, String> given) {
    return DescriptorReader.read(write(folder, text), given, ENVIRONMENT).warnings().stream()
        .map(warning -> warning.toString().replace(folder.toString() + "/", ""))
        .toList();
  }
}
