package ibis.io;

/**
 * Gives other objects to travel in the place of those that a program writes to its messages.
 *
 * <p>Named by the property {@code ibis.serialization.replacer} of a send port; made by its public
 * constructor without arguments.
 */
public interface Replacer {

  /**
   * Returns what travels in the place of an object: the object itself if nothing should.
   *
   * @param object never {@code null}
   */
  Object replace(Object object);
}
