package org.troupe.benchmarks.sides;

import java.io.Serial;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
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

  private final String label;

  PayloadGraph(String label) {
    this.label = label;
  }

  abstract Object make();

  public String label() {
    return label;
  }
}
