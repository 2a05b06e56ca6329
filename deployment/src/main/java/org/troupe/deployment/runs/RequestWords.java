package org.troupe.deployment.runs;

import java.util.List;

/** The words of a request to the control socket. Immutable. */
record RequestWords(List<String> words) {

  /** Returns the words of a line, which tabs separate. */
  static RequestWords of(String line) {
    return new RequestWords(List.of(line.split("\t", -1)));
  }

  String verb() {
    return words.getFirst();
  }

  /** Returns a word behind the verb; an empty one if there are fewer. */
  String word(int index) {
    return words.size() > index ? words.get(index) : "";
  }

  /**
   * Returns the number that a word is.
   *
   * @throws RefusedRequestException if it is none, or negative
   */
  int number(int index) {
    var number = longNumber(index);
    if (number > Integer.MAX_VALUE) {
      throw new RefusedRequestException("'" + word(index) + "' is too large");
    }
    return (int) number;
  }

  /**
   * Returns the number that a word is.
   *
   * @throws RefusedRequestException if it is none, or negative
   */
  long longNumber(int index) {
    try {
      var number = Long.parseLong(word(index));
      if (number >= 0) {
        return number;
      }
    } catch (NumberFormatException e) {
      // reported below
    }
    throw new RefusedRequestException("'" + word(index) + "' is no whole number of 0 or more");
  }
}
