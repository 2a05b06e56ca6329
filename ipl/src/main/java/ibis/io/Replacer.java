package ibis.io;

/**
 * Substitutes objects that a program writes to its messages.
 *
 * <p>Named by the property {@code ibis.serialization.replacer} of a send port; created by its
 * public constructor without arguments.
 */
public interface Replacer {

  /**
   * Returns the substitute of an object, or the object itself.
   *
   * @param object never {@code null}
   */
  Object replace(Object object);
}
