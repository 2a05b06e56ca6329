package ibis.io;

import java.io.IOException;

/** Makes objects of one class from a stream; extended by what a rewriter adds to that class. */
public abstract class Generator {

  /** For subclasses. */
  protected Generator() {}

  public abstract Object generated_newInstance(IbisSerializationInputStream in)
      throws IOException, ClassNotFoundException;
}
