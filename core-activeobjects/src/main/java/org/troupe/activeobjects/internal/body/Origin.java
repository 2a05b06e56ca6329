package org.troupe.activeobjects.internal.body;

import org.troupe.activeobjects.LifeCycle;
import org.troupe.activeobjects.Options;
import org.troupe.activeobjects.Store;
import org.troupe.activeobjects.internal.marshal.Marshaller;
import org.troupe.activeobjects.internal.marshal.PortableValues;
import org.troupe.serialization.ClassSource;
import org.troupe.stubs.ObjectConstruction;

/**
 * How an object is made again when it has failed or was lost with its node. Immutable; travels
 * between nodes. The parts that restart an object depend on nothing but this interface, so that a
 * further kind of origin needs no other change than its own class.
 */
public sealed interface Origin {

  /**
   * Makes the object.
   *
   * @param classes gives the classes that are not known here
   * @throws Throwable what its constructor throws, or why it cannot be made on this node
   */
  Object make(Class<?> type, Marshaller marshaller, ClassSource classes) throws Throwable;

  /** Returns the beginning of a message that says why the object could not be made. */
  default String problem() {
    return "its constructor threw";
  }

  /**
   * Returns the end of a message that says that the object is given up, which names what can be
   * done about it; empty if nothing is known.
   */
  default String remedy() {
    return "";
  }

  /** Returns the approximate size in bytes. */
  long size();

  /** Notifies an object that was made so on its node, before its first request. */
  default void begin(LifeCycle object) {
    object.started();
  }

  /** Returns the origin from which another node makes the object. */
  default Origin travelling() {
    return this;
  }

  /** Makes an object on its own node only, and does not travel. */
  non-sealed interface InPlace extends Origin {
    @Override
    default long size() {
      return 0;
    }
  }

  /**
   * Names the journal from which an object is made. The node that makes it opens the journal, which
   * is then its origin there.
   *
   * @param options of the object, with the store
   * @param journal the name of the journal in that store
   * @param key the name of the object in its grid; empty if it has none
   */
  record Stored(Options options, String journal, String key) implements Origin {

    /** What can be done about an object that was given up and whose store outlives the grid. */
    public static final String REMEDY = "; mend that, and go on with it by Grid.resume";

    @Override
    public Object make(Class<?> type, Marshaller marshaller, ClassSource classes) {
      throw new IllegalStateException("the journal '" + journal + "' has not been opened here");
    }

    @Override
    public String remedy() {
      return options.keep().store() instanceof Store.Copies ? "" : REMEDY;
    }

    @Override
    public long size() {
      return 0;
    }
  }

  /** Makes an object by its constructor, from its original arguments. */
  record Constructor(PortableValues arguments) implements Origin {

    @Override
    public Object make(Class<?> type, Marshaller marshaller, ClassSource classes) throws Throwable {
      return ObjectConstruction.construct(type, arguments.decode(marshaller, classes));
    }

    @Override
    public long size() {
      return arguments.size();
    }
  }

  /** Makes a copy of the object that was turned active. */
  record Copy(PortableValues object) implements Origin {

    @Override
    public String problem() {
      return "its copy could not be decoded:";
    }

    @Override
    public Object make(Class<?> type, Marshaller marshaller, ClassSource classes) {
      return object.decode(marshaller, classes)[0];
    }

    @Override
    public long size() {
      return object.size();
    }
  }
}
