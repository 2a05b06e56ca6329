package ibis.mpj;

/** An object that can be freed; the garbage collector does that, too. */
public interface Freeable {

  /** Frees the object, which must not be used any more. */
  void free() throws MPJException;
}
