package ibis.satin.impl;

/** The local variables of a method with inlets. Generated classes extend it. */
public abstract class InletLocals {

  /** For generated classes. */
  protected InletLocals() {}

  /**
   * Runs the first {@code catch} around a spawn that takes a throwable.
   *
   * @param outer the activation whose job has thrown
   * @param site the number of the spawn in its method
   * @throws Throwable {@code thrown} itself if no {@code catch} takes it, or the exception that the
   *     inlet throws
   */
  protected abstract void inlet(Activation outer, int site, Throwable thrown) throws Throwable;
}
