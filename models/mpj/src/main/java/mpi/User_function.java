package mpi;

/** A function that combines items for an {@link Op}. */
public abstract class User_function {

  /** For subclasses. */
  protected User_function() {}

  /** Puts {@code in op inout} into {@code inout}, for {@code count} items. */
  public abstract void Call(
      Object invec, int inoffset, Object inoutvec, int inoutoffset, int count, Datatype datatype);
}
