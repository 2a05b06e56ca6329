package org.troupe.activeobjects.internal.replay;

/** The log of an object, as the protocol writes it. */
@FunctionalInterface
public interface ObjectLog<C, V> {

  /**
   * Appends a record, without waiting until it is stable.
   *
   * @return the position of the record; {@link LoggedObject#stable} is told when it is stable
   */
  long append(LogRecord<C, V> entry);
}
