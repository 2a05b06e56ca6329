package org.troupe.em3d.views;

import java.util.regex.Pattern;
import org.troupe.em3d.physics.FieldKind;

/**
 * A component of a field in a plane across an axis.
 *
 * @param axis 0 for x, 1 for y, 2 for z
 * @param at the position of the plane, metres
 * @param component 0 to 2 along x, y, z; {@link #MAGNITUDE} for the length of the vector
 */
public record FieldSlice(int axis, double at, FieldKind field, int component) {

  /** The number that stands for the magnitude of the vector. */
  public static final int MAGNITUDE = 3;

  private static final String AXES = "xyz";
  private static final Pattern FORM = Pattern.compile("([xyz])=([^:]+):(\\w+)");

  /**
   * Parses a slice such as {@code z=0.5:Ez}, or {@code x=0:H} for the magnitude.
   *
   * @throws IllegalArgumentException if the text has another form
   */
  public static FieldSlice parse(String text) {
    var form = FORM.matcher(text.strip());
    if (!form.matches()) {
      throw wrong(text);
    }
    try {
      double at = Double.parseDouble(form.group(2));
      if (!Double.isFinite(at)) {
        throw wrong(text);
      }
      String component = form.group(3);
      if (!component.matches("[EH][xyz]?")) {
        throw new IllegalArgumentException(
            "slice '%s': component '%s' is unknown; choose from 'Ex', 'Ey', 'Ez', 'Hx', 'Hy', 'Hz', and 'E' and 'H' for magnitudes"
                .formatted(text, component));
      }
      return new FieldSlice(
          AXES.indexOf(form.group(1)),
          at,
          FieldKind.valueOf(component.substring(0, 1)),
          component.length() == 1 ? MAGNITUDE : AXES.indexOf(component.charAt(1)));
    } catch (NumberFormatException e) {
      throw wrong(text);
    }
  }

  private static IllegalArgumentException wrong(String text) {
    return new IllegalArgumentException(
        "slice '%s' is not of the form AXIS=METRES:COMPONENT; write such as z=0.5:Ez, or z=0.5:E for the magnitude"
            .formatted(text));
  }

  /** Returns the name of the axis normal to the plane. */
  public char axisName() {
    return AXES.charAt(axis);
  }

  /** Returns the name of the quantity, such as {@code Ez} or {@code |E|}. */
  public String quantity() {
    return component == MAGNITUDE ? "|" + field + "|" : "" + field + AXES.charAt(component);
  }

  /** Returns the unit of the field. */
  public String unit() {
    return field == FieldKind.E ? "V/m" : "A/m";
  }

  /** Returns the quantity of a normalised vector, in the unit of the field. */
  double value(double[] vector) {
    double value =
        component == MAGNITUDE
            ? Math.sqrt(vector[0] * vector[0] + vector[1] * vector[1] + vector[2] * vector[2])
            : vector[component];
    return value * FieldInstant.unitOf(field);
  }

  /** Returns the prefix of its file names, such as {@code slice-z0.5-Ez}. */
  public String fileName() {
    return "slice-%s%s-%s%s"
        .formatted(
            axisName(), at, field, component == MAGNITUDE ? "" : "" + AXES.charAt(component));
  }

  /** Returns the form that {@link #parse} reads. */
  @Override
  public String toString() {
    return "%s=%s:%s%s"
        .formatted(
            axisName(), at, field, component == MAGNITUDE ? "" : "" + AXES.charAt(component));
  }
}
