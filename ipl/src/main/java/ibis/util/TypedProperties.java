package ibis.util;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.TreeSet;

/**
 * Properties with typed values.
 *
 * <p>Names are matched as they are. A value that is not of the type asked for is a {@link
 * NumberFormatException} that names it.
 */
public class TypedProperties extends Properties {

  private static final long serialVersionUID = 1L;

  private static final System.Logger LOG = System.getLogger(TypedProperties.class.getPackageName());

  /** Creates an empty set. */
  public TypedProperties() {}

  /** Creates a copy, including the defaults of the other set. */
  @SuppressWarnings("this-escape") // only into the map, which is whole by now
  public TypedProperties(Properties other) {
    for (String name : other.stringPropertyNames()) {
      super.put(name, other.getProperty(name));
    }
  }

  /** Takes over all properties of another set, its defaults too. */
  public void addProperties(Properties other) {
    if (other != null) {
      for (String name : other.stringPropertyNames()) {
        setProperty(name, other.getProperty(name));
      }
    }
  }

  /** Takes over the properties of a file, if it can be read. */
  public void loadFromFile(String fileName) {
    if (fileName == null || !Files.exists(Path.of(fileName))) {
      return;
    }
    try (InputStream in = Files.newInputStream(Path.of(fileName))) {
      load(in);
    } catch (IOException | IllegalArgumentException e) {
      LOG.log(Level.WARNING, "cannot read properties from '" + fileName + "'", e);
    }
  }

  /** Takes over the properties of a file in the user's home, if it can be read. */
  public void loadFromHomeFile(String fileName) {
    loadFromFile(System.getProperty("user.home") + File.separator + fileName);
  }

  /** Takes over the properties of a file on the class path, if there is one. */
  public void loadFromClassPath(String resourceName) {
    ClassLoader context = Thread.currentThread().getContextClassLoader();
    ClassLoader loader = context != null ? context : ClassLoader.getSystemClassLoader();
    try (InputStream in = loader.getResourceAsStream(resourceName)) {
      if (in != null) {
        load(in);
      }
    } catch (IOException | IllegalArgumentException e) {
      LOG.log(Level.WARNING, "cannot read properties from '" + resourceName + "'", e);
    }
  }

  /** Returns whether a property is 1, on, true, yes or empty; false if it is not set. */
  public boolean getBooleanProperty(String key) {
    return getBooleanProperty(key, false);
  }

  /** Returns whether a property is 1, on, true, yes or empty. */
  public boolean getBooleanProperty(String key, boolean defaultValue) {
    String value = getProperty(key);
    return value == null
        ? defaultValue
        : switch (value.strip().toLowerCase(Locale.ROOT)) {
          case "1", "on", "true", "yes", "" -> true;
          default -> false;
        };
  }

  /**
   * Returns a property as a number.
   *
   * @throws NumberFormatException if it is not set, or none
   */
  public int getIntProperty(String key) {
    return intValue(key, required(key));
  }

  public int getIntProperty(String key, int defaultValue) {
    String value = getProperty(key);
    return value == null ? defaultValue : intValue(key, value);
  }

  private static int intValue(String key, String value) {
    try {
      return Integer.parseInt(value.strip());
    } catch (NumberFormatException _) {
      throw wrong(key, value, "a whole number");
    }
  }

  /**
   * Returns a property as a number.
   *
   * @throws NumberFormatException if it is not set, or none
   */
  public long getLongProperty(String key) {
    return longValue(key, required(key));
  }

  public long getLongProperty(String key, long defaultValue) {
    String value = getProperty(key);
    return value == null ? defaultValue : longValue(key, value);
  }

  private static long longValue(String key, String value) {
    try {
      return Long.parseLong(value.strip());
    } catch (NumberFormatException _) {
      throw wrong(key, value, "a whole number");
    }
  }

  /**
   * Returns a property as a number.
   *
   * @throws NumberFormatException if it is not set, or none
   */
  public short getShortProperty(String key) {
    return shortValue(key, required(key));
  }

  public short getShortProperty(String key, short defaultValue) {
    String value = getProperty(key);
    return value == null ? defaultValue : shortValue(key, value);
  }

  private static short shortValue(String key, String value) {
    try {
      return Short.parseShort(value.strip());
    } catch (NumberFormatException _) {
      throw wrong(key, value, "a whole number from -32768 to 32767");
    }
  }

  /**
   * Returns a property as a number.
   *
   * @throws NumberFormatException if it is not set, or none
   */
  public double getDoubleProperty(String key) {
    return doubleValue(key, required(key));
  }

  public double getDoubleProperty(String key, double defaultValue) {
    String value = getProperty(key);
    return value == null ? defaultValue : doubleValue(key, value);
  }

  private static double doubleValue(String key, String value) {
    try {
      return Double.parseDouble(value.strip());
    } catch (NumberFormatException _) {
      throw wrong(key, value, "a number");
    }
  }

  /**
   * Returns a property as a number.
   *
   * @throws NumberFormatException if it is not set, or none
   */
  public float getFloatProperty(String key) {
    return (float) getDoubleProperty(key);
  }

  public float getFloatProperty(String key, float defaultValue) {
    return (float) getDoubleProperty(key, defaultValue);
  }

  /**
   * Returns a property as a number of bytes; a letter K, M or G at its end multiplies it by 1024
   * once, twice or three times.
   *
   * @throws NumberFormatException if it is not set, or none
   */
  public long getSizeProperty(String key) {
    return size(key, required(key));
  }

  /** Returns a property as a number of bytes, as {@link #getSizeProperty(String)} does. */
  public long getSizeProperty(String key, long defaultValue) {
    String value = getProperty(key);
    return value == null ? defaultValue : size(key, value);
  }

  private static long size(String key, String value) {
    String text = value.strip();
    long factor =
        switch (text.isEmpty() ? ' ' : Character.toUpperCase(text.charAt(text.length() - 1))) {
          case 'K' -> 1L << 10;
          case 'M' -> 1L << 20;
          case 'G' -> 1L << 30;
          default -> 1;
        };
    try {
      return Math.multiplyExact(
          Long.parseLong(factor == 1 ? text : text.substring(0, text.length() - 1)), factor);
    } catch (NumberFormatException | ArithmeticException _) {
      throw wrong(key, value, "a size, such as 512, 64K or 2M");
    }
  }

  /** Returns a property that is a list with commas between; empty if it is not set. */
  public String[] getStringList(String key) {
    return getStringList(key, ",", new String[0]);
  }

  /** Returns a property that is a list with any of the characters between; empty if not set. */
  public String[] getStringList(String key, String delimiters) {
    return getStringList(key, delimiters, new String[0]);
  }

  /** Returns a property that is a list with any of the characters between. */
  public String[] getStringList(String key, String delimiters, String[] defaultValue) {
    String value = getProperty(key);
    if (value == null) {
      return defaultValue;
    }
    List<String> words = new ArrayList<>();
    var word = new StringBuilder();
    for (char c : (value + delimiters.charAt(0)).toCharArray()) {
      if (delimiters.indexOf(c) < 0) {
        word.append(c);
      } else {
        if (!word.toString().isBlank()) {
          words.add(word.toString().strip());
        }
        word.setLength(0);
      }
    }
    return words.toArray(String[]::new);
  }

  private String required(String key) {
    String value = getProperty(key);
    if (value == null) {
      throw new NumberFormatException("the property '" + key + "' is not set; it has no default");
    }
    return value;
  }

  private static NumberFormatException wrong(String key, String value, String what) {
    return new NumberFormatException(
        "the property '" + key + "' is '" + value + "', which is not " + what);
  }

  /** Returns the properties whose names have a prefix; {@code null} selects all. */
  public TypedProperties filter(String prefix) {
    return filter(prefix, false, false);
  }

  /**
   * Returns the properties whose names have a prefix.
   *
   * @param prefix {@code null} stands for all
   * @param removePrefix whether the result has their names without the prefix
   * @param removeProperties whether to remove them from this set
   */
  public TypedProperties filter(String prefix, boolean removePrefix, boolean removeProperties) {
    var found = new TypedProperties();
    String begin = prefix == null ? "" : prefix;
    for (String name : stringPropertyNames()) {
      if (name.startsWith(begin)) {
        found.setProperty(removePrefix ? name.substring(begin.length()) : name, getProperty(name));
        if (removeProperties) {
          remove(name);
        }
      }
    }
    return found;
  }

  /**
   * Returns the properties that begin with a prefix and are not known.
   *
   * @param validKeys names that are known; may be {@code null}
   * @param validPrefixes beginnings of names that are known; may be {@code null}
   * @param printWarning whether to log each that is not
   */
  public TypedProperties checkProperties(
      String prefix, String[] validKeys, String[] validPrefixes, boolean printWarning) {
    TypedProperties unknown = filter(prefix);
    List<String> keys = validKeys == null ? List.of() : Arrays.asList(validKeys);
    List<String> prefixes = validPrefixes == null ? List.of() : Arrays.asList(validPrefixes);
    for (String name : unknown.stringPropertyNames()) {
      if (keys.contains(name) || prefixes.stream().anyMatch(name::startsWith)) {
        unknown.remove(name);
      } else if (printWarning) {
        LOG.log(Level.WARNING, "the property ''{0}'' is not known", name);
      }
    }
    return unknown;
  }

  /** Prints a line for each property whose name has a prefix, sorted. */
  public void printProperties(PrintStream out, String prefix) {
    TypedProperties some = filter(prefix);
    for (String name : new TreeSet<>(some.stringPropertyNames())) {
      out.println(name + " = " + getProperty(name));
    }
  }

  /** Returns a line for each property, sorted. */
  public String toVerboseString() {
    var text = new StringBuilder();
    for (String name : new TreeSet<>(stringPropertyNames())) {
      text.append(name).append(" = ").append(getProperty(name)).append(System.lineSeparator());
    }
    return text.toString();
  }
}
