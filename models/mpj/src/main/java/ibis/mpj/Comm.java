package ibis.mpj;

import org.jspecify.annotations.Nullable;
import org.troupe.mpj.comm.CartesianTopology;
import org.troupe.mpj.comm.Communicator;
import org.troupe.mpj.comm.Communicator.Mode;
import org.troupe.mpj.comm.GraphTopology;
import org.troupe.mpj.comm.World;
import org.troupe.mpj.data.DataLayout;
import org.troupe.mpj.data.MessageBuffer;
import org.troupe.mpj.data.Packing;
import org.troupe.mpj.error.ErrorClass;
import org.troupe.mpj.error.MessagingError;
import org.troupe.mpj.matching.MessageEngine;

/** Ranks that exchange messages in a context of their own. */
public class Comm {

  private @Nullable Communicator core; // null: freed, or of a constant
  private Errhandler handler = MPJ.ERRORS_ARE_FATAL;

  Comm(@Nullable Communicator core) {
    this.core = core;
  }

  Communicator core() {
    Communicator known = core;
    if (known == null) {
      throw MessagingError.of(
          ErrorClass.COMM, "the communicator has been freed, or is COMM_NULL; use another one");
    }
    World.current();
    return known;
  }

  static Communicator core(@Nullable Comm comm) {
    if (comm == null) {
      throw MessagingError.of(
          ErrorClass.COMM,
          "the communicator is null; ranks outside of a new communicator get null");
    }
    return comm.core();
  }

  // About the communicator

  /** Returns the rank of the caller. */
  public int rank() throws MPJException {
    return core().rank();
  }

  /** Returns the number of ranks. */
  public int size() throws MPJException {
    return core().size();
  }

  /** Returns the group of the ranks. */
  public Group group() throws MPJException {
    return new Group(core().group());
  }

  /** Returns {@code IDENT}, {@code CONGRUENT}, {@code SIMILAR} or {@code UNEQUAL}. */
  public static int compare(Comm comm1, Comm comm2) throws MPJException {
    return MPJ.of(core(comm1).compare(core(comm2)));
  }

  /** Returns a duplicate with a context of its own; collective. */
  @Override
  @SuppressWarnings({
    "MissingSuperCall",
    "CheckedExceptionNotThrown"
  }) // a duplicate is no copy of fields
  public Object clone() {
    return of(core().duplicate());
  }

  static Comm of(Communicator made) {
    if (made.isInter()) {
      return new Intercomm(made);
    }
    return Intracomm.ofCore(made);
  }

  /** Frees the communicator; collective. */
  public void free() throws MPJException {
    core().free();
    core = null;
  }

  /** Returns whether the communicator has been freed, or is {@code COMM_NULL}. */
  public boolean isNull() {
    return core == null;
  }

  /** Returns whether this is an intercommunicator. */
  public boolean testInter() throws MPJException {
    return core().isInter();
  }

  /** Returns an intercommunicator of two groups; collective over both. */
  public Intercomm createIntercomm(Comm local_comm, int local_leader, int remote_leader, int tag)
      throws MPJException {
    return new Intercomm(core().createInter(core(local_comm), local_leader, remote_leader, tag));
  }

  /** Returns an attribute, or {@code null} for an unknown key. */
  public @Nullable Object attrGet(int keyval) throws MPJException {
    core();
    if (keyval == MPJ.TAG_UB) {
      return MessageEngine.MOST_TAG;
    }
    if (keyval == MPJ.HOST) {
      return MPJ.getProcessorName();
    }
    if (keyval == MPJ.IO) {
      return MPJ.ANY_SOURCE;
    }
    return keyval == MPJ.WTIME_IS_GLOBAL ? (Integer) 0 : null;
  }

  /** Refuses to delete an attribute: all of them belong to the system. */
  public void attrDelete(int keyval) throws MPJException {
    core();
    throw MessagingError.of(
        ErrorClass.ARG, "the attribute " + keyval + " is no attribute of the program; leave it");
  }

  /** Returns {@code GRAPH}, {@code CART} or {@code UNDEFINED}. */
  public int topoTest() throws MPJException {
    return switch (core().topology()) {
      case null -> MPJ.UNDEFINED;
      case GraphTopology graph -> MPJ.GRAPH;
      case CartesianTopology grid -> MPJ.CART;
    };
  }

  /** Ends all ranks, and the run with this code. */
  public void abort(int errorcode) throws MPJException {
    World.current().abort(errorcode);
  }

  /** Sets the error handler. */
  public void errhandlerSet(Errhandler errhandler) throws MPJException {
    handler = errhandler;
  }

  /** Returns the error handler. */
  public Errhandler errhandlerGet() throws MPJException {
    return handler;
  }

  // Sending

  private static MessageBuffer sent(
      @Nullable Object buf, int offset, int count, @Nullable Datatype type) {
    return MessageBuffer.sent(buf, offset, count, Datatype.core(type));
  }

  private static MessageBuffer received(
      @Nullable Object buf, int offset, int count, @Nullable Datatype type) {
    return MessageBuffer.received(buf, offset, count, Datatype.core(type));
  }

  /** Sends; returns when the array may be changed. */
  public void send(Object buf, int offset, int count, Datatype datatype, int dest, int tag)
      throws MPJException {
    core().send(sent(buf, offset, count, datatype), dest, tag, Mode.STANDARD);
  }

  /** Sends out of the attached buffer; returns at once. */
  public void bsend(Object buf, int offset, int count, Datatype datatype, int dest, int tag)
      throws MPJException {
    core().send(sent(buf, offset, count, datatype), dest, tag, Mode.BUFFERED);
  }

  /** Sends; returns when a receive has matched. */
  public void ssend(Object buf, int offset, int count, Datatype datatype, int dest, int tag)
      throws MPJException {
    core().send(sent(buf, offset, count, datatype), dest, tag, Mode.SYNCHRONOUS);
  }

  /** Sends to a receive that is posted. */
  public void rsend(Object buf, int offset, int count, Datatype datatype, int dest, int tag)
      throws MPJException {
    core().send(sent(buf, offset, count, datatype), dest, tag, Mode.READY);
  }

  /** Begins a send. */
  public Request isend(Object buf, int offset, int count, Datatype datatype, int dest, int tag)
      throws MPJException {
    return begin(Mode.STANDARD, buf, offset, count, datatype, dest, tag);
  }

  /** Begins a send out of the attached buffer. */
  public Request ibsend(Object buf, int offset, int count, Datatype datatype, int dest, int tag)
      throws MPJException {
    return begin(Mode.BUFFERED, buf, offset, count, datatype, dest, tag);
  }

  /** Begins a synchronous send. */
  public Request issend(Object buf, int offset, int count, Datatype datatype, int dest, int tag)
      throws MPJException {
    return begin(Mode.SYNCHRONOUS, buf, offset, count, datatype, dest, tag);
  }

  /** Begins a send to a receive that is posted. */
  public Request irsend(Object buf, int offset, int count, Datatype datatype, int dest, int tag)
      throws MPJException {
    return begin(Mode.READY, buf, offset, count, datatype, dest, tag);
  }

  private Request begin(
      Mode mode, Object buf, int offset, int count, Datatype datatype, int dest, int tag) {
    return new Request(core().beginSend(sent(buf, offset, count, datatype), dest, tag, mode));
  }

  // Receiving

  /** Receives a message. */
  public Status recv(Object buf, int offset, int count, Datatype datatype, int source, int tag)
      throws MPJException {
    return Status.of(core().receive(received(buf, offset, count, datatype), source, tag));
  }

  /** Begins to receive a message. */
  public Request irecv(Object buf, int offset, int count, Datatype datatype, int source, int tag)
      throws MPJException {
    return new Request(core().beginReceive(received(buf, offset, count, datatype), source, tag));
  }

  /** Waits for a message that a receive would take. */
  public Status probe(int source, int tag) throws MPJException {
    return Status.of(core().probe(source, tag));
  }

  /** Returns the message that a receive would take, or {@code null}. */
  public @Nullable Status iprobe(int source, int tag) throws MPJException {
    return Status.orNull(core().probeNow(source, tag));
  }

  // Persistent requests

  /** Returns a request for sends. */
  public Prequest sendInit(Object buf, int offset, int count, Datatype datatype, int dest, int tag)
      throws MPJException {
    return prepare(Mode.STANDARD, buf, offset, count, datatype, dest, tag);
  }

  /** Returns a request for buffered sends. */
  public Prequest bsendInit(Object buf, int offset, int count, Datatype datatype, int dest, int tag)
      throws MPJException {
    return prepare(Mode.BUFFERED, buf, offset, count, datatype, dest, tag);
  }

  /** Returns a request for synchronous sends. */
  public Prequest ssendInit(Object buf, int offset, int count, Datatype datatype, int dest, int tag)
      throws MPJException {
    return prepare(Mode.SYNCHRONOUS, buf, offset, count, datatype, dest, tag);
  }

  /** Returns a request for sends to posted receives. */
  public Prequest rsendInit(Object buf, int offset, int count, Datatype datatype, int dest, int tag)
      throws MPJException {
    return prepare(Mode.READY, buf, offset, count, datatype, dest, tag);
  }

  private Prequest prepare(
      Mode mode, Object buf, int offset, int count, Datatype datatype, int dest, int tag) {
    return new Prequest(core().prepareSend(sent(buf, offset, count, datatype), dest, tag, mode));
  }

  /** Returns a request for receives. */
  public Prequest recvInit(
      Object buf, int offset, int count, Datatype datatype, int source, int tag)
      throws MPJException {
    return new Prequest(core().prepareReceive(received(buf, offset, count, datatype), source, tag));
  }

  // Both

  /** Sends and receives at the same time. */
  public Status sendrecv(
      Object sendbuf,
      int sendoffset,
      int sendcount,
      Datatype sendtype,
      int dest,
      int sendtag,
      Object recvbuf,
      int recvoffset,
      int recvcount,
      Datatype recvtype,
      int source,
      int recvtag)
      throws MPJException {
    return Status.of(
        core()
            .exchange(
                sent(sendbuf, sendoffset, sendcount, sendtype),
                dest,
                sendtag,
                received(recvbuf, recvoffset, recvcount, recvtype),
                source,
                recvtag));
  }

  /** Sends, and receives into the same array. */
  public Status sendrecvReplace(
      Object buf,
      int offset,
      int count,
      Datatype type,
      int dest,
      int sendtag,
      int source,
      int recvtag)
      throws MPJException {
    MessageBuffer place = received(buf, offset, count, type);
    MessageBuffer copy = MessageBuffer.range(place.element(), place.packed(), 0, place.elements());
    return Status.of(core().exchange(copy, dest, sendtag, place, source, recvtag));
  }

  // Packing

  /** Returns the size in bytes of packed items. */
  public int packSize(int incount, Datatype datatype) throws MPJException {
    core();
    return Communicator.packedSize(incount, Datatype.core(datatype));
  }

  /** Packs items behind a position; returns the position behind them. */
  public int pack(
      Object inbuf, int offset, int incount, Datatype datatype, byte[] outbuf, int position)
      throws MPJException {
    core();
    return Packing.pack(sent(inbuf, offset, incount, datatype), outbuf, position);
  }

  /** Returns packed items. */
  public byte[] pack(Object inbuf, int offset, int incount, Datatype datatype) throws MPJException {
    byte[] packed = new byte[packSize(incount, datatype)];
    pack(inbuf, offset, incount, datatype, packed, 0);
    return packed;
  }

  /** Unpacks items behind a position; returns the position behind them. */
  public int unpack(
      byte[] inbuf, int position, Object outbuf, int offset, int outcount, Datatype datatype)
      throws MPJException {
    core();
    return Packing.unpack(inbuf, position, received(outbuf, offset, outcount, datatype));
  }

  static DataLayout layout(@Nullable Datatype type) {
    return DataLayout.given(Datatype.core(type));
  }
}
