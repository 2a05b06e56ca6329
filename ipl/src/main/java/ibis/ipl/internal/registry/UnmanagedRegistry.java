package ibis.ipl.internal.registry;

import ibis.ipl.NoSuchPropertyException;
import ibis.ipl.registry.Registry;
import java.io.PrintStream;
import java.util.Map;

/** A registry without management properties. */
abstract class UnmanagedRegistry extends Registry {

  @Override
  public Map<String, String> managementProperties() {
    return Map.of();
  }

  @Override
  public void setManagementProperties(Map<String, String> properties)
      throws NoSuchPropertyException {
    for (String key : properties.keySet()) {
      throw unknown(key);
    }
  }

  @Override
  public String getManagementProperty(String key) throws NoSuchPropertyException {
    throw unknown(key);
  }

  @Override
  public void setManagementProperty(String key, String value) throws NoSuchPropertyException {
    throw unknown(key);
  }

  private static NoSuchPropertyException unknown(String key) {
    return new NoSuchPropertyException(
        "there is no management property '" + key + "'; this registry has none");
  }

  @Override
  public void printManagementProperties(PrintStream stream) {
    // This registry has no properties.
  }
}
