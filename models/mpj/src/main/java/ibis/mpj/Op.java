package ibis.mpj;

import org.jspecify.annotations.Nullable;
import org.troupe.mpj.data.DataLayout;
import org.troupe.mpj.data.ReductionOperator;
import org.troupe.mpj.error.ErrorClass;
import org.troupe.mpj.error.MessagingError;

/** An operation of a reduction; programs extend it. */
public abstract class Op implements Freeable {

  /** Whether the order of two items does not matter. */
  protected boolean commute;

  private @Nullable ReductionOperator core; // null until it is used, and once freed
  private boolean isFreed;

  /** For subclasses. */
  protected Op(boolean commute) throws MPJException {
    this.commute = commute;
  }

  private Op(ReductionOperator core) {
    this.commute = core.commutes();
    this.core = core;
  }

  /** Returns one of the operations that have a name. */
  static Op of(ReductionOperator core) {
    return new Op(core) {
      @Override
      public void call(
          Object invec,
          int inoffset,
          Object inoutvec,
          int inoutoffset,
          int count,
          Datatype datatype) {
        var layout = Comm.layout(datatype);
        core.check(layout, java.util.Objects.requireNonNull(layout.element(), "no marker"));
        core.combine(layout, invec, inoffset, inoutvec, inoutoffset, count * layout.size());
      }
    };
  }

  static ReductionOperator core(@Nullable Op op) {
    if (op == null || op.isFreed) {
      throw MessagingError.of(
          ErrorClass.OP, "the operation is null or freed; give one such as MPJ.SUM");
    }
    return op.core();
  }

  private synchronized ReductionOperator core() {
    var known = core;
    if (known == null) {
      known = new ReductionOperator(this::combine, commute);
      core = known;
    }
    return known;
  }

  private void combine(
      Object in, int inOffset, Object inout, int inoutOffset, int count, DataLayout layout) {
    try {
      call(in, inOffset, inout, inoutOffset, count, Datatype.of(layout));
    } catch (MPJException e) {
      throw MessagingError.again(e);
    }
  }

  /** Puts {@code in op inout} into {@code inout}, for {@code count} items. */
  public abstract void call(
      Object invec, int inoffset, Object inoutvec, int inoutoffset, int count, Datatype datatype)
      throws MPJException;

  /** Returns whether the order of two items does not matter. */
  public boolean isCommute() {
    return commute;
  }

  @Override
  public void free() throws MPJException {
    core(this);
    isFreed = true;
    core = null;
  }

  /** Returns whether it has been freed. */
  public boolean isNull() {
    return isFreed;
  }
}
