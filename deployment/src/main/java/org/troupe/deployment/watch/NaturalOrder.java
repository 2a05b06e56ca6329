package org.troupe.deployment.watch;

import java.util.Comparator;

/** The order of names with numbers in them: {@code local-2} precedes {@code local-10}. */
public final class NaturalOrder {

  /** Compares names of nodes, or what begins with one, such as the identity of an object. */
  public static final Comparator<String> OF_NAMES = NaturalOrder::compare;

  private NaturalOrder() {}

  private static int compare(String a, String b) {
    var inA = 0;
    var inB = 0;
    while (inA < a.length() && inB < b.length()) {
      if (isDigit(a.charAt(inA)) && isDigit(b.charAt(inB))) {
        var endOfA = endOfNumber(a, inA);
        var endOfB = endOfNumber(b, inB);
        var order = compareNumbers(a.substring(inA, endOfA), b.substring(inB, endOfB));
        if (order != 0) {
          return order;
        }
        inA = endOfA;
        inB = endOfB;
      } else if (a.charAt(inA) != b.charAt(inB)) {
        return Character.compare(a.charAt(inA), b.charAt(inB));
      } else {
        inA++;
        inB++;
      }
    }
    var order = Integer.compare(a.length() - inA, b.length() - inB);
    return order != 0 ? order : a.compareTo(b); // 'n1' and 'n01' are two names
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  private static int endOfNumber(String text, int from) {
    var end = from;
    while (end < text.length() && isDigit(text.charAt(end))) {
      end++;
    }
    return end;
  }

  /** Compares numbers of any length. */
  private static int compareNumbers(String a, String b) {
    var plainA = withoutZeros(a);
    var plainB = withoutZeros(b);
    var order = Integer.compare(plainA.length(), plainB.length());
    return order != 0 ? order : plainA.compareTo(plainB);
  }

  private static String withoutZeros(String number) {
    var first = 0;
    while (first < number.length() && number.charAt(first) == '0') {
      first++;
    }
    return number.substring(first);
  }
}
