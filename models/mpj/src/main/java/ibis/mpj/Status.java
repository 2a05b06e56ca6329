package ibis.mpj;

import org.jspecify.annotations.Nullable;
import org.troupe.mpj.comm.MessageStatus;

/** What became of a message. */
public class Status {

  /** The rank of the sender. */
  public int source;

  /** The tag of the message. */
  public int tag;

  /** The place of its request in an array of them. */
  public int index;

  private final MessageStatus core;

  private Status(MessageStatus core, int index) {
    this.core = core;
    this.source = core.source();
    this.tag = core.tag();
    this.index = index;
  }

  static Status of(MessageStatus core) {
    return new Status(core, 0);
  }

  static Status of(MessageStatus core, int index) {
    return new Status(core, index);
  }

  static @Nullable Status orNull(@Nullable MessageStatus core) {
    return core == null ? null : of(core);
  }

  /** Returns the number of items; {@code UNDEFINED} if there is a rest. */
  public int getCount(Datatype datatype) throws MPJException {
    return core.count(Datatype.core(datatype));
  }

  /** Returns the number of elements of the base type. */
  public int getElements(Datatype datatype) throws MPJException {
    return core.elements(Datatype.core(datatype));
  }

  /** Returns whether the operation was cancelled. */
  public boolean testCancelled() throws MPJException {
    return core.isCancelled();
  }

  /** Returns the rank of the sender. */
  public int getSource() {
    return source;
  }

  /** Returns the tag of the message. */
  public int getTag() {
    return tag;
  }

  /** Returns the place of its request in an array of them. */
  public int getIndex() {
    return index;
  }

  /** Returns the size of the message in bytes. */
  public int getSize() {
    return core.bytes();
  }
}
