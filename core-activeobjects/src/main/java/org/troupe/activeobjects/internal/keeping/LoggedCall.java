package org.troupe.activeobjects.internal.keeping;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.internal.replay.LogCodec;
import org.troupe.serialization.ByteInput;
import org.troupe.serialization.ByteOutput;

/** A request in a log, or a call of the object. */
final class LoggedCall {

  private static final byte[] NONE = {};

  private final String method;
  private volatile Supplier<byte[]> content;
  private volatile @Nullable Supplier<Object[]> parts; // of a call that was sent here

  /**
   * Creates a request.
   *
   * @param method the symbol of the method
   * @param content the caller and the arguments, as {@link LogContent} writes them
   */
  LoggedCall(String method, byte[] content) {
    this.method = method;
    this.content = () -> content;
  }

  /** Returns a call that the object has made, and that has not been sent yet. */
  static LoggedCall made(String method) {
    return new LoggedCall(method, NONE);
  }

  /**
   * Records the content of the call, which is encoded only if an image is to have it.
   *
   * @param copied returns the reference to the called object, and copies of the arguments
   */
  void sends(Supplier<Object[]> copied, LogContent encoding) {
    content = () -> encoding.sent(copied.get());
    parts = copied;
  }

  /**
   * Returns the reference to the called object, and copies of the arguments; {@code null} if the
   * call has not been sent.
   */
  Object @Nullable [] parts(LogContent encoding) {
    var copied = parts;
    if (copied != null) {
      return copied.get();
    }
    return content().length == 0 ? null : encoding.sent(this);
  }

  String method() {
    return method;
  }

  byte[] content() {
    return content.get();
  }

  /** Writes and reads calls. */
  static final class Content implements LogCodec.Content<LoggedCall> {
    @Override
    public void write(ByteOutput out, LoggedCall value) {
      out.writeString(value.method);
      out.writeBytes(value.content());
    }

    @Override
    public LoggedCall read(ByteInput in) {
      return new LoggedCall(in.readString(), in.readBytes());
    }
  }

  /** Returns the call as messages show it. */
  @Override
  public String toString() {
    var end = method.indexOf('(');
    var name = end < 0 ? method : method.substring(0, end) + "(..)";
    return name.substring(name.lastIndexOf('.', Math.max(0, name.indexOf('#'))) + 1)
        .replace('#', '.');
  }
}
