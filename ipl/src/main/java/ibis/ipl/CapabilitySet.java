package ibis.ipl;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInput;
import java.io.DataInputStream;
import java.io.DataOutput;
import java.io.DataOutputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** A set of words, which are converted to lower case. Immutable. */
public class CapabilitySet {

  private static final Set<String> YES = Set.of("1", "on", "true", "yes", "");

  /** The largest set; bounds the memory that a corrupt count can allocate. */
  private static final int MOST = 1 << 16;

  private final TreeSet<String> words = new TreeSet<>();

  /** Creates the empty set. */
  public CapabilitySet() {}

  public CapabilitySet(String... capabilities) {
    addAll(List.of(capabilities));
  }

  /** Creates a copy. */
  public CapabilitySet(CapabilitySet other) {
    words.addAll(other.words);
  }

  /**
   * Decodes the bytes of {@link #toBytes}.
   *
   * @throws IOException if it is malformed
   */
  public CapabilitySet(byte[] encoded) throws IOException {
    this(encoded, 0, encoded.length);
  }

  /**
   * Decodes the bytes of {@link #toBytes} in a part of an array.
   *
   * @throws IOException if it is malformed
   */
  public CapabilitySet(byte[] encoded, int offset, int length) throws IOException {
    this(new DataInputStream(new ByteArrayInputStream(encoded, offset, length)));
  }

  /**
   * Reads the output of {@link #writeTo}.
   *
   * @throws IOException if it is malformed
   */
  public CapabilitySet(DataInput in) throws IOException {
    int count = in.readInt();
    if (count < 0 || count > MOST) {
      throw new IOException("malformed capabilities: a set of " + count + " words");
    }
    for (int i = 0; i < count; i++) {
      words.add(in.readUTF().toLowerCase(Locale.ROOT));
    }
  }

  /** Creates a set of the keys whose value is 1, on, true, yes or empty. */
  protected CapabilitySet(Properties properties) {
    addAll(
        properties.stringPropertyNames().stream()
            .filter(
                key -> YES.contains(properties.getProperty(key).strip().toLowerCase(Locale.ROOT)))
            .toList());
  }

  private void addAll(Collection<String> capabilities) {
    for (String capability : capabilities) {
      words.add(capability.toLowerCase(Locale.ROOT));
    }
  }

  /**
   * Reads a set from a properties file on the class path.
   *
   * @throws IOException if there is no such file, or it cannot be read
   */
  public static CapabilitySet load(String resource) throws IOException {
    return new CapabilitySet(properties(resource));
  }

  /** Reads a set from a properties file; a key counts if its value is 1, on, true, yes or empty. */
  public static CapabilitySet load(InputStream in) throws IOException {
    return new CapabilitySet(properties(in));
  }

  static Properties properties(String resource) throws IOException {
    ClassLoader context = Thread.currentThread().getContextClassLoader();
    ClassLoader loader = context != null ? context : ClassLoader.getSystemClassLoader();
    try (InputStream in = loader.getResourceAsStream(resource)) {
      if (in == null) {
        throw new FileNotFoundException(
            "there is no '" + resource + "' on the class path to read capabilities from");
      }
      return properties(in);
    }
  }

  static Properties properties(InputStream in) throws IOException {
    var properties = new Properties();
    properties.load(in);
    return properties;
  }

  public boolean hasCapability(String capability) {
    return words.contains(capability.toLowerCase(Locale.ROOT));
  }

  /** Returns whether the other set contains all words of this one. */
  public boolean matchCapabilities(CapabilitySet other) {
    return other.words.containsAll(words);
  }

  /** Returns the words of this set that the other does not contain. */
  public CapabilitySet unmatchedCapabilities(CapabilitySet other) {
    return of(words.stream().filter(word -> !other.words.contains(word)));
  }

  /** Returns the words of this set that have a prefix. */
  public CapabilitySet getCapabilitiesWithPrefix(String prefix) {
    String begin = prefix.toLowerCase(Locale.ROOT);
    return of(words.stream().filter(word -> word.startsWith(begin)));
  }

  private static CapabilitySet of(Stream<String> words) {
    return new CapabilitySet(words.toArray(String[]::new));
  }

  /** Returns a copy of the words, sorted. */
  public String[] getCapabilities() {
    return words.toArray(String[]::new);
  }

  public int size() {
    return words.size();
  }

  /** Encodes the set as {@link #writeTo} does. */
  public byte[] toBytes() {
    var bytes = new ByteArrayOutputStream();
    try {
      writeTo(new DataOutputStream(bytes));
    } catch (IOException e) {
      throw new IllegalArgumentException("a word is too long: " + e.getMessage(), e);
    }
    return bytes.toByteArray();
  }

  /** Writes the number of words, and each in modified UTF-8. */
  public void writeTo(DataOutput out) throws IOException {
    out.writeInt(words.size());
    for (String word : words) {
      out.writeUTF(word);
    }
  }

  /** Two sets are equal if their words are. */
  @Override
  public boolean equals(Object other) {
    return other instanceof CapabilitySet that && words.equals(that.words);
  }

  @Override
  public int hashCode() {
    return words.hashCode();
  }

  /** Returns the words, sorted, with spaces between them. */
  @Override
  public String toString() {
    return String.join(" ", words);
  }
}
