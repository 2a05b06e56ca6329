package org.troupe.serialization.internal;

import org.jspecify.annotations.Nullable;
import org.troupe.serialization.internal.classes.ClassLayout;
import org.troupe.serialization.internal.classes.CodecFailure;

/** The codec of a class whose objects cannot travel; it keeps the reason. */
final class RefusedCodec extends Codec {

  private final @Nullable String reason;

  RefusedCodec(Class<?> type, @Nullable String reason) {
    super(type);
    this.reason = reason;
  }

  CodecFailure refusal() {
    return new CodecFailure(reason);
  }

  @Override
  void write(Encoder out, Object value) {
    throw refusal();
  }

  @Override
  Object read(Decoder in, int handle) {
    throw refusal();
  }

  @Override
  public ClassLayout layout() {
    throw refusal();
  }
}
