package mpi;

import org.jspecify.annotations.Nullable;
import org.troupe.mpj.data.DataLayout;
import org.troupe.mpj.data.ElementType;

/** What one item of a message is: an element, or a pattern of elements of one array. */
public class Datatype implements Freeable {

  private final DataLayout core;

  private Datatype(DataLayout core) {
    this.core = core;
  }

  static Datatype of(DataLayout core) {
    return new Datatype(core);
  }

  static Datatype of(ElementType element) {
    return new Datatype(DataLayout.of(element));
  }

  static Datatype pairOf(ElementType element) {
    return new Datatype(DataLayout.pairOf(element));
  }

  static @Nullable DataLayout core(@Nullable Datatype type) {
    return type == null ? null : type.core;
  }

  private static DataLayout given(@Nullable Datatype type) {
    return DataLayout.given(core(type));
  }

  /** Returns the type of items in a row. */
  public static Datatype Contiguous(int count, Datatype oldtype) throws MPIException {
    return of(DataLayout.contiguous(count, given(oldtype)));
  }

  /** Returns the type of blocks at equal distances, in extents of the old type. */
  public static Datatype Vector(int count, int blocklength, int stride, Datatype oldtype)
      throws MPIException {
    return of(DataLayout.vector(count, blocklength, stride, given(oldtype)));
  }

  /** Returns the type of blocks at equal distances, in elements of the base type. */
  public static Datatype Hvector(int count, int blocklength, int stride, Datatype oldtype)
      throws MPIException {
    return of(DataLayout.hvector(count, blocklength, stride, given(oldtype)));
  }

  /** Returns the type of blocks at places in extents of the old type. */
  public static Datatype Indexed(
      int[] array_of_blocklengths, int[] array_of_displacements, Datatype oldtype)
      throws MPIException {
    return of(DataLayout.indexed(array_of_blocklengths, array_of_displacements, given(oldtype)));
  }

  /** Returns the type of blocks at places in elements of the base type. */
  public static Datatype Hindexed(
      int[] array_of_blocklengths, int[] array_of_displacements, Datatype oldtype)
      throws MPIException {
    return of(DataLayout.hindexed(array_of_blocklengths, array_of_displacements, given(oldtype)));
  }

  /** Returns the type of blocks of types with one base type, at places in its elements. */
  public static Datatype Struct(
      int[] array_of_blocklengths, int[] array_of_displacements, Datatype[] array_of_types)
      throws MPIException {
    @Nullable DataLayout @Nullable [] types = null;
    if (array_of_types != null) {
      types = new @Nullable DataLayout[array_of_types.length];
      for (int i = 0; i < types.length; i++) {
        types[i] = core(array_of_types[i]);
      }
    }
    return of(DataLayout.struct(array_of_blocklengths, array_of_displacements, types));
  }

  /** Returns the distance of two items in a row, in elements of the base type. */
  public int Extent() throws MPIException {
    return given(this).extent();
  }

  /** Returns the number of elements of an item. */
  public int Size() throws MPIException {
    return given(this).size();
  }

  /** Returns the lower bound. */
  public int Lb() throws MPIException {
    return given(this).lower();
  }

  /** Returns the upper bound. */
  public int Ub() throws MPIException {
    return given(this).upper();
  }

  /** Permits the use of the type in messages. */
  public void Commit() throws MPIException {
    core.commit();
  }

  @Override
  public void free() throws MPIException {
    core.free();
  }

  /** Frees the type. */
  public void Free() throws MPIException {
    free();
  }
}
