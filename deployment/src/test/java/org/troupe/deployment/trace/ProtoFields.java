package org.troupe.deployment.trace;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The fields of a message in the encoding of Protocol Buffers; a decoder of the tests' own. */
final class ProtoFields {

  private record Field(int number, long value, byte[] content) {}

  private final List<Field> fields = new ArrayList<>();

  ProtoFields(byte[] message) {
    var at = new int[] {0};
    while (at[0] < message.length) {
      var tag = varint(message, at);
      var number = (int) (tag >>> 3);
      switch ((int) tag & 7) {
        case 0 -> fields.add(new Field(number, varint(message, at), new byte[0]));
        case 1 -> {
          var value = 0L;
          for (var i = 0; i < 8; i++) {
            value |= (message[at[0]++] & 0xFFL) << 8 * i;
          }
          fields.add(new Field(number, value, new byte[0]));
        }
        case 2 -> {
          var length = (int) varint(message, at);
          var content = new byte[length];
          System.arraycopy(message, at[0], content, 0, length);
          at[0] += length;
          fields.add(new Field(number, 0, content));
        }
        default -> throw new IllegalArgumentException("field " + number + " of kind " + (tag & 7));
      }
    }
  }

  private static long varint(byte[] message, int[] at) {
    var value = 0L;
    for (var shift = 0; ; shift += 7) {
      var next = message[at[0]++];
      value |= (long) (next & 0x7F) << shift;
      if (next >= 0) {
        return value;
      }
    }
  }

  boolean has(int number) {
    return fields.stream().anyMatch(each -> each.number == number);
  }

  long number(int number) {
    return fields.stream().filter(each -> each.number == number).findFirst().orElseThrow().value;
  }

  String text(int number) {
    return new String(
        fields.stream().filter(each -> each.number == number).findFirst().orElseThrow().content,
        StandardCharsets.UTF_8);
  }

  List<Long> numbers(int number) {
    return fields.stream().filter(each -> each.number == number).map(Field::value).toList();
  }

  ProtoFields message(int number) {
    return messages(number).getFirst();
  }

  List<ProtoFields> messages(int number) {
    return fields.stream()
        .filter(each -> each.number == number)
        .map(each -> new ProtoFields(each.content))
        .toList();
  }
}
