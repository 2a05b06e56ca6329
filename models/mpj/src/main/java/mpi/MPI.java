package mpi;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.troupe.mpj.comm.Communicator;
import org.troupe.mpj.comm.MessageRequest;
import org.troupe.mpj.comm.MessageStatus;
import org.troupe.mpj.comm.NamedConstants;
import org.troupe.mpj.comm.RankGroup;
import org.troupe.mpj.comm.World;
import org.troupe.mpj.data.DataLayout;
import org.troupe.mpj.data.ElementType;
import org.troupe.mpj.data.ReductionOperator;
import org.troupe.mpj.error.MessagingError;

/** The beginning and the end of message passing, and its constants. */
public class MPI {

  static {
    MessagingError.speak(MPIException::new);
  }

  private MPI() {}

  // Constants come before the communicators, which use them.

  public static final int ANY_SOURCE = number(NamedConstants.ANY_SOURCE);
  public static final int ANY_TAG = number(NamedConstants.ANY_TAG);
  public static final int PROC_NULL = number(NamedConstants.PROC_NULL);
  public static final int UNDEFINED = number(NamedConstants.UNDEFINED);

  public static final int IDENT = number(0);
  public static final int CONGRUENT = number(3);
  public static final int SIMILAR = number(1);
  public static final int UNEQUAL = number(2);

  public static final int GRAPH = number(1);
  public static final int CART = number(2);

  public static final int TAG_UB = number(1);
  public static final int HOST = number(2);
  public static final int IO = number(3);
  public static final int WTIME_IS_GLOBAL = number(4);

  public static final int BSEND_OVERHEAD = number(Communicator.BUFFERED_OVERHEAD);
  public static final int SEND_OVERHEAD = number(0);
  public static final int RECV_OVERHEAD = number(0);

  public static final int THREAD_SINGLE = number(0);
  public static final int THREAD_FUNNELED = number(1);
  public static final int THREAD_SERIALIZED = number(2);
  public static final int THREAD_MULTIPLE = number(3);

  public static final int NUM_OF_PROCESSORS = number(Runtime.getRuntime().availableProcessors());

  public static final int ERR_BUFFER = number(1);
  public static final int ERR_COUNT = number(2);
  public static final int ERR_TYPE = number(3);
  public static final int ERR_TAG = number(4);
  public static final int ERR_COMM = number(5);
  public static final int ERR_RANK = number(6);
  public static final int ERR_REQUEST = number(7);
  public static final int ERR_ROOT = number(8);
  public static final int ERR_GROUP = number(9);
  public static final int ERR_OP = number(10);
  public static final int ERR_TOPOLOGY = number(11);
  public static final int ERR_DIMS = number(12);
  public static final int ERR_ARG = number(13);
  public static final int ERR_TRUNCATE = number(15);
  public static final int ERR_OTHER = number(16);
  public static final int ERR_PENDING = number(18);
  public static final int ERR_PROC_FAILED = number(54);

  public static final Errhandler ERRORS_ARE_FATAL = new Errhandler();
  public static final Errhandler ERRORS_RETURN = new Errhandler();

  public static final Datatype BYTE = Datatype.of(ElementType.BYTE);
  public static final Datatype CHAR = Datatype.of(ElementType.CHAR);
  public static final Datatype SHORT = Datatype.of(ElementType.SHORT);
  public static final Datatype BOOLEAN = Datatype.of(ElementType.BOOLEAN);
  public static final Datatype INT = Datatype.of(ElementType.INT);
  public static final Datatype LONG = Datatype.of(ElementType.LONG);
  public static final Datatype FLOAT = Datatype.of(ElementType.FLOAT);
  public static final Datatype DOUBLE = Datatype.of(ElementType.DOUBLE);
  public static final Datatype OBJECT = Datatype.of(ElementType.OBJECT);
  public static final Datatype PACKED = Datatype.of(ElementType.PACKED);
  public static final Datatype LB = Datatype.of(DataLayout.lowerBound());
  public static final Datatype UB = Datatype.of(DataLayout.upperBound());
  public static final @Nullable Datatype NULL = null;

  public static final Datatype SHORT2 = Datatype.pairOf(ElementType.SHORT);
  public static final Datatype INT2 = Datatype.pairOf(ElementType.INT);
  public static final Datatype LONG2 = Datatype.pairOf(ElementType.LONG);
  public static final Datatype FLOAT2 = Datatype.pairOf(ElementType.FLOAT);
  public static final Datatype DOUBLE2 = Datatype.pairOf(ElementType.DOUBLE);

  public static final Op MAX = new Op(ReductionOperator.MAX);
  public static final Op MIN = new Op(ReductionOperator.MIN);
  public static final Op SUM = new Op(ReductionOperator.SUM);
  public static final Op PROD = new Op(ReductionOperator.PROD);
  public static final Op LAND = new Op(ReductionOperator.LAND);
  public static final Op BAND = new Op(ReductionOperator.BAND);
  public static final Op LOR = new Op(ReductionOperator.LOR);
  public static final Op BOR = new Op(ReductionOperator.BOR);
  public static final Op LXOR = new Op(ReductionOperator.LXOR);
  public static final Op BXOR = new Op(ReductionOperator.BXOR);
  public static final Op MAXLOC = new Op(ReductionOperator.MAXLOC);
  public static final Op MINLOC = new Op(ReductionOperator.MINLOC);

  public static final Group GROUP_EMPTY = new Group(RankGroup.EMPTY);
  public static final Group GROUP_NULL = new Group(null);
  public static final Request REQUEST_NULL = new Request(MessageRequest.none());
  public static final Status EMPTY_STATUS = Status.of(MessageStatus.EMPTY);

  /** All ranks of the run. */
  public static final Intracomm COMM_WORLD =
      new Intracomm(null) {
        @Override
        Communicator core() {
          return World.current().all();
        }

        @Override
        public boolean Is_null() {
          return false;
        }
      };

  /** The calling rank alone. */
  public static final Intracomm COMM_SELF =
      new Intracomm(null) {
        @Override
        Communicator core() {
          return World.current().self();
        }

        @Override
        public boolean Is_null() {
          return false;
        }
      };

  public static final Comm COMM_NULL = new Comm(null);

  private static volatile Errhandler handler = ERRORS_ARE_FATAL;

  /** Returns the number, which compilers must not copy into programs. */
  private static int number(int number) {
    return number;
  }

  static int of(RankGroup.Likeness likeness) {
    return switch (likeness) {
      case IDENTICAL -> IDENT;
      case CONGRUENT -> CONGRUENT;
      case SIMILAR -> SIMILAR;
      case UNEQUAL -> UNEQUAL;
    };
  }

  // Beginning and end

  /** Begins message passing; returns the program's own arguments. */
  public static String[] Init(String[] argv) throws MPIException {
    MessagingError.speak(MPIException::new); // a program may have used the other dialect before
    World.begin();
    return argv;
  }

  /** Begins message passing; any number of threads may use it, for each required level. */
  public static String[] initThread(int required, int provided, String[] argv) throws MPIException {
    return Init(argv);
  }

  /** Returns {@code THREAD_MULTIPLE}. */
  public static int queryThread() throws MPIException {
    return THREAD_MULTIPLE;
  }

  /** Returns whether the current thread has called {@code Init}. */
  public static boolean isMainThread() throws MPIException {
    return World.current().isMainThread();
  }

  /** Ends message passing, when all ranks do. */
  public static void Finalize() throws MPIException {
    World.current().end();
  }

  /** Returns whether {@code Init} has been called. */
  public static boolean Initialized() throws MPIException {
    return World.isInitialized();
  }

  // Surroundings

  /** Returns a time in seconds. */
  public static double Wtime() {
    return System.nanoTime() * 1e-9;
  }

  /** Returns the resolution of the time in seconds. */
  public static double Wtick() {
    return 1e-9;
  }

  /** Returns the name of the machine. */
  public static String Get_processor_name() throws MPIException {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "localhost";
    }
  }

  /** Attaches a buffer for buffered sends. */
  public static void Buffer_attach(byte[] buffer) throws MPIException {
    World.current().attachBuffer(buffer, buffer == null ? 0 : buffer.length);
  }

  /** Attaches a buffer for buffered sends. */
  public static void Buffer_attach(ByteBuffer buffer) throws MPIException {
    World.current().attachBuffer(buffer, buffer == null ? 0 : buffer.capacity());
  }

  /** Waits until the buffered sends are done; returns the buffer, or {@code null}. */
  public static byte @Nullable [] Buffer_detach() throws MPIException {
    Object detached = World.current().detachBuffer();
    return detached instanceof byte[] bytes ? bytes : null;
  }

  /** Sets the error handler. */
  public static void Errhandler_set(Errhandler errhandler) throws MPIException {
    handler = errhandler;
  }

  /** Returns the error handler. */
  public static Errhandler Errhandler_get() throws MPIException {
    return handler;
  }
}
