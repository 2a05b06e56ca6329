package org.troupe.mpj.data;

import org.jspecify.annotations.Nullable;
import org.troupe.mpj.error.ErrorClass;
import org.troupe.mpj.error.MessagingError;

/** An operation of a reduction: one of MPI's, or a function of the program. Immutable. */
public final class ReductionOperator {

  /** A function of the program. */
  @FunctionalInterface
  public interface Function {

    /** Combines items: puts {@code in op inout} into {@code inout}. */
    void combine(
        Object in, int inOffset, Object inout, int inoutOffset, int count, DataLayout layout);
  }

  private enum Kind {
    MAX,
    MIN,
    SUM,
    PROD,
    LAND,
    LOR,
    LXOR,
    BAND,
    BOR,
    BXOR,
    MAXLOC,
    MINLOC,
    USER
  }

  public static final ReductionOperator MAX = new ReductionOperator(Kind.MAX);
  public static final ReductionOperator MIN = new ReductionOperator(Kind.MIN);
  public static final ReductionOperator SUM = new ReductionOperator(Kind.SUM);
  public static final ReductionOperator PROD = new ReductionOperator(Kind.PROD);
  public static final ReductionOperator LAND = new ReductionOperator(Kind.LAND);
  public static final ReductionOperator LOR = new ReductionOperator(Kind.LOR);
  public static final ReductionOperator LXOR = new ReductionOperator(Kind.LXOR);
  public static final ReductionOperator BAND = new ReductionOperator(Kind.BAND);
  public static final ReductionOperator BOR = new ReductionOperator(Kind.BOR);
  public static final ReductionOperator BXOR = new ReductionOperator(Kind.BXOR);
  public static final ReductionOperator MAXLOC = new ReductionOperator(Kind.MAXLOC);
  public static final ReductionOperator MINLOC = new ReductionOperator(Kind.MINLOC);

  private final Kind kind;
  private final @Nullable Function function;
  private final boolean commutes;

  private ReductionOperator(Kind kind) {
    this.kind = kind;
    this.function = null;
    this.commutes = true;
  }

  /** Returns the operation of a function. */
  public ReductionOperator(Function function, boolean commutes) {
    this.kind = Kind.USER;
    this.function = function;
    this.commutes = commutes;
  }

  /** Returns whether the order of two values does not matter. */
  public boolean commutes() {
    return commutes;
  }

  /** Returns whether the operation is the program's. */
  public boolean isUsers() {
    return kind == Kind.USER;
  }

  /** Checks that the operation is defined for a type. */
  public void check(DataLayout layout, ElementType element) {
    var isDefined =
        switch (kind) {
          case USER -> true;
          case MAX, MIN, SUM, PROD ->
              element != ElementType.OBJECT
                  && element != ElementType.BOOLEAN
                  && element != ElementType.PACKED;
          case LAND, LOR, LXOR -> element == ElementType.BOOLEAN;
          case BAND, BOR, BXOR ->
              switch (element) {
                case BYTE, CHAR, SHORT, INT, LONG -> true;
                case BOOLEAN, FLOAT, DOUBLE, OBJECT, PACKED -> false;
              };
          case MAXLOC, MINLOC -> layout.isPair();
        };
    if (!isDefined) {
      throw MessagingError.of(
          ErrorClass.OP,
          "the operation "
              + this
              + " is not defined for "
              + layout
              + "; it takes "
              + switch (kind) {
                case MAX, MIN, SUM, PROD -> "numbers";
                case LAND, LOR, LXOR -> "BOOLEAN";
                case BAND, BOR, BXOR -> "whole numbers";
                default -> "pairs such as INT2 and DOUBLE2";
              });
    }
  }

  /**
   * Puts {@code lower op upper} into the row of the upper ones.
   *
   * @param from the first element of both
   * @param length the number of base elements
   */
  public void combine(
      DataLayout layout, Object lower, int lowerFrom, Object upper, int from, int length) {
    switch (kind) {
      case USER -> combineByFunction(layout, lower, lowerFrom, upper, from, length);
      case LAND, LOR, LXOR ->
          logical((boolean[]) lower, lowerFrom, (boolean[]) upper, from, length);
      case MAXLOC, MINLOC -> located(lower, lowerFrom, upper, from, length);
      default -> numeric(lower, lowerFrom, upper, from, length);
    }
  }

  private void combineByFunction(
      DataLayout layout, Object lower, int lowerFrom, Object upper, int from, int length) {
    var user = function;
    if (user == null || length == 0) {
      return;
    }
    var count = length / layout.size();
    if (layout.isContiguous()) {
      user.combine(lower, lowerFrom, upper, from, count, layout);
      return;
    }
    // The function finds the elements where the type has them.
    var element = layout.element();
    if (element == null) {
      return;
    }
    var range = layout.range(0, count);
    var offset = (int) Math.max(0, -range[0]);
    var in = element.newArray((int) range[1] + offset);
    var inout = element.newArray((int) range[1] + offset);
    layout.scatter(lower, lowerFrom, length, in, offset);
    layout.scatter(upper, from, length, inout, offset);
    user.combine(in, offset, inout, offset, count, layout);
    layout.gather(inout, offset, count, upper, from);
  }

  private void logical(boolean[] lower, int lowerFrom, boolean[] upper, int from, int length) {
    for (var i = 0; i < length; i++) {
      var a = lower[lowerFrom + i];
      var b = upper[from + i];
      upper[from + i] = kind == Kind.LAND ? a && b : kind == Kind.LOR ? a || b : a != b;
    }
  }

  private void numeric(Object lower, int lowerFrom, Object upper, int from, int length) {
    switch (upper) {
      case double[] b -> {
        var a = (double[]) lower;
        if (kind == Kind.SUM) {
          for (var i = 0; i < length; i++) {
            b[from + i] = a[lowerFrom + i] + b[from + i];
          }
        } else {
          for (var i = 0; i < length; i++) {
            b[from + i] = of(a[lowerFrom + i], b[from + i]);
          }
        }
      }
      case float[] b -> {
        var a = (float[]) lower;
        for (var i = 0; i < length; i++) {
          b[from + i] =
              switch (kind) {
                case SUM -> a[lowerFrom + i] + b[from + i];
                case PROD -> a[lowerFrom + i] * b[from + i];
                case MAX -> Math.max(a[lowerFrom + i], b[from + i]);
                default -> Math.min(a[lowerFrom + i], b[from + i]);
              };
        }
      }
      case long[] b -> {
        var a = (long[]) lower;
        if (kind == Kind.SUM) {
          for (var i = 0; i < length; i++) {
            b[from + i] = a[lowerFrom + i] + b[from + i];
          }
        } else {
          for (var i = 0; i < length; i++) {
            b[from + i] = of(a[lowerFrom + i], b[from + i]);
          }
        }
      }
      case int[] b -> {
        var a = (int[]) lower;
        if (kind == Kind.SUM) {
          for (var i = 0; i < length; i++) {
            b[from + i] = a[lowerFrom + i] + b[from + i];
          }
        } else {
          for (var i = 0; i < length; i++) {
            b[from + i] = (int) of((long) a[lowerFrom + i], b[from + i]);
          }
        }
      }
      case short[] b -> {
        var a = (short[]) lower;
        for (var i = 0; i < length; i++) {
          b[from + i] = (short) of((long) a[lowerFrom + i], b[from + i]);
        }
      }
      case char[] b -> {
        var a = (char[]) lower;
        for (var i = 0; i < length; i++) {
          b[from + i] = (char) of((long) a[lowerFrom + i], b[from + i]);
        }
      }
      case byte[] b -> {
        var a = (byte[]) lower;
        for (var i = 0; i < length; i++) {
          b[from + i] = (byte) of((long) a[lowerFrom + i], b[from + i]);
        }
      }
      default -> throw new AssertionError(upper.getClass());
    }
  }

  private double of(double a, double b) {
    return switch (kind) {
      case PROD -> a * b;
      case MAX -> Math.max(a, b);
      case MIN -> Math.min(a, b);
      default -> a + b;
    };
  }

  private long of(long a, long b) {
    return switch (kind) {
      case PROD -> a * b;
      case MAX -> Math.max(a, b);
      case MIN -> Math.min(a, b);
      case BAND -> a & b;
      case BOR -> a | b;
      case BXOR -> a ^ b;
      default -> a + b;
    };
  }

  private void located(Object lower, int lowerFrom, Object upper, int from, int length) {
    for (var i = 0; i < length; i += 2) {
      var order = compare(lower, lowerFrom + i, upper, from + i);
      var takesLower =
          order == 0
              ? compare(lower, lowerFrom + i + 1, upper, from + i + 1) < 0 // the lower index
              : kind == Kind.MAXLOC == order > 0;
      if (takesLower) {
        System.arraycopy(lower, lowerFrom + i, upper, from + i, 2);
      }
    }
  }

  private static int compare(Object lower, int at, Object upper, int place) {
    return switch (upper) {
      case double[] b -> compare(((double[]) lower)[at], b[place]);
      case float[] b -> compare(((float[]) lower)[at], b[place]);
      case long[] b -> Long.compare(((long[]) lower)[at], b[place]);
      case int[] b -> Integer.compare(((int[]) lower)[at], b[place]);
      case short[] b -> Short.compare(((short[]) lower)[at], b[place]);
      default -> throw new AssertionError(upper.getClass());
    };
  }

  private static int compare(double a, double b) {
    return a < b ? -1 : a > b ? 1 : a == b ? 0 : Double.compare(a, b); // zeros are equal
  }

  @Override
  public String toString() {
    return kind == Kind.USER ? "of the program" : kind.name();
  }
}
