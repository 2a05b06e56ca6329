package ibis.ipl.internal.message;

/**
 * The numbers that begin the strings of a message.
 *
 * <p>A number from {@link #FIRST_LENGTH} on is that constant plus twice the length of the string
 * that follows, plus 1 if its characters take two bytes.
 */
public final class StringHeader {

  public static final int NULL = 0;

  /** The index of an earlier string of the message follows; in object serializations only. */
  public static final int REPEATED = 1;

  public static final int FIRST_LENGTH = 2;

  private StringHeader() {}
}
