package org.troupe.descriptors.xml;

import java.io.Serializable;

/**
 * Something wrong, or probably wrong, in a descriptor or another file of its form.
 *
 * @param place the element or attribute it is about
 * @param what what is wrong, with its values; one line
 * @param remedy what to do about it; one line
 */
public record Problem(SourcePosition place, String what, String remedy) implements Serializable {

  /** Returns {@code file:line:column: what; remedy}. */
  @Override
  public String toString() {
    return place + ": " + what + "; " + remedy;
  }
}
