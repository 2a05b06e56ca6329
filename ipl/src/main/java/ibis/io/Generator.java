package ibis.io;

import java.io.IOException;

/**
 * Creates objects of one class from a stream; a bytecode rewriter adds a subclass for each class.
 */
public abstract class Generator {

  /** Called by subclasses. */
  protected Generator() {}

  public abstract Object generated_newInstance(IbisSerializationInputStream in)
      throws IOException, ClassNotFoundException;
}
