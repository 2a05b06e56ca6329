package org.troupe.descriptors;

/** The origin of a variable's value; {@code toString} describes it to users. */
public sealed interface ValueOrigin {

  /** Given by the caller, usually with {@code -D name=value}. */
  record CommandLine() implements ValueOrigin {
    @Override
    public String toString() {
      return "command line";
    }
  }

  /**
   * Taken from the environment of this process.
   *
   * @param name the name of the environment variable
   */
  record Environment(String name) implements ValueOrigin {
    @Override
    public String toString() {
      return "environment variable " + name;
    }
  }

  /**
   * The default of the descriptor, since no other value was given.
   *
   * @param place the position of the default
   */
  record Default(SourcePosition place) implements ValueOrigin {
    @Override
    public String toString() {
      return "default in " + place.file() + ":" + place.line();
    }
  }
}
