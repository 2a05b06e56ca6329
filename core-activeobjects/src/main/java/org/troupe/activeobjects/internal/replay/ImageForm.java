package org.troupe.activeobjects.internal.replay;

import java.nio.ByteBuffer;
import org.troupe.serialization.ByteInput;
import org.troupe.serialization.ByteOutput;
import org.troupe.serialization.SerializationException;

/**
 * The form of images in journals: the object, behind the accounts of its calls if its requests are
 * logged.
 */
public final class ImageForm {

  private static final byte PLAIN = 0;
  private static final byte LOGGED = 1;

  private ImageForm() {}

  /** Returns the header of the image of an object whose requests are not logged. */
  public static ByteBuffer plain() {
    return ByteBuffer.wrap(new byte[] {PLAIN});
  }

  /** Returns the header of the image of an object whose requests are logged. */
  static ByteBuffer logged(ByteOutput accounts) {
    var out = new ByteOutput();
    out.writeByte(LOGGED);
    out.writeVarInt(accounts.size());
    out.write(accounts.toByteArray(), 0, accounts.size());
    return out.view();
  }

  /** Returns the object in an image. */
  public static ByteInput object(byte[] image) {
    var in = new ByteInput(image);
    switch (in.readByte()) {
      case PLAIN -> {}
      case LOGGED -> readAccounts(in);
      default -> throw unknown();
    }
    return in;
  }

  /** Returns the accounts in an image of an object whose requests are logged. */
  static ByteInput accounts(byte[] image) {
    var in = new ByteInput(image);
    if (in.readByte() != LOGGED) {
      throw unknown();
    }
    return readAccounts(in);
  }

  private static ByteInput readAccounts(ByteInput in) {
    return in.part(in.readLength(Integer.MAX_VALUE, 1));
  }

  private static SerializationException unknown() {
    return new SerializationException(
        "the image has an unknown form; read it with the version of the library that wrote it");
  }
}
