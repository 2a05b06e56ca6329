package ibis.ipl.internal.port;

import ibis.ipl.Manageable;
import ibis.ipl.NoSuchPropertyException;
import java.io.PrintStream;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;

/** Counters as management properties. Counting and reading never block. */
public abstract class ManagedCounters implements Manageable {

  private final boolean settable;
  private final Map<String, LongAdder> counters = new LinkedHashMap<>();

  /**
   * Creates the counters, all 0.
   *
   * @param settable whether programs may set them
   */
  public ManagedCounters(boolean settable, String... keys) {
    this.settable = settable;
    for (String key : keys) {
      counters.put(key, new LongAdder());
    }
  }

  /** Returns the counter of a key from the constructor's arguments. */
  public final LongAdder counter(String key) {
    return Objects.requireNonNull(counters.get(key), key);
  }

  @Override
  public Map<String, String> managementProperties() {
    var values = new LinkedHashMap<String, String>();
    counters.forEach((key, counter) -> values.put(key, Long.toString(counter.sum())));
    return values;
  }

  @Override
  public String getManagementProperty(String key) throws NoSuchPropertyException {
    return Long.toString(existing(key).sum());
  }

  @Override
  public void setManagementProperties(Map<String, String> properties)
      throws NoSuchPropertyException {
    for (Map.Entry<String, String> property : properties.entrySet()) {
      check(property.getKey());
      parse(property.getKey(), property.getValue());
    }
    for (Map.Entry<String, String> property : properties.entrySet()) {
      setManagementProperty(property.getKey(), property.getValue());
    }
  }

  @Override
  public void setManagementProperty(String key, String value) throws NoSuchPropertyException {
    LongAdder counter = check(key);
    long number = parse(key, value);
    counter.reset();
    counter.add(number);
  }

  private static long parse(String key, String value) {
    try {
      return Long.parseLong(value.strip());
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "'" + value + "' is no value for '" + key + "', which counts; use a whole number", e);
    }
  }

  private LongAdder check(String key) throws NoSuchPropertyException {
    LongAdder counter = existing(key);
    if (!settable) {
      throw new NoSuchPropertyException(
          "management property '" + key + "' can only be read here; set those of the ports");
    }
    return counter;
  }

  private LongAdder existing(String key) throws NoSuchPropertyException {
    LongAdder counter = counters.get(key);
    if (counter == null) {
      throw new NoSuchPropertyException(
          "there is no management property '" + key + "'; there are " + counters.keySet());
    }
    return counter;
  }

  @Override
  public void printManagementProperties(PrintStream stream) {
    managementProperties().forEach((key, value) -> stream.println(key + " " + value));
  }
}
