package org.troupe.serialization;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;

class BytesTest {

  @Test
  void everythingIsReadAsItWasWritten() {
    ByteOutput out = new ByteOutput();
    int[] ints = {0, 1, -1, 127, 128, 1 << 14, Integer.MAX_VALUE, Integer.MIN_VALUE};
    for (int value : ints) {
      out.writeVarInt(value);
      out.writeVarLong(value);
      out.writeInt(value);
    }
    out.writeVarLong(Long.MIN_VALUE);
    out.writeByte(-2);
    out.writeBoolean(true);
    out.writeShort(-300);
    out.writeChar('\uffff');
    out.writeLong(Long.MIN_VALUE);
    out.writeFloat(1.5f);
    out.writeDouble(-0.0);
    out.writeString("");
    out.writeString("Grüße");
    out.writeString("日本 \ud83d");
    out.writeBytes(new byte[] {1, 2});
    out.write(new byte[] {1, 2, 3}, 1, 2);
    out.writeArray(new int[] {7, -7}, 2, ValueLayout.JAVA_INT_UNALIGNED);

    ByteInput in = new ByteInput(out.toByteArray());

    for (int value : ints) {
      assertThat(in.readVarInt()).isEqualTo(value);
      assertThat(in.readVarLong()).isEqualTo(value);
      assertThat(in.readInt()).isEqualTo(value);
    }
    assertThat(in.readVarLong()).isEqualTo(Long.MIN_VALUE);
    assertThat(in.readByte()).isEqualTo((byte) -2);
    assertThat(in.readBoolean()).isTrue();
    assertThat(in.readShort()).isEqualTo((short) -300);
    assertThat(in.readChar()).isEqualTo('\uffff');
    assertThat(in.readLong()).isEqualTo(Long.MIN_VALUE);
    assertThat(in.readFloat()).isEqualTo(1.5f);
    assertThat(in.readDouble()).isEqualTo(-0.0);
    assertThat(in.readString()).isEmpty();
    assertThat(in.readString()).isEqualTo("Grüße");
    assertThat(in.readString()).isEqualTo("日本 \ud83d");
    assertThat(in.readBytes()).containsExactly(1, 2);
    byte[] two = new byte[2];
    in.read(two, 0, 2);
    assertThat(two).containsExactly(2, 3);
    int[] array = new int[2];
    in.readArray(array, 2, ValueLayout.JAVA_INT_UNALIGNED);
    assertThat(array).containsExactly(7, -7);
    assertThat(in.remaining()).isZero();
  }

  @Test
  void anOutputGrowsAtAnyNumber() {
    for (int start = 0; start < 12; start++) {
      ByteOutput out = new ByteOutput(start, 100);
      out.writeByte(1);
      out.writeShort(2);
      out.writeInt(3);
      out.writeLong(4);
      out.writeString("five");

      ByteInput in = new ByteInput(out.toByteArray());
      assertThat(in.readByte() + in.readShort() + in.readInt() + in.readLong()).isEqualTo(10);
      assertThat(in.readString()).isEqualTo("five");
    }
  }

  @Test
  void readingPastTheEndIsTheOneException() {
    ByteInput in = new ByteInput(new byte[] {9, 1, 2, 3}, 1, 2);

    assertThatThrownBy(in::readInt)
        .isInstanceOf(SerializationException.class)
        .hasMessageContaining("4 bytes are needed at offset 1, but only 2 are left");
    assertThat(in.readShort()).isEqualTo((short) 0x201);
    assertThatThrownBy(in::readByte).isInstanceOf(SerializationException.class);
  }

  @Test
  void impossibleLengthsAreRefusedBeforeAnythingIsAllocated() {
    byte[] twoBillion = {-1, -1, -1, -1, 7};

    assertThatThrownBy(() -> new ByteInput(twoBillion).readBytes())
        .isInstanceOf(SerializationException.class);
    assertThatThrownBy(() -> new ByteInput(twoBillion).readString())
        .isInstanceOf(SerializationException.class);
    assertThatThrownBy(() -> new ByteInput(twoBillion).readString(10))
        .hasMessageContaining("but the limit is 10");
    assertThatThrownBy(() -> new ByteInput(new byte[] {-1, -1, -1, -1, -1, 1}).readVarInt())
        .hasMessageContaining("more than 5 bytes");
  }

  @Test
  void anOutputKeepsToItsLimit() {
    ByteOutput out = new ByteOutput(1, 10);
    out.writeLong(1);

    assertThatThrownBy(() -> out.writeInt(1))
        .isInstanceOf(SerializationException.class)
        .hasMessageContaining("more than 10 bytes");
  }
}
