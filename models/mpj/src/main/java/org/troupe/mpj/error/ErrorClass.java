package org.troupe.mpj.error;

/** The class of an error, as MPI names them. */
public enum ErrorClass {
  /** An array that is null, no array, or too short. */
  BUFFER(1),
  /** A negative count. */
  COUNT(2),
  /** A datatype that does not fit the array or the other side, or is not committed. */
  TYPE(3),
  /** A tag that is negative or above the bound. */
  TAG(4),
  /** A communicator that is null or freed. */
  COMM(5),
  /** A rank that the communicator does not have. */
  RANK(6),
  /** A request that is null or active. */
  REQUEST(7),
  /** A root that the communicator does not have. */
  ROOT(8),
  /** A group that is null or freed, or a wrong rank in one. */
  GROUP(9),
  /** An operation that is not defined for the type. */
  OP(10),
  /** A communicator without the topology. */
  TOPOLOGY(11),
  /** Dimensions that do not fit. */
  DIMS(12),
  /** Any other wrong argument, or collective calls that do not match. */
  ARG(13),
  /** A message that is longer than the receive. */
  TRUNCATE(15),
  /** A call before {@code Init} or after {@code Finalize}, and other errors. */
  OTHER(16),
  /** A request that another thread waits for. */
  PENDING(18),
  /** A rank is lost. */
  PROC_FAILED(54);

  private final int code;

  ErrorClass(int code) {
    this.code = code;
  }

  /** Returns the number of the class in MPI's bindings. */
  public int code() {
    return code;
  }
}
