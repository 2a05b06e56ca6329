package org.troupe.serialization.internal.fields;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import org.troupe.serialization.ByteInput;
import org.troupe.serialization.GraphLimits;
import org.troupe.serialization.Specialisation;
import org.troupe.serialization.internal.codecs.ListedCodec;
import org.troupe.serialization.internal.codecs.PlatformCodecs;
import org.troupe.serialization.internal.coder.Codec;
import org.troupe.serialization.internal.coder.Decoder;
import org.troupe.serialization.internal.coder.Encoder;
import org.troupe.serialization.internal.coder.EncodingContext;
import org.troupe.serialization.internal.coder.ForeignTypes;
import org.troupe.serialization.internal.coder.RegisteredCodec;
import org.troupe.serialization.internal.keys.KeyClasses;
import org.troupe.serialization.internal.wire.WireFormat;

/**
 * The first encoding and decoding by a generated codec, of an empty object, so that every call in
 * its code is resolved.
 *
 * <p>Otherwise the JIT, which compiles the methods while a deep graph is still in its first
 * descent, makes traps of the calls that follow the recursion, and each of the frames falls into
 * one on its way back: a list of a million nodes took 10 s instead of 1 s.
 */
final class Rehearsal {

  private static final EncodingContext LISTED =
      new EncodingContext(
          GraphLimits.standard(),
          EncodingContext.NOTHING,
          false,
          EnumSet.allOf(Specialisation.class),
          null,
          Rehearsal::listed);

  private static final ForeignTypes TYPES =
      new ForeignTypes() {
        @Override
        public Codec codec(int tag) {
          return PlatformCodecs.listed(tag);
        }

        @Override
        public Class<?> classNamed(String name) {
          throw new AssertionError("no class object is rehearsed");
        }
      };

  private static final KeyClasses NO_KEYS =
      new KeyClasses(
          type -> {
            throw new AssertionError("no key is rehearsed");
          });

  private Rehearsal() {}

  private static RegisteredCodec listed(Class<?> type) {
    ListedCodec codec =
        Objects.requireNonNull(PlatformCodecs.codec(type), "only lists are rehearsed");
    return new RegisteredCodec(codec, codec.tag());
  }

  /** Writes and reads an empty object of a codec, and a list in a list. */
  static void of(Codec codec, Object empty) throws Throwable {
    Decoder decoder =
        Decoder.of(
            new ByteInput(written(codec, empty)),
            WireFormat.order() | WireFormat.UNTAGGED,
            TYPES,
            token -> token,
            GraphLimits.standard(),
            NO_KEYS,
            new Decoder.Memory(GraphLimits.standard()));
    decoder.read();
    codec.read(decoder, decoder.newHandle());
  }

  private static byte[] written(Codec codec, Object empty) throws Throwable {
    Encoder encoder = LISTED.take();
    try {
      encoder.write(new ArrayList<>(List.of(new ArrayList<>())));
      codec.write(encoder, empty);
      return encoder.bytes().toByteArray();
    } finally {
      LISTED.give(encoder);
    }
  }
}
