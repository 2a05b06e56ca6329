package org.troupe.activeobjects.collective;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.troupe.activeobjects.Options;
import org.troupe.activeobjects.Ref;
import org.troupe.activeobjects.Store;

/**
 * Images of the objects of one node, made together with those of other members of their group, and
 * the stores that hold them. May be shared between threads; all methods but {@link #image} may
 * block.
 */
public interface ObjectImages {

  /** The beginning of the names of all images of members, by which they are told from others. */
  String NAME_PREFIX = "group-";

  /**
   * Makes an image of an object of this node at its next safe point, and lets it serve on.
   *
   * @param members the members of its group, by rank: references to them become references to the
   *     members of the restored group
   * @param bytes the expected size of the image, or 0
   * @return the image; fails if the object has no safe point or cannot be encoded
   */
  CompletableFuture<ByteBuffer> image(Ref<?> object, List<? extends Ref<?>> members, int bytes);

  /**
   * Writes an image to a store; when this returns, it is stable.
   *
   * @param name begins with {@link #NAME_PREFIX}
   */
  void write(Store store, String name, ByteBuffer image) throws IOException;

  /**
   * Returns an image of a store; empty if none of this name is stable.
   *
   * @throws IOException if it is damaged or cannot be read
   */
  Optional<byte[]> read(Store store, String name) throws IOException;

  /** Returns the names of all images in a store, and of its other journals. */
  Set<String> names(Store store) throws IOException;

  /** Deletes images that newer stable ones have replaced. */
  void deleteReplaced(Store store, List<String> names) throws IOException;

  /**
   * Creates an active object on this node without its object, which an image will give.
   *
   * @param type the name of a class or interface of the object
   * @throws IllegalArgumentException if the image is one of another class, or the options do not
   *     fit
   */
  Vacancy vacancy(byte[] image, String type, Options options);

  /** An active object whose object is still to be made. Calls of it wait in its queue. */
  interface Vacancy {

    /** Returns its stub. */
    Object stub();

    /**
     * Makes the object from the image, attaches an extension to it, and begins its service.
     *
     * @param members the stubs of the restored members, by rank
     */
    void fill(List<?> members, BodyExtension extension);

    /** Ends the active object instead. */
    void abandon(String why);
  }
}
