package org.troupe.serialization.internal.codecs;

import org.jspecify.annotations.Nullable;
import org.troupe.serialization.internal.classes.ClassLayout;
import org.troupe.serialization.internal.classes.CodecFailure;
import org.troupe.serialization.internal.coder.Codec;
import org.troupe.serialization.internal.coder.Decoder;
import org.troupe.serialization.internal.coder.Encoder;

/** The codec of a class whose objects cannot travel; it keeps the reason. */
public final class RefusedCodec extends Codec {

  private final @Nullable String reason;

  public RefusedCodec(Class<?> type, @Nullable String reason) {
    super(type);
    this.reason = reason;
  }

  /** Returns the reason, as a failure. */
  public CodecFailure refusal() {
    return new CodecFailure(reason);
  }

  @Override
  public void write(Encoder out, Object value) {
    throw refusal();
  }

  @Override
  public Object read(Decoder in, int handle) {
    throw refusal();
  }

  @Override
  public ClassLayout layout() {
    throw refusal();
  }
}
