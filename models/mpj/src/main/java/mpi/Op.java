package mpi;

import org.jspecify.annotations.Nullable;
import org.troupe.mpj.data.ReductionOperator;
import org.troupe.mpj.error.ErrorClass;
import org.troupe.mpj.error.MessagingError;

/** An operation of a reduction. */
public class Op implements Freeable {

  private @Nullable ReductionOperator core; // null once freed

  Op(ReductionOperator core) {
    this.core = core;
  }

  /** Makes an operation of a function. */
  public Op(User_function function, boolean commute) throws MPIException {
    if (function == null) {
      throw MessagingError.of(ErrorClass.OP, "the function of an operation is null");
    }
    this.core =
        new ReductionOperator(
            (in, inOffset, inout, inoutOffset, count, layout) ->
                function.Call(in, inOffset, inout, inoutOffset, count, Datatype.of(layout)),
            commute);
  }

  static ReductionOperator core(@Nullable Op op) {
    var core = op == null ? null : op.core;
    if (core == null) {
      throw MessagingError.of(
          ErrorClass.OP, "the operation is null or freed; give one such as MPI.SUM");
    }
    return core;
  }

  @Override
  public void free() throws MPIException {
    core(this);
    core = null;
  }

  /** Frees the operation. */
  public void Free() throws MPIException {
    free();
  }

  /** Returns whether it has been freed. */
  public boolean Is_null() {
    return core == null;
  }
}
