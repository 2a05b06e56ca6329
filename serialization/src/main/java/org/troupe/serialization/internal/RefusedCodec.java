package org.troupe.serialization.internal;

import org.jspecify.annotations.Nullable;

/** Stands in for a class whose objects cannot travel, so that the reason is found only once. */
final class RefusedCodec extends Codec {

  private final @Nullable String reason;

  RefusedCodec(Class<?> type, @Nullable String reason) {
    super(type);
    this.reason = reason;
  }

  Failure refusal() {
    return new Failure(reason);
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
  public Layout layout() {
    throw refusal();
  }
}
