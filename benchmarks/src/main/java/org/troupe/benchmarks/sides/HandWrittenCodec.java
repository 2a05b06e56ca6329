package org.troupe.benchmarks.sides;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import org.jspecify.annotations.Nullable;
import org.troupe.benchmarks.sides.PayloadGraph.Address;
import org.troupe.benchmarks.sides.PayloadGraph.Blob;
import org.troupe.benchmarks.sides.PayloadGraph.Face;
import org.troupe.benchmarks.sides.PayloadGraph.Item;
import org.troupe.benchmarks.sides.PayloadGraph.Nest;
import org.troupe.benchmarks.sides.PayloadGraph.Person;
import org.troupe.benchmarks.sides.PayloadGraph.Quote;
import org.troupe.benchmarks.sides.PayloadGraph.State;
import org.troupe.benchmarks.sides.PayloadGraph.Tree;
import org.troupe.benchmarks.sides.PayloadGraph.Vertex;

/**
 * The reference for serialization: a carefully hand-written codec for each payload, which preserves
 * sharing and cycles. It reuses its buffer and tables, and copies the bytes once.
 */
final class HandWrittenCodec extends HandWrittenStream {

  /*
   * Omissions. It knows the class of each object from its place, so it writes no class, and
   * finds no layout that differs on the other side. It checks no length, depth or total before it
   * allocates, descends or hashes, and replaces no object by a stub. Boxes, dates, decimals and
   * strings are copied wherever they occur.
   */

  private static final State[] STATES = State.values();

  @SuppressWarnings("unchecked") // the payload tells the type
  byte[] write(PayloadGraph payload, Object value) {
    beginWriting();
    switch (payload) {
      case LIST_100 -> writeList((Item) value);
      case TREE_1023 -> writeTree((Tree) value);
      case DOUBLES_16_16 -> writeRows((double[][]) value);
      case INTS_25000 -> writeInts((int[]) value);
      case FACES_500 -> writeFaces((Face[]) value);
      case PERSON -> writePerson((Person) value);
      case MAP_1000 -> writeMap((LinkedHashMap<String, Quote>) value);
      case LONGS_10000 -> writeLongs((ArrayList<Long>) value);
      case GRAPH_1000 -> writeVertices((Vertex[]) value);
      case NEST_500 -> writeNest((Nest) value);
      case DECIMALS_1000 -> writeDecimals((BigDecimal[]) value);
      case DATES_1000 -> writeDates((ArrayList<LocalDate>) value);
      case ENUMS_1000 -> writeStates((ArrayList<State>) value);
      case BLOB_MIB -> writeBlob((Blob) value);
    }
    return endWriting();
  }

  @Nullable Object read(PayloadGraph payload, byte[] bytes) {
    beginReading(bytes);
    var read =
        switch (payload) {
          case LIST_100 -> readList();
          case TREE_1023 -> readTree();
          case DOUBLES_16_16 -> readRows();
          case INTS_25000 -> readInts();
          case FACES_500 -> readFaces();
          case PERSON -> readPerson();
          case MAP_1000 -> readMap();
          case LONGS_10000 -> readLongs();
          case GRAPH_1000 -> readVertices();
          case NEST_500 -> readNest();
          case DECIMALS_1000 -> readDecimals();
          case DATES_1000 -> readDates();
          case ENUMS_1000 -> readStates();
          case BLOB_MIB -> readBlob();
        };
    endReading();
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
        item = (Item) readKnown();
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
      return (Tree) readKnown();
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
        writeDoubles(row);
      }
    }
  }

  private double[][] readRows() {
    readByte();
    var rows = register(new double[readNumber()][]);
    for (var r = 0; r < rows.length; r++) {
      var mark = readByte();
      if (mark == BACK) {
        rows[r] = (double[]) readKnown();
      } else if (mark == NEW) {
        var row = register(new double[readNumber()]);
        readDoubles(row);
        rows[r] = row;
      }
    }
    return rows;
  }

  private void writeInts(int[] numbers) {
    begin(numbers);
    writeNumber(numbers.length);
    writeIntegers(numbers);
  }

  private int[] readInts() {
    readByte();
    var numbers = register(new int[readNumber()]);
    readIntegers(numbers);
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
        faces[i] = (Face) readKnown();
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
      return (Address) readKnown();
    }
    var address = register(new Address());
    address.street = readString();
    address.city = readString();
    address.postcode = readString();
    address.country = readString();
    return address;
  }

  private void writeMap(LinkedHashMap<String, Quote> map) {
    begin(map);
    writeNumber(map.size());
    map.forEach(
        (key, quote) -> {
          writeString(key);
          if (begin(quote)) {
            writeString(quote.name());
            writeLong(quote.volume());
            writeDouble(quote.price());
          }
        });
  }

  private LinkedHashMap<String, @Nullable Quote> readMap() {
    readByte();
    var count = readNumber();
    var map = register(LinkedHashMap.<String, @Nullable Quote>newLinkedHashMap(count));
    for (var i = 0; i < count; i++) {
      map.put(readString(), readQuote());
    }
    return map;
  }

  private @Nullable Quote readQuote() {
    return switch (readByte()) {
      case ABSENT -> null;
      case BACK -> (Quote) readKnown();
      default -> {
        var place = reserve();
        yield fill(place, new Quote(readString(), readLong(), readDouble()));
      }
    };
  }

  private void writeLongs(ArrayList<Long> numbers) {
    begin(numbers);
    writeNumber(numbers.size());
    for (var number : numbers) {
      writeByte(NEW);
      writeLong(number);
    }
  }

  private ArrayList<Long> readLongs() {
    readByte();
    var count = readNumber();
    var numbers = register(new ArrayList<Long>(count));
    for (var i = 0; i < count; i++) {
      readByte();
      numbers.add(readLong());
    }
    return numbers;
  }

  private void writeVertices(Vertex[] vertices) {
    if (begin(vertices)) {
      writeNumber(vertices.length);
      for (var vertex : vertices) {
        if (begin(vertex)) {
          writeNumber(vertex.number);
          writeVertices(vertex.successors);
        }
      }
    }
  }

  private Vertex[] readVertices() {
    if (readByte() == BACK) {
      return (Vertex[]) readKnown();
    }
    var vertices = register(new Vertex[readNumber()]);
    for (var i = 0; i < vertices.length; i++) {
      var mark = readByte();
      if (mark == BACK) {
        vertices[i] = (Vertex) readKnown();
      } else if (mark == NEW) {
        var vertex = register(new Vertex());
        vertices[i] = vertex;
        vertex.number = readNumber();
        vertex.successors = readVertices();
      }
    }
    return vertices;
  }

  @SuppressWarnings("NullAway") // begin() is false for null
  private void writeNest(@Nullable Nest nest) {
    if (begin(nest)) {
      writeNumber(nest.level());
      writeDouble(nest.weight());
      writeNest(nest.inner());
    }
  }

  private @Nullable Nest readNest() {
    return switch (readByte()) {
      case ABSENT -> null;
      case BACK -> (Nest) readKnown();
      default -> {
        var place = reserve();
        yield fill(place, new Nest(readNumber(), readDouble(), readNest()));
      }
    };
  }

  private void writeDecimals(BigDecimal[] amounts) {
    begin(amounts);
    writeNumber(amounts.length);
    for (var amount : amounts) {
      writeByte(NEW);
      writeNumber(amount.scale());
      var digits = amount.unscaledValue().toByteArray();
      writeNumber(digits.length);
      writeBytes(digits);
    }
  }

  private BigDecimal[] readDecimals() {
    readByte();
    var amounts = register(new BigDecimal[readNumber()]);
    for (var i = 0; i < amounts.length; i++) {
      readByte();
      var scale = readNumber();
      amounts[i] = new BigDecimal(new BigInteger(readBytes(readNumber())), scale);
    }
    return amounts;
  }

  private void writeDates(ArrayList<LocalDate> days) {
    begin(days);
    writeNumber(days.size());
    for (var day : days) {
      writeByte(NEW);
      writeLong(day.toEpochDay());
    }
  }

  private ArrayList<LocalDate> readDates() {
    readByte();
    var count = readNumber();
    var days = register(new ArrayList<LocalDate>(count));
    for (var i = 0; i < count; i++) {
      readByte();
      days.add(LocalDate.ofEpochDay(readLong()));
    }
    return days;
  }

  private void writeStates(ArrayList<State> states) {
    begin(states);
    writeNumber(states.size());
    for (var state : states) {
      writeByte(NEW);
      writeNumber(state.ordinal());
    }
  }

  private ArrayList<State> readStates() {
    readByte();
    var count = readNumber();
    var states = register(new ArrayList<State>(count));
    for (var i = 0; i < count; i++) {
      readByte();
      states.add(STATES[readNumber()]);
    }
    return states;
  }

  private void writeBlob(Blob blob) {
    begin(blob);
    writeString(blob.name);
    if (begin(blob.content)) {
      writeNumber(blob.content.length);
      writeBytes(blob.content);
    }
  }

  private Blob readBlob() {
    readByte();
    var blob = register(new Blob());
    blob.name = readString();
    if (readByte() == NEW) {
      blob.content = register(readBytes(readNumber()));
    }
    return blob;
  }
}
