package org.troupe.benchmarks.sides;

import java.io.Serial;
import java.io.Serializable;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** An object graph to serialize, as in the papers and in other benchmarks. */
public enum PayloadGraph {
  LIST_100("list-100") {
    @Override
    Object make() {
      var first = new Item(100, null);
      for (var i = 99; i > 0; i--) {
        first = new Item(i, first);
      }
      return first;
    }
  },
  TREE_1023("tree-1023") {
    @Override
    Object make() {
      return Objects.requireNonNull(Tree.of(10), "a tree of ten levels has nodes");
    }
  },
  DOUBLES_16_16("double-16x16") {
    @Override
    Object make() {
      var rows = new double[16][16];
      for (var i = 0; i < 256; i++) {
        rows[i / 16][i % 16] = Math.sqrt(i);
      }
      return rows;
    }
  },
  INTS_25000("int-25000") {
    @Override
    Object make() {
      var numbers = new int[25_000];
      for (var i = 0; i < numbers.length; i++) {
        numbers[i] = i * i;
      }
      return numbers;
    }
  },
  FACES_500("faces-500") {
    @Override
    Object make() {
      var faces = new Face[500];
      for (var i = 0; i < faces.length; i++) {
        faces[i] = new Face(i);
      }
      return faces;
    }
  },
  PERSON("person") {
    @Override
    Object make() {
      return Person.ada();
    }
  },
  MAP_1000("map-1000") {
    @Override
    Object make() {
      var quotes = new LinkedHashMap<String, Quote>();
      for (var i = 0; i < 1000; i++) {
        var symbol = "SYM" + i * 7919 % 1000;
        quotes.put(symbol, new Quote(symbol + ".AS", 100L * i, 17.5 + i));
      }
      return quotes;
    }
  },
  LONGS_10000("long-list-10000") {
    @Override
    Object make() {
      var numbers = new ArrayList<Long>();
      for (var i = 0L; i < 10_000; i++) {
        numbers.add(i * i * (i % 2 == 0 ? 1 : -1));
      }
      return numbers;
    }
  },
  GRAPH_1000("graph-1000") {
    @Override
    Object make() {
      var random = new Random(20);
      var vertices = new Vertex[1000];
      for (var i = 0; i < vertices.length; i++) {
        vertices[i] = new Vertex(i);
      }
      for (var vertex : vertices) {
        for (var i = 0; i < vertex.successors.length; i++) {
          vertex.successors[i] = vertices[random.nextInt(vertices.length)];
        }
      }
      return vertices;
    }
  },
  NEST_500("nest-500") {
    @Override
    Object make() {
      Nest nest = null;
      for (var level = 500; level > 0; level--) {
        nest = new Nest(level, 1.0 / level, nest);
      }
      return Objects.requireNonNull(nest, "there are levels");
    }
  },
  DECIMALS_1000("decimal-1000") {
    @Override
    Object make() {
      var amounts = new BigDecimal[1000];
      for (var i = 0; i < amounts.length; i++) {
        var digits = i % 10 == 0 ? "12345678901234567890" + i : "1234567" + i;
        amounts[i] = new BigDecimal(digits + ".25");
      }
      return amounts;
    }
  },
  DATES_1000("date-1000") {
    @Override
    Object make() {
      var days = new ArrayList<LocalDate>();
      for (var i = 0; i < 1000; i++) {
        days.add(LocalDate.of(1990 + i % 50, 1 + i % 12, 1 + i % 28));
      }
      return days;
    }
  },
  ENUMS_1000("enum-1000") {
    @Override
    Object make() {
      var states = new ArrayList<State>();
      for (var i = 0; i < 1000; i++) {
        states.add(State.values()[i * 7 % State.values().length]);
      }
      return states;
    }
  },
  BLOB_MIB("blob-mib") {
    @Override
    Object make() {
      var blob = new Blob("measurement.bin", new byte[1 << 20]);
      new Random(20).nextBytes(blob.content);
      return blob;
    }
  };

  /** An element of a hand-made linked list. */
  static class Item implements Serializable {
    @Serial private static final long serialVersionUID = 1;

    int value;
    @Nullable Item next;

    Item() {}

    Item(int value, @Nullable Item next) {
      this.value = value;
      this.next = next;
    }
  }

  /** A node of a binary tree. */
  static class Tree implements Serializable {
    @Serial private static final long serialVersionUID = 1;

    int value;
    @Nullable Tree left;
    @Nullable Tree right;

    static @Nullable Tree of(int levels) {
      if (levels == 0) {
        return null;
      }
      var tree = new Tree();
      tree.value = levels;
      tree.left = of(levels - 1);
      tree.right = of(levels - 1);
      return tree;
    }
  }

  /** A face between two parts of a mesh, with the field on it. */
  static class Face implements Serializable {
    @Serial private static final long serialVersionUID = 1;

    int cell;
    int side;
    double ex;
    double ey;
    double ez;
    double hx;
    double hy;
    double hz;

    Face() {}

    Face(int number) {
      cell = 6 * number;
      side = number % 6;
      ex = Math.sin(number);
      ey = Math.cos(number);
      ez = number;
      hx = -ey;
      hy = ex;
      hz = 1.0 / (number + 1);
    }
  }

  /** A customer record, as in many benchmarks. */
  @SuppressWarnings("NullAway.Init") // ada() and the codecs set all fields
  static class Person implements Serializable {
    @Serial private static final long serialVersionUID = 1;

    String name;
    String email;
    int yearOfBirth;
    boolean member;
    double balance;
    @Nullable Address home;
    @Nullable Address work;

    @SuppressWarnings("serial") // the list is serializable
    List<String> phones;

    static Person ada() {
      var ada = new Person();
      ada.name = "Ada King, Countess of Lovelace";
      ada.email = "ada@analytical.engine.example";
      ada.yearOfBirth = 1815;
      ada.member = true;
      ada.balance = 1843.25;
      ada.home = new Address("12 St James's Square", "London", "SW1Y 4LE", "England");
      ada.work = new Address("1 Dorset Street", "Marylebone", "W1U 6QT", "Great Britain");
      ada.phones = new ArrayList<>(List.of("+44 20 7946 0018", "+44 20 7946 0815"));
      return ada;
    }
  }

  /** The address of a person. */
  @SuppressWarnings("NullAway.Init") // the codecs set all fields of an empty address
  static class Address implements Serializable {
    @Serial private static final long serialVersionUID = 1;

    String street;
    String city;
    String postcode;
    String country;

    Address() {}

    Address(String street, String city, String postcode, String country) {
      this.street = street;
      this.city = city;
      this.postcode = postcode;
      this.country = country;
    }
  }

  /** The value of a map's entry. */
  record Quote(String name, long volume, double price) implements Serializable {}

  /** A vertex of a directed graph with cycles. */
  static class Vertex implements Serializable {
    @Serial private static final long serialVersionUID = 1;

    int number;
    Vertex[] successors = new Vertex[4];

    Vertex() {}

    Vertex(int number) {
      this.number = number;
    }
  }

  /** A record that holds one of its own class, in many levels. */
  record Nest(int level, double weight, @Nullable Nest inner) implements Serializable {}

  /** The state of a process. */
  enum State {
    NEW,
    READY,
    RUNNING,
    WAITING,
    TERMINATED
  }

  /** A file in memory. */
  @SuppressWarnings("NullAway.Init") // the codecs set all fields
  static class Blob implements Serializable {
    @Serial private static final long serialVersionUID = 1;

    String name;
    byte[] content;

    Blob() {}

    Blob(String name, byte[] content) {
      this.name = name;
      this.content = content;
    }
  }

  private final String label;

  PayloadGraph(String label) {
    this.label = label;
  }

  abstract Object make();

  public String label() {
    return label;
  }
}
