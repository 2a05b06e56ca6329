package ibis.ipl;

import java.io.PrintStream;
import java.util.Map;

/** An object with management properties: counters and settings. May be shared between threads. */
public interface Manageable {

  /** Returns a snapshot of all properties. */
  Map<String, String> managementProperties();

  /**
   * Sets several properties, or none of them.
   *
   * @throws NoSuchPropertyException if there is no property of one of the names, or it is read-only
   */
  void setManagementProperties(Map<String, String> properties) throws NoSuchPropertyException;

  /**
   * Returns the present value of a property.
   *
   * @throws NoSuchPropertyException if there is none of this name
   */
  String getManagementProperty(String key) throws NoSuchPropertyException;

  /**
   * Sets a property.
   *
   * @throws NoSuchPropertyException if there is none of this name, or it is read-only
   */
  void setManagementProperty(String key, String value) throws NoSuchPropertyException;

  /** Prints a line for each property; also after the end of the instance or port. */
  void printManagementProperties(PrintStream stream);
}
