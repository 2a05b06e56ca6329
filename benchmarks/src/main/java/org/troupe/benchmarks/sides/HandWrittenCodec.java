package org.troupe.benchmarks.sides;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.troupe.benchmarks.sides.PayloadGraph.Address;
import org.troupe.benchmarks.sides.PayloadGraph.Face;
import org.troupe.benchmarks.sides.PayloadGraph.Item;
import org.troupe.benchmarks.sides.PayloadGraph.Person;
import org.troupe.benchmarks.sides.PayloadGraph.Tree;

/**
 * The reference for serialization: a carefully hand-written codec for each payload, which preserves
 * sharing and cycles. It reuses its buffer and tables, and copies the bytes once.
 */
final class HandWrittenCodec {

  /*
   * Format. A byte before each object that could be shared marks it as null, new, or known; a known
   * object is given by its number. Strings are values without such a byte and are never null.
   */

  private static final int ABSENT = 0;
  private static final int NEW = 1;
  private static final int BACK = 2;
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle DOUBLE =
      MethodHandles.byteArrayViewVarHandle(double[].class, ByteOrder.LITTLE_ENDIAN);

  private final ObjectNumbers objectNumbers = new ObjectNumbers();
  private byte[] out = new byte[4096];
  private byte[] in = {};
  private int at;
  private Object[] known = new Object[64];
  private int knownCount;

  /** The numbers of objects, by identity. */
  private static final class ObjectNumbers {

    private Object[] keys = new Object[64];
    private int[] numbers = new int[64];
    private int size;

    /** Returns the number of a known object; numbers a new one and returns -1. */
    int find(Object object) {
      if (2 * size >= keys.length) {
        grow();
      }
      var i = slot(object);
      if (keys[i] == object) {
        return numbers[i];
      }
      keys[i] = object;
      numbers[i] = size++;
      return -1;
    }

    private int slot(Object object) {
      var mask = keys.length - 1;
      var hash = System.identityHashCode(object) * 0x9E3779B9;
      var i = (hash ^ hash >>> 16) & mask;
      while (keys[i] != null && keys[i] != object) {
        i = i + 1 & mask;
      }
      return i;
    }

    private void grow() {
      var oldKeys = keys;
      var oldNumbers = numbers;
      keys = new Object[2 * oldKeys.length];
      numbers = new int[keys.length];
      for (var i = 0; i < oldKeys.length; i++) {
        if (oldKeys[i] != null) {
          var to = slot(oldKeys[i]);
          keys[to] = oldKeys[i];
          numbers[to] = oldNumbers[i];
        }
      }
    }

    void clear() {
      if (size > 0) {
        Arrays.fill(keys, null);
        size = 0;
      }
    }
  }

  byte[] write(PayloadGraph payload, Object value) {
    at = 0;
    switch (payload) {
      case LIST_100 -> writeList((Item) value);
      case TREE_1023 -> writeTree((Tree) value);
      case DOUBLES_16_16 -> writeRows((double[][]) value);
      case INTS_25000 -> writeInts((int[]) value);
      case FACES_500 -> writeFaces((Face[]) value);
      case PERSON -> writePerson((Person) value);
    }
    objectNumbers.clear();
    return Arrays.copyOf(out, at);
  }

  @Nullable Object read(PayloadGraph payload, byte[] bytes) {
    in = bytes;
    at = 0;
    var read =
        switch (payload) {
          case LIST_100 -> readList();
          case TREE_1023 -> readTree();
          case DOUBLES_16_16 -> readRows();
          case INTS_25000 -> readInts();
          case FACES_500 -> readFaces();
          case PERSON -> readPerson();
        };
    Arrays.fill(known, 0, knownCount, null);
    knownCount = 0;
    return read;
  }

  @SuppressWarnings("NullAway") // begin() is false for null
  private void writeList(@Nullable Item first) {
    for (var item = first; begin(item); item = item.next) {
      writeNumber(item.value);
    }
  }

  private @Nullable Item readList() {
    Item first = null;
    Item last = null;
    for (; ; ) {
      var mark = readByte();
      Item item = null;
      if (mark == NEW) {
        item = register(new Item());
        item.value = readNumber();
      } else if (mark == BACK) {
        item = (Item) known[readNumber()];
      }
      if (last == null) {
        first = item;
      } else {
        last.next = item;
      }
      if (mark != NEW) {
        return first;
      }
      last = item;
    }
  }

  @SuppressWarnings("NullAway") // begin() is false for null
  private void writeTree(@Nullable Tree tree) {
    if (begin(tree)) {
      writeNumber(tree.value);
      writeTree(tree.left);
      writeTree(tree.right);
    }
  }

  private @Nullable Tree readTree() {
    var mark = readByte();
    if (mark == ABSENT) {
      return null;
    }
    if (mark == BACK) {
      return (Tree) known[readNumber()];
    }
    var tree = register(new Tree());
    tree.value = readNumber();
    tree.left = readTree();
    tree.right = readTree();
    return tree;
  }

  private void writeRows(double[][] rows) {
    begin(rows);
    writeNumber(rows.length);
    for (var row : rows) {
      if (begin(row)) {
        writeNumber(row.length);
        ensureCapacity(8 * row.length);
        for (var i = 0; i < row.length; i++) {
          DOUBLE.set(out, at + 8 * i, row[i]);
        }
        at += 8 * row.length;
      }
    }
  }

  private double[][] readRows() {
    readByte();
    var rows = register(new double[readNumber()][]);
    for (var r = 0; r < rows.length; r++) {
      var mark = readByte();
      if (mark == BACK) {
        rows[r] = (double[]) known[readNumber()];
      } else if (mark == NEW) {
        var row = register(new double[readNumber()]);
        for (var i = 0; i < row.length; i++) {
          row[i] = (double) DOUBLE.get(in, at + 8 * i);
        }
        at += 8 * row.length;
        rows[r] = row;
      }
    }
    return rows;
  }

  private void writeInts(int[] numbers) {
    begin(numbers);
    writeNumber(numbers.length);
    ensureCapacity(4 * numbers.length);
    for (var i = 0; i < numbers.length; i++) {
      INT.set(out, at + 4 * i, numbers[i]);
    }
    at += 4 * numbers.length;
  }

  private int[] readInts() {
    readByte();
    var numbers = register(new int[readNumber()]);
    for (var i = 0; i < numbers.length; i++) {
      numbers[i] = (int) INT.get(in, at + 4 * i);
    }
    at += 4 * numbers.length;
    return numbers;
  }

  private void writeFaces(Face[] faces) {
    begin(faces);
    writeNumber(faces.length);
    for (var face : faces) {
      if (begin(face)) {
        writeNumber(face.cell);
        writeNumber(face.side);
        writeDouble(face.ex);
        writeDouble(face.ey);
        writeDouble(face.ez);
        writeDouble(face.hx);
        writeDouble(face.hy);
        writeDouble(face.hz);
      }
    }
  }

  private Face[] readFaces() {
    readByte();
    var faces = register(new Face[readNumber()]);
    for (var i = 0; i < faces.length; i++) {
      var mark = readByte();
      if (mark == BACK) {
        faces[i] = (Face) known[readNumber()];
      } else if (mark == NEW) {
        var face = register(new Face());
        face.cell = readNumber();
        face.side = readNumber();
        face.ex = readDouble();
        face.ey = readDouble();
        face.ez = readDouble();
        face.hx = readDouble();
        face.hy = readDouble();
        face.hz = readDouble();
        faces[i] = face;
      }
    }
    return faces;
  }

  private void writePerson(Person person) {
    begin(person);
    writeString(person.name);
    writeString(person.email);
    writeNumber(person.yearOfBirth);
    writeByte(person.member ? 1 : 0);
    writeDouble(person.balance);
    writeAddress(person.home);
    writeAddress(person.work);
    if (begin(person.phones)) {
      writeNumber(person.phones.size());
      for (var phone : person.phones) {
        writeString(phone);
      }
    }
  }

  private Person readPerson() {
    readByte();
    var person = register(new Person());
    person.name = readString();
    person.email = readString();
    person.yearOfBirth = readNumber();
    person.member = readByte() != 0;
    person.balance = readDouble();
    person.home = readAddress();
    person.work = readAddress();
    if (readByte() == NEW) {
      var count = readNumber();
      var phones = register(new ArrayList<String>(count));
      for (var i = 0; i < count; i++) {
        phones.add(readString());
      }
      person.phones = phones;
    }
    return person;
  }

  @SuppressWarnings("NullAway") // begin() is false for null
  private void writeAddress(@Nullable Address address) {
    if (begin(address)) {
      writeString(address.street);
      writeString(address.city);
      writeString(address.postcode);
      writeString(address.country);
    }
  }

  private @Nullable Address readAddress() {
    var mark = readByte();
    if (mark == ABSENT) {
      return null;
    }
    if (mark == BACK) {
      return (Address) known[readNumber()];
    }
    var address = register(new Address());
    address.street = readString();
    address.city = readString();
    address.postcode = readString();
    address.country = readString();
    return address;
  }

  /** Writes the mark of an object; returns whether its content must follow. */
  private boolean begin(@Nullable Object object) {
    if (object == null) {
      writeByte(ABSENT);
      return false;
    }
    var number = objectNumbers.find(object);
    if (number < 0) {
      writeByte(NEW);
      return true;
    }
    writeByte(BACK);
    writeNumber(number);
    return false;
  }

  private <T> T register(T object) {
    if (knownCount == known.length) {
      known = Arrays.copyOf(known, 2 * known.length);
    }
    known[knownCount++] = object;
    return object;
  }

  private void ensureCapacity(int bytes) {
    if (bytes > out.length - at) {
      out = Arrays.copyOf(out, Math.max(at + bytes, 2 * out.length));
    }
  }

  private void writeByte(int value) {
    ensureCapacity(1);
    out[at++] = (byte) value;
  }

  private int readByte() {
    return in[at++];
  }

  /**
   * Writes a number in a variable-length encoding, in which small numbers of either sign are short.
   */
  private void writeNumber(int value) {
    ensureCapacity(5);
    var rest = value << 1 ^ value >> 31;
    while ((rest & ~0x7f) != 0) {
      out[at++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    out[at++] = (byte) rest;
  }

  private int readNumber() {
    int next = in[at++];
    var value = next & 0x7f;
    for (var shift = 7; next < 0; shift += 7) {
      next = in[at++];
      value |= (next & 0x7f) << shift;
    }
    return value >>> 1 ^ -(value & 1);
  }

  private void writeDouble(double value) {
    ensureCapacity(8);
    DOUBLE.set(out, at, value);
    at += 8;
  }

  private double readDouble() {
    var value = (double) DOUBLE.get(in, at);
    at += 8;
    return value;
  }

  private void writeString(String value) {
    var bytes = value.getBytes(StandardCharsets.UTF_8);
    writeNumber(bytes.length);
    ensureCapacity(bytes.length);
    System.arraycopy(bytes, 0, out, at, bytes.length);
    at += bytes.length;
  }

  private String readString() {
    var length = readNumber();
    var value = new String(in, at, length, StandardCharsets.UTF_8);
    at += length;
    return value;
  }
}
