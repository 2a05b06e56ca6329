package ibis.mpj;

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
  public Datatype contiguous(int count) throws MPJException {
    return of(DataLayout.contiguous(count, given(this)));
  }

  /** Returns the type of blocks at equal distances, in extents of the old type. */
  public Datatype vector(int count, int blocklength, int stride) throws MPJException {
    return of(DataLayout.vector(count, blocklength, stride, given(this)));
  }

  /** Returns the type of blocks at equal distances, in elements of the base type. */
  public Datatype hvector(int count, int blocklength, int stride) throws MPJException {
    return of(DataLayout.hvector(count, blocklength, stride, given(this)));
  }

  /** Returns the type of blocks at places in extents of the old type. */
  public Datatype indexed(int[] array_of_blocklengths, int[] array_of_displacements)
      throws MPJException {
    return of(DataLayout.indexed(array_of_blocklengths, array_of_displacements, given(this)));
  }

  /** Returns the type of blocks at places in elements of the base type. */
  public Datatype hindexed(int[] array_of_blocklengths, int[] array_of_displacements)
      throws MPJException {
    return of(DataLayout.hindexed(array_of_blocklengths, array_of_displacements, given(this)));
  }

  /** Returns the type of blocks of types with one base type, at places in its elements. */
  public static Datatype struct(
      int[] array_of_blocklengths, int[] array_of_displacements, Datatype[] array_of_types)
      throws MPJException {
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
  public int extent() throws MPJException {
    return given(this).extent();
  }

  /** Returns the number of elements of an item. */
  public int size() throws MPJException {
    return given(this).size();
  }

  /** Returns the lower bound. */
  public int lb() throws MPJException {
    return given(this).lower();
  }

  /** Returns the upper bound. */
  public int ub() throws MPJException {
    return given(this).upper();
  }

  /** Permits the use of the type in messages. */
  public void commit() throws MPJException {
    core.commit();
  }

  @Override
  public void free() throws MPJException {
    core.free();
  }
}
