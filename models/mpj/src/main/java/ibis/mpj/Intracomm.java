package ibis.mpj;

import org.jspecify.annotations.Nullable;
import org.troupe.mpj.comm.ArrangedCommunicators;
import org.troupe.mpj.comm.CartesianTopology;
import org.troupe.mpj.comm.CollectiveCalls;
import org.troupe.mpj.comm.CollectiveCalls.Pieces;
import org.troupe.mpj.comm.Communicator;
import org.troupe.mpj.comm.GraphTopology;
import org.troupe.mpj.data.MessageBuffer;
import org.troupe.mpj.error.ErrorClass;
import org.troupe.mpj.error.MessagingError;

/** Ranks of one group, with collective operations: all members call them in the same order. */
public class Intracomm extends Comm {

  Intracomm(@Nullable Communicator core) {
    super(core);
  }

  static Intracomm ofCore(Communicator made) {
    return switch (made.topology()) {
      case null -> new Intracomm(made);
      case GraphTopology graph -> new Graphcomm(made);
      case CartesianTopology grid -> new Cartcomm(made);
    };
  }

  private CollectiveCalls calls() {
    return core().collectives();
  }

  private static @Nullable Intracomm orNull(@Nullable Communicator made) {
    return made == null ? null : new Intracomm(made);
  }

  private static MessageBuffer sent(
      @Nullable Object buf, int offset, int count, @Nullable Datatype type) {
    return MessageBuffer.sent(buf, offset, count, Datatype.core(type));
  }

  private static MessageBuffer received(
      @Nullable Object buf, int offset, int count, @Nullable Datatype type) {
    return MessageBuffer.received(buf, offset, count, Datatype.core(type));
  }

  private static Pieces equal(
      @Nullable Object buf, int offset, int count, @Nullable Datatype type, boolean isSent) {
    return each -> CollectiveCalls.equal(buf, offset, count, Datatype.core(type), isSent).of(each);
  }

  // Other communicators

  /** Returns the communicator of a group, or {@code null} outside of it; collective. */
  public @Nullable Intracomm create(Group group) throws MPJException {
    return orNull(core().create(Group.core(group)));
  }

  /** Returns the communicator of the ranks with the same colour; collective. */
  public @Nullable Intracomm split(int colour, int key) throws MPJException {
    return orNull(core().split(colour, key));
  }

  /** Returns a communicator arranged as a grid, or {@code null} outside of it; collective. */
  public @Nullable Cartcomm createCart(int[] dims, boolean[] periods, boolean reorder)
      throws MPJException {
    Communicator made = ArrangedCommunicators.cartesian(core(), dims, periods);
    return made == null ? null : new Cartcomm(made);
  }

  /** Returns a communicator arranged as a graph, or {@code null} outside of it; collective. */
  public @Nullable Graphcomm createGraph(int[] index, int[] edges, boolean reorder)
      throws MPJException {
    Communicator made = ArrangedCommunicators.graph(core(), index, edges);
    return made == null ? null : new Graphcomm(made);
  }

  // Collective operations

  /** Waits until all have called it. */
  public void barrier() throws MPJException {
    calls().barrier();
  }

  /** Copies the root's items to all. */
  public void bcast(Object buf, int offset, int count, Datatype datatype, int root)
      throws MPJException {
    Communicator its = core();
    MessageBuffer items =
        its.rank() == root
            ? sent(buf, offset, count, datatype)
            : received(buf, offset, count, datatype);
    its.collectives().broadcast(items, root);
  }

  /** Collects the items of all at the root, in the order of ranks. */
  public void gather(
      Object sendbuf,
      int sendoffset,
      int sendcount,
      Datatype sendtype,
      Object recvbuf,
      int recvoffset,
      int recvcount,
      Datatype recvtype,
      int root)
      throws MPJException {
    calls()
        .gather(
            sent(sendbuf, sendoffset, sendcount, sendtype),
            equal(recvbuf, recvoffset, recvcount, recvtype, false),
            root);
  }

  /** Collects items of all, in different numbers, at the root. */
  public void gatherv(
      Object sendbuf,
      int sendoffset,
      int sendcount,
      Datatype sendtype,
      Object recvbuf,
      int recvoffset,
      int[] recvcount,
      int[] displs,
      Datatype recvtype,
      int root)
      throws MPJException {
    CollectiveCalls calls = calls();
    calls.gather(
        sent(sendbuf, sendoffset, sendcount, sendtype),
        each ->
            calls
                .placed(recvbuf, recvoffset, recvcount, displs, Datatype.core(recvtype), false)
                .of(each),
        root);
  }

  /** Gives each rank some of the root's items, in the order of ranks. */
  public void scatter(
      Object sendbuf,
      int sendoffset,
      int sendcount,
      Datatype sendtype,
      Object recvbuf,
      int recvoffset,
      int recvcount,
      Datatype recvtype,
      int root)
      throws MPJException {
    calls()
        .scatter(
            equal(sendbuf, sendoffset, sendcount, sendtype, true),
            received(recvbuf, recvoffset, recvcount, recvtype),
            root);
  }

  /** Gives each rank some of the root's items, in different numbers. */
  public void scatterv(
      Object sendbuf,
      int sendoffset,
      int[] sendcount,
      int[] displs,
      Datatype sendtype,
      Object recvbuf,
      int recvoffset,
      int recvcount,
      Datatype recvtype,
      int root)
      throws MPJException {
    CollectiveCalls calls = calls();
    calls.scatter(
        each ->
            calls
                .placed(sendbuf, sendoffset, sendcount, displs, Datatype.core(sendtype), true)
                .of(each),
        received(recvbuf, recvoffset, recvcount, recvtype),
        root);
  }

  /** Collects the items of all at all. */
  public void allgather(
      Object sendbuf,
      int sendoffset,
      int sendcount,
      Datatype sendtype,
      Object recvbuf,
      int recvoffset,
      int recvcount,
      Datatype recvtype)
      throws MPJException {
    calls()
        .gatherToAll(
            sent(sendbuf, sendoffset, sendcount, sendtype),
            equal(recvbuf, recvoffset, recvcount, recvtype, false));
  }

  /** Collects items of all, in different numbers, at all. */
  public void allgatherv(
      Object sendbuf,
      int sendoffset,
      int sendcount,
      Datatype sendtype,
      Object recvbuf,
      int recvoffset,
      int[] recvcount,
      int[] displs,
      Datatype recvtype)
      throws MPJException {
    CollectiveCalls calls = calls();
    calls.gatherToAll(
        sent(sendbuf, sendoffset, sendcount, sendtype),
        calls.placed(recvbuf, recvoffset, recvcount, displs, Datatype.core(recvtype), false));
  }

  /** Gives each rank some items, and gets as many of each. */
  public void alltoall(
      Object sendbuf,
      int sendoffset,
      int sendcount,
      Datatype sendtype,
      Object recvbuf,
      int recvoffset,
      int recvcount,
      Datatype recvtype)
      throws MPJException {
    calls()
        .allToAll(
            equal(sendbuf, sendoffset, sendcount, sendtype, true),
            equal(recvbuf, recvoffset, recvcount, recvtype, false));
  }

  /** Gives each rank some items, and gets some of each, in different numbers. */
  public void alltoallv(
      Object sendbuf,
      int sendoffset,
      int[] sendcount,
      int[] sdispls,
      Datatype sendtype,
      Object recvbuf,
      int recvoffset,
      int[] recvcount,
      int[] rdispls,
      Datatype recvtype)
      throws MPJException {
    CollectiveCalls calls = calls();
    calls.allToAll(
        calls.placed(sendbuf, sendoffset, sendcount, sdispls, Datatype.core(sendtype), true),
        calls.placed(recvbuf, recvoffset, recvcount, rdispls, Datatype.core(recvtype), false));
  }

  /** Combines the items of all at the root. */
  public void reduce(
      Object sendbuf,
      int sendoffset,
      Object recvbuf,
      int recvoffset,
      int count,
      Datatype datatype,
      Op op,
      int root)
      throws MPJException {
    Communicator its = core();
    its.collectives()
        .reduce(
            sent(sendbuf, sendoffset, count, datatype),
            its.rank() == root ? received(recvbuf, recvoffset, count, datatype) : null,
            Op.core(op),
            root);
  }

  /** Combines the items of all at all. */
  public void allreduce(
      Object sendbuf,
      int sendoffset,
      Object recvbuf,
      int recvoffset,
      int count,
      Datatype datatype,
      Op op)
      throws MPJException {
    calls()
        .reduceToAll(
            sent(sendbuf, sendoffset, count, datatype),
            received(recvbuf, recvoffset, count, datatype),
            Op.core(op));
  }

  /** Combines the items of all; each rank gets a part of the result. */
  public void reduceScatter(
      Object sendbuf,
      int sendoffset,
      Object recvbuf,
      int recvoffset,
      int[] recvcounts,
      Datatype datatype,
      Op op)
      throws MPJException {
    Communicator its = core();
    if (recvcounts == null || recvcounts.length < its.size()) {
      throw MessagingError.of(
          ErrorClass.ARG, "recvcounts must have an entry for each of " + its.size() + " ranks");
    }
    int count = 0;
    for (int i = 0; i < its.size(); i++) {
      count += recvcounts[i];
    }
    its.collectives()
        .reduceScatter(
            sent(sendbuf, sendoffset, count, datatype),
            received(recvbuf, recvoffset, recvcounts[its.rank()], datatype),
            recvcounts,
            Op.core(op));
  }

  /** Combines the items of all ranks up to the caller's. */
  public void scan(
      Object sendbuf,
      int sendoffset,
      Object recvbuf,
      int recvoffset,
      int count,
      Datatype datatype,
      Op op)
      throws MPJException {
    calls()
        .scan(
            sent(sendbuf, sendoffset, count, datatype),
            received(recvbuf, recvoffset, count, datatype),
            Op.core(op));
  }
}
